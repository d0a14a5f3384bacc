#include "core/report/summary.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>

#include "core/config/secret_options.hpp"
#include "core/report/recorded_reports.hpp"
#include "core/support/files.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;
using run::Ending;
using run::Reason;
using run::RunRecord;
using run::StageRecord;
using run::Status;

namespace {

std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(to - from).count()) / 1000.0;
}

std::string user_name() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry != nullptr ? entry->pw_name : std::to_string(::geteuid());
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::optional<Clock::time_point> time_of(const Json& result, const char* key) {
  const auto found = result.find(key);
  if (found == result.end() || !found->is_string()) return std::nullopt;
  return parse_rfc3339(found->get<std::string>());
}

std::optional<double> seconds_of(const StageRecord& stage) {
  if (!stage.result.is_object()) return std::nullopt;
  const auto started = time_of(stage.result, "started");
  const auto ended = time_of(stage.result, "ended");
  if (!started || !ended) return std::nullopt;
  return seconds_between(*started, *ended);
}

Json stage_document(const StageRecord& stage) {
  Json document = {{"kind", pipeline::to_string(stage.kind)},
                   {"name", stage.name},
                   {"directory", stage.directory},
                   {"status", run::to_string(stage.status)}};
  if (!stage.reason.code.empty()) document["reason"] = reason_document(stage.reason);
  if (const auto seconds = seconds_of(stage)) document["seconds"] = *seconds;
  if (stage.result.is_object()) {
    for (const char* key : {"job", "exit_status", "signal", "timed_out", "started", "ended"}) {
      if (const auto found = stage.result.find(key); found != stage.result.end()) document[key] = *found;
    }
  }
  if (stage.status != Status::skipped) {
    document["stdout"] = stage.directory + "/stdout.txt";
    document["stderr"] = stage.directory + "/stderr.txt";
  }
  if (stage.time_limit) document["time_limit"] = stage.time_limit->count();
  return document;
}

// The share of the stages' time that prologue and epilogue took.
std::optional<double> hook_share(const RunRecord& record) {
  double hooks = 0;
  double all = 0;
  for (const StageRecord& stage : record.stages) {
    const double seconds = seconds_of(stage).value_or(0);
    all += seconds;
    if (stage.kind != pipeline::StageKind::main) hooks += seconds;
  }
  if (all <= 0) return std::nullopt;
  return hooks / all;
}

Json dependencies_document(const config::Case& test_case) {
  Json list = Json::array();
  for (const config::Dependency& dependency : test_case.dependencies) {
    list.push_back({{"type", config::to_string(dependency.type)}, {"case", dependency.id}});
  }
  return list;
}

Json nodes_document(const RunRecord& record) {
  Json requested = {{"count", record.run->test_case->num_nodes}};
  if (!record.run->test_case->nodes.empty()) requested["names"] = record.run->test_case->nodes;
  return {{"requested", std::move(requested)}, {"actual", record.nodes}};
}

void add_times(Json& document, const RunRecord& record) {
  if (record.started) document["started"] = rfc3339(*record.started);
  if (record.ended) document["ended"] = rfc3339(*record.ended);
  if (record.started && record.ended) document["seconds"] = seconds_between(*record.started, *record.ended);
}

Json attempts_document(const RunRecord& record) {
  Json attempt = {{"directory", record.run->id}, {"status", run::to_string(record.status)}};
  if (!record.job.empty()) attempt["job"] = record.job;
  add_times(attempt, record);
  return Json::array({std::move(attempt)});
}

Json run_document(const RunRecord& record) {
  const pipeline::Run& run = *record.run;
  Json document = {{"id", run.id},
                   {"case", run.test_case->id},
                   {"iteration", run.iteration},
                   {"step", 0},
                   {"test", run.test_case->test.name},
                   {"workload", run.test_case->test.workload},
                   {"description", run.test_case->test.description},
                   {"dependencies", dependencies_document(*run.test_case)},
                   {"directory", run.id},
                   {"status", run::to_string(record.status)}};
  if (!record.reason.code.empty()) document["reason"] = reason_document(record.reason);
  if (!record.job.empty()) document["job"] = record.job;
  if (!record.ended_by.empty()) document["ended_by"] = record.ended_by;
  document["nodes"] = nodes_document(record);
  if (run.time_limit) document["time_limit"] = run.time_limit->count();
  add_times(document, record);
  if (const auto share = hook_share(record)) document["hook_share"] = *share;
  if (record.has_outcome) document["outcome"] = run.id + "/outcome.json";
  if (!record.warnings.empty()) document["warnings"] = record.warnings;
  document["headline"] = record.headline;
  document["attempts"] = attempts_document(record);
  document["stages"] = Json::array();
  for (const StageRecord& stage : record.stages) document["stages"].push_back(stage_document(stage));
  return document;
}

