#include "slurm_scheduler.hpp"

#include <algorithm>
#include <filesystem>

#include "container_images.hpp"
#include "job_collection.hpp"
#include "job_script.hpp"
#include "main_end.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

namespace fs = std::filesystem;
using cloudai::Error;
using cloudai::Status;
using std::chrono::seconds;

// Runs that start together share one look at the nodes.
constexpr seconds nodes_stay_known{2};
// The clocks of the cluster and of this machine may differ by so much.
constexpr std::chrono::hours clock_difference{1};

bool names_another_partition(const SystemOptions& options) {
  return std::any_of(options.extra_sbatch_args.begin(), options.extra_sbatch_args.end(),
                     [](const std::string& argument) {
                       return argument.rfind("--partition", 0) == 0 || argument.rfind("-p", 0) == 0;
                     });
}

std::string duration_text(long long total) {
  const auto two = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return (total >= 86400 ? std::to_string(total / 86400) + "-" : "") + two(total % 86400 / 3600) + ":" +
         two(total % 3600 / 60) + ":" + two(total % 60);
}

}  // namespace

SlurmScheduler::SlurmScheduler(const cloudai::OpenRequest& request, SteadyNow now)
    : options_(read_system_options(request.system)),
      is_offline_(request.offline),
      commands_(options_.extra_transient_status_errors),
      now_(std::move(now)),
      submissions_(commands_, options_, now_) {
  if (!is_offline_) ask_cluster();
  watch_.emplace(commands_, options_, config_.has_accounting, now_);
}

void SlurmScheduler::ask_cluster() {
  config_ = query_config(commands_);
  if (!options_.supports_gpu_directives) options_.supports_gpu_directives = config_.schedules_gpus;
  if (!config_.has_accounting) {
    notes_.emplace_back(
        "The cluster keeps no accounts of jobs; how they ended is told by squeue and by what their scripts recorded.");
  }
  if (!names_another_partition(options_)) check_partition(query_partitions(commands_));
}

void SlurmScheduler::check_partition(const std::vector<PartitionLimits>& partitions) {
  std::vector<std::string> names;
  for (const PartitionLimits& partition : partitions) {
    if (partition.name == options_.default_partition) partition_ = partition;
    names.push_back(partition.name);
  }
  if (!partition_) {
    throw Error(Status::invalid_config,
                "The cluster has no partition '" + options_.default_partition + "' (default_partition).",
                "It has: " + join(names, ", ") + ".");
  }
  if (!partition_->is_up) {
    notes_.push_back("The partition '" + partition_->name + "' is " + partition_->state + ".");
  }
}

cloudai::Facts SlurmScheduler::facts() const {
  cloudai::Facts facts;
  facts.gpus_per_node = options_.gpus_per_node;
  facts.tasks_per_node = options_.tasks_per_node;
  facts.containers = cloudai::Containers::optional;
  facts.notes = notes_;
  return facts;
}

cloudai::Provisioned SlurmScheduler::provision(const cloudai::ProvisionRequest& request) {
  if (request.item.kind == "docker_image") return provide_image(request, options_, commands_);
  // Programs are looked up on the job's nodes, perhaps in a container; this machine says nothing about them.
  if (request.item.kind == "program") return {true, request.item.name, {}};
  return Scheduler::provision(request);
}

ClusterView SlurmScheduler::view_of_nodes() {
  if (nodes_ && now_() - nodes_asked_ < nodes_stay_known) return *nodes_;
  const auto result = commands_.ask({"sinfo", "--all", "--noheader", "--format=%P|%t|%N"});
  if (!succeeded(result)) {
    throw Error(Status::unavailable, "The state of the nodes is not known: " + failure_text("sinfo", result));
  }
  ClusterNodes parsed = parse_sinfo(result.stdout_text);
  for (const std::string& state : parsed.unknown_states) {
    if (std::find(unknown_node_states_.begin(), unknown_node_states_.end(), state) != unknown_node_states_.end())
      continue;
    unknown_node_states_.push_back(state);
    cloudai::host().log_warning("sinfo says that a node is '" + state +
                                "', a state that is not known; such nodes are not used.");
  }
  ClusterView view{std::move(parsed.nodes), {}};
  if (needs_reservations(view.nodes)) {
    const auto reservations = commands_.ask({"scontrol", "show", "reservation", "--oneliner"});
    if (succeeded(reservations)) view.reservations = parse_reservations(reservations.stdout_text);
  }
  nodes_ = view;
  nodes_asked_ = now_();
  return view;
}

cloudai::Allocation SlurmScheduler::allocate(const cloudai::AllocateRequest& request) {
  ClusterView view;
  if (names_a_group(request.nodes)) {
    view = is_offline_ ? ClusterView{nodes_of_groups(options_), {}} : view_of_nodes();
  }
  cloudai::Allocation allocation = choose_nodes(request, options_, view);
  if (!partition_ || !allocation.wait.empty()) return allocation;
  const auto count = static_cast<long long>(
      allocation.nodes.empty() ? static_cast<std::size_t>(std::max(request.nodes.count, 0)) : allocation.nodes.size());
  const long long most = std::min(partition_->max_nodes.value_or(partition_->total_nodes), partition_->total_nodes);
  if (count > most) {
    throw Error(Status::invalid_config, std::to_string(count) + " nodes are asked for; a job in the partition '" +
                                            partition_->name + "' gets at most " + std::to_string(most) + ".");
  }
  return allocation;
}

