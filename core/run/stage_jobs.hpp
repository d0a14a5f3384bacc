// A run whose stages are jobs of their own, one after the other, since its scheduler cannot keep them in one: what
// there is to submit, how far it has come, and which stage is next. What of this must outlive the program is a file.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

enum class StageJobState {
  waiting,     // for the stages before it
  submitting,  // the scheduler was asked to take it; whether it has is not known
  submitted,
  over,  // it has ended, or never will start
};

struct StageJob {
  // As it was rendered.
  std::string kind;
  std::string name;
  std::string directory;  // relative to the run's
  std::string tag;
  Json success;  // the rule of its plan for the gate
  Json submission;
  // As it went.
  StageJobState state = StageJobState::waiting;
  std::string id;             // given by the scheduler
  bool asked_to_end = false;  // it alone, while it ran
  Json end;                   // {state, reason?, nodes, warnings}: of its job; null unless that has ended
  Json result;                // its stage result; null until it is over
  std::string why_closed;     // why its gate is closed
};

struct StageJobs {
  std::string tag;  // of the whole, and its id
  std::string run;
  std::filesystem::path directory;  // the run's
  std::vector<StageJob> stages;
  bool is_cancelled = false;       // nothing of it starts any more
  bool main_never_starts = false;  // it was asked to end
  std::string trouble;             // not empty: why it was given up

  // Of this program's life alone.
  bool has_run = false;                                                   // a stage has been seen running
  std::optional<std::chrono::steady_clock::time_point> in_trouble_since;  // the scheduler tells nothing of its stage
};

// "prologue 'check'".
std::string named(const StageJob& stage);

// The first stage that is not over, or null.
StageJob* current_stage(StageJobs& jobs);
const StageJob* current_stage(const StageJobs& jobs);

// The current stage if it has a job, else null.
const StageJob* live_stage(const StageJobs& jobs);

// Ends every stage that is not over, as one that never started.
void skip_rest(StageJobs& jobs);

// The same where the stages before rule out that another one starts: a prologue's gate is closed, the main stage must
// not start or never did, or the run was cancelled.
void skip_ruled_out(StageJobs& jobs);

// What came of a stage: `job_result` is that of its job (cloudai.job_result/1). Decides its gate.
void end_stage(StageJobs& jobs, StageJob& stage, const Json& job_result);

// The submission of the whole, as it was rendered (below), without what changes: for a run that is to be submitted.
Result<StageJobs> stage_jobs_of(const Json& submission, const std::string& tag, const std::filesystem::path& directory);

// Whether a submission is one of stage jobs.
bool is_of_stage_jobs(const Json& submission);

// `stages` as rendered; the inverse of stage_jobs_of.
Json submission_of(const std::string& run, const std::vector<StageJob>& stages);

// Keeps all of it in stage-jobs.json in the run's directory, for who has to go on after the end of the program.
Result<void> save(const StageJobs& jobs);

// What was kept there for the job with this tag; nothing if there is none.
Result<std::optional<StageJobs>> load(const std::filesystem::path& directory, const std::string& tag);

}  // namespace cloudai::run
