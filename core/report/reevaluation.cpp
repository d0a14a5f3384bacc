#include "core/report/reevaluation.hpp"

#include <algorithm>
#include <system_error>

#include "core/report/results_documents.hpp"
#include "core/report/summary.hpp"
#include "core/run/evaluation.hpp"
#include "core/support/files.hpp"
#include "core/support/time.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;
using run::RunRecord;
using run::RunToJudge;
using run::Status;

namespace {

constexpr int deepest = 64;

tl::unexpected<Error> damaged(const fs::path& path, const std::string& how) {
  return trouble("'" + path.string() + "' is damaged: " + how + ".");
}

std::optional<Status> status_named(const std::string& text) {
  for (const Status status :
       {Status::passed, Status::failed, Status::error, Status::inconclusive, Status::skipped, Status::cancelled}) {
    if (text == to_string(status)) return status;
  }
  return std::nullopt;
}

std::optional<pipeline::StageKind> kind_named(const std::string& text) {
  using pipeline::StageKind;
  for (const StageKind kind : {StageKind::prologue, StageKind::main, StageKind::epilogue}) {
    if (text == pipeline::to_string(kind)) return kind;
  }
  return std::nullopt;
}

bool stays_inside(const fs::path& relative) {
  return !relative.empty() && relative.is_relative() &&
         std::none_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
}

run::Reason reason_of(const Json& document) {
  const Json reason = document.value("reason", Json::object());
  return {text_of(reason, "code"), text_of(reason, "text"), text_of(reason, "hint"),
          reason.is_object() ? reason.value("evidence", Json::array()) : Json::array()};
}

// The runs as the summary tells of them: what the exit status follows from.
struct Runs {
  std::vector<pipeline::Run> runs;
  run::Ending ending;  // its records do not point to their runs yet
};

Result<Runs> read_runs(const Json& summary, const fs::path& file) {
  const Json list = summary.value("runs", Json());
  if (!list.is_array()) return damaged(file, "it has no list \"runs\"");
  Runs result;
  result.runs.resize(list.size());
  result.ending.records.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto status = status_named(text_of(list[i], "status"));
    pipeline::Run& run = result.runs[i];
    run.id = text_of(list[i], "id");
    if (!status || !stays_inside(run.id)) return damaged(file, "run " + std::to_string(i + 1) + " lacks id or status");
    const Json iteration = list[i].value("iteration", Json());
    run.iteration = iteration.is_number_integer() ? iteration.get<int>() : 0;
    result.ending.records[i].status = *status;
    result.ending.records[i].reason = reason_of(list[i]);
  }
  if (const Json signal = summary.value("signal", Json()); signal.is_number_integer()) {
    result.ending.signal = signal.get<int>();
  }
  return result;
}

bool was_judged(const Json& run) {
  return !text_of(run, "outcome").empty();
}

tl::unexpected<Error> cannot_judge(const std::string& run_id, const Error& why) {
  return trouble("run '" + run_id + "' cannot be judged anew: " + why.message,
                 "Without --reevaluate the reports are written with the verdicts of the run.");
}

// What it needs is there: checked for every run before anything is written.
Result<void> check(const fs::path& results_directory, const std::string& run_id, module::Loader& loader) {
  const auto to_judge = run::read_evaluation(results_directory, run_id);
  if (!to_judge) return cannot_judge(run_id, to_judge.error());
  for (const run::StageToJudge& stage : to_judge->stages) {
    if (!kind_named(stage.kind)) {
      return damaged(results_directory / run_id / "evaluation.json", "it has a stage of the kind '" + stage.kind + "'");
    }
    if (const auto workload = loader.workload(stage.workload); !workload) return cannot_judge(run_id, workload.error());
  }
  return {};
}

// A copy of `file` as it was before the first time that it is judged anew.
Result<void> keep(const fs::path& file, const std::string& name) {
  std::error_code ignored;
  if (fs::exists(file.parent_path() / name, ignored)) return {};
  const auto text = files::read(file);
  if (!text) return tl::make_unexpected(text.error());
  return files::write(file.parent_path() / name, *text);
}

Result<void> replace_outcome(const fs::path& results_directory, const Json& outcome) {
  const fs::path file = results_directory / text_of(outcome, "id") / "outcome.json";
  const auto text = files::read(file);
  if (text && Json::parse(*text, nullptr, false) == outcome) return {};
  if (text) {
    if (auto kept = keep(file, "outcome.as-run.json"); !kept) return kept;
  }
  return run::write_outcome(results_directory, outcome);
}

