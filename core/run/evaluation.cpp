#include "core/run/evaluation.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <system_error>

#include "core/config/secret_options.hpp"
#include "core/run/requirements.hpp"
#include "core/support/files.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::run {

namespace fs = std::filesystem;

namespace {

using files::damaged;

constexpr const char* schema = "cloudai.evaluation/1";
constexpr const char* file_name = "evaluation.json";

constexpr std::array<std::pair<Interference, const char*>, 3> interference_names{
    {{Interference::none, "none"}, {Interference::cancelled, "cancelled"}, {Interference::main_ended, "main_ended"}}};

const char* name_of(Interference interference) {
  for (const auto& [value, name] : interference_names) {
    if (value == interference) return name;
  }
  return "";
}

std::optional<Interference> interference_named(const std::string& text) {
  for (const auto& [value, name] : interference_names) {
    if (text == name) return value;
  }
  return std::nullopt;
}

const Json& member_of(const Json& document, const char* key) {
  static const Json none;
  const auto found = document.find(key);
  return found == document.end() ? none : *found;
}

bool can_be_judged(const Json& stage_result, Interference interference) {
  const std::string state = text_of(stage_result, "state");
  return state == "ended" || (state == "unfinished" && interference != Interference::cancelled);
}

void add_secrets(std::vector<std::string>& secrets, const std::vector<config::EnvironmentVariable>& variables) {
  for (const auto& variable : variables) {
    if (is_secret_name(variable.name)) secrets.push_back(variable.value);
  }
}

std::vector<std::string> secrets_of(const config::Test& test, const config::System& system) {
  std::vector<std::string> secrets = secret_arguments(test);
  add_secrets(secrets, test.extra_env_vars);
  add_secrets(secrets, system.global_env_vars);
  return secrets;
}

// The document without the secrets: wherever their text stands, and as the value of whatever has a secret name.
Json redact(Json document, const std::vector<std::string>& secrets) {
  if (document.is_string()) return without_secrets(document.get<std::string>(), secrets);
  if (!document.is_structured()) return document;
  const bool is_secret =
      document.is_object() && document.contains("value") && is_secret_name(text_of(document, "name"));
  for (auto& [key, member] : document.items()) {
    const bool is_value = is_secret && key == "value";
    member = is_value ? Json(redacted) : redact(std::move(member), secrets);
  }
  return document;
}

// Calls `change` with every path of a cloudai.stage/1 that leads into the results directory.
template <class Change>
void for_each_path(Json& request, Change change) {
  const auto change_member = [&](Json& owner, const char* key) {
    if (owner.is_object() && !text_of(owner, key).empty()) owner[key] = change(text_of(owner, key));
  };
  change_member(request, "run_directory");
  if (const auto stage = request.find("stage"); stage != request.end()) change_member(*stage, "directory");
  if (const auto list = request.find("predecessors"); list != request.end()) {
    for (Json& predecessor : *list) change_member(predecessor, "directory");
  }
}

Json stage_document(const StageToJudge& stage, const config::Test& test, const config::System& system,
                    const fs::path& results_directory) {
  Json document = {
      {"kind", stage.kind}, {"name", stage.name}, {"directory", stage.directory}, {"workload", stage.workload}};
  if (!stage.request) return document;
  Json request = *stage.request;
  request["test"]["cmd_args"] = config::without_secrets(request["test"]["cmd_args"], test.secret_options);
  for_each_path(request, [&](const std::string& path) {
    return fs::path(path).lexically_relative(results_directory).generic_string();
  });
  document["request"] = redact(std::move(request), secrets_of(test, system));
  return document;
}

// Deeper documents are none of ours, and would exhaust the stack of whoever copies them.
constexpr int deepest = 64;

Result<Json> read_document(const fs::path& path) {
  const auto text = files::read(path);
  if (!text) return tl::make_unexpected(text.error());
  const auto not_too_deep = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw std::length_error("nested deeper than " + std::to_string(deepest) + " levels");
    return true;
  };
  try {
    Json document = Json::parse(*text, not_too_deep);
    if (document.is_object()) return document;
  } catch (const std::length_error& error) {
    return damaged(path, std::string("it is ") + error.what());
  } catch (const Json::exception&) {
    return damaged(path, "it is not valid JSON");
  }
  return damaged(path, "it does not hold a JSON object");
}

bool is_stage_result(const Json& document) {
  return document.is_object() && kind_named(text_of(document, "kind")) && !text_of(document, "name").empty() &&
         !text_of(document, "state").empty();
}

