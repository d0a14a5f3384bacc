#include "job_collection.hpp"

#include <algorithm>
#include <fstream>
#include <functional>

#include "cloudai/error.hpp"
#include "cloudai/host.hpp"
#include "events.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::JobEnd;
using cloudai::Json;
using cloudai::StageState;

constexpr const char* events_file_name = "events.txt";
constexpr std::chrono::seconds deletion_limit{60};

// What is asked for beside the verdict: trouble with it is told, and changes nothing.
class Collection {
 public:
  Collection(const std::string& id, WatchedWorkload& workload, RunaiApi& api, WorkloadLogs& logs)
      : id_(id), workload_(workload), api_(api), logs_(logs), finish_(workload.finish.value_or(cancelled())) {}

  cloudai::JobResult collect() {
    result_.id = id_;
    result_.state = finish_.end;
    result_.reason = finish_.reason;
    if (!cloudai::host().is_cancelled()) {
      // In this order: the output goes with the pods.
      fetch_output();
      attempt([this] { fetch_events(); });
      attempt([this] { fetch_pods(); });
    }
    result_.stages.push_back(stage());
    return std::move(result_);
  }

 private:
  static JobFinish cancelled() { return {JobEnd::cancelled, "The workload was cancelled.", false}; }

  // One that was quick may have run between two looks; one that has to be deleted waited in vain.
  bool has_started() const {
    const bool has_ended_by_itself =
        finish_.end == JobEnd::completed || (finish_.end == JobEnd::failed && !finish_.must_delete);
    return workload_.phases.has_run() || has_ended_by_itself;
  }

  void attempt(const std::function<void()>& part) {
    try {
      part();
    } catch (const Error& error) {
      result_.warnings.push_back(error.message());
    }
  }

  void fetch_output() {
    if (!has_started()) return;
    output_trouble_ =
        logs_.finish(workload_.log.get(), workload_.submission.kind, workload_.submission.name, workload_.log_file());
  }

  void fetch_events() {
    const auto events = api_.events(id_);
    const auto path = std::filesystem::path(workload_.directory) / events_file_name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    for (const Json& event : events) file << event_line(event) << '\n';
    file.close();
    if (!file) result_.warnings.push_back("The file '" + path.string() + "' cannot be written.");
    for (const Json& event : events) {
      const auto message = event.find("message");
      if (message != event.end() && message->is_string()) event_texts_.push_back(*message);
    }
    if (finish_.end == JobEnd::completed || finish_.end == JobEnd::time_limit) return;
    if (const std::string warnings = last_warnings(events); !warnings.empty()) {
      result_.reason += (result_.reason.empty() ? "" : " ") + std::string("Last events: ") + warnings;
    }
  }

  void fetch_pods() {
    const auto pods = api_.pods(id_);
    const auto is_launcher = [](const Pod& pod) { return pod.name.find("-launcher") != std::string::npos; };
    const bool has_workers = std::any_of(pods.begin(), pods.end(), [&](const Pod& pod) { return !is_launcher(pod); });
    bool holds_nodes = false;
    for (const Pod& pod : pods) {
      holds_nodes = holds_nodes || pod.phase == "Running" || pod.phase == "Pending";
      const auto is_same = [&](const cloudai::JobNode& node) { return node.name == pod.node; };
      if (pod.node.empty() || (has_workers && is_launcher(pod))) continue;
      if (std::none_of(result_.nodes.begin(), result_.nodes.end(), is_same)) result_.nodes.push_back({pod.node});
    }
    if (holds_nodes && !workload_.deletion_asked) release();
  }

  // The workers of an MPI job outlive it, and one that was evicted leaves the others behind.
  void release() {
    const ApiReply reply =
        api_.remove(workload_.submission.kind, id_, {false, std::chrono::steady_clock::now() + deletion_limit});
    if (reply.action == Action::accept || reply.action == Action::not_there) {
      workload_.deletion_asked = std::chrono::steady_clock::now();
      cloudai::host().log_debug("The workload '" + workload_.submission.name +
                                "' has ended and was deleted, as some of its pods still ran.");
      return;
    }
    result_.warnings.push_back("The workload '" + workload_.submission.name + "' (" + id_ +
                               ") has ended, but some of its pods still run and it could not be deleted: " +
                               sentence(reply.message) + " Delete it in Run:ai.");
  }

  cloudai::StageResult stage() const {
    cloudai::StageResult stage;
    stage.kind = workload_.submission.stage;
    stage.name = workload_.submission.stage_name;
    stage.started = workload_.started;
    stage.ended = workload_.ended;
    if (!has_started()) {
      stage.state = StageState::skipped;
      return stage;
    }
    if (stage.started.empty()) stage.started = stage.ended;
    stage.output_unavailable = output_trouble_;
    if (finish_.end == JobEnd::completed) {
      stage.exit_status = 0;
    } else if (finish_.end == JobEnd::time_limit) {
      stage.timed_out = true;
    } else if (finish_.end == JobEnd::failed) {
      describe_failure(stage);
    } else {
      stage.state = StageState::unfinished;
      stage.ended.clear();
    }
    return stage;
  }

  void describe_failure(cloudai::StageResult& stage) const {
    std::vector<std::string> texts = event_texts_;
    texts.insert(texts.begin(), workload_.last_message);
    stage.exit_status = named_exit_status(texts);
    if (stage.exit_status == 0) stage.exit_status.reset();
    if (!stage.exit_status) stage.failure = finish_.reason;
  }

  const std::string& id_;
  WatchedWorkload& workload_;
  RunaiApi& api_;
  WorkloadLogs& logs_;
  JobFinish finish_;
  cloudai::JobResult result_;
  std::string output_trouble_;
  std::vector<std::string> event_texts_;
};

}  // namespace

cloudai::JobResult collect_workload(const std::string& id, WatchedWorkload& workload, RunaiApi& api,
                                    WorkloadLogs& logs) {
  return Collection(id, workload, api, logs).collect();
}

}  // namespace runai
