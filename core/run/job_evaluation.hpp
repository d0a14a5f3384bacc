// What the workloads say of the runs of a job that has ended.
#pragma once

#include <vector>

#include "core/run/job_steps.hpp"
#include "core/run/judge.hpp"

namespace cloudai::run {

// Lets the workloads judge the stages of the job that ended with `job_result` (the scheduler's collect), and writes
// evaluation.json and outcome.json of each run. The evidence for each run, in the job's order. `interference` is what
// was done to the runs that had not ended by themselves. Calls modules, so it is not for the event loop.
Result<std::vector<Evidence>> evaluate(const Surroundings& surroundings, const PreparedJob& job, const Json& job_result,
                                       Interference interference);

}  // namespace cloudai::run
