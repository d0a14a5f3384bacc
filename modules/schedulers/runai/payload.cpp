#include "payload.hpp"

#include <algorithm>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"
#include "cloudai/stage_script.hpp"
#include "job_check.hpp"
#include "workload_names.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::JobStage;
using cloudai::Json;
using cloudai::Status;
using cloudai::Step;

struct Place {
  const cloudai::Job& job;
  const JobStage& stage;
  const SystemOptions& options;
  int nodes = 1;

  const Step& step() const { return stage.plan.steps.front(); }
  bool is_mpi() const { return step().placement.launcher == cloudai::Launcher::mpi; }
};

std::vector<std::string> mpirun_words(const Place& place) {
  const int ranks = place.nodes * place.step().placement.tasks_per_node;
  std::vector<std::string> words{"mpirun", "--allow-run-as-root", "--bind-to", "none", "-np", std::to_string(ranks)};
  if (place.nodes == 1) {
    // A container that may use few cores has few slots.
    words.emplace_back("--oversubscribe");
    return words;
  }
  // What is started over ssh gets nothing of the image's environment by itself.
  for (const char* name : {"PATH", "LD_LIBRARY_PATH"}) words.insert(words.end(), {"-x", name});
  for (const auto& variable : place.step().environment) {
    if (variable.name != "PATH" && variable.name != "LD_LIBRARY_PATH") words.insert(words.end(), {"-x", variable.name});
  }
  return words;
}

std::vector<std::string> words_of(const Place& place) {
  std::vector<std::string> words = place.is_mpi() ? mpirun_words(place) : std::vector<std::string>();
  const cloudai::Command& command = place.step().command;
  if (command.argv.empty()) {
    words.insert(words.end(), {"bash", "-c", command.shell});
  } else {
    words.insert(words.end(), command.argv.begin(), command.argv.end());
  }
  return words;
}

// Two texts, which Run:ai splits as a shell would.
void put_command(Json& spec, const Place& place) {
  const auto words = words_of(place);
  spec["command"] = cloudai::literal_word(words.front());
  if (words.size() > 1) spec["args"] = cloudai::literal_words({words.begin() + 1, words.end()});
}

Json environment_of(const Place& place) {
  Json list = Json::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    list.push_back(Json{{"name", name}, {"value", value}});
  };
  add("CLOUDAI_NUM_NODES", std::to_string(place.nodes));
  if (place.nodes == 1) add("CLOUDAI_NODE_RANK", "0");
  for (const auto& [name, value] : place.step().environment) {
    add(name, literal_text(place.stage, value, "the environment variable '" + name + "'"));
  }
  return list;
}

// "/host:/container[:ro]"
Json host_path(const Place& place, const std::string& mount) {
  const std::string text = literal_text(place.stage, mount, "the mount '" + cloudai::one_line(mount) + "'");
  const auto first = text.find(':');
  const auto second = first == std::string::npos ? first : text.find(':', first + 1);
  const std::string source = text.substr(0, first);
  const std::string target = first == std::string::npos ? source : text.substr(first + 1, second - first - 1);
  const std::string mode = second == std::string::npos ? "rw" : text.substr(second + 1);
  const bool has_places = !source.empty() && source.front() == '/' && !target.empty() && target.front() == '/';
  if (!has_places || (mode != "ro" && mode != "rw")) {
    cloudai::refuse_plan(Status::invalid_config, place.stage,
                         "has the mount '" + cloudai::one_line(mount) +
                             "'; for Run:ai it is written \"/path/on/the/node:/path/in/the/container\", with \":ro\" "
                             "behind it where it is not written to.");
  }
  return Json{{"path", source}, {"mountPath", target}, {"readOnly", mode == "ro"}};
}

Json storage_of(const Place& place) {
  Json storage = Json::object();
  for (const PvcMount& mount : place.options.pvc_mounts) {
    storage["pvc"].push_back(Json{{"claimName", mount.claim_name},
                                  {"path", mount.path},
                                  {"existingPvc", true},
                                  {"readOnly", mount.is_read_only}});
  }
  for (const std::string& mount : place.step().mounts) storage["hostPath"].push_back(host_path(place, mount));
  return storage;
}

// Nodes that the scenario names or excludes.
Json affinity_of(const cloudai::Job& job) {
  Json expressions = Json::array();
  const auto add = [&](const char* relation, const std::vector<std::string>& names) {
    if (names.empty()) return;
    expressions.push_back(Json{{"key", "kubernetes.io/hostname"}, {"operator", relation}, {"values", names}});
  };
  add("In", job.nodes.names);
  add("NotIn", job.exclude_nodes);
  if (expressions.empty()) return Json::object();
  Json terms = Json::array();
  terms.push_back(Json{{"matchExpressions", std::move(expressions)}});
  return Json{{"nodeSelectorTerms", std::move(terms)}};
}

