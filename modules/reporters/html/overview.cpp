#include "modules/reporters/html/overview.hpp"

#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

namespace {

// The first stage that started and is not good.
const results::StageSummary* stage_to_blame(const results::RunSummary& run) {
  for (const results::StageSummary& stage : run.stages) {
    const RunStatus status = to_status(stage.status);
    if (status != RunStatus::passed && status != RunStatus::skipped) return &stage;
  }
  return nullptr;
}

}  // namespace

Problem problem_of(const results::RunSummary& run, std::size_t number) {
  const RunStatus status = to_status(run.status);
  Problem problem;
  const Reason reason = run.reason.value_or(Reason{});
  problem.number = number;
  problem.id = run.id;
  problem.test = run.test;
  problem.status = status;
  problem.word = word_of(status, run.status);
  problem.reason = reason.text;
  problem.hint = reason.hint;
  problem.test_case = run.test_case;
  problem.evidence = reason.evidence;
  if (const results::StageSummary* stage = stage_to_blame(run)) {
    problem.stage = stage->kind + " " + stage->name;
    problem.stage_directory = stage->directory;
    if (problem.evidence.empty() && stage->reason) problem.evidence = stage->reason->evidence;
  }
  return problem;
}

void Overview::add(const results::RunSummary& run) {
  ++runs_;
  const RunStatus status = to_status(run.status);
  Tally& tally = tallies_[static_cast<std::size_t>(status)];
  if (tally.count++ == 0) tally.first = runs_;
  for (const results::StageSummary& stage : run.stages) {
    const double seconds = stage.seconds.value_or(0);
    stage_seconds_ += seconds;
    if (stage.kind != "main") hook_seconds_ += seconds;
  }
  std::vector<Problem>& problems = problems_[static_cast<std::size_t>(status)];
  if (status == RunStatus::passed || problems.size() == most_problems) return;
  problems.push_back(problem_of(run, runs_));
}

std::vector<Problem> Overview::problems() const {
  std::vector<Problem> result;
  for (const std::vector<Problem>& group : problems_) {
    for (const Problem& problem : group) {
      if (result.size() < most_problems) result.push_back(problem);
    }
  }
  return result;
}

namespace {

std::string sentence_of(const Overview& overview) {
  const std::size_t passed = overview.tally(RunStatus::passed).count;
  if (overview.runs() == 0) return "No test ran: nothing was checked.";
  if (passed == overview.runs()) {
    if (passed <= 2) return passed == 1 ? "The one run passed." : "Both runs passed.";
    return "All " + std::to_string(passed) + " runs passed.";
  }
  std::string list;
  for (std::size_t i = 0; i < status_count; ++i) {
    const auto status = static_cast<RunStatus>(i);
    const std::size_t count = overview.tally(status).count;
    if (count == 0) continue;
    const std::string_view words = status == RunStatus::error     ? "ended in error"
                                   : status == RunStatus::unknown ? "of unknown status"
                                                                  : name_of(status);
    list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(words);
  }
  const bool none_ran = overview.tally(RunStatus::skipped).count == overview.runs();
  return count_text(overview.runs(), "run") + ": " + list + (none_ran ? ". No test ran: nothing was checked." : ".");
}

bool has_bad_run(const Overview& overview) {
  return overview.tally(RunStatus::failed).count + overview.tally(RunStatus::error).count +
             overview.tally(RunStatus::inconclusive).count + overview.tally(RunStatus::unknown).count >
         0;
}

}  // namespace

ShownVerdict verdict_of(const std::string& summary_status, const Overview& overview) {
  ShownVerdict verdict;
  verdict.status = to_status(summary_status);
  verdict.sentence = sentence_of(overview);
  if (verdict.status == RunStatus::passed && overview.tally(RunStatus::passed).count == 0) {
    verdict.status = RunStatus::failed;
    verdict.caveat = "The summary says passed, but no run passed.";
  } else if (verdict.status == RunStatus::passed && has_bad_run(overview)) {
    verdict.status = RunStatus::failed;
    verdict.caveat = "The summary says passed, but not every run did.";
  } else if (verdict.status == RunStatus::unknown) {
    verdict.status = RunStatus::error;
    verdict.caveat = "The summary has the status '" + summary_status + "', which this report does not know.";
  }
  verdict.word = word_of(verdict.status, {});
  return verdict;
}

}  // namespace cloudai::html
