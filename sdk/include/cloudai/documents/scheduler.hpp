// The requests to a scheduler and its replies.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/plan.hpp"
#include "cloudai/documents/stage_result.hpp"
#include "cloudai/documents/workload.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

struct SystemSettings {
  std::string name;
  std::string install_path;
  std::string output_path;
  Options options;  // the whole table; the scheduler's own options among it, complete
};

// cloudai.scheduler.open/1
struct OpenRequest {
  std::string provider;
  bool offline = false;  // run no command; answer from the settings alone
  SystemSettings system;
};

// cloudai.facts/1
struct Facts {
  std::optional<int> gpus_per_node;
  std::optional<int> tasks_per_node;
  Containers containers = Containers::none;
  std::vector<std::string> nodes;
  std::vector<std::string> notes;  // for the log
};

enum class ProvisionAction { check, install, remove };
constexpr std::array<std::string_view, 3> enum_names(ProvisionAction) {
  return {"check", "install", "remove"};
}

struct ProvisionRequest {
  Requirement item;
  ProvisionAction action = ProvisionAction::check;
};

struct Provisioned {
  bool installed = false;
  std::string path;
  std::string message;
};

struct NodeRequest {
  int count = 1;
  std::vector<std::string> names;
  std::vector<std::string> exclude;
};

struct AllocateRequest {
  NodeRequest nodes;
  std::vector<std::string> taken;
};

// Either nodes or, where none are free now, the reason to wait.
struct Allocation {
  std::vector<std::string> nodes;
  std::string wait;
};

struct JobStage {
  StageKind kind = StageKind::main;
  std::string name;
  std::string directory;             // relative to the job's
  std::optional<double> time_limit;  // seconds; absent: unlimited
  std::optional<int> num_nodes;      // the first so many of the job's nodes; absent: all
  Options options{};                 // the scheduler's own for a case (its manifest's case_schema), complete
  Plan plan;
};

struct JobRun {
  std::string id;
  std::vector<std::string> after;
  std::vector<JobStage> stages;
};

// cloudai.job/1
struct Job {
  std::string tag;
  std::string name;
  std::optional<double> time_limit;  // seconds; absent: unlimited
  StageNodes nodes;
  std::vector<std::string> exclude_nodes;  // in the scheduler's notation, where `nodes` leaves the choice to it
  std::string directory;
  std::string run_directory{};  // of the run that the job is a stage of, where that is another one; else empty
  std::vector<JobRun> runs;
};

// Whether the runs of the job have directories of their own below the job's, as where all runs of a scenario are one
// job. The main stage of a run that is a job by itself is in the job's directory.
inline bool has_run_directories(const Job& job) {
  for (const JobRun& run : job.runs) {
    for (const JobStage& stage : run.stages) {
      if (stage.kind == StageKind::main && stage.directory != ".") return true;
    }
  }
  return false;
}

struct RenderedFile {
  std::string path;  // relative to the job's directory
  std::string content;
  bool executable = false;
  bool is_private = false;  // holds environment values: readable by its owner alone
};

// cloudai.rendering/1
struct Rendering {
  std::vector<RenderedFile> files;
  Json submission = Json::object();  // handed to submit unread
  std::string command;               // what a person would type to start it by hand
  std::string main_command;          // the main stage's command as the log shows it
};

struct SubmitRequest {
  std::string tag;
  std::string directory;
  Json submission;
};

// Either an id or, where the system takes the job later, the reason to wait: the core submits the same job again.
struct Submitted {
  std::string id;
  std::vector<std::string> watch;  // paths whose appearance makes the core poll at once
  std::string wait{};
};

struct FindRequest {
  std::string tag;
  std::string directory;
};

enum class JobPhase { pending, running, ended, unknown };
constexpr std::array<std::string_view, 4> enum_names(JobPhase) {
  return {"pending", "running", "ended", "unknown"};
}

struct JobState {
  std::string id;
  JobPhase state = JobPhase::unknown;
  std::vector<StageResult> stages;  // those known so far
};

