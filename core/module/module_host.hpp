// The child's side of calls to a module in a process of its own: the hidden command "module-host".
#pragma once

#include <filesystem>

namespace cloudai::module {

// Serves the module in `file` to the process at the other end of the socket that is stdin, until that process says
// "leave" or is gone. Returns the exit status. See message.hpp for what is said.
int run_module_host(const std::filesystem::path& file);

}  // namespace cloudai::module
