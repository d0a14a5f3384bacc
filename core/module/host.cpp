#include "core/module/host.hpp"

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"
#include "core/module/host_context.hpp"
#include "core/module/process_service.hpp"
#include "core/module/request_counter.hpp"
#include "core/support/log.hpp"

namespace cloudai::module {
namespace {

spdlog::level::level_enum log_level(std::int32_t level) {
  switch (level) {
    case CLOUDAI_LOG_DEBUG:
      return spdlog::level::debug;
    case CLOUDAI_LOG_WARNING:
      return spdlog::level::warn;
    case CLOUDAI_LOG_ERROR:
      return spdlog::level::err;
    default:
      return spdlog::level::info;
  }
}

// Each line with the module's name, so that a log cut into lines still says who spoke.
void log_lines(void* context, std::int32_t level, cloudai_str message) {
  const auto& caller = *static_cast<const HostContext*>(context);
  if (message.data == nullptr) return;
  std::string_view rest(message.data, message.size);
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    if (!line.empty()) spdlog::log(log_level(level), "{}: {}", caller.module_id, line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
}

std::int32_t is_cancelled_for(void* context) {
  return static_cast<const HostContext*>(context)->cancelled->load() ? 1 : 0;
}

const void* host_interface(void* context, cloudai_str id) {
  const auto& caller = *static_cast<const HostContext*>(context);
  const std::string_view wanted = id.data == nullptr ? std::string_view() : std::string_view(id.data, id.size);
  if (wanted == CLOUDAI_HOST_PROCESS_V1) return caller.processes->interface();
  if (wanted == CLOUDAI_HOST_COUNTER_V1) return RequestCounter::interface();
  return nullptr;
}

struct Client {
  HostContext context;
  cloudai_host host;
};

}  // namespace

struct Host::State {
  std::atomic<bool> cancelled{false};
  ProcessService processes{cancelled};
  RequestCounter requests;
  std::mutex mutex;
  std::map<std::string, Client> clients;  // a map's elements stay where they are
};

Host::Host() : state_(std::make_unique<State>()) {}
Host::~Host() = default;

void Host::cancel() {
  state_->cancelled = true;
  state_->processes.cancel();
}

std::map<std::string, std::size_t> Host::command_counts() const {
  auto counts = state_->processes.command_counts();
  for (const auto& [what, count] : state_->requests.counts()) counts[what] += count;
  return counts;
}

bool Host::is_cancelled() const {
  return state_->cancelled;
}

std::size_t Host::kill_detached() {
  return state_->processes.kill_detached();
}

const cloudai_host* Host::for_module(const std::string& module_id) {
  const std::lock_guard lock(state_->mutex);
  const auto [place, is_new] = state_->clients.try_emplace(module_id);
  Client& client = place->second;
  if (is_new) {
    client.context = {&state_->processes, module_id, &state_->cancelled, &state_->requests};
    client.host = {sizeof(cloudai_host), CLOUDAI_ABI_MINOR, &client.context,
                   &log_lines,           &is_cancelled_for, &host_interface};
  }
  return &client.host;
}

}  // namespace cloudai::module
