// What a script that runs a job's stages leaves in its status directory, written by shell and read back here.
//
//   status/id        the script's identity, lines `key=value`: tag, stage.<number> = "<kind> <name>" for every stage of
//                    the job in order, run.<number> = <id of its run> where runs have directories of their own, perhaps
//                    nodes, and last id
//   status/<number>  how a stage went: `started` (microseconds since 1970) when it starts; when it has ended `ended`,
//                    `exit_status`, `timed_out` (yes, no), `gate` (open, closed), `why` the gate is closed, and last
//                    the line `complete`; before that perhaps `asked_to_end=yes`. `skipped` (with the reason) alone for
//                    a stage that did not start
//   status/finished  appears last
//   status/end_main  the other way: once it is there, a main stage that has not started never does
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cloudai/documents/scheduler.hpp"
#include "cloudai/error.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

inline constexpr const char* status_directory = "status";    // below the job's
inline constexpr const char* end_main_request = "end_main";  // below the status directory

// A stage as render listed it, so that its records can be read without the job.
struct ListedStage {
  StageKind kind = StageKind::main;
  std::string name;
  std::string directory{};  // relative to the job's; empty: not known
  std::string run{};        // as in StageResult
};

struct ScriptIdentity {
  std::string tag;
  std::string id;
  std::vector<ListedStage> stages;
  std::string nodes;  // in the scheduler's notation; empty where the script does not say
};

struct FinalStages {
  std::vector<StageResult> stages;
  std::vector<bool> is_recorded;      // by stage: how it ended, or that it was skipped
  std::vector<std::string> warnings;  // records that are missing or not readable
  std::string reason;                 // why the first gate is closed; empty if none is
};

namespace records {

inline std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::filesystem::path record_path(const std::filesystem::path& job_directory, std::size_t number) {
  return job_directory / status_directory / std::to_string(number);
}

// Lines `key=value`; a line without `=` is a key alone. A last line without its end is not there yet.
inline std::map<std::string, std::string> parse_record(std::string_view text) {
  std::map<std::string, std::string> record;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const std::string_view line = text.substr(0, end);
    const std::size_t equals = line.find('=');
    const bool has_value = equals != std::string_view::npos;
    record[std::string(line.substr(0, equals))] = has_value ? std::string(line.substr(equals + 1)) : std::string();
    text.remove_prefix(end + 1);
  }
  return record;
}

