#include "standalone_scheduler.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cloudai/shell_text.hpp"
#include "job_script.hpp"

namespace standalone {
namespace {

using cloudai::end_main_request;
using cloudai::Error;
using cloudai::is_finished;
using cloudai::ListedStage;
using cloudai::progress_of;
using cloudai::StageProgress;
using cloudai::Status;
using cloudai::status_directory;

constexpr double cancel_grace = 3;    // seconds from SIGTERM to SIGKILL
constexpr double leftover_grace = 1;  // likewise, for what outlives its job
constexpr std::chrono::milliseconds settle_limit{1000};
constexpr std::chrono::milliseconds end_main_limit{5000};  // how long a stage may take to notice that it has ended

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string id_of(const cloudai::ProcessIdentity& process) {
  return std::to_string(process.pid) + ":" + process.start_time;
}

// Nothing if `id` is not of the form id_of writes.
std::optional<cloudai::ProcessIdentity> process_of(const std::string& id) {
  const size_t colon = id.find(':');
  if (colon == std::string::npos) return std::nullopt;
  cloudai::ProcessIdentity process;
  const auto [end, error] = std::from_chars(id.data(), id.data() + colon, process.pid);
  if (error != std::errc{} || end != id.data() + colon) return std::nullopt;
  process.start_time = id.substr(colon + 1);
  return process;
}

// Tries `condition` until it holds or the limit has passed; says whether it holds.
template <class Condition>
bool wait_for(Condition condition, std::chrono::milliseconds limit = settle_limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (auto pause = std::chrono::milliseconds(1); !condition();
       pause = std::min(pause * 2, std::chrono::milliseconds(20))) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

// An empty status directory: what an earlier job in the same place recorded must not be taken for this one's.
void prepare_status_directory(const std::filesystem::path& job_directory) {
  const auto directory = job_directory / status_directory;
  std::error_code error;
  if (!std::filesystem::create_directory(directory, error) && !error) {
    std::filesystem::remove_all(directory, error);
    std::filesystem::create_directory(directory, error);
  }
  if (error) {
    throw Error(Status::failed, "The directory '" + directory.string() + "' cannot be made: " + error.message() + ".");
  }
}

std::filesystem::path script_log(const std::filesystem::path& job_directory) {
  return job_directory / status_directory / "script.log";
}

// What bash itself said, at most the last few lines' worth.
std::string end_of_script_log(const std::filesystem::path& job_directory) {
  std::ostringstream text;
  text << std::ifstream(script_log(job_directory), std::ios::binary).rdbuf();
  std::string log = std::move(text).str();
  constexpr size_t limit = 500;
  if (log.size() > limit) log = "…" + log.substr(log.size() - limit);
  while (!log.empty() && log.back() == '\n') log.pop_back();
  return log;
}

std::string lost_reason(const std::string& id, const cloudai::ProcessState& shell, const std::string& log) {
  std::string reason = "The job's shell (process " + id.substr(0, id.find(':')) + ") ended";
  if (shell.signal) reason += " by signal " + std::to_string(*shell.signal);
  if (shell.exit_status) reason += " with exit status " + std::to_string(*shell.exit_status);
  reason += " before the job was finished.";
  return log.empty() ? reason : reason + " It said: " + log;
}

}  // namespace

StandaloneScheduler::StandaloneScheduler(const cloudai::OpenRequest& request)
    : host_name_(host_name()),
      tasks_per_node_(request.system.options.find<int>("ntasks_per_node")),
      gpus_per_node_(request.system.options.find<int>("gpus_per_node")) {}

cloudai::Facts StandaloneScheduler::facts() const {
  cloudai::Facts facts;
  facts.gpus_per_node = gpus_per_node_;
  facts.tasks_per_node = tasks_per_node_.value_or(1);
  facts.containers = cloudai::Containers::none;
  facts.nodes = {host_name_};
  return facts;
}

cloudai::Provisioned StandaloneScheduler::provision(const cloudai::ProvisionRequest& request) {
  if (request.item.kind == "docker_image") {
    throw Error(Status::unsupported,
                "The standalone scheduler runs no containers; it cannot provide the image '" + request.item.url + "'.");
  }
  return Scheduler::provision(request);
}

cloudai::Allocation StandaloneScheduler::allocate(const cloudai::AllocateRequest& request) {
  const cloudai::NodeRequest& nodes = request.nodes;
  const auto is_this_host = [&](const std::string& name) {
    return name == host_name_ || name == "localhost" || name == host_name_.substr(0, host_name_.find('.'));
  };
  if (nodes.count > 1 || nodes.names.size() > 1) {
    const size_t count = std::max(static_cast<size_t>(std::max(nodes.count, 0)), nodes.names.size());
    throw Error(Status::invalid_config,
                std::to_string(count) + " nodes are asked for; a standalone system has one, this machine.",
                "Set num_nodes to 1.");
  }
  for (const std::string& name : nodes.names) {
    if (!is_this_host(name)) {
      throw Error(Status::invalid_config,
                  "The node '" + name + "' is asked for; a standalone system has one node, '" + host_name_ + "'.");
    }
  }
  if (std::ranges::any_of(nodes.exclude, is_this_host)) {
    throw Error(Status::invalid_config, "The node '" + host_name_ + "' is excluded; a standalone system has no other.");
  }
  return {{host_name_}, {}};
}

cloudai::Rendering StandaloneScheduler::render(const cloudai::Job& job) const {
  cloudai::Rendering rendering;
  rendering.files.push_back({script_name, job_script(job), true, true});
  rendering.submission = list_stages(job);
  rendering.command = "bash " + cloudai::literal_word(job.directory + "/" + script_name);
  rendering.main_command = main_command(job);
  return rendering;
}

cloudai::Submitted StandaloneScheduler::submit(const cloudai::SubmitRequest& request) {
  SubmittedJob job{request.directory, request.tag, cloudai::read_stage_list(request.submission)};
  prepare_status_directory(request.directory);
  cloudai::DetachedCommand command;
  command.argv = {"bash", request.directory + "/" + script_name};
  command.directory = request.directory;
  command.stderr_path = script_log(request.directory).string();
  command.mark = request.tag;
  const std::string id = id_of(processes_.spawn_detached(command));
  jobs_[id] = std::move(job);
  return {id, {request.directory + "/" + status_directory + "/finished"}, {}};
}

cloudai::States StandaloneScheduler::poll(const std::vector<std::string>& ids) {
  cloudai::States states;
  std::vector<cloudai::ProcessIdentity> processes;
  processes.reserve(ids.size());
  for (const std::string& id : ids) processes.push_back(process_of(id).value_or(cloudai::ProcessIdentity{}));
  const auto shells = processes_.inspect(processes);
  for (size_t i = 0; i < ids.size(); ++i) {
    cloudai::JobState& state = states.jobs.emplace_back();
    state.id = ids[i];
    if (!process_of(ids[i])) continue;
    state.state = shells.at(i).alive ? cloudai::JobPhase::running : cloudai::JobPhase::ended;
    const auto job = jobs_.find(ids[i]);
    if (job == jobs_.end()) continue;
    if (is_finished(job->second.directory)) state.state = cloudai::JobPhase::ended;
    state.stages = stages_so_far(job->second.directory, job->second.stages);
  }
  return states;
}

std::vector<cloudai::NotCancelled> StandaloneScheduler::cancel(const std::vector<std::string>& ids) {
  std::vector<cloudai::NotCancelled> not_cancelled;
  std::vector<std::string> jobs;
  std::vector<cloudai::ProcessFamily> processes;
  for (const std::string& id : ids) {
    if (process_of(id)) {
      jobs.push_back(id);
      processes.push_back(family_of(id));
    } else {
      not_cancelled.push_back({id, "'" + id + "' is no id of a standalone job; nothing was signalled."});
    }
  }
  for (const std::string& id : jobs) {
    if (const auto job = jobs_.find(id); job != jobs_.end()) job->second.is_cancelled = true;
  }
  if (processes.empty()) return not_cancelled;
  const auto ends = processes_.terminate(processes, cancel_grace);
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (!ends.at(i).ended) not_cancelled.push_back({jobs[i], ends[i].message});
  }
  return not_cancelled;
}

cloudai::ProcessFamily StandaloneScheduler::family_of(const std::string& id) const {
  const auto job = jobs_.find(id);
  return {*process_of(id), job != jobs_.end() ? job->second.tag : std::string(), false};
}

std::vector<cloudai::NotCancelled> StandaloneScheduler::end_main(const std::vector<std::string>& ids) {
  std::vector<cloudai::NotCancelled> not_ended;
  for (const std::string& id : ids) {
    const auto job = jobs_.find(id);
    const auto why = job != jobs_.end()
                         ? end_main_of(id, job->second)
                         : std::optional("No job with the id '" + id + "' was submitted or found by this system.");
    if (why) not_ended.push_back({id, *why});
  }
  return not_ended;
}

// The script looks for the request right after it has written down that a stage starts. So a stage that is not written
// down yet will see it, and one that is has processes to end, now or in a moment.
std::optional<std::string> StandaloneScheduler::end_main_of(const std::string& id, const SubmittedJob& job) const {
  const auto main = std::ranges::find(job.stages, cloudai::StageKind::main, &ListedStage::kind);
  if (main == job.stages.end()) return std::nullopt;
  const auto number = static_cast<size_t>(main - job.stages.begin()) + 1;
  const std::filesystem::path request = std::filesystem::path(job.directory) / status_directory / end_main_request;
  if (!std::ofstream(request)) return "The file '" + request.string() + "' cannot be written.";
  cloudai::ProcessFamily stage = family_of(id);
  stage.mark += "/" + std::to_string(number);
  stage.marked_only = true;
  std::string why;
  const auto has_ended = [&] {
    const StageProgress progress = progress_of(job.directory, number);
    if (progress != StageProgress::started) return true;
    why = processes_.terminate({stage}, cancel_grace).at(0).message;
    return !processes_.inspect({stage.leader}).at(0).alive;
  };
  if (wait_for(has_ended, end_main_limit)) return std::nullopt;
  return "The main stage of the job '" + id + "' did not end" + (why.empty() ? "." : ": " + why);
}

cloudai::JobResult StandaloneScheduler::collect(const std::string& id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) {
    throw Error(Status::failed, "No job with the id '" + id + "' was submitted or found by this system.");
  }
  const SubmittedJob& job = found->second;
  // In this order: a shell seen ended has written all it was going to write.
  const cloudai::ProcessState shell = shell_end(id, job.directory);
  const bool finished = is_finished(job.directory);
  if (shell.alive && !finished) throw Error(Status::failed, "The job '" + id + "' has not ended.");

