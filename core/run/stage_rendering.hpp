// A job of several stages as a job for each, for a scheduler that cannot keep them in one.
#pragma once

#include <functional>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

// Whether the job is one run of several stages.
bool has_several_stages(const Json& job);

// `render` is the scheduler's, for one stage's job, which has the stage's directory, nodes and time limit as its own.
// The rendering of the whole: the files of each stage below its directory, and a submission for stage_jobs_of.
Result<Json> render_stage_jobs(const Json& job, const std::function<Result<Json>(const Json&)>& render);

}  // namespace cloudai::run