inline std::optional<long long> parse_number(const std::map<std::string, std::string>& record, const std::string& key) {
  const auto entry = record.find(key);
  if (entry == record.end()) return std::nullopt;
  const std::string& text = entry->second;
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// RFC 3339 in UTC with milliseconds. Nothing for a number that is no time of this era.
inline std::optional<std::string> timestamp(std::optional<long long> microseconds) {
  constexpr long long year_3000 = 32'503'680'000'000'000;
  if (!microseconds || *microseconds < 0 || *microseconds >= year_3000) return std::nullopt;
  const std::time_t seconds = static_cast<std::time_t>(*microseconds / 1'000'000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> date{};
  std::array<char, 40> text{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data(), text.size(), "%s.%03dZ", date.data(), static_cast<int>(*microseconds / 1000 % 1000));
  return text.data();
}

// The signal a shell's exit status tells of. The shell says no more: a program may return such a number of its own
// accord.
inline std::optional<int> signal_of(int exit_status) {
  constexpr int first_real_time_signal = 32;
  const int signal = exit_status - 128;
  return signal > 0 && signal < first_real_time_signal ? std::optional(signal) : std::nullopt;
}

enum class Record { missing, garbled, started, complete };

struct ReadStage {
  Record record = Record::missing;
  StageResult result;
  std::string why;  // why its gate is closed
};

// Fills in a record whose last line says that it is complete. False if that is not true.
inline bool read_end(const std::map<std::string, std::string>& record, ReadStage& stage) {
  const auto ended = timestamp(parse_number(record, "ended"));
  const auto exit_status = parse_number(record, "exit_status");
  if (!ended || !exit_status || *exit_status < 0 || *exit_status > 255) return false;
  if (record.count("gate") == 0 || record.count("timed_out") == 0) return false;
  StageResult& result = stage.result;
  result.state = StageState::ended;
  result.ended = *ended;
  result.exit_status = static_cast<int>(*exit_status);
  result.timed_out = record.at("timed_out") == "yes";
  result.asked_to_end = record.count("asked_to_end") != 0;
  if (!result.timed_out) result.signal = signal_of(*result.exit_status);
  result.gate = record.at("gate") == "open" ? Gate::open : Gate::closed;
  if (const auto why = record.find("why"); why != record.end()) stage.why = why->second;
  stage.record = Record::complete;
  return true;
}

inline ReadStage read_stage(const std::filesystem::path& path, const ListedStage& listed) {
  ReadStage stage;
  stage.result.run = listed.run;
  stage.result.kind = listed.kind;
  stage.result.name = listed.name;
  const auto text = read_file(path);
  if (!text) {
    stage.result.state = StageState::skipped;
    return stage;
  }
  const auto record = parse_record(*text);
  if (record.count("skipped") != 0) {
    stage.result.state = StageState::skipped;
    stage.record = Record::complete;
    return stage;
  }
  stage.result.state = StageState::unfinished;
  stage.record = Record::garbled;
  const auto started = timestamp(parse_number(record, "started"));
  if (!started) return stage;
  stage.result.started = *started;
  if (record.count("complete") == 0) {
    stage.record = Record::started;
  } else {
    read_end(record, stage);
  }
  return stage;
}

inline std::string named(const ListedStage& stage) {
  return std::string(to_string(stage.kind)) + " '" + stage.name + "'";
}

}  // namespace records

// The list as a submission carries it, and back. Reading throws Error(invalid_document).
inline Json list_stages(const Job& job) {
  Json list = Json::array();
  const bool names_runs = has_run_directories(job);
  for (const JobRun& run : job.runs) {
    for (const JobStage& stage : run.stages) {
      list.push_back(Json{{"kind", to_string(stage.kind)}, {"name", stage.name}, {"directory", stage.directory}});
      if (names_runs) list.back()["run"] = run.id;
    }
  }
  return Json{{"stages", std::move(list)}};
}

inline std::vector<ListedStage> read_stage_list(const Json& submission) {
  std::vector<ListedStage> stages;
  for (const auto& entry : Value(submission).get<std::vector<Json>>("stages")) {
    const Value stage(entry);
    stages.push_back({stage.get<StageKind>("kind"), stage.get<std::string>("name"),
                      stage.get_or<std::string>("directory", {}), stage.get_or<std::string>("run", {})});
  }
  return stages;
}

// What the script wrote down when it started, or nothing if it did not start.
inline std::optional<ScriptIdentity> read_script_identity(const std::filesystem::path& job_directory) {
  const auto record = records::parse_record(records::read_file(job_directory / status_directory / "id").value_or(""));
  // The id stands last: with it, everything is there.
  if (record.count("tag") == 0 || record.count("id") == 0) return std::nullopt;
  ScriptIdentity script{record.at("tag"), record.at("id"), {}, {}};
  if (const auto nodes = record.find("nodes"); nodes != record.end()) script.nodes = nodes->second;
  for (int number = 1;; ++number) {
    const auto entry = record.find("stage." + std::to_string(number));
    if (entry == record.end()) return script;
    const std::size_t blank = entry->second.find(' ');
    const auto names = enum_names(StageKind{});
    const auto kind = std::find(names.begin(), names.end(), std::string_view(entry->second).substr(0, blank));
    if (blank == std::string::npos || kind == names.end()) return std::nullopt;
    const auto run = record.find("run." + std::to_string(number));
    script.stages.push_back({static_cast<StageKind>(kind - names.begin()),
                             entry->second.substr(blank + 1),
                             {},
                             run == record.end() ? std::string() : run->second});
  }
}

// How far the stage with this number, from 1, of a running job has come.
enum class StageProgress { waiting, started, over };

inline StageProgress progress_of(const std::filesystem::path& job_directory, std::size_t number) {
  const auto text = records::read_file(records::record_path(job_directory, number));
  if (!text) return StageProgress::waiting;
  const auto record = records::parse_record(*text);
  return record.count("complete") != 0 || record.count("skipped") != 0 ? StageProgress::over : StageProgress::started;
}

inline bool is_finished(const std::filesystem::path& job_directory) {
  std::error_code ignored;
  return std::filesystem::exists(job_directory / status_directory / "finished", ignored);
}

// The stages of a job that may still run: those that have started, been skipped or ended.
inline std::vector<StageResult> stages_so_far(const std::filesystem::path& job_directory,
                                              const std::vector<ListedStage>& stages) {
  std::vector<StageResult> results;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const records::ReadStage stage = records::read_stage(records::record_path(job_directory, i + 1), stages[i]);
    // A garbled record of a running job is one that is being written.
    if (stage.record == records::Record::started || stage.record == records::Record::complete)
      results.push_back(stage.result);
  }
  return results;
}

// The stages of a job that has ended, every one of them.
inline FinalStages final_stages(const std::filesystem::path& job_directory, const std::vector<ListedStage>& stages) {
  FinalStages final;
  const bool finished = is_finished(job_directory);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto path = records::record_path(job_directory, i + 1);
    records::ReadStage stage = records::read_stage(path, stages[i]);
    const bool incomplete = stage.record != records::Record::complete;
    if (stage.record == records::Record::garbled || (finished && incomplete)) {
      stage.result.state = StageState::unfinished;
      final.warnings.push_back("The record of the " + records::named(stages[i]) + ", '" + path.string() + "', is " +
                               (stage.record == records::Record::missing ? "missing" : "incomplete or not readable") +
                               "; how the stage ended is not known.");
    }
    if (final.reason.empty() && !stage.why.empty()) {
      final.reason = "The gate of the " + records::named(stages[i]) + " is closed: " + stage.why + ".";
    }
    final.is_recorded.push_back(!incomplete);
    final.stages.push_back(std::move(stage.result));
  }
  return final;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
