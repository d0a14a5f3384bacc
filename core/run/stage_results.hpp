// What became of a run whose stages were jobs of their own, as though it had been one job.
#pragma once

#include "core/run/stage_jobs.hpp"

namespace cloudai::run {

// cloudai.job_result/1. The first job that did not run to its end decides how the whole ended; the nodes are those of
// the main stage, and of other stages elsewhere a warning tells.
Json job_result_of(const StageJobs& jobs);

}  // namespace cloudai::run
