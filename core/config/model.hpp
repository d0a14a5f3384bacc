// What the user's files say, checked and complete: the input of everything after configuration.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/document.hpp"
#include "core/module/isolation.hpp"
#include "core/support/json.hpp"

namespace cloudai::config {

struct EnvironmentVariable {
  std::string name;
  std::string value;
};

// One configured workload.
struct Test {
  std::string name;
  std::string description;
  std::string workload;                             // test_template_name
  Json cmd_args;                                    // complete: defaults of the workload's schema filled in
  std::vector<EnvironmentVariable> extra_cmd_args;  // name and value; ordered
  std::vector<std::string> secret_options;          // JSON pointers into cmd_args
  std::vector<EnvironmentVariable> extra_env_vars;  // ordered
  std::vector<std::string> pass_env;                // names of variables handed on from the environment of cloudai
  std::vector<std::string> extra_container_mounts;
  Json nsys;          // the profiler's options, complete; null without one
  Position position;  // of the test, for messages
};

// One test of a hook scenario, in its place before or after the main test.
struct HookTest {
  std::string hook;  // name of the hook scenario
  Test test;
  std::optional<int> num_nodes;  // absent: the nodes of the run it wraps
  std::optional<std::chrono::seconds> time_limit;
  Json scheduler_options;  // as those of a case
};

enum class DependencyType { start_post_comp, start_post_init, end_post_comp };

// The name the files use, e.g. "start_post_comp".
constexpr std::string_view to_string(DependencyType type) {
  switch (type) {
    case DependencyType::start_post_comp:
      return "start_post_comp";
    case DependencyType::start_post_init:
      return "start_post_init";
    case DependencyType::end_post_comp:
      return "end_post_comp";
  }
  return "";
}

struct Dependency {
  DependencyType type = DependencyType::start_post_comp;
  std::string id;
  Position position;
};

// One entry [[Tests]] of a scenario.
struct Case {
  std::string id;
  Test test;
  int num_nodes = 1;
  bool num_nodes_explicit = false;
  std::vector<std::string> nodes;
  std::vector<std::string> exclude_nodes;
  int iterations = 1;
  std::optional<std::chrono::seconds> time_limit;  // absent: unlimited
  std::optional<double> speed_of_light;            // for charts
  std::vector<Dependency> dependencies;
  Json scheduler_options;  // an object: what the scheduler alone has for a case, complete
  Position position;
};

// What [reports.<name>] says of one reporter. A scenario's entry replaces the system's of the same name whole.
struct Report {
  std::string name;
  bool enable = true;
  Json options;  // complete
};

struct Scenario {
  std::string name;
  std::filesystem::path file;
  bool job_status_check = true;
  std::optional<int> max_parallel;
  std::vector<std::string> prologue_names;
  std::vector<std::string> epilogue_names;
  std::vector<HookTest> prologue;  // the tests of all prologue scenarios, in order
  std::vector<HookTest> epilogue;
  std::vector<Case> cases;  // at least one, in the file's order
  std::vector<Report> reports;
};

struct System {
  std::string name;
  std::filesystem::path file;
  std::string scheduler;
  std::filesystem::path install_path;  // absolute
  std::filesystem::path output_path;   // absolute
  std::filesystem::path hf_home_path;  // absolute
  std::chrono::milliseconds monitor_interval{1000};
  std::optional<int> max_parallel;
  std::vector<EnvironmentVariable> global_env_vars;  // ordered
  std::vector<std::string> pass_env;                 // names of variables handed on from the environment of cloudai
  Json options;                                      // the scheduler's own options, complete
  std::vector<std::string> secret_options;           // JSON pointers into them
  std::vector<Report> reports;
  std::map<std::string, module::Isolation> isolation;  // of modules, by the name they provide
};

// Everything one command needs, and what it was read from.
struct Configuration {
  System system;
  Scenario scenario;
  std::vector<std::filesystem::path> files;  // every file it was made from, in order, none twice
};

}  // namespace cloudai::config
