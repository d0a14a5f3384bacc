// Host interface "cloudai.host.process/1" (sdk/include/cloudai/abi/host_process.h, which says what each call does):
// every process the program starts for a module is started, watched and ended here, so that time limits, cancellation,
// descriptors and process groups are right in one place.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "cloudai/abi/host_process.h"
#include "core/module/process_command.hpp"
#include "core/support/json.hpp"

namespace cloudai::module {

struct CallFailure {
  cloudai_status status = CLOUDAI_FAILED;
  std::string message;
};
using Reply = tl::expected<Json, CallFailure>;

// Any thread. Needs no SIGCHLD handler, and waits only for processes it started.
class ProcessService {
 public:
  // `cancelled` turns true at cancellation.
  explicit ProcessService(const std::atomic<bool>& cancelled);
  ~ProcessService();  // detached processes go on
  ProcessService(const ProcessService&) = delete;
  ProcessService& operator=(const ProcessService&) = delete;

  // The interface's functions; their `instance` points to a HostContext.
  static const cloudai_host_process_v1* interface();

  // Ends the commands that `run` waits for now. One started after `cancelled` turned true runs as ever: jobs are
  // cancelled through commands.
  void cancel();

  // Readable from cancel() on.
  int cancel_descriptor() const { return cancel_descriptor_; }

  // Kills, with SIGKILL, the detached processes that still run, and all of their sessions; says how many there were.
  std::size_t kill_detached();

  // How often each program was started by `run`, by its name without the directory.
  std::map<std::string, std::size_t> command_counts();

  // The calls themselves.
  Reply run(const Json& request);
  Reply spawn_detached(const Json& request);
  Reply inspect(const Json& request);
  Reply terminate(const Json& request);

 private:
  using Identity = std::pair<pid_t, std::string>;  // pid and start time

  // Whether that process runs, and how it ended where it was one of ours. Takes the ended child off the kernel's hands.
  Json look_at(const Identity& identity);

  const std::atomic<bool>& cancelled_;
  int cancel_descriptor_;  // an eventfd
  std::mutex mutex_;
  std::map<std::string, std::size_t> command_counts_;
  struct Child {
    std::string mark;
    std::optional<ProcessEnd> end;
  };
  std::map<Identity, Child> children_;  // the detached ones
};

}  // namespace cloudai::module
