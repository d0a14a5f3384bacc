// What a person is told whose command line cannot be understood.
#pragma once

#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"

namespace cloudai::app {

// Says on stderr what is wrong, the nearest valid word where one is misspelt, and how to get help. Returns the exit
// status.
int wrong_use(const CLI::App& app, const CLI::ParseError& error, const GlobalOptions& global);

}  // namespace cloudai::app