  cloudai::JobResult result;
  result.id = id;
  result.nodes = {{host_name_, {}}};
  cloudai::FinalStages final = final_stages(job.directory, job.stages);
  result.stages = std::move(final.stages);
  result.warnings = std::move(final.warnings);
  if (finished) {
    result.state = cloudai::JobEnd::completed;
    result.reason = final.reason;
  } else if (job.is_cancelled) {
    result.state = cloudai::JobEnd::cancelled;
    result.reason = "The job was cancelled.";
  } else {
    result.state = cloudai::JobEnd::lost;
    result.reason = lost_reason(id, shell, end_of_script_log(job.directory));
  }
  end_leftovers(id, result.warnings);
  return result;
}

cloudai::ProcessState StandaloneScheduler::shell_end(const std::string& id, const std::string& directory) const {
  cloudai::ProcessState shell;
  const auto has_ended = [&] {
    shell = processes_.inspect({*process_of(id)}).at(0);
    return !shell.alive;
  };
  if (!has_ended() && is_finished(directory)) wait_for(has_ended);
  return shell;
}

void StandaloneScheduler::end_leftovers(const std::string& id, std::vector<std::string>& warnings) const {
  const auto end = processes_.terminate({family_of(id)}, leftover_grace).at(0);
  if (end.signalled > 0) {
    warnings.push_back((end.signalled == 1 ? "A process" : std::to_string(end.signalled) + " processes") +
                       " outlived the job and " + (end.signalled == 1 ? "was" : "were") + " ended.");
  }
  if (!end.ended) warnings.push_back(end.message);
}

std::optional<std::string> StandaloneScheduler::find(const cloudai::FindRequest& request) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::path(request.directory) / status_directory, ignored))
    return std::nullopt;
  std::optional<cloudai::ScriptIdentity> script;
  // A script started a moment ago may not have written yet who it is.
  wait_for([&] { return (script = cloudai::read_script_identity(request.directory)).has_value(); });
  if (!script || script->tag != request.tag || !process_of(script->id)) return std::nullopt;
  jobs_[script->id] = {request.directory, script->tag, script->stages};
  return script->id;
}

}  // namespace standalone
