// Runs one command to its end and keeps what it wrote.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/support/result.hpp"

namespace cloudai::module {

struct Command {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // added to this process's
  std::vector<std::string> unset;                                // taken from this process's
  std::string directory;                                         // empty: this process's
  std::string input;                                             // its stdin
  std::chrono::milliseconds timeout{};
};

// How a process ended: exactly one of the two.
struct ProcessEnd {
  std::optional<int> exit_status;
  std::optional<int> signal;
};

ProcessEnd process_end(int wait_status);

struct CommandResult {
  ProcessEnd end;
  std::string output;
  std::string errors;
  bool timed_out = false;
  bool cancelled = false;
  std::chrono::duration<double> duration{};
};

// Ends the command's whole process group when `timeout` has passed, when `cancel_descriptor` (-1: none) becomes
// readable, or when it wrote more than 64 MiB, which is an error. Processes that the command left behind do not keep
// this from returning.
Result<CommandResult> run_command(const Command& command, int cancel_descriptor);

}  // namespace cloudai::module
