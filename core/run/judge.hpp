// From what the scheduler and the workloads say of the stages to the status of the run.
#pragma once

#include <optional>
#include <vector>

#include "core/run/record.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

// What we did to a job before it ended by itself.
enum class Interference {
  none,
  cancelled,
  main_ended,  // its main stage was ended, since a test it ends with had ended
};

// What is known when a job has ended.
struct Evidence {
  Json job_result;                                    // cloudai.job_result/1
  std::vector<std::optional<Result<Json>>> outcomes;  // by stage: cloudai.outcome/1, for the stages that were evaluated
  Interference interference = Interference::none;
};

// The entry of a stage in a job result, by its place; null if the scheduler says nothing of it.
const Json* find_stage_result(const Json& job_result, const pipeline::Stage& stage);

// Whether it was us who ended this stage, rather than the stage itself before that: the scheduler says so, or the whole
// job was cancelled for it, or nothing is known of its end.
bool was_ended_by_us(const Json& job_result, const pipeline::Stage& stage, Interference interference);

// Fills status, reason, stages, nodes and headline of `record`. A pass needs every stage passed and the scheduler's
// word that the job ran to its end. A main stage that had to end before it had started makes the run skipped; then the
// reason is the caller's to give.
void judge(RunRecord& record, const Evidence& evidence);

}  // namespace cloudai::run
