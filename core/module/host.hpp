// The host services as modules see them (struct cloudai_host), implemented by the core.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "cloudai/abi/host.h"

namespace cloudai::module {

// One for the whole program. Log messages go to the program's log, prefixed with the module's name.
class Host {
 public:
  Host();
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // From now on is_cancelled answers 1, and running commands of the process service are killed. Async-signal-unsafe,
  // any thread.
  void cancel();
  bool is_cancelled() const;

  // Kills, with SIGKILL, the processes that modules have started detached and that still run; says how many there were.
  std::size_t kill_detached();

  // How often each program was run to its end for a module, by its name, and how many requests modules made by
  // themselves, by the name of their kind.
  std::map<std::string, std::size_t> command_counts() const;

  // The struct for the module of this name; lives as long as the Host.
  const cloudai_host* for_module(const std::string& module_id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cloudai::module