// cloudai.states/1
struct States {
  std::vector<JobState> jobs;
  std::optional<double> poll_after;  // seconds until an answer will differ; shorter than monitor_interval
};

struct NotCancelled {
  std::string id;
  std::string message;
};

enum class JobEnd { completed, failed, cancelled, time_limit, node_fail, lost };
constexpr std::array<std::string_view, 6> enum_names(JobEnd) {
  return {"completed", "failed", "cancelled", "time_limit", "node_fail", "lost"};
}

struct JobNode {
  std::string name;
  std::map<std::string, std::string> facts{};  // what the node says of itself
};

// How a run of a job with run directories ended, as though it had been the job.
struct RunEnd {
  std::string id;
  JobEnd state = JobEnd::completed;
  std::string reason{};
};

// cloudai.job_result/1. `completed`: the job ran to its end, whatever the exit statuses of its stages.
struct JobResult {
  std::string id;
  JobEnd state = JobEnd::completed;
  std::string reason;
  std::vector<JobNode> nodes;
  std::vector<RunEnd> runs;  // of a job with run directories alone
  std::vector<StageResult> stages;
  std::vector<std::string> warnings;
};

inline void read(const Value& in, SystemSettings& out) {
  out.name = in.get<std::string>("name");
  out.install_path = in.get_or<std::string>("install_path", {});
  out.output_path = in.get_or<std::string>("output_path", {});
  read(in, out.options);
}
inline void to_json(Json& out, const SystemSettings& in) {
  out = Json{{"name", in.name}, {"install_path", in.install_path}, {"output_path", in.output_path}};
  for (const auto& [key, value] : in.options.json.items()) {
    if (!out.contains(key)) out[key] = value;
  }
}

inline void read(const Value& in, OpenRequest& out) {
  in.require_schema("cloudai.scheduler.open/1");
  out.provider = in.get<std::string>("provider");
  out.offline = in.get_or("offline", false);
  out.system = in.get<SystemSettings>("system");
}
inline void to_json(Json& out, const OpenRequest& in) {
  out = Json{{"schema", "cloudai.scheduler.open/1"},
             {"provider", in.provider},
             {"offline", in.offline},
             {"system", in.system}};
}

inline void read(const Value& in, Facts& out) {
  out.gpus_per_node = in.find<int>("gpus_per_node");
  out.tasks_per_node = in.find<int>("tasks_per_node");
  out.containers = in.get_or("containers", Containers::none);
  out.nodes = in.get_or<std::vector<std::string>>("nodes", {});
  out.notes = in.get_or<std::vector<std::string>>("notes", {});
}
inline void to_json(Json& out, const Facts& in) {
  out = Json::object();
  out["schema"] = "cloudai.facts/1";
  put_if(out, "gpus_per_node", in.gpus_per_node);
  put_if(out, "tasks_per_node", in.tasks_per_node);
  out["containers"] = to_string(in.containers);
  out["nodes"] = in.nodes;
  out["notes"] = in.notes;
}

inline void read(const Value& in, ProvisionRequest& out) {
  out.item = in.get<Requirement>("item");
  out.action = in.get<ProvisionAction>("action");
}
inline void to_json(Json& out, const ProvisionRequest& in) {
  out = Json{{"item", in.item}, {"action", to_string(in.action)}};
}

inline void read(const Value& in, Provisioned& out) {
  out.installed = in.get<bool>("installed");
  out.path = in.get_or<std::string>("path", {});
  out.message = in.get_or<std::string>("message", {});
}
inline void to_json(Json& out, const Provisioned& in) {
  out = Json::object();
  out["installed"] = in.installed;
  put_unless_empty(out, "path", in.path);
  put_unless_empty(out, "message", in.message);
}

inline void read(const Value& in, NodeRequest& out) {
  out.count = in.get<int>("count");
  out.names = in.get_or<std::vector<std::string>>("names", {});
  out.exclude = in.get_or<std::vector<std::string>>("exclude", {});
}
inline void to_json(Json& out, const NodeRequest& in) {
  out = Json::object();
  out["count"] = in.count;
  out["names"] = in.names;
  out["exclude"] = in.exclude;
}

