#include "core/run/stage_sequence.hpp"

#include <utility>

#include "core/run/stage_rendering.hpp"
#include "core/run/stage_results.hpp"
#include "core/support/json_texts.hpp"
#include "core/support/log.hpp"

namespace cloudai::run {

namespace {

// The entries in the reply to a poll, by id.
std::map<std::string, Json> entries_of(const Json& states) {
  std::map<std::string, Json> entries;
  for (const Json& job : states.at("jobs")) {
    if (job.is_object()) entries[text_of(job, "id")] = job;
  }
  return entries;
}

// What is known of the stage that runs now: the scheduler's own entry, if it has one.
Json running_stage(const StageJob& stage, const Json& state) {
  Json result = {{"kind", stage.kind}, {"name", stage.name}, {"state", "unfinished"}, {"job", stage.id}};
  const auto stages = state.find("stages");
  if (stages == state.end() || !stages->is_array() || stages->size() != 1) return result;
  if (const std::string started = text_of(stages->front(), "started"); !started.empty()) result["started"] = started;
  return result;
}

}  // namespace

StageSequence::StageSequence(std::shared_ptr<module::Transport> scheduler, std::string name, Clock clock)
    : transport_(std::move(scheduler)), scheduler_(transport_, std::move(name), Json()), clock_(std::move(clock)) {}

Result<Json> StageSequence::call(std::string_view function, const Json& request) {
  if (function == "render") return render(request);
  if (function == "submit") return submit(request);
  if (function == "poll") return poll(request);
  if (function == "cancel") return cancel(request);
  if (function == "collect") return collect(request);
  if (function == "find") return find(request);
  return transport_->call(function, request);
}

void StageSequence::keep(const StageJobs& jobs) {
  if (auto saved = save(jobs); !saved) log::error("{}", saved.error().message);
}

Result<Json> StageSequence::render(const Json& job) {
  if (!has_several_stages(job)) return scheduler_.render(job);
  return render_stage_jobs(job, [this](const Json& stage_job) { return scheduler_.render(stage_job); });
}

StageJobs* StageSequence::jobs_of(const std::string& id) {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

Result<Json> StageSequence::submit(const Json& request) {
  const Json& submission = request.at("submission");
  if (!is_of_stage_jobs(submission)) return scheduler_.submit(request);
  const std::string tag = text_of(request, "tag");
  if (jobs_of(tag) == nullptr) {
    auto jobs = stage_jobs_of(submission, tag, text_of(request, "directory"));
    if (!jobs) return tl::make_unexpected(jobs.error());
    jobs_.emplace(tag, std::move(*jobs));
  }
  const auto submitted = submit_current(*jobs_of(tag));
  if (!submitted) {
    jobs_.erase(tag);
    return tl::make_unexpected(submitted.error());
  }
  Json answer;
  if (!submitted->wait.empty()) {
    answer["wait"] = submitted->wait;
  } else {
    answer["id"] = tag;
    answer["watch"] = submitted->watch;
  }
  return answer;
}

Result<void> StageSequence::record(std::string_view event, const StageJobs& jobs, const StageJob& stage,
                                   const char* key, const std::string& value) {
  if (!record_) return {};
  return record_(event, {{"run", jobs.run}, {"stage", stage.kind + "/" + stage.name}, {key, value}});
}

// What must be known if the program dies before the scheduler has answered.
Result<void> StageSequence::begin_submission(const StageJobs& jobs, StageJob& stage) {
  stage.state = StageJobState::submitting;
  if (auto saved = save(jobs); !saved) return saved;
  return record("stage_submitting", jobs, stage, "tag", stage.tag);
}

Result<StageSequence::Submission> StageSequence::submit_current(StageJobs& jobs) {
  StageJob& stage = *current_stage(jobs);
  if (stage.state == StageJobState::waiting) {
    if (auto begun = begin_submission(jobs, stage); !begun) return tl::make_unexpected(begun.error());
  }
  const auto reply = scheduler_.submit({{"tag", stage.tag},
                                        {"directory", (jobs.directory / stage.directory).lexically_normal().string()},
                                        {"submission", stage.submission}});
  if (!reply) return tl::make_unexpected(reply.error());
  if (std::string wait = text_of(*reply, "wait"); !wait.empty()) return Submission{std::move(wait), {}};
  stage.id = text_of(*reply, "id");
  if (stage.id.empty()) return trouble("the scheduler accepted the job but gave no id.");
  stage.state = StageJobState::submitted;
  jobs.in_trouble_since.reset();
  log::info("{}: {} is job {}.", jobs.run, named(stage), stage.id);
  keep(jobs);
  if (auto kept = record("stage_submitted", jobs, stage, "job", stage.id); !kept) {
    log::error("{}", kept.error().message);
  }
  return Submission{{}, reply->at("watch")};
}

Result<Json> StageSequence::poll(const Json& request) {
  const Ids ids = texts_of(request, "ids");
  Ids asked;
  for (const std::string& id : ids) {
    const StageJobs* jobs = jobs_of(id);
    if (jobs == nullptr) {
      asked.push_back(id);
    } else if (const StageJob* stage = live_stage(*jobs)) {
      asked.push_back(stage->id);
    }
  }
  Json states = {{"schema", "cloudai.states/1"}, {"jobs", Json::array()}};
  if (!asked.empty()) {
    auto reply = scheduler_.poll(asked);
    if (!reply) return reply;
    states = std::move(*reply);
  }
  const auto known = entries_of(states);
  Json jobs = Json::array();
  for (const std::string& id : ids) {
    StageJobs* sequence = jobs_of(id);
    const StageJob* stage = sequence == nullptr ? nullptr : live_stage(*sequence);
    const auto found = known.find(stage == nullptr ? id : stage->id);
    const Json* entry = found == known.end() ? nullptr : &found->second;
    if (sequence != nullptr) {
      jobs.push_back(heed(*sequence, entry));
    } else if (entry != nullptr) {
      jobs.push_back(*entry);
    }
  }
  states["jobs"] = std::move(jobs);
  return states;
}

// What the core is told of the whole, after all that follows from what the scheduler says of its stage.
Json StageSequence::heed(StageJobs& jobs, const Json* state) {
  const bool runs = state != nullptr && text_of(*state, "state") == "running";
  advance(jobs, state);
  Json stages = Json::array();
  for (const StageJob& stage : jobs.stages) {
    if (stage.state == StageJobState::over) {
      stages.push_back(stage.result);
    } else if (runs && live_stage(jobs) == &stage && stage.id == text_of(*state, "id")) {
      stages.push_back(running_stage(stage, *state));
    }
  }
  jobs.has_run = jobs.has_run || !stages.empty();
  const char* phase = current_stage(jobs) == nullptr ? "ended" : jobs.has_run ? "running" : "pending";
  return {{"id", jobs.tag}, {"state", phase}, {"stages", std::move(stages)}};
}

void StageSequence::advance(StageJobs& jobs, const Json* state) {
  StageJob* stage = current_stage(jobs);
  if (stage == nullptr) return;
  const bool is_live = stage->state == StageJobState::submitted;
  if (is_live && (!has_ended(jobs, state) || !collect_current(jobs, *stage))) return;
  skip_ruled_out(jobs);
  keep(jobs);
  stage = current_stage(jobs);
  if (stage == nullptr) return;
  const auto submitted = submit_current(jobs);
  if (submitted) return;
  jobs.trouble = "The job of the " + named(*stage) + " could not be submitted: " + submitted.error().message;
  log::error("{}: {}", jobs.run, jobs.trouble);
  skip_rest(jobs);
  keep(jobs);
}

bool StageSequence::is_out_of_patience(StageJobs& jobs) {
  const auto now = clock_();
  if (!jobs.in_trouble_since) jobs.in_trouble_since = now;
  return now - *jobs.in_trouble_since > stage_patience;
}

bool StageSequence::has_ended(StageJobs& jobs, const Json* state) {
  const std::string phase = state == nullptr ? "" : text_of(*state, "state");
  if (phase == "ended") return true;
  if (phase == "running" || phase == "pending") {
    jobs.in_trouble_since.reset();
    return false;
  }
  if (!is_out_of_patience(jobs)) return false;
  const StageJob& stage = *current_stage(jobs);
  log::warn("{}: the scheduler has not known job {} of the {} for {} s.", jobs.run, stage.id, named(stage),
            stage_patience.count());
  return true;
}

// False: what came of the stage is not known yet.
bool StageSequence::collect_current(StageJobs& jobs, StageJob& stage) {
  const auto result = scheduler_.collect(stage.id);
  if (!result && !is_out_of_patience(jobs)) {
    log::warn("{} Trying again.", result.error().message);
    return false;
  }
  jobs.in_trouble_since.reset();
  if (result) {
    end_stage(jobs, stage, *result);
  } else {
    end_stage(jobs, stage,
              {{"state", "lost"}, {"reason", "How the job ended is not known: " + result.error().message}});
  }
  if (stage.kind == "prologue" && !stage.why_closed.empty()) {
    log::info("{}: the gate of the {} is closed: {}.", jobs.run, named(stage), stage.why_closed);
  }
  return true;
}

Result<Json> StageSequence::collect(const Json& request) {
  const std::string id = text_of(request, "id");
  StageJobs* jobs = jobs_of(id);
  if (jobs == nullptr) return scheduler_.collect(id);
  if (const StageJob* stage = current_stage(*jobs)) {
    return trouble("the " + named(*stage) + " of " + jobs->run + " has not ended.");
  }
  Json result = job_result_of(*jobs);
  jobs_.erase(id);
  return result;
}

Result<Json> StageSequence::find(const Json& request) {
  const std::string tag = text_of(request, "tag");
  if (jobs_of(tag) == nullptr) {
    auto kept = load(text_of(request, "directory"), tag);
    if (!kept) return tl::make_unexpected(kept.error());
    if (!*kept) return scheduler_.find(request);
    jobs_.emplace(tag, std::move(**kept));
  }
  StageJobs& jobs = *jobs_of(tag);
  StageJob* stage = current_stage(jobs);
  if (stage != nullptr && stage->state == StageJobState::submitting) {
    const auto found = look_for(jobs, *stage);
    if (!found) return tl::make_unexpected(found.error());
    if (!*found && stage == &jobs.stages.front()) {
      jobs_.erase(tag);
      return Json::object();
    }
    // The next poll submits it.
    if (!*found) stage->state = StageJobState::waiting;
    keep(jobs);
  }
  Json answer;
  answer["id"] = tag;
  return answer;
}

}  // namespace cloudai::run