// A relative path means something only to whoever knows where cloudai was started.
fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return error ? path : whole.lexically_normal();
}

Json files_document(const config::Configuration& configuration) {
  Json list = Json::array();
  for (const fs::path& file : configuration.files) {
    Json entry = {{"path", absolute_path(file).string()}};
    if (const auto hash = files::sha256(file)) entry["sha256"] = *hash;
    list.push_back(std::move(entry));
  }
  return list;
}

Json head_document(const config::Configuration& configuration, const Ending& ending, const Provenance& provenance) {
  const auto& scenario = configuration.scenario;
  const auto& system = configuration.system;
  Json document = {
      {"schema", "cloudai.summary/1"},
      {"cloudai",
       {{"version", CLOUDAI_VERSION},
        {"arguments", provenance.arguments},
        {"user", user_name()},
        {"host", host_name()}}},
      {"scenario",
       {{"name", scenario.name}, {"file", scenario.file.string()}, {"job_status_check", scenario.job_status_check}}},
      {"system", {{"name", system.name}, {"scheduler", system.scheduler}, {"file", system.file.string()}}},
      {"files", files_document(configuration)},
      {"modules", modules_document(provenance.modules)},
      {"scheduler_calls", ending.scheduler_calls},
      {"scheduler_commands", ending.scheduler_commands},
      {"started", rfc3339(ending.started)},
      {"ended", rfc3339(ending.ended)},
      {"seconds", seconds_between(ending.started, ending.ended)}};
  put_ending(document, ending);
  return document;
}

bool has_status(const Ending& ending, Status status) {
  return std::any_of(ending.records.begin(), ending.records.end(),
                     [status](const RunRecord& record) { return record.status == status; });
}

// A further iteration of a test that has ended with the one it ran beside: nothing is missing without it.
bool is_superfluous(const RunRecord& record) {
  return record.status == Status::skipped && record.reason.code == "dependency_ended" && record.run->iteration > 0;
}

Json variables_document(const std::vector<config::EnvironmentVariable>& variables) {
  Json list = Json::array();
  for (const auto& variable : variables) {
    list.push_back({{"name", variable.name}, {"value", is_secret_name(variable.name) ? redacted : variable.value}});
  }
  return list;
}

Json test_document(const config::Test& test) {
  Json document = {{"name", test.name},
                   {"description", test.description},
                   {"test_template_name", test.workload},
                   {"cmd_args", config::without_secrets(test.cmd_args, test.secret_options)},
                   {"extra_cmd_args", variables_document(test.extra_cmd_args)},
                   {"extra_env_vars", variables_document(test.extra_env_vars)},
                   {"pass_env", test.pass_env},
                   {"extra_container_mounts", test.extra_container_mounts}};
  if (!test.nsys.is_null()) document["nsys"] = test.nsys;
  return document;
}

Json hooks_document(const std::vector<config::HookTest>& hooks) {
  Json list = Json::array();
  for (const config::HookTest& hook : hooks) {
    Json entry = {{"hook", hook.hook}, {"test", test_document(hook.test)}};
    if (hook.num_nodes) entry["num_nodes"] = *hook.num_nodes;
    if (hook.time_limit) entry["time_limit"] = hook.time_limit->count();
    if (!hook.scheduler_options.empty()) entry["scheduler_options"] = hook.scheduler_options;
    list.push_back(std::move(entry));
  }
  return list;
}

Json case_document(const config::Case& test_case) {
  Json document = {{"id", test_case.id},
                   {"num_nodes", test_case.num_nodes},
                   {"nodes", test_case.nodes},
                   {"exclude_nodes", test_case.exclude_nodes},
                   {"iterations", test_case.iterations},
                   {"dependencies", dependencies_document(test_case)},
                   {"test", test_document(test_case.test)}};
  if (test_case.time_limit) document["time_limit"] = test_case.time_limit->count();
  if (!test_case.scheduler_options.empty()) document["scheduler_options"] = test_case.scheduler_options;
  if (test_case.speed_of_light) document["speed_of_light"] = *test_case.speed_of_light;
  return document;
}

}  // namespace

