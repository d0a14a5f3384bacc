#include "core/run/shared_job.hpp"

#include <algorithm>
#include <set>

namespace cloudai::run {

namespace {

const Json* entry_of(const Json& job_result, const std::string& run_id) {
  const auto runs = job_result.find("runs");
  if (runs == job_result.end() || !runs->is_array()) return nullptr;
  const auto entry = std::find_if(runs->begin(), runs->end(),
                                  [&](const Json& run) { return run.is_object() && text_of(run, "id") == run_id; });
  return entry == runs->end() ? nullptr : &*entry;
}

Json stages_of(const Json& document, const std::string& run_id) {
  Json stages = Json::array();
  const auto all = document.find("stages");
  if (all == document.end() || !all->is_array()) return stages;
  for (const Json& stage : *all) {
    if (stage.is_object() && text_of(stage, "run") == run_id) stages.push_back(stage);
  }
  return stages;
}

bool is_bad(const RunRecord& record) {
  return record.status != Status::passed;
}

// Why the job itself did not start the run, those before it being judged. Nothing if none of them explains it.
std::optional<Reason> why_not_started(std::span<const RunRecord> before, const RunRecord& record,
                                      FailurePolicy policy) {
  if (policy == FailurePolicy::stop) {
    const auto failed = std::find_if(before.begin(), before.end(), is_bad);
    if (failed == before.end()) return std::nullopt;
    return Reason{
        "scenario_stopped",
        "scenario stopped after test " + failed->run->test_case->id + " " + std::string(to_string(failed->status)), "",
        Json::array()};
  }
  for (const pipeline::Predecessor& predecessor : record.run->predecessors) {
    const auto failed = std::find_if(before.begin(), before.end(), [&](const RunRecord& other) {
      return other.run->id == predecessor.run_id && is_bad(other);
    });
    if (failed == before.end()) continue;
    return Reason{
        "dependency_failed",
        "dependency " + predecessor.case_id + (failed->status == Status::skipped ? " was skipped" : " failed"), "",
        Json::array()};
  }
  return std::nullopt;
}

Reason ended_before(const Reason& reason) {
  return {reason.code, "the job of all tests had ended before it started: " + reason.text, "", Json::array()};
}

void take_times(RunRecord& record) {
  record.started.reset();
  for (const StageRecord& stage : record.stages) {
    if (!stage.result.is_object()) continue;
    const auto started = parse_rfc3339(text_of(stage.result, "started"));
    const auto ended = parse_rfc3339(text_of(stage.result, "ended"));
    if (started && !record.started) record.started = started;
    if (ended) record.ended = ended;
  }
}

}  // namespace

pipeline::Job shared_job(const std::vector<pipeline::Run>& runs, FailurePolicy policy) {
  pipeline::Job job = pipeline::shared_job_of(runs);
  for (std::size_t i = 0; i < job.runs.size(); ++i) {
    // A run that was not started counts as one that did not pass, so the one before stands for all.
    if (policy == FailurePolicy::stop && i > 0) job.runs[i].after = {runs[i - 1].id};
    if (policy != FailurePolicy::keep_going) continue;
    for (const pipeline::Predecessor& predecessor : runs[i].predecessors) {
      job.runs[i].after.push_back(predecessor.run_id);
    }
  }
  return job;
}

Json result_of_run(const Json& job_result, const PreparedJob& job, std::size_t index) {
  const pipeline::JobRun& part = job.job.runs[index];
  const Json* entry = entry_of(job_result, part.run->id);
  const Json& said = entry != nullptr ? *entry : job_result;
  Json result = {{"state", text_of(said, "state")}, {"reason", text_of(said, "reason")}};
  result["stages"] = stages_of(job_result, part.run->id);
  result["nodes"] = Json::array();
  if (const auto nodes = job_result.find("nodes"); nodes != job_result.end() && nodes->is_array()) {
    const auto all = static_cast<int>(nodes->size());
    const int own = std::min(all, nodes_of(part, job.job, all));
    for (int i = 0; i < own; ++i) result["nodes"].push_back(nodes->at(static_cast<std::size_t>(i)));
  }
  if (index == 0) result["warnings"] = job_result.value("warnings", Json::array());
  return result;
}

bool has_begun(const Json& run_result) {
  const auto stages = run_result.find("stages");
  return stages != run_result.end() && std::any_of(stages->begin(), stages->end(), [](const Json& stage) {
           return text_of(stage, "state") != "skipped";
         });
}

std::optional<std::size_t> current_run(const Json& job_state, const pipeline::Job& job) {
  std::set<std::string> begun;
  if (const auto stages = job_state.find("stages"); stages != job_state.end() && stages->is_array()) {
    for (const Json& stage : *stages) {
      if (stage.is_object() && text_of(stage, "state") != "skipped") begun.insert(text_of(stage, "run"));
    }
  }
  for (std::size_t i = job.runs.size(); i > 0; --i) {
    if (begun.contains(job.runs[i - 1].run->id)) return i - 1;
  }
  return std::nullopt;
}

void judge_shared(std::span<RunRecord> records, const std::vector<Evidence>& evidence, FailurePolicy policy,
                  const Reason& cancelled) {
  // The run that the job's own end befell, and what the scheduler says of it.
  const RunRecord* befallen = nullptr;
  const Json* end = nullptr;
  for (std::size_t i = 0; i < records.size(); ++i) {
    RunRecord& record = records[i];
    const Json& result = evidence[i].job_result;
    const bool completed = text_of(result, "state") == "completed";
    const bool begun = has_begun(result);
    record.started.reset();
    if (!begun && completed) {
      if (const auto reason = why_not_started(records.first(i), record, policy)) {
        skip_run(record, *reason);
        continue;
      }
    }
    const bool is_same_end = end != nullptr && text_of(*end, "state") == text_of(result, "state") &&
                             text_of(*end, "reason") == text_of(result, "reason");
    if (!begun && is_same_end) {
      const bool is_ours = befallen->status == Status::cancelled;
      skip_run(record, is_ours ? cancelled : ended_before(befallen->reason));
      continue;
    }
    judge(record, evidence[i]);
    if (record.status == Status::cancelled) record.reason = cancelled;
    record.has_outcome = begun;
    take_times(record);
    if (completed) continue;
    befallen = &record;
    end = &result;
  }
}

void end_shared(std::span<RunRecord> records, Status status, const Reason& reason) {
  records.front().status = status;
  records.front().reason = reason;
  for (RunRecord& record : records.subspan(1)) {
    record.started.reset();
    skip_run(record, ended_before(reason));
  }
}

}  // namespace cloudai::run
