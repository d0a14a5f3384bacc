#include "job_verdict.hpp"

#include <charconv>
#include <optional>

#include "job_files.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

using cloudai::JobEnd;

std::string named(const AccountingRow& step) {
  return "step " + step.step + (step.name.empty() ? "" : " ('" + step.name + "')");
}

bool is_out_of_memory(const AccountingRow& row) {
  constexpr int out_of_memory = 125;
  return row.state.is("OUT_OF_MEMORY") || row.exit_code.signal == out_of_memory;
}

bool was_killed(const AccountingRow& step) {
  return step.exit_code.signal != 0 || step.state.is("CANCELLED") || step.state.is("NODE_FAIL");
}

bool is_named_by_us(const AccountingRow& step) {
  const std::string_view prefix(step_prefix);
  return step.name.compare(0, prefix.size(), prefix) == 0;
}

// The first step that ended badly although the script took its stage to be good. What a stage's record says itself
// needs no more words, and a step that tells about the nodes or runs beside a stage may be ended by the script.
const AccountingRow* unnoticed_trouble(const EndedJob& job) {
  for (const AccountingRow& step : job.steps) {
    if (step.step == "batch" || step.step == "extern" || step.state.is("COMPLETED")) continue;
    // One that a test's own program started.
    if (!is_named_by_us(step) && was_killed(step) && !job.main_had_to_end) return &step;
    const std::size_t number = stage_of(step.name);
    if (number == 0 || number > job.stages.size()) continue;
    const cloudai::StageResult& stage = job.stages[number - 1];
    if (job.main_had_to_end && stage.kind == cloudai::StageKind::main) continue;
    if (stage.state == cloudai::StageState::ended && stage.exit_status == 0) return &step;
  }
  return nullptr;
}

std::string memory_trouble(const EndedJob& job) {
  for (const AccountingRow& step : job.steps) {
    if (!is_out_of_memory(step) || step.step == "extern") continue;
    return step.step == "batch" ? "the job ran out of memory" : "out of memory in " + named(step);
  }
  return job.memory_note;
}

std::string with_reason(std::string text, const std::string& reason) {
  const bool says_more = !reason.empty() && reason != "None";
  return says_more ? text + " (" + reason + ")" : text;
}

Verdict finished(const EndedJob& job) {
  if (const std::string trouble = memory_trouble(job); !trouble.empty()) return {JobEnd::failed, trouble, {}};
  if (const AccountingRow* step = unnoticed_trouble(job)) {
    const bool has_code = step->exit_code.signal != 0 || step->exit_code.status != 0;
    return {JobEnd::failed,
            named(*step) + " ended by " + (has_code ? describe(step->exit_code) : "state " + step->state.name) +
                ", which the script did not notice",
            {}};
  }
  return {JobEnd::completed, job.gate_reason, {}};
}

Verdict unfinished(const EndedJob& job) {
  if (job.state.is("COMPLETED")) {
    return {JobEnd::lost, "Slurm says that the job is completed, but its script did not record its end", {}};
  }
  if (const std::string trouble = memory_trouble(job); !trouble.empty()) return {JobEnd::failed, trouble, {}};
  if (!job.missing_log.empty()) {
    return {JobEnd::failed,
            with_reason("the job's script did not start, and no log was written: check that '" + job.missing_log +
                            "' exists on the compute node and can be written there",
                        job.reason),
            {}};
  }
  if (!job.has_started) return {JobEnd::failed, with_reason("the job's script did not start", job.reason), {}};
  return {JobEnd::failed,
          with_reason("the job's script ended before it was finished, by " + describe(job.exit_code), job.reason),
          {}};
}

Verdict unknown_to_slurm(const EndedJob& job) {
  if (job.is_finished) {
    Verdict verdict = finished(job);
    verdict.warnings.emplace_back("Slurm does not know the job any more; its result is what its script recorded.");
    return verdict;
  }
  if (job.state.is("REQUEUED")) return {JobEnd::lost, "the job was requeued and is not in the queue any more", {}};
  return {JobEnd::lost,
          "Slurm does not know how the job ended" +
              (job.state.name.empty() ? "" : " (its last state was " + job.state.name + ")") +
              ", and its script did not record its end",
          {}};
}

// The stages of a run: from first on, before end.
struct RunStages {
  std::string id;
  std::size_t first = 0;
  std::size_t end = 0;
};

std::vector<RunStages> runs_of(const std::vector<cloudai::StageResult>& stages) {
  std::vector<RunStages> runs;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].run.empty()) continue;
    if (runs.empty() || runs.back().id != stages[i].run) runs.push_back({stages[i].run, i, i});
    runs.back().end = i + 1;
  }
  return runs;
}

constexpr std::size_t whole_seconds = 19;  // of a time: "2026-03-01T12:00:00"