// What launcher and workers have in common.
Json container_of(const Place& place) {
  Json spec = Json::object();
  spec["image"] = image_reference(place.stage, place.step().image);
  spec["environmentVariables"] = environment_of(place);
  cloudai::put_unless_empty(spec, "storage", storage_of(place));
  if (!place.options.security_capabilities.empty()) {
    spec["security"] = Json{{"capabilities", place.options.security_capabilities}};
  }
  cloudai::put_unless_empty(spec, "nodePools", place.options.node_pools);
  cloudai::put_unless_empty(spec, "priorityClass", place.options.priority_class);
  spec["restartPolicy"] = "Never";
  // A benchmark that failed must not be run again unseen.
  spec["backoffLimit"] = 0;
  return spec;
}

Json compute_of(const SystemOptions& options) {
  Json compute = Json::object();
  compute["gpuDevicesRequest"] = options.gpus_per_node;
  if (options.large_shm) compute["largeShmRequest"] = true;
  return compute;
}

Json training_of(const Place& place) {
  Json spec = container_of(place);
  put_command(spec, place);
  spec["compute"] = compute_of(place.options);
  cloudai::put_unless_empty(spec, "nodeAffinityRequired", affinity_of(place.job));
  return spec;
}

void put_distributed(Json& document, const Place& place) {
  Json workers = container_of(place);
  workers["compute"] = compute_of(place.options);
  cloudai::put_unless_empty(workers, "nodeAffinityRequired", affinity_of(place.job));
  workers["distributedFramework"] = "MPI";
  workers["numWorkers"] = place.nodes;
  workers["slotsPerWorker"] = place.step().placement.tasks_per_node;
  workers["mpiLauncherCreationPolicy"] = "WaitForWorkersReady";
  // Their output would go with them.
  workers["cleanPodPolicy"] = "None";
  Json launcher = container_of(place);
  put_command(launcher, place);
  // It starts the others and waits.
  launcher["compute"] = Json{{"cpuCoreRequest", 2}, {"cpuMemoryRequest", "8G"}};
  document["masterSpecSameAsWorker"] = false;
  document["spec"] = std::move(workers);
  document["masterSpec"] = std::move(launcher);
}

Json payload_of(const Place& place, const std::string& name) {
  Json document = Json::object();
  document["name"] = name;
  document["useGivenNameAsPrefix"] = false;
  document["projectId"] = place.options.project_id;
  document["clusterId"] = place.options.cluster_id;
  if (place.nodes == 1) {
    document["spec"] = training_of(place);
  } else {
    put_distributed(document, place);
  }
  return document;
}

std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string command_by_hand(const Submission& submission, const cloudai::Job& job, const SystemOptions& options) {
  const std::string path = submission.kind == WorkloadKind::training ? "trainings" : "distributed";
  return "curl --header \"Authorization: Bearer $RUNAI_TOKEN\" --header 'Content-Type: application/json' --data @" +
         cloudai::literal_word(job.directory + "/" + submission.file) + " " +
         cloudai::literal_word(to_text(options.base_url) + "/api/v1/workloads/" + path);
}

}  // namespace

Json to_document(const Submission& submission) {
  Json document = Json{{"kind", cloudai::to_string(submission.kind)},
                       {"name", submission.name},
                       {"file", submission.file},
                       {"stage", cloudai::to_string(submission.stage)},
                       {"stage_name", submission.stage_name},
                       {"stage_directory", submission.stage_directory}};
  cloudai::put_if(document, "time_limit", submission.time_limit);
  return document;
}

Submission read_submission(const Json& document) {
  const cloudai::Value in(document);
  Submission submission;
  submission.kind = in.get<WorkloadKind>("kind");
  submission.name = in.get<std::string>("name");
  submission.file = in.get<std::string>("file");
  submission.stage = in.get<cloudai::StageKind>("stage");
  submission.stage_name = in.get<std::string>("stage_name");
  submission.stage_directory = in.get<std::string>("stage_directory");
  submission.time_limit = in.find<double>("time_limit");
  return submission;
}

cloudai::Rendering render_job(const cloudai::Job& job, const SystemOptions& options) {
  const JobStage& stage = checked_stage(job);
  const Place place{job, stage, options, nodes_of(job, stage)};
  Submission submission;
  submission.kind = place.nodes == 1 ? WorkloadKind::training : WorkloadKind::distributed;
  submission.name = workload_name(job.name, job.tag);
  submission.file = stage.directory == "." ? payload_file_name : stage.directory + "/" + payload_file_name;
  submission.stage = stage.kind;
  submission.stage_name = stage.name;
  submission.stage_directory = stage.directory;
  submission.time_limit = stage.time_limit ? stage.time_limit : job.time_limit;
  cloudai::Rendering rendering;
  rendering.files.push_back({submission.file, text_of(payload_of(place, submission.name)), false, true});
  rendering.submission = to_document(submission);
  rendering.command = command_by_hand(submission, job, options);
  rendering.main_command = cloudai::literal_words(words_of(place));
  return rendering;
}

std::string renamed_payload(const std::string& payload, const std::string& name) {
  Json document = Json::parse(payload, nullptr, false);
  if (!document.is_object())
    throw Error(Status::failed, "The file '" + std::string(payload_file_name) + "' is no JSON.");
  document["name"] = name;
  return text_of(document);
}

}  // namespace runai
