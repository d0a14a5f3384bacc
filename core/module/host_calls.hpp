// Calls of modules in child processes to the host's interfaces: carried out here, in the core's process, so that what
// they started is known and watched beyond the life of the child.
#pragma once

#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

#include "cloudai/abi/host.h"

namespace cloudai::module {

// Any thread.
class HostCalls {
 public:
  using Answer = std::function<void(cloudai_status, std::string)>;

  HostCalls() = default;
  ~HostCalls();  // waits for those that run
  HostCalls(const HostCalls&) = delete;
  HostCalls& operator=(const HostCalls&) = delete;

  // Starts the call on a thread of its own, since it may take minutes; `answer` hears of its end, on that thread. False
  // if `host` has no such function, or far too many calls run already.
  bool start(const cloudai_host& host, std::string_view interface_id, std::string_view function, std::string request,
             Answer answer);

 private:
  std::mutex mutex_;
  std::list<std::future<void>> running_;
};

}  // namespace cloudai::module
