// Starts one process. The only file that knows Boost.Process.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "core/support/result.hpp"

namespace cloudai::module {

struct Launch {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // added to this process's
  std::vector<std::string> unset;                                // taken from this process's
  std::string directory;                                         // empty: this process's
  // What the process gets as its descriptors 0, 1 and 2, and nothing else.
  int stdin_descriptor = -1;
  int stdout_descriptor = -1;
  int stderr_descriptor = -1;
};

// Starts the process in a session of its own, with no signal blocked or ignored; returns its pid, which the caller
// waits for. argv[0] without a slash is looked up in PATH. A command that cannot be started is an error that names it
// and says why.
Result<pid_t> launch(const Launch& launch);

}  // namespace cloudai::module
