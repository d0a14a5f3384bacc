// What the host offers: its log, whether to stop, and a counter of requests. Running commands: cloudai/processes.hpp.
#pragma once

#include <string_view>

#include "cloudai/abi/host.h"
#include "cloudai/abi/host_counter.h"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// May be used from any thread. Before the module is initialised it logs nothing and is never cancelled.
class Host {
 public:
  void log_debug(std::string_view message) const { log(CLOUDAI_LOG_DEBUG, message); }
  void log_info(std::string_view message) const { log(CLOUDAI_LOG_INFO, message); }
  void log_warning(std::string_view message) const { log(CLOUDAI_LOG_WARNING, message); }
  void log_error(std::string_view message) const { log(CLOUDAI_LOG_ERROR, message); }

  // True once the host wants every running call to end. A call that may block asks at least once a second and then
  // throws Error(cancelled).
  bool is_cancelled() const { return host_ != nullptr && host_->is_cancelled(host_->context) != 0; }

  // Notes one request that the module itself made to an outside service: count_request("POST workloads/trainings").
  // The same name for all requests of a kind. Nothing happens where the host does not count.
  void count_request(std::string_view what) const {
    const auto* counter = static_cast<const cloudai_host_counter_v1*>(get_interface(CLOUDAI_HOST_COUNTER_V1));
    if (counter != nullptr) counter->count(context(), {what.data(), what.size()});
  }

  // The host interface of this id, or null.
  const void* get_interface(std::string_view id) const {
    return host_ == nullptr ? nullptr : host_->get_interface(host_->context, {id.data(), id.size()});
  }

  void* context() const { return host_ == nullptr ? nullptr : host_->context; }

  // Done by the module's `init`; a test gives its own host.
  void connect(const cloudai_host* host) { host_ = host; }

 private:
  void log(int level, std::string_view message) const {
    if (host_ != nullptr) host_->log(host_->context, level, {message.data(), message.size()});
  }

  const cloudai_host* host_ = nullptr;
};

inline Host& host() {
  static Host instance;
  return instance;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