inline void read(const Value& in, AllocateRequest& out) {
  out.nodes = in.get<NodeRequest>("nodes");
  out.taken = in.get_or<std::vector<std::string>>("taken", {});
}
inline void to_json(Json& out, const AllocateRequest& in) {
  out = Json::object();
  out["nodes"] = in.nodes;
  out["taken"] = in.taken;
}

inline void read(const Value& in, Allocation& out) {
  out.wait = in.get_or<std::string>("wait", {});
  out.nodes = in.get_or<std::vector<std::string>>("nodes", {});
}
inline void to_json(Json& out, const Allocation& in) {
  out = Json::object();
  if (in.wait.empty()) {
    out["nodes"] = in.nodes;
  } else {
    out["wait"] = in.wait;
  }
}

inline void read(const Value& in, JobStage& out) {
  out.kind = in.get<StageKind>("kind");
  out.name = in.get<std::string>("name");
  out.directory = in.get<std::string>("directory");
  out.time_limit = in.find<double>("time_limit");
  out.num_nodes = in.find<int>("num_nodes");
  out.options = in.get_or<Options>("options", {});
  out.plan = in.get<Plan>("plan");
}
inline void to_json(Json& out, const JobStage& in) {
  out = Json{{"kind", to_string(in.kind)}, {"name", in.name}, {"directory", in.directory}};
  put_if(out, "time_limit", in.time_limit);
  put_if(out, "num_nodes", in.num_nodes);
  put_unless_empty(out, "options", in.options.json);
  out["plan"] = in.plan;
}

inline void read(const Value& in, JobRun& out) {
  out.id = in.get<std::string>("id");
  out.after = in.get_or<std::vector<std::string>>("after", {});
  out.stages = in.get<std::vector<JobStage>>("stages");
}
inline void to_json(Json& out, const JobRun& in) {
  out = Json::object();
  out["id"] = in.id;
  out["after"] = in.after;
  out["stages"] = in.stages;
}

inline void read(const Value& in, Job& out) {
  in.require_schema("cloudai.job/1");
  out.tag = in.get<std::string>("tag");
  out.name = in.get<std::string>("name");
  out.time_limit = in.find<double>("time_limit");
  out.nodes = in.get<StageNodes>("nodes");
  out.exclude_nodes = in.get_or<std::vector<std::string>>("exclude_nodes", {});
  out.directory = in.get<std::string>("directory");
  out.run_directory = in.get_or<std::string>("run_directory", {});
  out.runs = in.get<std::vector<JobRun>>("runs");
}
inline void to_json(Json& out, const Job& in) {
  out = Json{{"schema", "cloudai.job/1"}, {"tag", in.tag}, {"name", in.name}};
  put_if(out, "time_limit", in.time_limit);
  out["nodes"] = in.nodes;
  put_unless_empty(out, "exclude_nodes", in.exclude_nodes);
  out["directory"] = in.directory;
  put_unless_empty(out, "run_directory", in.run_directory);
  out["runs"] = in.runs;
}

inline void read(const Value& in, RenderedFile& out) {
  out.path = in.get<std::string>("path");
  out.content = in.get<std::string>("content");
  out.executable = in.get_or("executable", false);
  out.is_private = in.get_or("private", false);
}
inline void to_json(Json& out, const RenderedFile& in) {
  out = Json{{"path", in.path}, {"content", in.content}};
  if (in.executable) out["executable"] = true;
  if (in.is_private) out["private"] = true;
}

inline void read(const Value& in, Rendering& out) {
  out.files = in.get<std::vector<RenderedFile>>("files");
  out.submission = in.get<Json>("submission");
  out.command = in.get_or<std::string>("command", {});
  out.main_command = in.get_or<std::string>("main_command", {});
}
inline void to_json(Json& out, const Rendering& in) {
  out = Json::object();
  out["schema"] = "cloudai.rendering/1";
  out["files"] = in.files;
  out["submission"] = in.submission;
  out["command"] = in.command;
  out["main_command"] = in.main_command;
}