cloudai::Rendering SlurmScheduler::render(const cloudai::Job& job) const {
  if (partition_ && partition_->max_seconds && job.time_limit) {
    const long long limit = static_cast<long long>(*job.time_limit) + limit_slack(job);
    if (limit > *partition_->max_seconds) {
      throw Error(Status::invalid_config,
                  "The job needs " + duration_text(limit) + " (the time limits of its stages and " +
                      std::to_string(limit_slack(job)) + " s to end); the partition '" + partition_->name +
                      "' allows " + duration_text(*partition_->max_seconds) + ".",
                  "Shorten the time limits of the test and its hooks, or use another partition.");
    }
  }
  cloudai::Job with_images = job;
  for (cloudai::JobRun& run : with_images.runs) {
    for (cloudai::JobStage& stage : run.stages) {
      for (cloudai::Step& step : stage.plan.steps) step.image = image_reference(step.image, options_);
    }
  }
  return render_job(with_images, options_);
}

cloudai::Submitted SlurmScheduler::submit(const cloudai::SubmitRequest& request) {
  const cloudai::Value submission(request.submission);
  const auto script = submission.get<std::string>("script");
  auto stages = cloudai::read_stage_list(request.submission);
  const SubmissionReply reply =
      submissions_.submit(request.tag, script, watch_->live_jobs(),
                          [this](const std::string& tag) { return find_in_queue(commands_, tag); });
  if (!reply.job) return {{}, {}, reply.wait};
  if (!reply.job->cluster.empty()) commands_.use_cluster(reply.job->cluster);
  WatchedJob job;
  job.tag = request.tag;
  job.directory = request.directory;
  job.stages = std::move(stages);
  job.submitted = std::chrono::system_clock::now();
  job.name = submission.get_or<std::string>("name", {});
  job.srun_command = submission.get_or<std::string>("srun_cmd", {});
  job.test_command = submission.get_or<std::string>("test_cmd", {});
  watch_->add(reply.job->id, std::move(job));
  // Only a directory that is there can be watched.
  const fs::path status = fs::path(request.directory) / status_directory;
  std::error_code ignored;
  fs::create_directory(status, ignored);
  return {reply.job->id, {(status / "finished").string()}, {}};
}

cloudai::States SlurmScheduler::poll(const std::vector<std::string>& ids) {
  return watch_->poll(ids);
}

std::vector<cloudai::NotCancelled> SlurmScheduler::cancel(const std::vector<std::string>& ids) {
  return watch_->cancel(ids);
}

std::vector<cloudai::NotCancelled> SlurmScheduler::end_main(const std::vector<std::string>& ids) {
  std::vector<cloudai::NotCancelled> not_ended;
  std::map<std::string, std::string> directories;
  for (const std::string& id : ids) {
    if (const WatchedJob* job = watch_->find(id)) {
      directories[id] = job->directory;
    } else {
      not_ended.push_back({id, "No job with the id '" + id + "' was submitted or found by this system."});
    }
  }
  for (cloudai::NotCancelled& job : end_main_stages(directories, commands_)) not_ended.push_back(std::move(job));
  return not_ended;
}

cloudai::JobResult SlurmScheduler::collect(const std::string& id) {
  const WatchedJob* job = watch_->find(id);
  if (job == nullptr) {
    throw Error(Status::failed, "No job with the id '" + id + "' was submitted or found by this system.");
  }
  cloudai::JobResult result = collect_job(id, *job, commands_);
  watch_->close(id);
  return result;
}

std::optional<std::string> SlurmScheduler::find(const cloudai::FindRequest& request) {
  std::string id = find_in_queue(commands_, request.tag);
  const auto script = cloudai::read_script_identity(request.directory);
  const bool script_is_ours = script && script->tag == request.tag;
  if (id.empty() && script_is_ours) id = script->id;
  std::error_code error;
  const auto written = fs::last_write_time(fs::path(request.directory) / script_name, error);
  const auto submitted = error ? std::chrono::system_clock::now()
                               : std::chrono::time_point_cast<std::chrono::system_clock::duration>(
                                     fs::file_time_type::clock::to_sys(written));
  if (id.empty() && watch_->has_accounting()) {
    const AccountingFind found = find_in_accounting(commands_, request.tag, submitted - clock_difference);
    if (!found.failure.empty()) {
      throw Error(Status::unavailable, "Whether the job was submitted is not known: " + found.failure);
    }
    id = found.id;
  }
  if (id.empty()) return std::nullopt;
  if (watch_->find(id) == nullptr) {
    WatchedJob job;
    job.tag = request.tag;
    job.directory = request.directory;
    if (script_is_ours) job.stages = script->stages;
    job.submitted = submitted;
    watch_->add(id, std::move(job));
  }
  return id;
}

}  // namespace slurm
