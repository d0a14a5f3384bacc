// All runs of a scenario in one job (--single-sbatch): composing it, and telling its runs apart again.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/run/job_steps.hpp"
#include "core/run/judge.hpp"
#include "core/run/progression.hpp"

namespace cloudai::run {

// The runs one after the other in the order given. What a failed one means for those after it is known to the job
// itself: none of them starts, or none that depends on it, or all do.
pipeline::Job shared_job(const std::vector<pipeline::Run>& runs, FailurePolicy policy);

// What the result of a shared job says of one of its runs, as though the run had been the job. What is said of the job
// as a whole is taken for the first.
Json result_of_run(const Json& job_result, const PreparedJob& job, std::size_t index);

// Whether a stage of the run whose result this is was started.
bool has_begun(const Json& run_result);

// The run that a shared job has come to, by what a poll says of it; nothing before the first has begun.
std::optional<std::size_t> current_run(const Json& job_state, const pipeline::Job& job);

// judge() for each run of a shared job. Those that did not start since others did not pass, or since the job had ended
// before, are skipped. Started and ended are the times of a run's own stages. `cancelled` is why the job was cancelled,
// if it was.
void judge_shared(std::span<RunRecord> records, const std::vector<Evidence>& evidence, FailurePolicy policy,
                  const Reason& cancelled);

// Gives the trouble of a job that ended without a result to its first run; the others were not started.
void end_shared(std::span<RunRecord> records, Status status, const Reason& reason);

}  // namespace cloudai::run