inline void read(const Value& in, SubmitRequest& out) {
  out.tag = in.get<std::string>("tag");
  out.directory = in.get<std::string>("directory");
  out.submission = in.get<Json>("submission");
}
inline void to_json(Json& out, const SubmitRequest& in) {
  out = Json{{"tag", in.tag}, {"directory", in.directory}, {"submission", in.submission}};
}

inline void read(const Value& in, Submitted& out) {
  out.id = in.get_or<std::string>("id", {});
  out.watch = in.get_or<std::vector<std::string>>("watch", {});
  out.wait = in.get_or<std::string>("wait", {});
}
inline void to_json(Json& out, const Submitted& in) {
  out = Json::object();
  if (!in.wait.empty()) {
    out["wait"] = in.wait;
    return;
  }
  out["id"] = in.id;
  out["watch"] = in.watch;
}

inline void read(const Value& in, FindRequest& out) {
  out.tag = in.get<std::string>("tag");
  out.directory = in.get<std::string>("directory");
}
inline void to_json(Json& out, const FindRequest& in) {
  out = Json{{"tag", in.tag}, {"directory", in.directory}};
}

inline void read(const Value& in, JobState& out) {
  out.id = in.get<std::string>("id");
  out.state = in.get<JobPhase>("state");
  out.stages = in.get_or<std::vector<StageResult>>("stages", {});
}
inline void to_json(Json& out, const JobState& in) {
  out = Json::object();
  out["id"] = in.id;
  out["state"] = to_string(in.state);
  out["stages"] = in.stages;
}

inline void read(const Value& in, States& out) {
  out.jobs = in.get<std::vector<JobState>>("jobs");
  out.poll_after = in.find<double>("poll_after");
}
inline void to_json(Json& out, const States& in) {
  out = Json::object();
  out["schema"] = "cloudai.states/1";
  out["jobs"] = in.jobs;
  put_if(out, "poll_after", in.poll_after);
}

inline void read(const Value& in, NotCancelled& out) {
  out.id = in.get<std::string>("id");
  out.message = in.get<std::string>("message");
}
inline void to_json(Json& out, const NotCancelled& in) {
  out = Json{{"id", in.id}, {"message", in.message}};
}

inline void read(const Value& in, JobNode& out) {
  out.name = in.get<std::string>("name");
  out.facts = in.get_or<std::map<std::string, std::string>>("facts", {});
}
inline void to_json(Json& out, const JobNode& in) {
  out = Json::object();
  out["name"] = in.name;
  put_unless_empty(out, "facts", in.facts);
}

inline void read(const Value& in, RunEnd& out) {
  out.id = in.get<std::string>("id");
  out.state = in.get<JobEnd>("state");
  out.reason = in.get_or<std::string>("reason", {});
}
inline void to_json(Json& out, const RunEnd& in) {
  out = Json{{"id", in.id}, {"state", to_string(in.state)}};
  put_unless_empty(out, "reason", in.reason);
}

inline void read(const Value& in, JobResult& out) {
  out.id = in.get<std::string>("id");
  out.state = in.get<JobEnd>("state");
  out.reason = in.get_or<std::string>("reason", {});
  out.nodes = in.get_or<std::vector<JobNode>>("nodes", {});
  out.runs = in.get_or<std::vector<RunEnd>>("runs", {});
  out.stages = in.get_or<std::vector<StageResult>>("stages", {});
  out.warnings = in.get_or<std::vector<std::string>>("warnings", {});
}
inline void to_json(Json& out, const JobResult& in) {
  out = Json{{"schema", "cloudai.job_result/1"}, {"id", in.id}, {"state", to_string(in.state)}};
  put_unless_empty(out, "reason", in.reason);
  out["nodes"] = in.nodes;
  put_unless_empty(out, "runs", in.runs);
  out["stages"] = in.stages;
  put_unless_empty(out, "warnings", in.warnings);
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