bool is_job_result(const Json& document) {
  if (text_of(document, "state").empty()) return false;
  const auto stages = document.find("stages");
  if (stages == document.end()) return true;
  return stages->is_array() && std::all_of(stages->begin(), stages->end(), is_stage_result);
}

// Complains about a path that leaves the run's place; empty if there is nothing to complain of.
std::string wrong_path(const StageToJudge& stage, const fs::path& results_directory, const std::string& run_id) {
  const std::string inside = fs::path(stage.directory).lexically_relative(run_id).generic_string();
  if (!files::leads_inside(results_directory / run_id, inside)) {
    return "the directory '" + stage.directory + "' of a stage in it is not in that of its run";
  }
  if (!stage.request) return "";
  std::string complaint;
  Json request = *stage.request;
  for_each_path(request, [&](const std::string& path) {
    if (!files::leads_inside(results_directory, path))
      complaint = "the path '" + path + "' in it leaves the results directory";
    return path;
  });
  return complaint;
}

// The request is that of this stage, and there is one just where there is something to judge.
std::string wrong_request(const StageToJudge& stage, const Json& job_result, Interference interference) {
  pipeline::Stage place;
  place.kind = *kind_named(stage.kind);
  place.name = stage.name;
  const Json* result = find_stage_result(job_result, place);
  const bool is_judged = result != nullptr && can_be_judged(*result, interference);
  const std::string whose = stage.kind + " stage '" + stage.name + "'";
  if (is_judged != stage.request.has_value()) {
    return (is_judged ? "it lacks the request of its " : "it has a request where nothing is to be judged, of its ") +
           whose;
  }
  if (!stage.request) return "";
  const Json& asked = member_of(*stage.request, "stage");
  const auto normal = [](const std::string& path) { return (fs::path(path) / "").lexically_normal(); };
  const bool is_same = text_of(*stage.request, "schema") == "cloudai.stage/1" && text_of(asked, "kind") == stage.kind &&
                       text_of(asked, "name") == stage.name &&
                       normal(text_of(asked, "directory")) == normal(stage.directory);
  return is_same ? "" : "the request of its " + whose + " is not of this stage";
}

std::optional<StageToJudge> read_stage(const Json& document) {
  if (!document.is_object()) return std::nullopt;
  StageToJudge stage{text_of(document, "kind"), text_of(document, "name"), text_of(document, "directory"),
                     text_of(document, "workload"), std::nullopt};
  if (stage.kind.empty() || stage.name.empty() || stage.workload.empty()) return std::nullopt;
  if (const auto request = document.find("request"); request != document.end()) {
    if (!request->is_object()) return std::nullopt;
    stage.request = *request;
  }
  return stage;
}

// Appends the stages of `document` to `run`; says what is wrong with them, or nothing.
std::string read_stages(const Json& document, const fs::path& results_directory, RunToJudge& run) {
  const Json& stages = member_of(document, "stages");
  if (!stages.is_array() || stages.empty()) return "it has no stages";
  for (const Json& entry : stages) {
    auto stage = read_stage(entry);
    if (!stage) return "a stage in it lacks its kind, name or workload";
    if (!kind_named(stage->kind)) return "it has a stage of the kind '" + stage->kind + "'";
    if (std::string wrong = wrong_path(*stage, results_directory, run.id); !wrong.empty()) return wrong;
    if (std::string wrong = wrong_request(*stage, run.job_result, run.interference); !wrong.empty()) return wrong;
    if (stage->request) {
      for_each_path(*stage->request,
                    [&](const std::string& path) { return (results_directory / path).lexically_normal().string(); });
    }
    run.stages.push_back(std::move(*stage));
  }
  return "";
}

}  // namespace

std::optional<pipeline::StageKind> kind_named(const std::string& text) {
  using pipeline::StageKind;
  for (const StageKind kind : {StageKind::prologue, StageKind::main, StageKind::epilogue}) {
    if (text == pipeline::to_string(kind)) return kind;
  }
  return std::nullopt;
}

