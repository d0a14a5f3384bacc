#include "core/module/host_calls.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "core/module/host_interfaces.hpp"
#include "core/support/json.hpp"

namespace cloudai::module {
namespace {

// A module has as many calls under way as it has threads that make them.
constexpr std::size_t most_at_once = 256;

void append(void* text, cloudai_str chunk) {
  static_cast<std::string*>(text)->append(chunk.data, chunk.size);
}

void carry_out(cloudai_call call, void* context, const std::string& request, const HostCalls::Answer& answer) {
  try {
    std::string reply;
    const cloudai_sink sink{&reply, &append};
    const cloudai_status status = call(context, {request.data(), request.size()}, &sink);
    answer(status, std::move(reply));
  } catch (const std::exception& error) {
    answer(CLOUDAI_FAILED, Json{{"message", std::string("The host could not do it: ") + error.what()}}.dump());
  }
}

bool is_done(const std::future<void>& call) {
  return call.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

// Each future waits for its thread.
HostCalls::~HostCalls() = default;

bool HostCalls::start(const cloudai_host& host, std::string_view interface_id, std::string_view function,
                      std::string request, Answer answer) {
  const cloudai_call call = host_call(host, interface_id, function);
  if (call == nullptr) return false;
  const std::lock_guard lock(mutex_);
  running_.remove_if(is_done);
  if (running_.size() >= most_at_once) return false;
  try {
    running_.push_back(
        std::async(std::launch::async, [call, context = host.context, request = std::move(request),
                                        answer = std::move(answer)] { carry_out(call, context, request, answer); }));
    return true;
  } catch (const std::exception&) {  // no thread is to be had
    return false;
  }
}

}  // namespace cloudai::module
