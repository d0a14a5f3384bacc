// How long a call to a module in a child process may take.
#pragma once

#include <chrono>
#include <string_view>

namespace cloudai::module {

// By the call's name. They are there so that a module that hangs does not hang the run for ever, and generous, since a
// call that is ended may have been at work.
std::chrono::milliseconds call_limit(std::string_view function);

}  // namespace cloudai::module
