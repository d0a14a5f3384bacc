#include "tests/core/config/fixture.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "core/module/manifest.hpp"

namespace cloudai::config::fixture {
namespace {

const char* const schedulers = R"json({
  "schema": "cloudai.manifest/1", "id": "test.schedulers", "version": "1.0.0", "vendor": "x", "license": "x", "description": "x",
  "provides": [
    { "interface": "cloudai.scheduler/1", "name": "standalone", "capabilities": ["mpi", "stages_in_one_allocation"], "monitor_interval": 0.5, "max_parallel": 1,
      "config_schema": { "type": "object", "additionalProperties": false, "properties": {
        "ntasks_per_node": { "type": "integer", "minimum": 1, "default": 1, "description": "x" } } } },
    { "interface": "cloudai.scheduler/1", "name": "cluster", "capabilities": ["several_nodes", "containers", "several_runs"], "monitor_interval": 60,
      "case_schema": { "type": "object", "additionalProperties": false, "properties": {
        "launch_args": { "type": "string", "description": "x" },
        "urgency": { "type": "integer", "default": 3, "description": "x" } } },
      "config_schema": { "type": "object", "additionalProperties": false, "required": ["default_partition"], "properties": {
        "default_partition": { "type": "string", "description": "x" },
        "ntasks_per_node": { "type": "integer", "minimum": 1, "description": "x" },
        "gpus_per_node": { "type": "integer", "minimum": 0, "description": "x" },
        "cache_docker_images_locally": { "type": "boolean", "default": false, "description": "x" },
        "app_secret": { "type": "integer", "writeOnly": true, "description": "x" },
        "partitions": { "type": "array", "default": [], "description": "x", "items": {
          "type": "object", "required": ["name"], "additionalProperties": false, "properties": {
            "name": { "type": "string", "description": "x" },
            "nodes": { "type": "array", "items": { "type": "string" }, "default": [], "description": "x" } } } } } } }
  ],
  "requires": { "abi_minor": 0, "host_interfaces": [] } })json";

const char* const workloads = R"json({
  "schema": "cloudai.manifest/1", "id": "test.workloads", "version": "1.0.0", "vendor": "x", "license": "x", "description": "x",
  "provides": [
    { "interface": "cloudai.workload/1", "name": "Collective", "needs": [], "metrics": [],
      "config_schema": { "type": "object", "additionalProperties": false, "properties": {
        "subtest": { "type": "string", "default": "all_reduce", "enum": ["all_reduce", "all_gather"], "description": "x" },
        "ngpus": { "type": "integer", "minimum": 1, "default": 1, "description": "x" },
        "minbytes": { "type": "string", "pattern": "^[0-9]+[KMG]?$", "default": "32M", "description": "x" },
        "threshold": { "type": "number", "exclusiveMinimum": 0, "description": "x" },
        "check": { "type": "boolean", "default": true, "description": "x" },
        "token": { "type": "string", "writeOnly": true, "pattern": "^tok", "description": "x" } } } },
    { "interface": "cloudai.workload/1", "name": "Open", "needs": [], "metrics": [],
      "config_schema": { "type": "object", "additionalProperties": true, "properties": {
        "cmd": { "type": "string", "default": "true", "description": "x" } } } },
    { "interface": "cloudai.workload/1", "name": "Boxed", "needs": ["containers"], "metrics": [],
      "config_schema": { "type": "object", "additionalProperties": false, "required": ["image"], "properties": {
        "image": { "type": "string", "description": "x" } } } }
  ],
  "requires": { "abi_minor": 0, "host_interfaces": [] } })json";

const char* const reporters = R"json({
  "schema": "cloudai.manifest/1", "id": "test.reporters", "version": "1.0.0", "vendor": "x", "license": "x", "description": "x",
  "provides": [
    { "interface": "cloudai.reporter/1", "name": "table",
      "config_schema": { "type": "object", "additionalProperties": false, "properties": {
        "columns": { "type": "integer", "minimum": 1, "default": 3, "description": "x" } } } }
  ],
  "requires": { "abi_minor": 0, "host_interfaces": [] } })json";

module::ModuleFile module_of(const char* text) {
  auto manifest = module::read_manifest(text);
  if (!manifest) throw std::logic_error(manifest.error());
  module::ModuleFile file;
  file.path = manifest->id + ".so";
  file.id = manifest->id;
  file.version = manifest->version;
  file.manifest = manifest->document;
  file.provides = manifest->provides;
  return file;
}

}  // namespace

const std::string good_system = R"(name = "here"
scheduler = "standalone"
install_path = "install"
output_path = "results"
)";

const std::string cluster_system = R"(name = "there"
scheduler = "cluster"
install_path = "install"
output_path = "results"
default_partition = "batch"
)";

const std::string reduce_test = R"(name = "reduce"
description = "Reduces."
test_template_name = "Collective"
[cmd_args]
ngpus = 2
[extra_env_vars]
NCCL_DEBUG = "INFO"
ALPHA = "1"
)";

module::Catalogue modules() {
  return module::Catalogue::of({module_of(schedulers), module_of(workloads), module_of(reporters)});
}

Files::Files() : previous_(std::filesystem::current_path()) {
  std::string pattern = (std::filesystem::temp_directory_path() / "cloudai-config-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for the test");
  root_ = pattern;
  std::filesystem::current_path(root_);
}

Files::~Files() {
  std::error_code ignored;
  std::filesystem::current_path(previous_, ignored);
  std::filesystem::remove_all(root_, ignored);
}

void Files::write(const std::string& path, const std::string& content) const {
  const std::filesystem::path whole = root_ / path;
  std::filesystem::create_directories(whole.parent_path());
  std::ofstream(whole, std::ios::binary) << content;
}

std::vector<std::string> shown(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics.all()) lines.push_back(to_string(diagnostic));
  return lines;
}

ConfigTest::ConfigTest() {
  files.write("system.toml", good_system);
  files.write("tests/reduce.toml", reduce_test);
  files.write("tests/gather.toml",
              "name = \"gather\"\ndescription = \"Gathers.\"\ntest_template_name = \"Collective\"\n"
              "[cmd_args]\nsubtest = \"all_gather\"\n");
  files.write("tests/free.toml",
              "name = \"free\"\ndescription = \"Anything.\"\ntest_template_name = \"Open\"\n[cmd_args]\nextra = 1\n");
  paths.system_config = "system.toml";
  paths.test_scenario = "scenario.toml";
  paths.tests_dir = "tests";
}

std::optional<Configuration> ConfigTest::load() {
  Diagnostics diagnostics;
  const module::Catalogue catalogue = modules();
  std::optional<Configuration> configuration = config::load(paths, catalogue, diagnostics);
  problems = shown(diagnostics);
  return configuration;
}

std::optional<Configuration> ConfigTest::load_scenario(const std::string& content) {
  files.write("scenario.toml", content);
  return load();
}

}  // namespace cloudai::config::fixture
