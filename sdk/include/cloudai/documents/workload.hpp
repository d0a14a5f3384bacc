// The requests to a workload, and its requirements.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/plan.hpp"
#include "cloudai/documents/stage_result.hpp"
#include "cloudai/documents/value.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

enum class Containers { none, optional, required };
constexpr std::array<std::string_view, 3> enum_names(Containers) {
  return {"none", "optional", "required"};
}

// The test as its author configured it, every default filled in.
struct TestDefinition {
  std::string name;
  std::string description;
  std::string test_template_name;
  Options cmd_args;
  std::vector<NamedValue> extra_cmd_args;  // ordered
  std::vector<NamedValue> extra_env_vars;  // ordered; the core adds them to the environment of every step
  std::vector<std::string> extra_container_mounts;
};

// What a plan may depend on of the system it will run on. Absent: the system does not say.
struct SystemFacts {
  std::string name;
  std::string scheduler;
  std::string install_path;
  std::optional<int> gpus_per_node;
  std::optional<int> tasks_per_node;
  Containers containers = Containers::none;
};

// cloudai.test/1
struct TestRequest {
  std::string provider;
  TestDefinition test;
  SystemFacts system;
};

// One thing that must be on the machine before the test can run. Which members are set depends on the kind.
struct Requirement {
  std::string id;    // the key under which a run request gives the item's path
  std::string kind;  // docker_image (url), git_repository (url, commit), file (path), program (name)
  std::string url;
  std::string commit;
  std::string path;
  std::string name;  // looked up in PATH where the job runs
};

// cloudai.requirements/1
struct Requirements {
  std::vector<Requirement> items;
};

struct StagePlace {
  StageKind kind = StageKind::main;
  std::string name;
  std::string directory;
  std::optional<double> time_limit;  // seconds; absent: unlimited
};

struct StageNodes {
  int count = 1;
  std::vector<std::string> names;  // empty where the scheduler chooses them when the job starts
};

struct Predecessor {
  std::string case_id;
  std::string directory;
};

// cloudai.run/1
struct RunRequest : TestRequest {
  std::string case_id;
  int iteration = 0;
  int step = 0;
  StagePlace stage;
  StageNodes nodes;
  std::string run_directory;
  std::vector<Predecessor> predecessors;
  std::map<std::string, std::string> provisioned;  // path of each requirement, by its id
  std::optional<double> speed_of_light;            // the best the hardware can do, in the unit of the test's headline
};

// cloudai.stage/1
struct StageRequest : RunRequest {
  Plan plan;  // as it was run, with the merged environment
  StageResult result;
  bool ended_by_dependency = false;  // ended on purpose, because the test it ran beside had ended
};

inline void read(const Value& in, TestDefinition& out) {
  out.name = in.get<std::string>("name");
  out.description = in.get_or<std::string>("description", {});
  out.test_template_name = in.get_or<std::string>("test_template_name", {});
  out.cmd_args = in.get<Options>("cmd_args");
  out.extra_cmd_args = in.get_or<std::vector<NamedValue>>("extra_cmd_args", {});
  out.extra_env_vars = in.get_or<std::vector<NamedValue>>("extra_env_vars", {});
  out.extra_container_mounts = in.get_or<std::vector<std::string>>("extra_container_mounts", {});
}
inline void to_json(Json& out, const TestDefinition& in) {
  out = Json::object();
  out["name"] = in.name;
  out["description"] = in.description;
  out["test_template_name"] = in.test_template_name;
  out["cmd_args"] = in.cmd_args;
  out["extra_cmd_args"] = in.extra_cmd_args;
  out["extra_env_vars"] = in.extra_env_vars;
  out["extra_container_mounts"] = in.extra_container_mounts;
}

inline void read(const Value& in, SystemFacts& out) {
  out.name = in.get_or<std::string>("name", {});
  out.scheduler = in.get_or<std::string>("scheduler", {});
  out.install_path = in.get_or<std::string>("install_path", {});
  out.gpus_per_node = in.find<int>("gpus_per_node");
  out.tasks_per_node = in.find<int>("tasks_per_node");
  out.containers = in.get_or("containers", Containers::none);
}
inline void to_json(Json& out, const SystemFacts& in) {
  out = Json::object();
  out["name"] = in.name;
  out["scheduler"] = in.scheduler;
  out["install_path"] = in.install_path;
  put_if(out, "gpus_per_node", in.gpus_per_node);
  put_if(out, "tasks_per_node", in.tasks_per_node);
  out["containers"] = to_string(in.containers);
}

