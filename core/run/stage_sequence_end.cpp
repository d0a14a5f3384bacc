// Ending runs whose stages are jobs of their own before their time.

#include "core/run/stage_sequence.hpp"
#include "core/support/json_texts.hpp"

namespace cloudai::run {

// Whether the scheduler has the job it was asked to take, though it did not say so.
Result<bool> StageSequence::look_for(const StageJobs& jobs, StageJob& stage) {
  const auto found = scheduler_.find(
      {{"tag", stage.tag}, {"directory", (jobs.directory / stage.directory).lexically_normal().string()}});
  if (!found) return tl::make_unexpected(found.error());
  stage.id = text_of(*found, "id");
  if (stage.id.empty()) return false;
  stage.state = StageJobState::submitted;
  return true;
}

// Afterwards the current stage is none that the scheduler might have without a word.
void StageSequence::settle(StageJobs& jobs, Json& not_cancelled) {
  StageJob* stage = current_stage(jobs);
  if (stage == nullptr || stage->state != StageJobState::submitting) return;
  const auto found = look_for(jobs, *stage);
  if (found) {
    if (!*found) stage->state = StageJobState::waiting;
    return;
  }
  const std::string why = "Whether the " + named(*stage) + " has a job is not known: " + found.error().message;
  not_cancelled.push_back({{"id", jobs.tag}, {"message", why}});
  end_stage(jobs, *stage, {{"state", "lost"}, {"reason", why}});
}

void StageSequence::stop(StageJobs& jobs, Json& not_cancelled) {
  jobs.is_cancelled = true;
  settle(jobs, not_cancelled);
  skip_ruled_out(jobs);
  keep(jobs);
}

void StageSequence::end_main(StageJobs& jobs, Json& not_cancelled) {
  const StageJob* stage = current_stage(jobs);
  if (stage == nullptr || stage->kind == "epilogue") return;
  if (stage->kind == "main") settle(jobs, not_cancelled);
  StageJob* main = current_stage(jobs);
  if (main != nullptr && main->kind == "main" && main->state == StageJobState::submitted) {
    main->asked_to_end = true;
  } else {
    jobs.main_never_starts = true;
  }
  skip_ruled_out(jobs);
  keep(jobs);
}

Result<Json> StageSequence::cancel(const Json& request) {
  const bool main_only = text_of(request, "stage") == "main";
  Json not_cancelled = Json::array();
  Ids asked;
  std::map<std::string, const StageJobs*> owners;
  for (const std::string& id : texts_of(request, "ids")) {
    StageJobs* jobs = jobs_of(id);
    if (jobs == nullptr) {
      asked.push_back(id);
      continue;
    }
    main_only ? end_main(*jobs, not_cancelled) : stop(*jobs, not_cancelled);
    const StageJob* stage = live_stage(*jobs);
    if (stage == nullptr || (main_only && !stage->asked_to_end)) continue;
    asked.push_back(stage->id);
    owners[stage->id] = jobs;
  }
  Json answer;
  if (!asked.empty()) {
    auto reply = scheduler_.cancel(asked);
    if (!reply) return reply;
    for (Json job : reply->at("not_cancelled")) {
      const auto owner = owners.find(text_of(job, "id"));
      if (owner != owners.end()) {
        job["message"] = named(*live_stage(*owner->second)) + ", job " + owner->first + ": " + text_of(job, "message");
        job["id"] = owner->second->tag;
      }
      not_cancelled.push_back(std::move(job));
    }
  }
  answer["not_cancelled"] = std::move(not_cancelled);
  return answer;
}

}  // namespace cloudai::run
