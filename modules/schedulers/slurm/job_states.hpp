// The states of a job, of a step, and the exit codes, as Slurm 22.05 to 25.x print them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cloudai/documents/scheduler.hpp"

namespace slurm {

enum class Progress { pending, running, completing, ended, unknown };

struct JobState {
  std::string name;  // the long name, "OUT_OF_MEMORY"; as it was printed where it is none we know
  Progress progress = Progress::unknown;

  bool is(std::string_view state) const { return name == state; }
};

// Long and short names, names cut off with "+", "CANCELLED by 1000". REQUEUED is pending: the job comes again.
JobState parse_job_state(std::string_view text);

// What the end of a job in this state means. `lost` for a state that is no end.
cloudai::JobEnd end_in(const JobState& state);

// What the state says, for people: "a node failed". Empty for COMPLETED and for states that are no end.
std::string_view meaning(const JobState& state);

struct ExitCode {
  int status = 0;
  int signal = 0;
};

// "1:0", or a status alone. Nothing for anything else.
std::optional<ExitCode> parse_exit_code(std::string_view text);

// The signal that ended the program, where the code tells of one. scontrol writes 137:0 and sacct 9:0 for a script
// whose exit status is 137; a program that returned 9 by itself looks the same as the latter.
std::optional<int> signal_of(const ExitCode& code);

// "exit status 3", "signal 9".
std::string describe(const ExitCode& code);

// True for the reason of a pending job that waiting does not change: the job is too large or too long, not allowed,
// held, or depends on what failed.
bool cannot_pass(std::string_view pending_reason);

}  // namespace slurm
