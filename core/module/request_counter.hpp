// Host interface "cloudai.host.counter/1" (sdk/include/cloudai/abi/host_counter.h): how many requests modules made to
// outside services by themselves.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "cloudai/abi/host_counter.h"

namespace cloudai::module {

// Any thread.
class RequestCounter {
 public:
  // The interface's functions; their `context` points to a HostContext.
  static const cloudai_host_counter_v1* interface();

  void count(std::string_view what);
  std::map<std::string, std::size_t> counts() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace cloudai::module
