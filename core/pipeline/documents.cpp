#include "core/pipeline/documents.hpp"

#include <algorithm>

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

// Those of the job: the ones it got, else as many as it asks for.
int count_nodes(const Run& run, const RunContext& context) {
  return context.nodes.empty() ? run.test_case->num_nodes : static_cast<int>(context.nodes.size());
}

Json job_run_document(const JobRun& part, const Job& job, int job_nodes, const std::vector<Json>& plans) {
  const int own_nodes = nodes_of(part, job, job_nodes);
  Json stages = Json::array();
  for (std::size_t i = 0; i < part.run->stages.size(); ++i) {
    const Stage& stage = part.run->stages[i];
    std::string directory = stage.directory.generic_string();
    if (job.is_shared) directory = part.run->id + (directory == "." ? "" : "/" + directory);
    Json document = {{"kind", to_string(stage.kind)}, {"name", stage.name}, {"directory", std::move(directory)}};
    if (stage.time_limit) document["time_limit"] = stage.time_limit->count();
    const int nodes = stage.num_nodes.value_or(own_nodes);
    if (stage.num_nodes || nodes != job_nodes) document["num_nodes"] = nodes;
    if (!stage.scheduler_options.empty()) document["options"] = stage.scheduler_options;
    document["plan"] = plans[i];
    stages.push_back(std::move(document));
  }
  return {{"id", part.run->id}, {"after", part.after}, {"stages", std::move(stages)}};
}

// The environment of a step, from the user's files and the plan. The last word on a name counts.
class MergedEnvironment {
 public:
  void set(Json variable) {
    forget(variable.at("name"));
    values_.push_back(std::move(variable));
  }
  void set_all(const std::vector<config::EnvironmentVariable>& variables) {
    for (const auto& variable : variables) set({{"name", variable.name}, {"value", variable.value}});
  }
  void pass(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      forget(name);
      passed_.push_back(name);
    }
  }
  void move_to(Json& step) {
    step["environment"] = std::move(values_);
    if (!passed_.empty()) step["pass_environment"] = std::move(passed_);
  }

 private:
  void forget(const Json& name) {
    for (auto value = values_.begin(); value != values_.end(); ++value) {
      if (value->at("name") != name) continue;
      values_.erase(value);
      break;
    }
    if (const auto passed = std::find(passed_.begin(), passed_.end(), name); passed != passed_.end()) {
      passed_.erase(passed);
    }
  }

  Json values_ = Json::array();
  Json passed_ = Json::array();
};

// The profiler's part of the command line, in the order its users know.
std::vector<std::string> profiler_words(const Json& nsys) {
  std::vector<std::string> words{nsys.at("nsys_binary").get<std::string>(), nsys.at("task").get<std::string>()};
  const auto add = [&](const char* key, const char* option) {
    if (const auto value = nsys.find(key); value != nsys.end())
      words.insert(words.end(), {option, value->get<std::string>()});
  };
  const auto add_joined = [&](const char* key, const std::string& option) {
    const auto value = nsys.find(key);
    if (value != nsys.end())
      words.push_back(option + "=" + (value->is_string() ? value->get<std::string>() : value->dump()));
  };
  add("sample", "-s");
  add("output", "-o");
  add("trace", "-t");
  add_joined("force_overwrite", "--force-overwrite");
  add_joined("capture_range", "--capture-range");
  add_joined("capture_range_end", "--capture-range-end");
  add_joined("cuda_graph_trace", "--cuda-graph-trace");
  add_joined("gpu_metrics_devices", "--gpu-metrics-devices");
  for (const Json& word : nsys.at("extra_args")) words.push_back(word.get<std::string>());
  return words;
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
  document["nodes"] = {{"count", stage.num_nodes.value_or(count_nodes(run, context))}, {"names", context.nodes}};
  document["run_directory"] = run_directory.string();
  document["predecessors"] = Json::array();
  for (const Predecessor& predecessor : run.predecessors) {
    document["predecessors"].push_back(
        {{"case", predecessor.case_id}, {"directory", (context.results_directory / predecessor.run_id).string()}});
  }
  document["provisioned"] = context.provisioned;
  if (stage.kind == StageKind::main && run.test_case->speed_of_light) {
    document["speed_of_light"] = *run.test_case->speed_of_light;
  }
  return document;
}

Json stage_document(const Run& run, const Stage& stage, const RunContext& context, const Json& plan, const Json& result,
                    bool ended_by_dependency) {
  Json document = run_document(run, stage, context);
  document["schema"] = "cloudai.stage/1";
  document["plan"] = plan;
  document["result"] = result;
  document["ended_by_dependency"] = ended_by_dependency;
  return document;
}

Json with_environment(Json plan, const config::System& system, const config::Test& test) {
  for (Json& step : plan.at("steps")) {
    MergedEnvironment merged;
    merged.set_all(system.global_env_vars);
    merged.pass(system.pass_env);
    merged.set_all(test.extra_env_vars);
    merged.pass(test.pass_env);
    for (Json& variable : step["environment"]) merged.set(std::move(variable));
    merged.move_to(step);
  }
  return plan;
}

bool is_profiled(const config::Test& test) {
  return test.nsys.is_object() && test.nsys.at("enable") == Json(true);
}

Json with_profiler(Json plan, const config::Test& test) {
  if (!is_profiled(test)) return plan;
  for (Json& step : plan.at("steps")) {
    if (step.value("name", Json("main")) != Json("main")) continue;
    Json& command = step.at("command");
    Json argv = profiler_words(test.nsys);
    if (const auto shell = command.find("shell"); shell != command.end()) {
      argv.insert(argv.end(), {"bash", "-c", *shell});
    } else {
      argv.insert(argv.end(), command.at("argv").begin(), command.at("argv").end());
    }
    command = {{"argv", std::move(argv)}};
  }
  return plan;
}

int count_nodes(const Job& job, const RunContext& context) {
  return context.nodes.empty() ? job.num_nodes : static_cast<int>(context.nodes.size());
}

Json job_document(const Job& job, const RunContext& context, const std::string& tag, const std::string& scenario_name,
                  const std::vector<std::vector<Json>>& plans) {
  const int nodes = count_nodes(job, context);
  const Run& first = *job.runs.front().run;
  Json document = {{"schema", "cloudai.job/1"},
                   {"tag", tag},
                   {"name", job.is_shared ? scenario_name : scenario_name + "." + first.test_case->id}};
  if (const auto limit = time_limit_of(job)) document["time_limit"] = limit->count();
  document["nodes"] = {{"count", nodes}, {"names", context.nodes}};
  if (context.nodes.empty()) document["exclude_nodes"] = job.exclude_nodes;
  document["directory"] = job.directory_in(context.results_directory).string();
  document["runs"] = Json::array();
  for (std::size_t i = 0; i < job.runs.size(); ++i) {
    document["runs"].push_back(job_run_document(job.runs[i], job, nodes, plans[i]));
  }
  return document;
}

std::string job_tag(const std::filesystem::path& results_directory, const std::string& id, int attempt) {
  const std::string digest = files::sha256_of(results_directory.string() + '\n' + id + '\n' + std::to_string(attempt));
  static constexpr std::string_view digits = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string tag;
  for (std::size_t i = 0; i < 13; ++i) {
    // Four hexadecimal digits for each character keep the 36 characters almost equally likely.
    tag += digits[std::stoul(digest.substr(i * 4, 4), nullptr, 16) % digits.size()];
  }
  return tag;
}

}  // namespace cloudai::pipeline
