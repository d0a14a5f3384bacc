#include "core/run/stage_jobs.hpp"

#include <algorithm>
#include <array>

#include "core/run/stage_gate.hpp"
#include "core/support/files.hpp"
#include "core/support/json_texts.hpp"

namespace cloudai::run {

namespace {

constexpr const char* schema = "cloudai.stage_jobs/1";
constexpr const char* file_name = "stage-jobs.json";

constexpr std::array<std::pair<StageJobState, const char*>, 4> state_names{{{StageJobState::waiting, "waiting"},
                                                                            {StageJobState::submitting, "submitting"},
                                                                            {StageJobState::submitted, "submitted"},
                                                                            {StageJobState::over, "over"}}};

const char* name_of(StageJobState state) {
  for (const auto& [value, name] : state_names) {
    if (value == state) return name;
  }
  return "";
}

std::optional<StageJobState> state_named(const std::string& text) {
  for (const auto& [value, name] : state_names) {
    if (text == name) return value;
  }
  return std::nullopt;
}

bool is_open(const StageJob& stage) {
  return stage.state != StageJobState::over;
}

bool is_true(const Json& document, const char* key) {
  return document.value(key, Json()) == Json(true);
}

Json rendered_part(const StageJob& stage) {
  return {{"kind", stage.kind}, {"name", stage.name},       {"directory", stage.directory},
          {"tag", stage.tag},   {"success", stage.success}, {"submission", stage.submission}};
}

Json stage_document(const StageJob& stage) {
  Json document = rendered_part(stage);
  document["state"] = name_of(stage.state);
  if (!stage.id.empty()) document["job"] = stage.id;
  if (stage.asked_to_end) document["asked_to_end"] = true;
  if (!stage.end.is_null()) document["end"] = stage.end;
  if (!stage.result.is_null()) document["result"] = stage.result;
  if (!stage.why_closed.empty()) document["why_closed"] = stage.why_closed;
  return document;
}

// Nothing where it is none.
std::optional<StageJob> read_stage(const Json& document) {
  if (!document.is_object()) return std::nullopt;
  StageJob stage;
  stage.kind = text_of(document, "kind");
  stage.name = text_of(document, "name");
  stage.directory = text_of(document, "directory");
  stage.tag = text_of(document, "tag");
  stage.success = document.value("success", Json::object());
  stage.submission = document.value("submission", Json());
  const auto state = state_named(document.contains("state") ? text_of(document, "state") : "waiting");
  if (stage.kind.empty() || stage.directory.empty() || stage.tag.empty() || !state) return std::nullopt;
  stage.state = *state;
  stage.id = text_of(document, "job");
  stage.asked_to_end = is_true(document, "asked_to_end");
  stage.end = document.value("end", Json());
  stage.result = document.value("result", Json());
  stage.why_closed = text_of(document, "why_closed");
  const bool lacks_id = stage.state == StageJobState::submitted && stage.id.empty();
  const bool lacks_result = stage.state == StageJobState::over && !stage.result.is_object();
  if (lacks_id || lacks_result) return std::nullopt;
  return stage;
}

std::optional<std::vector<StageJob>> read_stages(const Json& document) {
  const auto list = document.find("stages");
  if (list == document.end() || !list->is_array() || list->empty()) return std::nullopt;
  std::vector<StageJob> stages;
  for (const Json& entry : *list) {
    auto stage = read_stage(entry);
    if (!stage) return std::nullopt;
    stages.push_back(std::move(*stage));
  }
  return stages;
}

// What the job's result says of its one stage.
Json result_of_stage(const StageJob& stage, const Json& job_result) {
  const auto list = job_result.find("stages");
  Json result = {{"kind", stage.kind}, {"name", stage.name}, {"state", "unfinished"}};
  if (list != job_result.end() && list->is_array() && list->size() == 1 && list->front().is_object()) {
    result.update(list->front());
    result["kind"] = stage.kind;
    result["name"] = stage.name;
  }
  result.erase("gate");
  if (!stage.id.empty()) result["job"] = stage.id;
  return result;
}

}  // namespace

std::string named(const StageJob& stage) {
  return stage.kind + " '" + stage.name + "'";
}

StageJob* current_stage(StageJobs& jobs) {
  const auto found = std::find_if(jobs.stages.begin(), jobs.stages.end(), is_open);
  return found == jobs.stages.end() ? nullptr : &*found;
}

const StageJob* current_stage(const StageJobs& jobs) {
  const auto found = std::find_if(jobs.stages.begin(), jobs.stages.end(), is_open);
  return found == jobs.stages.end() ? nullptr : &*found;
}

const StageJob* live_stage(const StageJobs& jobs) {
  const StageJob* stage = current_stage(jobs);
  return stage != nullptr && stage->state == StageJobState::submitted ? stage : nullptr;
}

void skip_rest(StageJobs& jobs) {
  for (StageJob& stage : jobs.stages) {
    if (!is_open(stage)) continue;
    stage.state = StageJobState::over;
    stage.result = {{"kind", stage.kind}, {"name", stage.name}, {"state", "skipped"}};
  }
}

void skip_ruled_out(StageJobs& jobs) {
  const StageJob* current = current_stage(jobs);
  if (current == nullptr || current->state != StageJobState::waiting) return;
  bool is_ruled_out = jobs.is_cancelled || (jobs.main_never_starts && current->kind == "main");
  for (const StageJob& stage : jobs.stages) {
    if (is_open(stage)) continue;
    is_ruled_out = is_ruled_out || (stage.kind == "prologue" && text_of(stage.result, "gate") != "open") ||
                   (stage.kind == "main" && text_of(stage.result, "state") == "skipped");
  }
  if (is_ruled_out) skip_rest(jobs);
}

void end_stage(StageJobs& jobs, StageJob& stage, const Json& job_result) {
  std::string state = text_of(job_result, "state");
  const std::string reason = text_of(job_result, "reason");
  stage.state = StageJobState::over;
  stage.result = result_of_stage(stage, job_result);
  // The job's limit is the stage's.
  if (state == "time_limit") {
    stage.result["timed_out"] = true;
    state = "completed";
  }
  if (stage.asked_to_end && state == "cancelled") {
    stage.result["asked_to_end"] = true;
    state = "completed";
  }
  stage.end = {{"state", state}, {"nodes", job_result.value("nodes", Json::array())}};
  if (!reason.empty()) stage.end["reason"] = reason;
  stage.end["warnings"] = texts_of(job_result, "warnings");
  if (text_of(stage.result, "state") == "skipped") return;
  auto why = why_gate_is_closed(stage.success, stage.result, jobs.directory / stage.directory);
  if (!why && state != "completed") why = "its job did not run to its end: the scheduler says '" + state + "'";
  stage.result["gate"] = why ? "closed" : "open";
  stage.why_closed = why.value_or("");
}

bool is_of_stage_jobs(const Json& submission) {
  return submission.is_object() && text_of(submission, "schema") == schema;
}

Json submission_of(const std::string& run, const std::vector<StageJob>& stages) {
  Json submission = {{"schema", schema}, {"run", run}, {"stages", Json::array()}};
  for (const StageJob& stage : stages) submission["stages"].push_back(rendered_part(stage));
  return submission;
}

Result<StageJobs> stage_jobs_of(const Json& submission, const std::string& tag,
                                const std::filesystem::path& directory) {
  StageJobs jobs;
  jobs.tag = tag;
  jobs.run = text_of(submission, "run");
  jobs.directory = directory;
  auto stages = read_stages(submission);
  if (!stages) return trouble("the submission of " + jobs.run + " is none of a run with several stages.");
  jobs.stages = std::move(*stages);
  return jobs;
}

Result<void> save(const StageJobs& jobs) {
  Json document = {{"schema", schema}, {"tag", jobs.tag}, {"run", jobs.run}};
  if (jobs.is_cancelled) document["cancelled"] = true;
  if (jobs.main_never_starts) document["main_never_starts"] = true;
  if (!jobs.trouble.empty()) document["trouble"] = jobs.trouble;
  document["stages"] = Json::array();
  for (const StageJob& stage : jobs.stages) document["stages"].push_back(stage_document(stage));
  // Nobody knows what a scheduler puts into a submission.
  return files::write(jobs.directory / file_name, document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
                      0600);
}

Result<std::optional<StageJobs>> load(const std::filesystem::path& directory, const std::string& tag) {
  const std::filesystem::path path = directory / file_name;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::optional<StageJobs>();
  const auto text = files::read(path);
  if (!text) return tl::make_unexpected(text.error());
  const Json document = Json::parse(*text, nullptr, false);
  if (!document.is_object() || text_of(document, "schema") != schema) {
    return files::damaged(path, std::string("it is no document of schema '") + schema + "'");
  }
  if (text_of(document, "tag") != tag) return std::optional<StageJobs>();
  auto jobs = stage_jobs_of(document, tag, directory);
  if (!jobs) return files::damaged(path, "its stages are not readable");
  jobs->is_cancelled = is_true(document, "cancelled");
  jobs->main_never_starts = is_true(document, "main_never_starts");
  jobs->trouble = text_of(document, "trouble");
  return std::optional<StageJobs>(std::move(*jobs));
}

}  // namespace cloudai::run