RunToJudge run_to_judge(const pipeline::Run& run, const pipeline::RunContext& context, const std::vector<Json>& plans,
                        Json job_result, Interference interference) {
  RunToJudge to_judge{run.id, std::move(job_result), interference, {}};
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const pipeline::Stage& stage = run.stages[i];
    StageToJudge entry{std::string(to_string(stage.kind)), stage.name,
                       (fs::path(run.id) / stage.directory).lexically_normal().generic_string(), stage.test->workload,
                       std::nullopt};
    const Json* result = find_stage_result(to_judge.job_result, stage);
    if (result != nullptr && can_be_judged(*result, interference)) {
      const bool ended_by_us = was_ended_by_us(to_judge.job_result, stage, interference);
      entry.request = pipeline::stage_document(run, stage, context, plans[i], *result, ended_by_us);
    }
    to_judge.stages.push_back(std::move(entry));
  }
  return to_judge;
}

namespace {

// The run is over, and what it measured is there to be judged by a better module.
std::string hint_after_crash(const RunToJudge& run, const Json& request) {
  fs::path results = text_of(request, "run_directory");
  for (const fs::path& part : fs::path(run.id)) {
    if (!part.empty()) results = results.parent_path();
  }
  return "The run's files are kept; after a fix: cloudai generate-report --reevaluate --result-dir " + results.string();
}

Result<Json> outcome_of(const RunToJudge& run, const StageToJudge& stage, module::Loader& loader) {
  auto workload = loader.workload(stage.workload);
  if (!workload) return tl::make_unexpected(std::move(workload.error()));
  auto outcome = (*workload)->evaluate(*stage.request);
  if (!outcome && is_crash(outcome.error())) {
    std::string& hint = outcome.error().hint;
    hint += (hint.empty() ? "" : " ") + hint_after_crash(run, *stage.request);
  }
  return outcome;
}

}  // namespace

Evidence evaluate(const RunToJudge& run, module::Loader& loader) {
  Evidence evidence{run.job_result, {}, run.interference};
  for (const StageToJudge& stage : run.stages) {
    if (stage.request) {
      evidence.outcomes.emplace_back(outcome_of(run, stage, loader));
    } else {
      evidence.outcomes.emplace_back(std::nullopt);
    }
  }
  return evidence;
}

Json outcome_document(const RunToJudge& run, const Evidence& evidence) {
  Json stages = Json::array();
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const auto& outcome = evidence.outcomes[i];
    if (!outcome || !*outcome) continue;
    const StageToJudge& stage = run.stages[i];
    stages.push_back(
        {{"kind", stage.kind}, {"name", stage.name}, {"directory", stage.directory}, {"outcome", **outcome}});
  }
  return {{"schema", "cloudai.run_outcome/1"}, {"id", run.id}, {"stages", std::move(stages)}};
}

std::string outcome_text(const Json& outcome) {
  return outcome.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> write_outcome(const fs::path& results_directory, const Json& outcome) {
  return files::write(results_directory / text_of(outcome, "id") / "outcome.json", outcome_text(outcome));
}

Result<void> write_evaluation(const RunToJudge& to_judge, const pipeline::Run& run, const config::System& system,
                              const fs::path& results_directory) {
  Json document = {{"schema", schema},
                   {"id", to_judge.id},
                   {"interference", name_of(to_judge.interference)},
                   {"job_result", to_judge.job_result},
                   {"stages", Json::array()}};
  for (std::size_t i = 0; i < to_judge.stages.size(); ++i) {
    document["stages"].push_back(stage_document(to_judge.stages[i], *run.stages[i].test, system, results_directory));
  }
  return files::write(results_directory / to_judge.id / file_name,
                      document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<RunToJudge> read_evaluation(const fs::path& results_directory, const std::string& run_id) {
  const fs::path path = results_directory / run_id / file_name;
  auto document = read_document(path);
  if (!document) return tl::make_unexpected(document.error());
  if (text_of(*document, "schema") != schema)
    return damaged(path, std::string("its \"schema\" is not \"") + schema + "\"");
  if (const std::string id = text_of(*document, "id"); id != run_id) {
    return damaged(path, "its \"id\" is '" + id + "', so it is of another run");
  }
  const auto interference = interference_named(text_of(*document, "interference"));
  if (!interference) return damaged(path, "its \"interference\" is none of 'none', 'cancelled', 'main_ended'");
  RunToJudge run{run_id, member_of(*document, "job_result"), *interference, {}};
  if (!is_job_result(run.job_result)) return damaged(path, "its \"job_result\" does not tell how a job ended");
  if (const std::string wrong = read_stages(*document, results_directory, run); !wrong.empty()) {
    return damaged(path, wrong);
  }
  return run;
}

}  // namespace cloudai::run