std::vector<std::pair<Status, std::size_t>> count_by_status(const Ending& ending) {
  std::map<Status, std::size_t> counts;
  for (const RunRecord& record : ending.records) ++counts[record.status];
  return {counts.begin(), counts.end()};
}

int exit_status(const Ending& ending) {
  if (ending.signal) return 128 + *ending.signal;
  if (has_status(ending, Status::error)) return 3;
  const bool all_passed = std::all_of(ending.records.begin(), ending.records.end(), [](const RunRecord& record) {
    return record.status == Status::passed || is_superfluous(record);
  });
  return all_passed && !ending.records.empty() ? 0 : 1;
}

std::string overall_status(const Ending& ending) {
  const int status = exit_status(ending);
  if (ending.signal) return "cancelled";
  return status == 0 ? "passed" : status == 3 ? "error" : "failed";
}

Json reason_document(const Reason& reason) {
  Json document = {{"code", reason.code}, {"text", reason.text}};
  if (!reason.hint.empty()) document["hint"] = reason.hint;
  if (!reason.evidence.empty()) document["evidence"] = reason.evidence;
  return document;
}

Json modules_document(const std::vector<module::LoadedModule>& modules) {
  Json list = Json::array();
  for (const auto& loaded : modules) {
    list.push_back(
        {{"id", loaded.id}, {"version", loaded.version}, {"path", loaded.path.string()}, {"sha256", loaded.sha256}});
  }
  return list;
}

void put_ending(Json& summary, const Ending& ending) {
  summary["status"] = overall_status(ending);
  summary["exit_status"] = exit_status(ending);
  if (ending.signal) summary["signal"] = *ending.signal;
  summary["counts"] = Json::object();
  for (const auto& [status, count] : count_by_status(ending)) summary["counts"][run::to_string(status)] = count;
}

namespace {

// The runs are written out one by one, each on a line: ten thousand of them as one tree would take hundreds of
// megabytes. `next` gives one after the other.
template <class Next>
Result<void> write_with_runs(const fs::path& results_directory, const Json& head, std::size_t count, Next next) {
  std::string text = dump(head);
  text.erase(text.rfind('}'));
  while (text.back() == '\n' || text.back() == ' ') text.pop_back();
  text += ",\n  \"runs\": [";
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "\n" : ",\n") + next(i).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  text += "\n  ]\n}\n";
  return files::write(results_directory / "summary.json", text);
}

}  // namespace

Result<void> write_summary(const fs::path& results_directory, const config::Configuration& configuration,
                           const Ending& ending, const Provenance& provenance,
                           const std::vector<FailedReport>& failed_reports) {
  Json head = head_document(configuration, ending, provenance);
  for (const auto& [name, reason] : failed_reports) {
    head["failed_reports"].push_back({{"name", name}, {"reason", reason}});
  }
  return write_with_runs(results_directory, head, ending.records.size(),
                         [&](std::size_t i) { return run_document(ending.records[i]); });
}

Result<void> write_summary_document(const fs::path& results_directory, Json summary) {
  const Json runs = std::move(summary.at("runs"));
  summary.erase("runs");
  return write_with_runs(results_directory, summary, runs.size(), [&](std::size_t i) { return runs[i]; });
}

Result<void> write_inputs(const fs::path& results_directory, const config::Configuration& configuration) {
  const auto& system = configuration.system;
  const auto& scenario = configuration.scenario;
  Json cases = Json::array();
  for (const config::Case& test_case : scenario.cases) cases.push_back(case_document(test_case));
  const Json document = {{"schema", "cloudai.inputs/1"},
                         {"system",
                          {{"name", system.name},
                           {"scheduler", system.scheduler},
                           {"install_path", system.install_path.string()},
                           {"output_path", system.output_path.string()},
                           {"monitor_interval", static_cast<double>(system.monitor_interval.count()) / 1000.0},
                           {"global_env_vars", variables_document(system.global_env_vars)},
                           {"pass_env", system.pass_env},
                           {"options", config::without_secrets(system.options, system.secret_options)},
                           {"reports", record_of(system.reports)}}},
                         {"scenario",
                          {{"name", scenario.name},
                           {"job_status_check", scenario.job_status_check},
                           {"reports", record_of(scenario.reports)},
                           {"prologue", hooks_document(scenario.prologue)},
                           {"epilogue", hooks_document(scenario.epilogue)},
                           {"cases", std::move(cases)}}}};
  return files::write(results_directory / "inputs.json", dump(document));
}

}  // namespace cloudai::report
