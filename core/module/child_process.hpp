// One child of this program that has loaded one module, and the calls to it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "core/module/call_slot.hpp"
#include "core/module/catalogue.hpp"
#include "core/module/host.hpp"
#include "core/support/result.hpp"

namespace cloudai::module {

struct ChildSettings {
  // The program that has the command "module-host". "/proc/self/exe" is this one, even when its file was replaced.
  std::filesystem::path executable = "/proc/self/exe";
  std::chrono::milliseconds load_limit{60'000};
  // How long the module has for its "close" and "deinit".
  std::chrono::milliseconds leave_limit{5'000};
};

// The child leads a session of its own, so that no terminal's signal reaches it, has no descriptor of this process but
// its end of a connection, and ends with this process, however that ends. What it writes to stdout and stderr goes to
// the log; what the module asks of the host is done in this process.
class ChildProcess {
 public:
  // Starts the child and has it load the module for the calls of one interface. The error is a sentence that names the
  // module; its kind is module_crashed if the child ended. `host` outlives the child.
  static Result<std::unique_ptr<ChildProcess>> start(const ModuleFile& file, std::string_view interface_id, Host& host,
                                                     const ChildSettings& settings = {});
  // Lets the module close its instance and leave; kills what does not.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Blocks. One call at a time. `request` goes to the module as it is. A call that does not return within `limit` ends
  // the child with SIGKILL.
  tl::expected<RawReply, ChildEnd> call(std::string_view function, std::string_view request,
                                        std::chrono::milliseconds limit);

  // Whether the child has ended, and how.
  std::optional<ChildEnd> ended() const;
  pid_t pid() const;

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace cloudai::module