namespace detail {
inline void read_test(const Value& in, TestRequest& out) {
  out.provider = in.get<std::string>("provider");
  out.test = in.get<TestDefinition>("test");
  out.system = in.get_or<SystemFacts>("system", {});
}
inline Json test_json(const char* schema, const TestRequest& in) {
  return Json{{"schema", schema}, {"provider", in.provider}, {"test", in.test}, {"system", in.system}};
}
}  // namespace detail

inline void read(const Value& in, TestRequest& out) {
  in.require_schema("cloudai.test/1");
  detail::read_test(in, out);
}
inline void to_json(Json& out, const TestRequest& in) {
  out = detail::test_json("cloudai.test/1", in);
}

inline void read(const Value& in, Requirement& out) {
  out.id = in.get<std::string>("id");
  out.kind = in.get<std::string>("kind");
  out.url = in.get_or<std::string>("url", {});
  out.commit = in.get_or<std::string>("commit", {});
  out.path = in.get_or<std::string>("path", {});
  out.name = in.get_or<std::string>("name", {});
}
inline void to_json(Json& out, const Requirement& in) {
  out = Json::object();
  out["id"] = in.id;
  out["kind"] = in.kind;
  put_unless_empty(out, "url", in.url);
  put_unless_empty(out, "commit", in.commit);
  put_unless_empty(out, "path", in.path);
  put_unless_empty(out, "name", in.name);
}

inline void read(const Value& in, Requirements& out) {
  out.items = in.get<std::vector<Requirement>>("items");
}
inline void to_json(Json& out, const Requirements& in) {
  out = Json::object();
  out["schema"] = "cloudai.requirements/1";
  out["items"] = in.items;
}

inline void read(const Value& in, StagePlace& out) {
  out.kind = in.get<StageKind>("kind");
  out.name = in.get<std::string>("name");
  out.directory = in.get<std::string>("directory");
  out.time_limit = in.find<double>("time_limit");
}
inline void to_json(Json& out, const StagePlace& in) {
  out = Json{{"kind", to_string(in.kind)}, {"name", in.name}, {"directory", in.directory}};
  put_if(out, "time_limit", in.time_limit);
}

inline void read(const Value& in, StageNodes& out) {
  out.count = in.get<int>("count");
  out.names = in.get_or<std::vector<std::string>>("names", {});
}
inline void to_json(Json& out, const StageNodes& in) {
  out = Json::object();
  out["count"] = in.count;
  out["names"] = in.names;
}

inline void read(const Value& in, Predecessor& out) {
  out.case_id = in.get<std::string>("case");
  out.directory = in.get<std::string>("directory");
}
inline void to_json(Json& out, const Predecessor& in) {
  out = Json{{"case", in.case_id}, {"directory", in.directory}};
}

namespace detail {
inline void read_run(const Value& in, RunRequest& out) {
  read_test(in, out);
  out.case_id = in.get<std::string>("case");
  out.iteration = in.get_or("iteration", 0);
  out.step = in.get_or("step", 0);
  out.stage = in.get<StagePlace>("stage");
  out.nodes = in.get<StageNodes>("nodes");
  out.run_directory = in.get<std::string>("run_directory");
  out.predecessors = in.get_or<std::vector<Predecessor>>("predecessors", {});
  out.provisioned = in.get_or<std::map<std::string, std::string>>("provisioned", {});
  out.speed_of_light = in.find<double>("speed_of_light");
}
inline Json run_json(const char* schema, const RunRequest& in) {
  Json out = test_json(schema, in);
  out["case"] = in.case_id;
  out["iteration"] = in.iteration;
  out["step"] = in.step;
  out["stage"] = in.stage;
  out["nodes"] = in.nodes;
  out["run_directory"] = in.run_directory;
  out["predecessors"] = in.predecessors;
  out["provisioned"] = in.provisioned;
  put_if(out, "speed_of_light", in.speed_of_light);
  return out;
}
}  // namespace detail

inline void read(const Value& in, RunRequest& out) {
  in.require_schema("cloudai.run/1");
  detail::read_run(in, out);
}
inline void to_json(Json& out, const RunRequest& in) {
  out = detail::run_json("cloudai.run/1", in);
}

inline void read(const Value& in, StageRequest& out) {
  in.require_schema("cloudai.stage/1");
  detail::read_run(in, out);
  out.plan = in.get<Plan>("plan");
  out.result = in.get<StageResult>("result");
  out.ended_by_dependency = in.get_or("ended_by_dependency", false);
}
inline void to_json(Json& out, const StageRequest& in) {
  out = detail::run_json("cloudai.stage/1", in);
  out["plan"] = in.plan;
  out["result"] = in.result;
  out["ended_by_dependency"] = in.ended_by_dependency;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