bool was_ended_by_slurm(const EndedJob& job) {
  const bool ended_by_itself = job.state.is("COMPLETED") || job.state.is("FAILED");
  // It is only said of such a job.
  const bool ran_out_of_memory = job.is_finished && job.state.is("OUT_OF_MEMORY");
  if (job.is_cancelled) return !(job.is_finished && ended_by_itself);
  return job.state.progress == Progress::ended && !ended_by_itself && !ran_out_of_memory;
}

// Whether it is a step of the run: by its name, or, where the run's own program started it, by the time.
bool is_step_of(const AccountingRow& step, const RunStages& run, const std::vector<cloudai::StageResult>& stages) {
  if (is_named_by_us(step)) {
    const std::size_t number = stage_of(step.name);
    return number > run.first && number <= run.end;
  }
  const std::string start = step.start.substr(0, whole_seconds);
  for (std::size_t i = run.first; i < run.end; ++i) {
    const bool is_within =
        start >= stages[i].started.substr(0, whole_seconds) && start <= stages[i].ended.substr(0, whole_seconds);
    if (!stages[i].started.empty() && is_within) return true;
  }
  return false;
}

bool has_ended(const RunStages& run, const EndedJob& job) {
  for (std::size_t i = run.first; i < run.end; ++i) {
    if (i >= job.is_recorded.size() || !job.is_recorded[i]) return false;
  }
  return true;
}

std::vector<AccountingRow> steps_of(const RunStages& run, const EndedJob& job) {
  std::vector<AccountingRow> steps;
  for (const AccountingRow& step : job.steps) {
    const bool is_of_the_script = step.step == "batch" || step.step == "extern";
    if (!is_of_the_script && is_step_of(step, run, job.stages)) steps.push_back(step);
  }
  return steps;
}

}  // namespace

std::size_t stage_of(const std::string& step_name) {
  const std::string_view prefix(step_prefix);
  if (step_name.compare(0, prefix.size(), prefix) != 0) return 0;
  const std::string_view number = leading_digits(std::string_view(step_name).substr(prefix.size()));
  std::size_t stage = 0;
  std::from_chars(number.data(), number.data() + number.size(), stage);
  return stage;
}

Verdict judge(const EndedJob& job) {
  const bool ended_by_itself = job.state.is("COMPLETED") || job.state.is("FAILED");
  if (!job.given_up.empty()) return {JobEnd::failed, job.given_up, {}};
  if (job.is_cancelled && !(job.is_finished && ended_by_itself))
    return {JobEnd::cancelled, "the job was cancelled", {}};
  if (job.state.progress != Progress::ended) return unknown_to_slurm(job);
  if (ended_by_itself) return job.is_finished ? finished(job) : unfinished(job);
  std::string reason(meaning(job.state));
  if (job.state.is("OUT_OF_MEMORY")) {
    if (const std::string trouble = memory_trouble(job); !trouble.empty()) reason = trouble;
  }
  return {end_in(job.state), with_reason(job.state.name + ": " + reason, job.reason), {}};
}

void forget_after_end(EndedJob& job) {
  if (runs_of(job.stages).empty() || !was_ended_by_slurm(job)) return;
  const std::string end = job.end_time.substr(0, whole_seconds);
  const bool is_known = !leading_digits(end).empty();
  std::size_t last_begun = job.is_recorded.size();
  for (std::size_t i = 0; i < job.is_recorded.size(); ++i) {
    cloudai::StageResult& stage = job.stages[i];
    if (is_known && !stage.started.empty() && stage.started.substr(0, whole_seconds) >= end) {
      cloudai::StageResult unstarted;
      unstarted.run = stage.run;
      unstarted.kind = stage.kind;
      unstarted.name = stage.name;
      unstarted.state = cloudai::StageState::skipped;
      stage = std::move(unstarted);
      job.is_recorded[i] = false;
    } else if (is_known && !stage.ended.empty() && stage.ended.substr(0, whole_seconds) >= end) {
      job.is_recorded[i] = false;
    }
    if (!stage.started.empty()) last_begun = i;
  }
  // Without the time it may be any of them, but most likely the last.
  if (!is_known && last_begun < job.is_recorded.size()) job.is_recorded[last_begun] = false;
}

std::vector<cloudai::RunEnd> judge_runs(const EndedJob& job, const Verdict& whole) {
  std::vector<cloudai::RunEnd> ends;
  EndedJob part;
  part.stages = job.stages;
  bool all_completed = true;
  for (const RunStages& run : runs_of(job.stages)) {
    part.steps = steps_of(run, job);
    Verdict verdict = has_ended(run, job) ? finished(part) : whole;
    all_completed = all_completed && verdict.state == JobEnd::completed;
    ends.push_back({run.id, verdict.state, std::move(verdict.reason)});
  }
  // Trouble that is nobody's may have been anybody's.
  if (all_completed && whole.state == JobEnd::failed) {
    for (cloudai::RunEnd& end : ends) end = {end.id, whole.state, whole.reason};
  }
  return ends;
}

}  // namespace slurm
