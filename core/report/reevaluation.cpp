#include "core/report/reevaluation.hpp"

#include <algorithm>
#include <system_error>

#include "core/report/earlier_results.hpp"
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

using files::damaged;

constexpr int deepest = 64;

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
  RunCheck check(file.parent_path());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (const auto wrong = check(list[i])) return damaged(file, *wrong);
    pipeline::Run& run = result.runs[i];
    run.id = text_of(list[i], "id");
    const Json iteration = list[i].value("iteration", Json());
    run.iteration = iteration.is_number_integer() ? iteration.get<int>() : 0;
    result.ending.records[i].status = status_named(text_of(list[i], "status")).value_or(Status::error);
    result.ending.records[i].reason = reason_of(list[i]);
  }
  if (const auto signal = summary.find("signal"); signal != summary.end()) {
    const auto number = signal->is_number_integer() ? signal->get<std::int64_t>() : 0;
    if (number < 1 || number > 127) return damaged(file, "its \"signal\" is not a number from 1 to 127");
    result.ending.signal = static_cast<int>(number);
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

struct Place {
  std::string kind;
  std::string name;
  fs::path directory;
  bool operator==(const Place&) const = default;
};

Place place_of(const std::string& kind, const std::string& name, const std::string& directory) {
  return {kind, name, (fs::path(directory) / "").lexically_normal()};
}

// What does not fit between what the summary tells of a run and its evaluation.json; empty if all does.
std::string mismatch(const Json& run, const RunToJudge& to_judge) {
  std::vector<Place> told;
  for (const Json& stage : run.value("stages", Json::array())) {
    told.push_back(place_of(text_of(stage, "kind"), text_of(stage, "name"), text_of(stage, "directory")));
  }
  std::vector<Place> recorded;
  std::vector<std::string> workloads;
  for (const run::StageToJudge& stage : to_judge.stages) {
    recorded.push_back(place_of(stage.kind, stage.name, stage.directory));
    if (stage.kind == "main") workloads.push_back(stage.workload);
  }
  if (told != recorded) return "its stages are not those that summary.json tells of";
  if (workloads.size() != 1) return "it has " + std::to_string(workloads.size()) + " main stages, not one";
  if (const std::string workload = text_of(run, "workload"); workloads.front() != workload) {
    return "its main stage has the workload '" + workloads.front() + "', but the run's is '" + workload + "'";
  }
  return "";
}

// What a run was judged from, once everything that judging needs is there and fits.
Result<RunToJudge> read_checked(const fs::path& results_directory, const Json& run, module::Loader& loader) {
  const std::string id = text_of(run, "id");
  auto to_judge = run::read_evaluation(results_directory, id);
  if (!to_judge) return cannot_judge(id, to_judge.error());
  if (const std::string wrong = mismatch(run, *to_judge); !wrong.empty()) {
    return cannot_judge(id, damaged(results_directory / id / "evaluation.json", wrong).value());
  }
  for (const run::StageToJudge& stage : to_judge->stages) {
    if (const auto workload = loader.workload(stage.workload); !workload) return cannot_judge(id, workload.error());
  }
  return to_judge;
}

Result<void> remove_leftover(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  return error ? Result<void>(trouble("cannot remove '" + path.string() + "': " + error.message() + "."))
               : Result<void>();
}

// New contents of files, beside the old ones until all are on disk. Unless they are put in place, nothing is left of
// them and the old files stand as they stood.
class NewFiles {
 public:
  NewFiles() = default;
  ~NewFiles() { take_back(); }
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  // What stands there now is kept as `kept_name`, if nothing is yet.
  Result<void> add(const fs::path& file, const std::string& kept_name, const std::string& content) {
    const fs::path prepared = file.string() + ".new";
    entries_.push_back({file, prepared, {}, false, false});
    if (auto cleared = remove_leftover(prepared); !cleared) return cleared;
    if (auto written = files::write(prepared, content); !written) return written;
    return back_up(entries_.back(), kept_name);
  }

  Result<void> put_in_place() {
    std::error_code error;
    for (Entry& entry : entries_) {
      fs::rename(entry.prepared, entry.file, error);
      if (error) return trouble("cannot write '" + entry.file.string() + "': " + error.message() + ".");
      entry.is_in_place = true;
    }
    for (const Entry& entry : entries_) {
      if (!entry.keeps_backup && !entry.backup.empty()) fs::remove(entry.backup, error);
    }
    entries_.clear();
    return {};
  }

 private:
  struct Entry {
    fs::path file;
    fs::path prepared;
    fs::path backup;  // empty where there was no file
    bool keeps_backup = false;
    bool is_in_place = false;
  };

  static Result<void> back_up(Entry& entry, const std::string& kept_name) {
    std::error_code ignored;
    if (fs::symlink_status(entry.file, ignored).type() == fs::file_type::not_found) return {};
    const auto text = files::read(entry.file);
    if (!text) return tl::make_unexpected(text.error());
    const fs::path kept = entry.file.parent_path() / kept_name;
    entry.keeps_backup = !fs::exists(fs::symlink_status(kept, ignored));
    const fs::path backup = entry.keeps_backup ? kept : fs::path(entry.file.string() + ".old");
    if (auto cleared = remove_leftover(backup); !cleared) return cleared;
    if (auto written = files::write(backup, *text); !written) return written;
    entry.backup = backup;
    return {};
  }

  void take_back() {
    std::error_code ignored;
    for (const Entry& entry : entries_) {
      fs::remove(entry.prepared, ignored);
      if (entry.is_in_place && !entry.backup.empty()) {
        fs::rename(entry.backup, entry.file, ignored);
      } else if (entry.is_in_place) {
        fs::remove(entry.file, ignored);
      } else if (!entry.backup.empty()) {
        fs::remove(entry.backup, ignored);
      }
    }
  }

  std::vector<Entry> entries_;
};

Result<void> add_outcome(NewFiles& files, const fs::path& results_directory, const Json& outcome) {
  const fs::path file = results_directory / text_of(outcome, "id") / "outcome.json";
  const auto text = files::read(file);
  if (text && Json::parse(*text, nullptr, false) == outcome) return {};
  return files.add(file, "outcome.as-run.json", run::outcome_text(outcome));
}

// The record that `run` would have had at its end.
RunRecord judged(const RunToJudge& to_judge, pipeline::Run& run, const RunRecord& before,
                 const run::Evidence& evidence) {
  RunRecord record;
  run.stages.clear();
  for (const run::StageToJudge& stage : to_judge.stages) {
    pipeline::Stage place;
    place.kind = run::kind_named(stage.kind).value_or(pipeline::StageKind::main);
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
  // A load whose partner never ran has shown nothing, however it ended.
  if (before.status == Status::skipped && before.reason.code == "dependency_failed" &&
      record.status == Status::passed) {
    record.status = Status::skipped;
  }
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

// The summary's writer makes a whole file in a directory: here in one that is gone afterwards.
Result<std::string> text_of_summary(const fs::path& results_directory, Json summary) {
  const fs::path directory = results_directory / "summary.json.new";
  if (auto cleared = remove_leftover(directory); !cleared) return tl::make_unexpected(cleared.error());
  std::error_code error;
  fs::create_directory(directory, error);
  if (error) return trouble("cannot make the directory '" + directory.string() + "': " + error.message() + ".");
  const auto written = write_summary_document(directory, std::move(summary));
  auto text = written ? files::read(directory / "summary.json") : tl::make_unexpected(written.error());
  fs::remove_all(directory, error);
  return text;
}

Result<void> add_summary(NewFiles& files, const fs::path& results_directory, Json summary, const run::Ending& ending,
                         const module::Loader& loader) {
  put_ending(summary, ending);
  summary["reevaluated"] = {
      {"time", rfc3339(Clock::now())}, {"cloudai", CLOUDAI_VERSION}, {"modules", modules_document(loader.loaded())}};
  const auto text = text_of_summary(results_directory, std::move(summary));
  if (!text) return tl::make_unexpected(text.error());
  return files.add(results_directory / "summary.json", "summary.as-run.json", *text);
}

// Judges one run, of which the summary tells in `document`; its new outcome waits in `files`.
Result<void> judge_anew(const fs::path& results_directory, module::Loader& loader, Json& document, pipeline::Run& run,
                        RunRecord& record, NewFiles& files, Reevaluation& result) {
  const auto to_judge = read_checked(results_directory, document, loader);
  if (!to_judge) return tl::make_unexpected(to_judge.error());
  const run::Evidence evidence = run::evaluate(*to_judge, loader);
  RunRecord now = judged(*to_judge, run, record, evidence);
  if (auto added = add_outcome(files, results_directory, run::outcome_document(*to_judge, evidence)); !added) {
    return added;
  }
  put_record(document, now);
  ++result.judged;
  if (now.status != record.status) {
    result.changed.push_back({run.id, std::string(to_string(record.status)), std::string(to_string(now.status))});
  }
  record.status = now.status;
  record.reason = now.reason;
  return {};
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
  // All that may be missing is found before the first workload is asked, which may take long.
  for (const Json& run : runs) {
    if (!was_judged(run)) continue;
    if (const auto checked = read_checked(results_directory, run, loader); !checked) {
      return tl::make_unexpected(checked.error());
    }
  }
  Reevaluation result;
  NewFiles files;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!was_judged(runs[i])) continue;
    if (auto done =
            judge_anew(results_directory, loader, runs[i], known->runs[i], known->ending.records[i], files, result);
        !done) {
      return tl::make_unexpected(done.error());
    }
  }
  result.exit_status = exit_status(known->ending);
  if (auto added = add_summary(files, results_directory, std::move(*summary), known->ending, loader); !added) {
    return tl::make_unexpected(added.error());
  }
  if (auto placed = files.put_in_place(); !placed) return tl::make_unexpected(placed.error());
  return result;
}

}  // namespace cloudai::report
