// Runs a scenario from its first submission to its last evaluation.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/module/host.hpp"
#include "core/run/job_steps.hpp"
#include "core/run/progression.hpp"
#include "core/run/record.hpp"

namespace cloudai::run {

struct RunPolicy {
  FailurePolicy on_failure = FailurePolicy::stop;
  std::optional<int> max_parallel;  // absent: unbounded
  bool can_end_main = false;        // the scheduler can end the main stage of a job alone
  bool is_one_job = false;          // all runs share one job, in their order
};

// How a scenario ended.
struct Ending {
  std::vector<RunRecord> records;                         // one for each run, all with a final status
  std::optional<int> signal;                              // that stopped it
  std::map<std::string, std::size_t> scheduler_calls;     // by name
  std::map<std::string, std::size_t> scheduler_commands;  // by the program that was run
  Clock::time_point started;
  Clock::time_point ended;
  // A module call did not return in time after a signal: its thread is still busy, so the program must leave without
  // waiting for it.
  bool has_stuck_call = false;
};

// Blocks until every run has a final status. SIGINT, SIGTERM, SIGQUIT and SIGHUP cancel what runs and start nothing
// new; a second one kills the jobs on this machine and leaves the program at once. A SIGHUP that was ignored before
// (nohup) stays ignored.
Ending run_scenario(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs, const RunPolicy& policy,
                    module::Host& host, Journal& journal);

}  // namespace cloudai::run
