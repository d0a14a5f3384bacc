// cloudai.plan/1: what a workload wants executed for one run, free of any scheduler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/value.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// Exactly one of the two is set.
struct Command {
  std::vector<std::string> argv;  // literal, element by element
  std::string shell;              // a text that one `bash -c` runs once
};

enum class PlacedOn { all, first };
constexpr std::array<std::string_view, 2> enum_names(PlacedOn) {
  return {"all", "first"};
}

enum class Launcher { none, mpi };
constexpr std::array<std::string_view, 2> enum_names(Launcher) {
  return {"none", "mpi"};
}

struct Placement {
  PlacedOn nodes = PlacedOn::all;
  int tasks_per_node = 1;
  Launcher launcher = Launcher::none;
};

struct Step {
  std::string name = "main";
  Command command;
  std::string image;                    // empty: none
  std::vector<NamedValue> environment;  // ordered
  // Names of variables that the step gets with the value they have where cloudai runs; the value must not be written to
  // any file.
  std::vector<std::string> pass_environment;
  std::vector<std::string> mounts;
  Placement placement;
};

struct PlannedFile {
  std::string path;  // relative to the stage's directory
  std::string content;
};

struct TextInFile {
  std::string file;  // relative to the stage's directory
  std::string text;
};

// The gate: what must hold, right after the stage ended, for the next stage to start.
struct Success {
  int exit_status = 0;
  std::vector<TextInFile> must_contain;
  std::vector<TextInFile> must_not_contain;
};

// For people and for evaluate; changes nothing of what is run.
struct Expectation {
  std::optional<int> ranks;
  std::optional<int> nodes;
};

struct Plan {
  std::vector<Step> steps;  // one after the other; the first that fails ends the stage
  std::vector<PlannedFile> files;
  Success success;
  Expectation expects;
};

inline void read(const Value& in, Command& out) {
  out.argv = in.get_or<std::vector<std::string>>("argv", {});
  out.shell = in.get_or<std::string>("shell", {});
  if (out.argv.empty() == out.shell.empty()) in.refuse("a command with either argv or shell");
}
inline void to_json(Json& out, const Command& in) {
  out = Json::object();
  if (in.argv.empty()) {
    out["shell"] = in.shell;
  } else {
    out["argv"] = in.argv;
  }
}

inline void read(const Value& in, Placement& out) {
  out.nodes = in.get_or("nodes", PlacedOn::all);
  out.tasks_per_node = in.get_or("tasks_per_node", 1);
  out.launcher = in.get_or("launcher", Launcher::none);
}
inline void to_json(Json& out, const Placement& in) {
  out =
      Json{{"nodes", to_string(in.nodes)}, {"tasks_per_node", in.tasks_per_node}, {"launcher", to_string(in.launcher)}};
}

inline void read(const Value& in, Step& out) {
  out.name = in.get_or<std::string>("name", "main");
  out.command = in.get<Command>("command");
  out.image = in.get_or<std::string>("image", {});
  out.environment = in.get_or<std::vector<NamedValue>>("environment", {});
  out.pass_environment = in.get_or<std::vector<std::string>>("pass_environment", {});
  out.mounts = in.get_or<std::vector<std::string>>("mounts", {});
  out.placement = in.get_or<Placement>("placement", {});
}
inline void to_json(Json& out, const Step& in) {
  out = Json::object();
  out["name"] = in.name;
  out["command"] = in.command;
  put_unless_empty(out, "image", in.image);
  out["environment"] = in.environment;
  put_unless_empty(out, "pass_environment", in.pass_environment);
  out["mounts"] = in.mounts;
  out["placement"] = in.placement;
}

inline void read(const Value& in, PlannedFile& out) {
  out.path = in.get<std::string>("path");
  out.content = in.get<std::string>("content");
}
inline void to_json(Json& out, const PlannedFile& in) {
  out = Json{{"path", in.path}, {"content", in.content}};
}

inline void read(const Value& in, TextInFile& out) {
  out.file = in.get<std::string>("file");
  out.text = in.get<std::string>("text");
}
inline void to_json(Json& out, const TextInFile& in) {
  out = Json{{"file", in.file}, {"text", in.text}};
}

inline void read(const Value& in, Success& out) {
  out.exit_status = in.get_or("exit_status", 0);
  out.must_contain = in.get_or<std::vector<TextInFile>>("must_contain", {});
  out.must_not_contain = in.get_or<std::vector<TextInFile>>("must_not_contain", {});
}
inline void to_json(Json& out, const Success& in) {
  out = Json::object();
  out["exit_status"] = in.exit_status;
  out["must_contain"] = in.must_contain;
  out["must_not_contain"] = in.must_not_contain;
}

inline void read(const Value& in, Expectation& out) {
  out.ranks = in.find<int>("ranks");
  out.nodes = in.find<int>("nodes");
}
inline void to_json(Json& out, const Expectation& in) {
  out = Json::object();
  put_if(out, "ranks", in.ranks);
  put_if(out, "nodes", in.nodes);
}

inline void read(const Value& in, Plan& out) {
  out.steps = in.get_or<std::vector<Step>>("steps", {});
  out.files = in.get_or<std::vector<PlannedFile>>("files", {});
  out.success = in.get_or<Success>("success", {});
  out.expects = in.get_or<Expectation>("expects", {});
}
inline void to_json(Json& out, const Plan& in) {
  out = Json::object();
  out["schema"] = "cloudai.plan/1";
  out["steps"] = in.steps;
  put_unless_empty(out, "files", in.files);
  out["success"] = in.success;
  out["expects"] = in.expects;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
