// What `cloudai_host.context` points to: who is calling, and the services behind the host's functions.
#pragma once

#include <atomic>
#include <string>

namespace cloudai::module {

class ProcessService;
class RequestCounter;

// One for each module; lives as long as the Host. A host interface gets it back as the `instance` of its calls.
struct HostContext {
  ProcessService* processes = nullptr;
  std::string module_id;
  const std::atomic<bool>* cancelled = nullptr;
  RequestCounter* requests = nullptr;
};

}  // namespace cloudai::module
