// What the host offers: its log, and whether to stop. Running commands: cloudai/processes.hpp.
#pragma once

#include <string_view>

#include "cloudai/abi/host.h"

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
