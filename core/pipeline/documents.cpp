#include "core/pipeline/documents.hpp"

#include "core/support/files.hpp"

namespace cloudai::pipeline {

namespace {

Json to_json(const std::vector<config::EnvironmentVariable>& variables) {
  Json list = Json::array();
  for (const auto& variable : variables) list.push_back({{"name", variable.name}, {"value", variable.value}});
  return list;
}

void copy_if_present(const Json& from, Json& to, const char* key) {
  if (const auto found = from.find(key); found != from.end()) to[key] = *found;
}

Json system_document(const config::System& system, const Json& facts) {
  Json document = {
      {"name", system.name}, {"scheduler", system.scheduler}, {"install_path", system.install_path.string()}};
  for (const char* key : {"gpus_per_node", "tasks_per_node", "containers"}) copy_if_present(facts, document, key);
  return document;
}

void append(Json& merged, Json variable) {
  const Json& name = variable.at("name");
  for (auto existing = merged.begin(); existing != merged.end(); ++existing) {
    if (existing->at("name") == name) {
      merged.erase(existing);
      break;
    }
  }
  merged.push_back(std::move(variable));
}

}  // namespace

Json test_document(const config::Test& test, const config::System& system, const Json& facts) {
  return {{"schema", "cloudai.test/1"},
          {"test",
           {{"name", test.name},
            {"description", test.description},
            {"test_template_name", test.workload},
            {"cmd_args", test.cmd_args},
            {"extra_cmd_args", to_json(test.extra_cmd_args)},
            {"extra_env_vars", to_json(test.extra_env_vars)},
            {"extra_container_mounts", test.extra_container_mounts}}},
          {"system", system_document(system, facts)}};
}

Json run_document(const Run& run, const Stage& stage, const RunContext& context) {
  Json document = test_document(*stage.test, *context.system, *context.facts);
  const auto run_directory = context.results_directory / run.id;
  const auto stage_directory = stage.directory == "." ? run_directory : run_directory / stage.directory;
  document["schema"] = "cloudai.run/1";
  document["case"] = run.test_case->id;
  document["iteration"] = run.iteration;
  document["step"] = 0;
  document["stage"] = {{"kind", to_string(stage.kind)}, {"name", stage.name}, {"directory", stage_directory.string()}};
  if (stage.time_limit) document["stage"]["time_limit"] = stage.time_limit->count();
  document["nodes"] = {{"count", stage.num_nodes}, {"names", context.nodes}};
  document["run_directory"] = run_directory.string();
  document["predecessors"] = Json::array();
  for (const Predecessor& predecessor : run.predecessors) {
    document["predecessors"].push_back(
        {{"case", predecessor.case_id}, {"directory", (context.results_directory / predecessor.run_id).string()}});
  }
  document["provisioned"] = context.provisioned;
  return document;
}

Json stage_document(const Run& run, const Stage& stage, const RunContext& context, const Json& plan,
                    const Json& result) {
  Json document = run_document(run, stage, context);
  document["schema"] = "cloudai.stage/1";
  document["plan"] = plan;
  document["result"] = result;
  document["ended_by_dependency"] = false;
  return document;
}

Json with_environment(Json plan, const config::System& system, const config::Test& test) {
  for (Json& step : plan.at("steps")) {
    Json merged = Json::array();
    for (const auto* variables : {&system.global_env_vars, &test.extra_env_vars}) {
      for (const auto& variable : *variables) append(merged, {{"name", variable.name}, {"value", variable.value}});
    }
    for (Json& variable : step["environment"]) append(merged, variable);
    step["environment"] = std::move(merged);
  }
  return plan;
}

Json job_document(const Run& run, const RunContext& context, const std::string& tag, const std::string& scenario_name,
                  const std::vector<Json>& plans) {
  Json stages = Json::array();
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const Stage& stage = run.stages[i];
    Json document = {
        {"kind", to_string(stage.kind)}, {"name", stage.name}, {"directory", stage.directory.generic_string()}};
    if (stage.time_limit) document["time_limit"] = stage.time_limit->count();
    document["plan"] = plans[i];
    stages.push_back(std::move(document));
  }
  Json job = {{"schema", "cloudai.job/1"}, {"tag", tag}, {"name", scenario_name + "." + run.test_case->id}};
  if (run.time_limit) job["time_limit"] = run.time_limit->count();
  job["nodes"] = {{"count", context.nodes.empty() ? run.test_case->num_nodes : static_cast<int>(context.nodes.size())},
                  {"names", context.nodes}};
  job["directory"] = (context.results_directory / run.id).string();
  job["runs"] = Json::array({{{"id", run.id}, {"after", Json::array()}, {"stages", std::move(stages)}}});
  return job;
}

std::string job_tag(const std::filesystem::path& results_directory, const std::string& run_id, int attempt) {
  const std::string digest =
      files::sha256_of(results_directory.string() + '\n' + run_id + '\n' + std::to_string(attempt));
  static constexpr std::string_view digits = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string tag;
  for (std::size_t i = 0; i < 13; ++i) {
    // Four hexadecimal digits for each character keep the 36 characters almost equally likely.
    tag += digits[std::stoul(digest.substr(i * 4, 4), nullptr, 16) % digits.size()];
  }
  return tag;
}

}  // namespace cloudai::pipeline
