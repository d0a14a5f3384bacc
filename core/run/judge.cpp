#include "core/run/judge.hpp"

#include <algorithm>

namespace cloudai::run {

namespace {

using pipeline::StageKind;

Status verdict_of(const std::string& verdict) {
  for (const Status status : {Status::passed, Status::failed, Status::inconclusive}) {
    if (verdict == to_string(status)) return status;
  }
  return Status::error;
}

// Evidence paths of a workload are relative to the stage's directory; ours to the results directory.
Reason reason_of(const Json& outcome, const StageRecord& stage) {
  Reason reason;
  const auto found = outcome.find("reason");
  if (found == outcome.end() || !found->is_object())
    return {"module_failed", "the workload gave no reason", "", Json::array()};
  reason.code = text_of(*found, "code");
  reason.text = text_of(*found, "text");
  reason.hint = text_of(*found, "hint");
  if (const auto list = found->find("evidence"); list != found->end() && list->is_array()) {
    for (Json item : *list) {
      if (!item.is_object()) continue;
      if (const std::string path = text_of(item, "path"); !path.empty() && path.front() != '/') {
        item["path"] = (std::filesystem::path(stage.directory) / path).lexically_normal().generic_string();
      }
      reason.evidence.push_back(std::move(item));
    }
  }
  return reason;
}

void judge_skipped(StageRecord& stage, const std::string& why) {
  stage.status = Status::skipped;
  stage.reason = {"prologue_failed", why.empty() ? "it did not start" : why, "", Json::array()};
}

void judge_evaluated(StageRecord& stage, const Result<Json>& outcome, bool ended_on_purpose) {
  if (!outcome) {
    stage.status = Status::error;
    stage.reason = {"module_failed", outcome.error().message, outcome.error().hint, Json::array()};
    return;
  }
  stage.status = verdict_of(text_of(*outcome, "verdict"));
  if (stage.status != Status::passed) {
    stage.reason = reason_of(*outcome, stage);
  } else if (stage.gate_closed && !ended_on_purpose) {
    stage.status = Status::error;
    stage.reason = {"gate_disagrees",
                    "the scheduler's check of the stage failed, but the workload judges its output good",
                    "Compare the plan's success rule with the stage's output.", Json::array()};
  }
}

// What a workload misses in an output that is not all there says nothing of the test.
void heed_missing_output(StageRecord& stage, const std::string& why) {
  if (why.empty() || stage.status == Status::passed) return;
  stage.status = Status::error;
  stage.reason.text = "its output is not all there (" + why + "); of what there is: " + stage.reason.text;
  stage.reason.code = "output_unavailable";
}

void judge_stage(StageRecord& stage, const Json* result, const std::optional<Result<Json>>& outcome,
                 Interference interference, bool ended_by_us, bool main_has_started,
                 const std::string& failed_prologue) {
  const bool cancelled = interference == Interference::cancelled;
  if (result != nullptr) stage.result = *result;
  const std::string state = result != nullptr ? text_of(*result, "state") : "";
  stage.gate_closed = result != nullptr && text_of(*result, "gate") == "closed";
  if (state == "ended" || (state == "unfinished" && !cancelled)) {
    if (outcome) {
      judge_evaluated(stage, *outcome, ended_by_us);
      heed_missing_output(stage, text_of(*result, "output_unavailable"));
    } else {
      stage.status = Status::error;
      stage.reason = {"module_failed", "the stage was not evaluated", "", Json::array()};
    }
  } else if (state == "unfinished") {
    stage.status = Status::cancelled;
    stage.reason = {"cancelled", "cancelled while it ran", "", Json::array()};
  } else if (cancelled) {
    stage.status = Status::skipped;
    stage.reason = {"cancelled", "the run was cancelled before it started", "", Json::array()};
  } else if (interference == Interference::main_ended && main_has_started) {
    stage.status = Status::skipped;
    stage.reason = {"cancelled", "the job was ended whole, as its main test could not be ended alone", "",
                    Json::array()};
  } else if (interference == Interference::main_ended && failed_prologue.empty()) {
    stage.status = Status::skipped;
    stage.reason = {"dependency_ended", "the main test had to end before it started", "", Json::array()};
  } else {
    judge_skipped(stage, failed_prologue.empty() ? "" : "prologue " + failed_prologue + " failed");
  }
}

std::string named(const StageRecord& stage) {
  return std::string(to_string(stage.kind)) + " " + stage.name;
}

// The main test had to end before it started, as the test it ends with had ended.
bool had_to_end(const StageRecord& stage) {
  return stage.status == Status::skipped && stage.reason.code == "dependency_ended";
}

// What a prologue or epilogue that did not pass makes of its run.
Status status_of_run(const StageRecord& hook) {
  return hook.status == Status::error || had_to_end(hook) ? hook.status : Status::failed;
}

void take(RunRecord& record, Status status, const StageRecord& stage, const std::string& code) {
  record.status = status;
  record.reason = stage.reason;
  if (stage.kind == StageKind::main || had_to_end(stage)) return;
  // The stage's own reason goes into the text; the run's code says which kind of stage spoilt it.
  const std::string verb = status == Status::error ? " could not be judged: " : " failed: ";
  record.reason.text = named(stage) + verb + stage.reason.text;
  if (stage.reason.code != "gate_disagrees") record.reason.code = code;
}

const StageRecord* first_bad(const RunRecord& record, StageKind kind) {
  const auto found = std::find_if(record.stages.begin(), record.stages.end(), [&](const StageRecord& stage) {
    return stage.kind == kind && stage.status != Status::passed;
  });
  return found == record.stages.end() ? nullptr : &*found;
}

// The first stage in the order prologue, main, epilogue that did not pass decides.
void combine(RunRecord& record) {
  if (const StageRecord* stage = first_bad(record, StageKind::prologue)) {
    take(record, status_of_run(*stage), *stage, "prologue_failed");
  } else if (stage = first_bad(record, StageKind::main); stage != nullptr) {
    take(record, had_to_end(*stage) || stage->status != Status::skipped ? stage->status : Status::error, *stage, "");
  } else if (stage = first_bad(record, StageKind::epilogue); stage != nullptr) {
    take(record, status_of_run(*stage), *stage, "epilogue_failed");
  } else {
    record.status = Status::passed;
    record.reason = {};
  }
}

// Whether it was a stage that ran, rather than one that never started, because of which the run did not pass.
bool is_decided_by_stage_that_ran(const RunRecord& record) {
  const auto bad = std::find_if(record.stages.begin(), record.stages.end(),
                                [](const StageRecord& stage) { return stage.status != Status::passed; });
  return bad != record.stages.end() && bad->status != Status::skipped;
}

// The scheduler's word: a job that did not run to its end is no pass, whatever its output says.
void heed_job_state(RunRecord& record, const Json& job_result) {
  const std::string state = text_of(job_result, "state");
  if (state == "completed") return;
  const std::string said = text_of(job_result, "reason");
  const std::string tail = said.empty() ? "" : " (" + said + ")";
  if (state == "time_limit") {
    record.status = Status::failed;
    record.reason = {"time_limit", "the job exceeded its time limit" + tail, "", record.reason.evidence};
  } else if (state == "node_fail") {
    record.status = Status::failed;
    record.reason = {"node_fail", "a node failed" + tail, "", record.reason.evidence};
  } else if (state == "cancelled") {
    record.status = Status::error;
    record.reason = {"cancelled", "the job was cancelled by someone else" + tail, "", record.reason.evidence};
  } else if (state == "failed" && record.status == Status::failed && is_decided_by_stage_that_ran(record)) {
    // The stages tell what went wrong; the scheduler may know why.
    if (!said.empty()) record.reason.text += "; the scheduler says: " + said;
  } else {
    record.status = Status::error;
    record.reason = {"scheduler_failed", "the job did not run to its end: the scheduler says '" + state + "'" + tail,
                     "", record.reason.evidence};
  }
}

void add_headline(RunRecord& record, const StageRecord& stage, const Json& outcome) {
  const auto metrics = outcome.find("metrics");
  if (metrics == outcome.end() || !metrics->is_array()) return;
  for (Json metric : *metrics) {
    if (!metric.is_object() || metric.value("headline", Json()) != Json(true)) continue;
    metric.erase("headline");
    metric["stage"] = std::string(to_string(stage.kind)) + "/" + stage.name;
    record.headline.push_back(std::move(metric));
  }
}

}  // namespace

const Json* find_stage_result(const Json& job_result, const pipeline::Stage& stage) {
  const auto stages = job_result.find("stages");
  if (stages == job_result.end() || !stages->is_array()) return nullptr;
  for (const Json& result : *stages) {
    if (result.is_object() && text_of(result, "kind") == to_string(stage.kind) &&
        text_of(result, "name") == stage.name) {
      return &result;
    }
  }
  return nullptr;
}

bool was_ended_by_us(const Json& job_result, const pipeline::Stage& stage, Interference interference) {
  if (interference != Interference::main_ended || stage.kind != StageKind::main) return false;
  const Json* result = find_stage_result(job_result, stage);
  if (result == nullptr || text_of(*result, "state") != "ended" || text_of(job_result, "state") == "cancelled")
    return true;
  return result->value("asked_to_end", Json()) == Json(true);
}

void judge(RunRecord& record, const Evidence& evidence) {
  std::string failed_prologue;
  bool main_has_started = false;
  for (std::size_t i = 0; i < record.stages.size(); ++i) {
    StageRecord& stage = record.stages[i];
    const auto& outcome = evidence.outcomes[i];
    const pipeline::Stage& planned = record.run->stages[i];
    judge_stage(stage, find_stage_result(evidence.job_result, planned), outcome, evidence.interference,
                was_ended_by_us(evidence.job_result, planned, evidence.interference), main_has_started,
                failed_prologue);
    main_has_started = main_has_started || (stage.kind == StageKind::main && stage.status != Status::skipped);
    if (stage.kind == StageKind::prologue && failed_prologue.empty() && stage.gate_closed) failed_prologue = stage.name;
    if (outcome && *outcome) add_headline(record, stage, **outcome);
  }
  if (const auto nodes = evidence.job_result.find("nodes"); nodes != evidence.job_result.end() && nodes->is_array()) {
    record.nodes = *nodes;
  }
  if (const auto warnings = evidence.job_result.find("warnings");
      warnings != evidence.job_result.end() && warnings->is_array()) {
    for (const Json& warning : *warnings) {
      if (warning.is_string()) record.warnings.push_back(warning.get<std::string>());
    }
  }
  combine(record);
  if (evidence.interference == Interference::cancelled && record.status != Status::passed) {
    record.status = Status::cancelled;
    return;  // the caller knows why
  }
  // A scheduler that cannot end the main stage alone was asked to cancel the job.
  const bool we_ended_it =
      evidence.interference == Interference::main_ended && text_of(evidence.job_result, "state") == "cancelled";
  if (!we_ended_it) heed_job_state(record, evidence.job_result);
}

}  // namespace cloudai::run
