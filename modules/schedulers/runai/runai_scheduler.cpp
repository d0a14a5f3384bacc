#include "runai_scheduler.hpp"

#include <fstream>
#include <sstream>

#include "cloudai/error.hpp"
#include "cloudai/host.hpp"
#include "cloudai/shell_text.hpp"
#include "creation.hpp"
#include "http_client.hpp"
#include "job_collection.hpp"
#include "payload.hpp"
#include "workload_watch.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::Status;

SteadyTime steady_now() {
  return std::chrono::steady_clock::now();
}

std::string read_payload(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw Error(Status::failed, "The file '" + path + "' cannot be read.");
  return text.str();
}

}  // namespace

struct RunaiScheduler::Session {
  explicit Session(const SystemOptions& options)
      : trusted(options.ca_file),
        http(trusted),
        tokens(http, options, requests, steady_now),
        client(http, tokens, options, requests),
        api(client, options),
        creation(api, options.limits, steady_now),
        logs(trusted, http, tokens, requests, options),
        watch(api, logs, options, steady_now) {}

  TrustedCertificates trusted;
  HttpClient http;
  RequestLog requests;
  TokenSource tokens;
  ApiClient client;
  RunaiApi api;
  Creation creation;
  WorkloadLogs logs;
  WorkloadWatch watch;
  std::map<std::string, Submission> submissions;  // by tag: those that were tried
};

RunaiScheduler::RunaiScheduler(const cloudai::OpenRequest& request)
    : options_(read_system_options(request.system, request.offline)) {
  if (request.offline) return;
  session_ = std::make_unique<Session>(options_);
  const Tenant tenant = session_->api.tenant();
  notes_ = tenant.notes;
  session_->logs.use(tenant);
}

RunaiScheduler::~RunaiScheduler() = default;

RunaiScheduler::Session& RunaiScheduler::session() const {
  if (session_) return *session_;
  throw Error(Status::internal, "Run:ai is not talked to in a dry-run.");
}

cloudai::Facts RunaiScheduler::facts() const {
  cloudai::Facts facts;
  facts.gpus_per_node = options_.gpus_per_node;
  facts.tasks_per_node = options_.tasks_per_node;
  facts.containers = cloudai::Containers::required;
  facts.notes = notes_;
  return facts;
}

cloudai::Provisioned RunaiScheduler::provision(const cloudai::ProvisionRequest& request) {
  const cloudai::Requirement& item = request.item;
  if (item.kind == "docker_image") {
    if (request.action == cloudai::ProvisionAction::check) {
      cloudai::host().log_info("Checking if DockerImage(url=" + cloudai::one_line(item.url) +
                               ") is installed for RunAI. Images are pulled by the cluster when a workload starts.");
    }
    return {true, item.url, {}};
  }
  // Looked up where the workload runs, in its image; this machine says nothing about it.
  if (item.kind == "program") return {true, item.name, {}};
  return Scheduler::provision(request);
}

cloudai::Allocation RunaiScheduler::allocate(const cloudai::AllocateRequest& request) {
  for (const auto* names : {&request.nodes.names, &request.nodes.exclude}) {
    for (const std::string& name : *names) {
      if (!name.empty() && name.find_first_of(":[], ") == std::string::npos) continue;
      throw Error(Status::invalid_config,
                  "'" + cloudai::one_line(name) + "' is asked for or excluded, which is no name of a node.",
                  "Run:ai knows no groups and no lists of nodes in one text; write the name of each node.");
    }
  }
  // Those that are named. Any others are known when the workload runs.
  return {request.nodes.names, {}};
}

cloudai::Rendering RunaiScheduler::render(const cloudai::Job& job) const {
  return render_job(job, options_);
}

cloudai::Submitted RunaiScheduler::submit(const cloudai::SubmitRequest& request) {
  Submission submission = read_submission(request.submission);
  const std::string payload = read_payload(request.directory + "/" + submission.file);
  session().submissions[request.tag] = submission;
  const Created created = session().creation.create(request.tag, submission, payload);
  if (!created.wait.empty()) return {{}, {}, created.wait};
  submission.name = created.name;
  session().watch.add(created.id, std::move(submission), request.directory);
  cloudai::host().log_info("Submitted RunAI job: " + created.id);
  return {created.id, {}, {}};
}

cloudai::States RunaiScheduler::poll(const std::vector<std::string>& ids) {
  return session().watch.poll(ids);
}

std::vector<cloudai::NotCancelled> RunaiScheduler::cancel(const std::vector<std::string>& ids) {
  return session().watch.cancel(ids);
}

cloudai::JobResult RunaiScheduler::collect(const std::string& id) {
  WatchedWorkload* workload = session().watch.find(id);
  if (workload == nullptr) {
    throw Error(Status::failed, "No workload with the id '" + id + "' was submitted or found by this system.");
  }
  cloudai::JobResult result = collect_workload(id, *workload, session().api, session().logs);
  session().watch.forget(id);
  return result;
}

std::optional<std::string> RunaiScheduler::find(const cloudai::FindRequest& request) {
  // Also after the host asked to stop: what is found then is to be cancelled.
  const Patience patience{false, steady_now() + std::chrono::seconds(10)};
  for (const Workload& workload : session().api.workloads("name=$" + request.tag, patience)) {
    const std::string end = "-" + request.tag;
    if (workload.is_deleted || workload.name.size() < end.size() ||
        workload.name.compare(workload.name.size() - end.size(), end.size(), end) != 0) {
      continue;
    }
    if (session().watch.find(workload.id) != nullptr) return workload.id;
    // One of an earlier cloudai: its stage is not known.
    Submission submission = session().submissions[request.tag];
    if (submission.stage_directory.empty()) submission.stage_directory = ".";
    submission.name = workload.name;
    submission.kind = workload.type == "Distributed" ? WorkloadKind::distributed : WorkloadKind::training;
    session().watch.add(workload.id, std::move(submission), request.directory);
    return workload.id;
  }
  return std::nullopt;
}

}  // namespace runai