// The record that `run` would have had at its end.
RunRecord judged(const RunToJudge& to_judge, pipeline::Run& run, const RunRecord& before,
                 const run::Evidence& evidence) {
  RunRecord record;
  run.stages.clear();
  for (const run::StageToJudge& stage : to_judge.stages) {
    pipeline::Stage place;
    place.kind = kind_named(stage.kind).value_or(pipeline::StageKind::main);
    place.name = stage.name;
    run.stages.push_back(place);
    run::StageRecord entry;
    entry.kind = place.kind;
    entry.name = stage.name;
    entry.directory = stage.directory;
    while (entry.directory.size() > 1 && entry.directory.back() == '/') entry.directory.pop_back();
    record.stages.push_back(std::move(entry));
  }
  record.run = &run;
  run::judge(record, evidence);
  // Why it was stopped or never started is not a matter of judgement.
  if (record.status == before.status && (record.status == Status::cancelled || record.status == Status::skipped)) {
    record.reason = before.reason;
  }
  return record;
}

void put_verdict(Json& document, Status status, const run::Reason& reason) {
  document["status"] = to_string(status);
  if (reason.code.empty()) {
    document.erase("reason");
  } else {
    document["reason"] = reason_document(reason);
  }
}

// Times, nodes and everything else that was observed stay as they are.
void put_record(Json& run, const RunRecord& record) {
  put_verdict(run, record.status, record.reason);
  run["headline"] = record.headline;
  Json& stages = run["stages"];
  for (std::size_t i = 0; stages.is_array() && i < std::min(stages.size(), record.stages.size()); ++i) {
    if (stages[i].is_object()) put_verdict(stages[i], record.stages[i].status, record.stages[i].reason);
  }
  const auto attempts = run.find("attempts");
  if (attempts != run.end() && attempts->is_array() && !attempts->empty() && attempts->back().is_object()) {
    attempts->back()["status"] = to_string(record.status);
  }
}

Result<void> write_new_summary(const fs::path& results_directory, Json summary, const run::Ending& ending,
                               const module::Loader& loader) {
  put_ending(summary, ending);
  summary["reevaluated"] = {
      {"time", rfc3339(Clock::now())}, {"cloudai", CLOUDAI_VERSION}, {"modules", modules_document(loader.loaded())}};
  if (auto kept = keep(results_directory / "summary.json", "summary.as-run.json"); !kept) return kept;
  return write_summary_document(results_directory, std::move(summary));
}

}  // namespace

Result<Reevaluation> reevaluate(const fs::path& results_directory, module::Loader& loader) {
  const fs::path file = results_directory / "summary.json";
  auto summary = read_results_document(file, "cloudai.summary/1", down_to(deepest));
  if (!summary) return tl::make_unexpected(summary.error());
  auto known = read_runs(*summary, file);
  if (!known) return tl::make_unexpected(known.error());
  Json& runs = summary->at("runs");
  for (std::size_t i = 0; i < runs.size(); ++i) known->ending.records[i].run = &known->runs[i];
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!was_judged(runs[i])) continue;
    if (auto checked = check(results_directory, known->runs[i].id, loader); !checked) {
      return tl::make_unexpected(checked.error());
    }
  }
  Reevaluation result;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!was_judged(runs[i])) continue;
    const auto to_judge = run::read_evaluation(results_directory, known->runs[i].id);
    if (!to_judge) return tl::make_unexpected(to_judge.error());
    const run::Evidence evidence = run::evaluate(*to_judge, loader);
    RunRecord& record = known->ending.records[i];
    RunRecord now = judged(*to_judge, known->runs[i], record, evidence);
    if (auto written = replace_outcome(results_directory, run::outcome_document(*to_judge, evidence)); !written) {
      return tl::make_unexpected(written.error());
    }
    put_record(runs[i], now);
    ++result.judged;
    if (now.status != record.status) {
      result.changed.push_back(
          {known->runs[i].id, std::string(to_string(record.status)), std::string(to_string(now.status))});
    }
    record.status = now.status;
    record.reason = now.reason;
  }
  result.exit_status = exit_status(known->ending);
  if (auto written = write_new_summary(results_directory, std::move(*summary), known->ending, loader); !written) {
    return tl::make_unexpected(written.error());
  }
  return result;
}

}  // namespace cloudai::report
