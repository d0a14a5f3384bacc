#include "core/module/child_transport.hpp"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <utility>

#include "core/module/call_limits.hpp"
#include "core/module/crash_text.hpp"
#include "core/module/document_text.hpp"
#include "core/module/in_process_module.hpp"
#include "core/support/log.hpp"

namespace cloudai::module {
namespace {

// A child and those who wait for it.
struct Lane {
  std::mutex mutex;
  std::unique_ptr<ChildProcess> child;
  bool had_child = false;
};

}  // namespace

struct ChildProcessTransport::State {
  ModuleFile file;
  std::string interface_id;
  Host& host;
  ChildTransportSettings settings;
  std::string label;
  std::atomic<int> restarts_left;
  Json open_request;  // of the scheduler's instance, null before it is open
  Lane usual;
  Lane evaluations;

  State(const ModuleFile& from, std::string_view id, Host& services, ChildTransportSettings how)
      : file(from),
        interface_id(id),
        host(services),
        settings(std::move(how)),
        label(label_of(from)),
        restarts_left(settings.restarts) {
    if (!settings.call_limit) settings.call_limit = &call_limit;
  }

  Result<void> start(Lane& lane) {
    auto child = ChildProcess::start(file, interface_id, host, settings.child);
    if (!child) return tl::make_unexpected(std::move(child.error()));
    lane.child = std::move(*child);
    lane.had_child = true;
    return {};
  }

  // Gives the lane a child that lives. One that ended between two calls is told of here.
  Result<void> ensure_child(Lane& lane) {
    if (lane.child != nullptr) {
      const auto end = lane.child->ended();
      if (!end) return {};
      log::warn("{}", crash_error(label, "between two calls", *end, {}).message);
      lane.child.reset();
    }
    if (!lane.had_child) return start(lane);
    if (restarts_left-- <= 0) {
      restarts_left = 0;
      return tl::make_unexpected(
          Error{ErrorKind::module_gone,
                fmt::format("{} has lost its process {} times and is not started again.", label, settings.restarts + 1),
                {}});
    }
    log::warn("{} is started again{}.", label,
              open_request.is_null() ? "" : "; what its scheduler had in memory is lost");
    if (auto started = start(lane); !started || open_request.is_null()) return started;
    auto reopened = call_child(lane, "open", open_request);
    return reopened ? Result<void>() : tl::make_unexpected(std::move(reopened.error()));
  }

  Result<Json> call_child(Lane& lane, std::string_view function, const Json& request) {
    const auto text = serialise_document(request);
    if (!text) return trouble(fmt::format("the request of {}() to {} {}.", function, label, text.error()));
    const auto limit = settings.call_limit(function);
    const auto reply = lane.child->call(function, *text, limit);
    if (reply) return judge(label, function, *reply);
    lane.child.reset();
    return tl::make_unexpected(crash_error(label, place_of_call(function, request), reply.error(), limit));
  }
};

ChildProcessTransport::ChildProcessTransport(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcessTransport::~ChildProcessTransport() = default;

Result<std::shared_ptr<Transport>> ChildProcessTransport::start(const ModuleFile& file, std::string_view interface_id,
                                                                Host& host, ChildTransportSettings settings) {
  auto state = std::make_unique<State>(file, interface_id, host, std::move(settings));
  if (auto started = state->start(state->usual); !started) return tl::make_unexpected(std::move(started.error()));
  return std::shared_ptr<Transport>(new ChildProcessTransport(std::move(state)));
}

Result<Json> ChildProcessTransport::call(std::string_view function, const Json& request) {
  State& state = *state_;
  Lane& lane = function == "evaluate" ? state.evaluations : state.usual;
  const std::lock_guard lock(lane.mutex);
  if (auto ready = state.ensure_child(lane); !ready) return tl::make_unexpected(std::move(ready.error()));
  auto reply = state.call_child(lane, function, request);
  if (reply && function == "open" && state.interface_id == scheduler_interface) state.open_request = request;
  return reply;
}

}  // namespace cloudai::module
