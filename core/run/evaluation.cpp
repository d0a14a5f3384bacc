#include "core/run/evaluation.hpp"

#include <array>

#include "core/config/secret_options.hpp"
#include "core/run/requirements.hpp"
#include "core/support/files.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::run {

namespace fs = std::filesystem;

namespace {

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

tl::unexpected<Error> damaged(const fs::path& path, const std::string& how) {
  return trouble("'" + path.string() + "' is damaged: " + how + ".");
}

std::optional<StageToJudge> read_stage(const Json& document, const fs::path& results_directory) {
  if (!document.is_object()) return std::nullopt;
  StageToJudge stage{text_of(document, "kind"), text_of(document, "name"), text_of(document, "directory"),
                     text_of(document, "workload"), std::nullopt};
  if (stage.kind.empty() || stage.name.empty() || stage.workload.empty()) return std::nullopt;
  if (const auto request = document.find("request"); request != document.end()) {
    if (!request->is_object()) return std::nullopt;
    stage.request = *request;
    for_each_path(*stage.request,
                  [&](const std::string& path) { return (results_directory / path).lexically_normal().string(); });
  }
  return stage;
}

}  // namespace

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

Evidence evaluate(const RunToJudge& run, module::Loader& loader) {
  Evidence evidence{run.job_result, {}, run.interference};
  for (const StageToJudge& stage : run.stages) {
    if (!stage.request) {
      evidence.outcomes.emplace_back(std::nullopt);
    } else if (const auto workload = loader.workload(stage.workload)) {
      evidence.outcomes.emplace_back((*workload)->evaluate(*stage.request));
    } else {
      evidence.outcomes.emplace_back(tl::make_unexpected(workload.error()));
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

Result<void> write_outcome(const fs::path& results_directory, const Json& outcome) {
  return files::write(results_directory / text_of(outcome, "id") / "outcome.json",
                      outcome.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
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
  const auto text = files::read(path);
  if (!text) return tl::make_unexpected(text.error());
  const Json document = Json::parse(*text, nullptr, false);
  if (!document.is_object()) return damaged(path, "it does not hold a JSON object");
  if (text_of(document, "schema") != schema)
    return damaged(path, std::string("its \"schema\" is not \"") + schema + "\"");
  const auto interference = interference_named(text_of(document, "interference"));
  if (!interference) return damaged(path, "its \"interference\" is none of 'none', 'cancelled', 'main_ended'");
  const Json stages = document.value("stages", Json());
  if (!stages.is_array() || stages.empty()) return damaged(path, "it has no stages");
  RunToJudge run{run_id, document.value("job_result", Json::object()), *interference, {}};
  for (const Json& entry : stages) {
    auto stage = read_stage(entry, results_directory);
    if (!stage) return damaged(path, "a stage in it lacks its kind, name or workload");
    run.stages.push_back(std::move(*stage));
  }
  return run;
}

}  // namespace cloudai::run
