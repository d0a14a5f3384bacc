// What commands say when something is wrong.
#pragma once

#include "core/config/diagnostics.hpp"
#include "core/support/result.hpp"

namespace cloudai::app {

// Says what went wrong and gives the exit status for it.
int fail(const Error& error);

// Every problem, as an error or a warning of the log.
void say(const config::Diagnostics& diagnostics);

}  // namespace cloudai::app
