#include "core/conformance/samples.hpp"

#include <algorithm>
#include <regex>
#include <string>

#include "core/config/defaults.hpp"

namespace cloudai::conformance {
namespace {

Json sample_number(const Json& schema, bool is_integer) {
  const auto bound = [&](const char* key) {
    return schema.contains(key) && schema[key].is_number() ? &schema[key] : nullptr;
  };
  double value = 1;
  if (const Json* least = bound("minimum")) value = std::max(value, least->get<double>());
  if (const Json* below = bound("exclusiveMinimum")) value = std::max(value, below->get<double>() + 1);
  if (const Json* most = bound("maximum")) value = std::min(value, most->get<double>());
  if (const Json* above = bound("exclusiveMaximum"); above != nullptr && value >= above->get<double>()) {
    value = above->get<double>() - 1;
  }
  if (is_integer) return static_cast<std::int64_t>(value);
  return value;
}

bool matches(const std::string& text, const std::string& pattern) {
  try {
    return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript));
  } catch (const std::regex_error&) {
    return true;  // the check of the manifest says so
  }
}

// Of the texts that people write into files, the first one that the schema takes.
std::string sample_text(const Json& schema) {
  const auto least = schema.value("minLength", std::size_t{1});
  const std::string pattern = schema.value("pattern", std::string());
  for (std::string text : {"a", "1", "a1", "/a", "a:b", "a/b", "1M", "00:01:00", "https://example.com", "a@b.c"}) {
    if (text.size() < least) text.append(least - text.size(), text.back());
    if (pattern.empty() || matches(text, pattern)) return text;
  }
  return "a";
}

Json sample_table(const Json& schema) {
  Json table = Json::object();
  for (const Json& name : schema.value("required", Json::array())) {
    const Json properties = schema.value("properties", Json::object());
    table[name.get<std::string>()] = sample_value(properties.value(name.get<std::string>(), Json::object()));
  }
  return config::with_defaults(table, schema);
}

Json sample_list(const Json& schema) {
  Json list = Json::array();
  for (std::size_t i = 0; i < schema.value("minItems", std::size_t{0}); ++i) {
    list.push_back(sample_value(schema.value("items", Json::object())));
  }
  return list;
}

Json sample_system(const std::filesystem::path& directory) {
  return {{"name", "a_system"},
          {"install_path", (directory / "install").string()},
          {"output_path", (directory / "results").string()}};
}

Json true_plan() {
  const Json step = {{"name", "main"},
                     {"command", Json::object({{"argv", Json::array({"true"})}})},
                     {"environment", Json::array()},
                     {"placement", {{"nodes", "all"}, {"tasks_per_node", 1}, {"launcher", "none"}}}};
  return {
      {"schema", "cloudai.plan/1"}, {"steps", Json::array({step})}, {"success", Json::object({{"exit_status", 0}})}};
}

}  // namespace

Json sample_value(const Json& schema) {
  if (!schema.is_object()) return "a";
  if (schema.contains("default")) return schema["default"];
  if (schema.contains("const")) return schema["const"];
  for (const char* choice : {"enum", "anyOf", "oneOf"}) {
    const auto found = schema.find(choice);
    if (found == schema.end() || !found->is_array() || found->empty()) continue;
    return choice == std::string("enum") ? found->front() : sample_value(found->front());
  }
  const Json given = schema.value("type", Json("string"));
  const std::string type = given.is_array() ? given.at(0).get<std::string>() : given.get<std::string>();
  if (type == "object") return sample_table(schema);
  if (type == "array") return sample_list(schema);
  if (type == "boolean") return false;
  if (type == "integer" || type == "number") return sample_number(schema, type == "integer");
  return sample_text(schema);
}

Json sample_test(const module::Provided& workload) {
  return {{"schema", "cloudai.test/1"},
          {"provider", workload.name},
          {"test",
           {{"name", "a_test"},
            {"description", "A test."},
            {"test_template_name", workload.name},
            {"cmd_args", sample_value(workload.config_schema)},
            {"extra_cmd_args", Json::array()},
            {"extra_env_vars", Json::array()},
            {"extra_container_mounts", Json::array()}}},
          {"system",
           {{"name", "a_system"},
            {"scheduler", "a_scheduler"},
            {"install_path", "/install"},
            {"gpus_per_node", 8},
            {"tasks_per_node", 8},
            {"containers", "optional"}}}};
}

Json sample_run(const module::Provided& workload, const std::filesystem::path& directory) {
  Json run = sample_test(workload);
  run["schema"] = "cloudai.run/1";
  run.update(
      {{"case", "Tests.1"},
       {"iteration", 0},
       {"step", 0},
       {"stage", {{"kind", "main"}, {"name", "a_test"}, {"directory", directory.string()}, {"time_limit", 1200}}},
       {"nodes", {{"count", 1}, {"names", Json::array({"node001"})}}},
       {"run_directory", directory.string()},
       {"predecessors", Json::array()},
       {"provisioned", Json::object()}});
  return run;
}

Json sample_stage(const module::Provided& workload, const std::filesystem::path& directory, const Json& plan) {
  Json stage = sample_run(workload, directory);
  stage["schema"] = "cloudai.stage/1";
  stage["plan"] = plan;
  stage["result"] = {{"kind", "main"},
                     {"name", "a_test"},
                     {"state", "ended"},
                     {"gate", "open"},
                     {"exit_status", 0},
                     {"timed_out", false},
                     {"started", "2026-03-01T12:00:00.000Z"},
                     {"ended", "2026-03-01T12:00:10.000Z"}};
  stage["ended_by_dependency"] = false;
  return stage;
}

Json sample_open(const module::Provided& scheduler, const std::filesystem::path& directory, bool offline) {
  Json system = sample_system(directory);
  const Json own = sample_value(scheduler.config_schema);
  if (own.is_object()) system.update(own);
  return {{"schema", "cloudai.scheduler.open/1"},
          {"provider", scheduler.name},
          {"offline", offline},
          {"system", std::move(system)}};
}

Json sample_job(const module::Provided& scheduler, const std::filesystem::path& directory, const Json& nodes) {
  Json stages = Json::array();
  const auto add = [&](const char* kind, const char* place) {
    stages.push_back(
        {{"kind", kind}, {"name", "a_test"}, {"directory", place}, {"time_limit", 600}, {"plan", true_plan()}});
    const auto own = scheduler.manifest_entry.find("case_schema");
    if (own != scheduler.manifest_entry.end()) stages.back()["options"] = sample_value(*own);
  };
  const auto& can = scheduler.capabilities;
  const bool has_hooks = std::find(can.begin(), can.end(), "stages_in_one_allocation") != can.end();
  if (has_hooks) add("prologue", "prologue/a_test");
  add("main", ".");
  if (has_hooks) add("epilogue", "epilogue/a_test");
  const Json run = {{"id", "Tests.1/0"}, {"after", Json::array()}, {"stages", std::move(stages)}};
  return {{"schema", "cloudai.job/1"},
          {"tag", "k3x9a0b1c2d3e"},
          {"name", "a_scenario.Tests.1"},
          {"time_limit", 1800},
          {"nodes", {{"count", 1}, {"names", nodes}}},
          {"exclude_nodes", Json::array()},
          {"directory", directory.string()},
          {"runs", Json::array({run})}};
}

}  // namespace cloudai::conformance
