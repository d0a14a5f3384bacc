// From what the scheduler and the workloads say of the stages to the status of the run.
#pragma once

#include <optional>
#include <vector>

#include "core/run/record.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

// What is known when a job has ended.
struct Evidence {
  Json job_result;                                    // cloudai.job_result/1
  std::vector<std::optional<Result<Json>>> outcomes;  // by stage: cloudai.outcome/1, for the stages that were evaluated
  bool cancelled_by_us = false;
};

// The entry of a stage in a job result, by its place; null if the scheduler says nothing of it.
const Json* find_stage_result(const Json& job_result, const pipeline::Stage& stage);

// Fills status, reason, stages, nodes and headline of `record`. A pass needs every stage passed and the scheduler's
// word that the job ran to its end.
void judge(RunRecord& record, const Evidence& evidence);

}  // namespace cloudai::run
