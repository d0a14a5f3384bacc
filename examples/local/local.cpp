// The scheduler "local": every job is a bash script in a process of its own on this machine.
//
// It has none of the capabilities a manifest may name: a job is one main stage, without prologue and epilogue, and the
// core refuses a scenario that needs more. The script leaves its records in the form of cloudai/stage_records.hpp,
// which reads them back.
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "cloudai/module.hpp"
#include "cloudai/processes.hpp"
#include "cloudai/shell_text.hpp"
#include "cloudai/stage_records.hpp"
#include "cloudai/stage_script.hpp"

namespace {

using cloudai::Error;
using cloudai::JobStage;
using cloudai::literal_word;
using cloudai::Status;

constexpr const char* script_name = "job.sh";
constexpr double cancel_grace = 3;  // seconds from SIGTERM to SIGKILL

// Runs the stage within its time limit, then writes down how it ended.
constexpr std::string_view supervision = R"bash(
if [[ ${1-} == stage ]]; then stage; exit; fi
read -r boot_id </proc/sys/kernel/random/boot_id
read -r -a process <"/proc/$$/stat"
printf '%s\n' "tag=$tag" "$listing" "id=$$:${process[21]}-${boot_id:0:8}" >status/id
printf 'started=%s\n' "${EPOCHREALTIME/[!0-9]/}" >status/1
timeout --kill-after=3 "$limit" bash "./${0##*/}" stage >stdout.txt 2>stderr.txt </dev/null
exit_status=$? directory=. why='' timed_out=no gate=closed
if [[ $exit_status == @(124|137) && $limit != 0 ]]; then
  timed_out=yes
elif gate; then
  gate=open
fi
printf 'ended=%s\nexit_status=%s\ntimed_out=%s\ngate=%s\nwhy=%s\ncomplete\n' \
  "${EPOCHREALTIME/[!0-9]/}" "$exit_status" "$timed_out" "$gate" "$why" >>status/1
: >status/finished
)bash";

// The stage as a function. Whatever a step leaves behind in the shell is gone with its parentheses.
std::string stage_function(const JobStage& stage) {
  std::string text = "stage() {\n";
  for (const cloudai::Step& step : stage.plan.steps) {
    if (!step.image.empty())
      cloudai::refuse_plan(Status::unsupported, stage, "needs a container; there are none here.");
    text += "  (\n";
    for (const auto& [name, value] : step.environment) {
      text += "    export " + name + "=" + cloudai::expanding_word(value) + "\n";
    }
    const auto& argv = step.command.argv;
    text += "    " + (argv.empty() ? "bash -c " + literal_word(step.command.shell) : cloudai::literal_words(argv)) +
            "\n  ) || return\n";
  }
  return text + "}\n";
}

std::string script_of(const cloudai::Job& job, const JobStage& stage) {
  const double limit = std::ceil(std::max(stage.time_limit.value_or(0), 0.0));
  return "#!/usr/bin/env bash\n"
         "cd -- \"$(dirname -- \"$0\")\" || exit\n"
         "export CLOUDAI_RUN_DIR=$PWD CLOUDAI_JOB_ID=$$ CLOUDAI_NODE_RANK=0 CLOUDAI_NUM_NODES=1\n"
         "export CLOUDAI_MASTER_NODE=localhost CLOUDAI_NODE_LIST=localhost\n"
         "tag=" +
         literal_word(job.tag) + " limit=" + std::to_string(static_cast<long long>(limit)) +
         "\nlisting=" + cloudai::stage_listing(stage, "1") + "\n" + stage_function(stage) +
         std::string(cloudai::gate_functions) + "gate() {\n" + cloudai::gate_text(stage.plan.success) + "}\n" +
         std::string(supervision);
}

// A job's id is "pid:start time", which names the process also after its pid was used again.
cloudai::ProcessIdentity process_of(const std::string& id) {
  cloudai::ProcessIdentity process;
  const std::size_t colon = id.find(':');
  if (colon == std::string::npos) throw Error(Status::failed, "'" + id + "' is no id of a job of this scheduler.");
  std::from_chars(id.data(), id.data() + colon, process.pid);
  process.start_time = id.substr(colon + 1);
  return process;
}

class Local : public cloudai::Scheduler {
 public:
  explicit Local(const cloudai::OpenRequest&) {}

  cloudai::Facts facts() const override {
    cloudai::Facts facts;
    facts.nodes = {"localhost"};
    return facts;
  }

  cloudai::Allocation allocate(const cloudai::AllocateRequest& request) override {
    if (request.nodes.count > 1) {
      throw Error(Status::invalid_config,
                  std::to_string(request.nodes.count) + " nodes are asked for; this system has one.",
                  "Set num_nodes to 1.");
    }
    return {{"localhost"}, {}};
  }

  cloudai::Rendering render(const cloudai::Job& job) const override {
    if (job.runs.size() != 1 || job.runs[0].stages.size() != 1) {
      throw Error(Status::unsupported, "This scheduler runs jobs of one stage.");
    }
    const JobStage& stage = job.runs[0].stages[0];
    cloudai::check_stage(stage);
    cloudai::Rendering rendering;
    rendering.files.push_back({script_name, script_of(job, stage), true, true});
    rendering.submission = cloudai::list_stages(job);
    rendering.command = "bash " + literal_word(job.directory + "/" + script_name);
    return rendering;
  }

  cloudai::Submitted submit(const cloudai::SubmitRequest& request) override {
    const std::filesystem::path status = std::filesystem::path(request.directory) / cloudai::status_directory;
    KnownJob job{request.directory, request.tag, cloudai::read_stage_list(request.submission)};
    // What an earlier job in the same place recorded must not be taken for this one's.
    std::filesystem::remove_all(status);
    std::filesystem::create_directory(status);
    cloudai::DetachedCommand command;
    command.argv = {"bash", request.directory + "/" + script_name};
    command.directory = request.directory;
    command.mark = request.tag;
    const auto process = processes_.spawn_detached(command);
    const std::string id = std::to_string(process.pid) + ":" + process.start_time;
    jobs_[id] = std::move(job);
    return {id, {(status / "finished").string()}};
  }

  cloudai::States poll(const std::vector<std::string>& ids) override {
    std::vector<cloudai::ProcessIdentity> processes;
    for (const std::string& id : ids) processes.push_back(process_of(id));
    const auto found = processes_.inspect(processes);
    cloudai::States states;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto phase = found.at(i).alive ? cloudai::JobPhase::running : cloudai::JobPhase::ended;
      states.jobs.push_back({ids[i], phase, {}});
    }
    return states;
  }

  std::vector<cloudai::NotCancelled> cancel(const std::vector<std::string>& ids) override {
    std::vector<cloudai::NotCancelled> not_cancelled;
    for (const std::string& id : ids) {
      KnownJob& job = known(id);
      job.is_cancelled = true;
      const auto end = processes_.terminate({{process_of(id), job.tag}}, cancel_grace).at(0);
      if (!end.ended) not_cancelled.push_back({id, end.message});
    }
    return not_cancelled;
  }

  cloudai::JobResult collect(const std::string& id) override {
    const KnownJob& job = known(id);
    cloudai::FinalStages final = cloudai::final_stages(job.directory, job.stages);
    cloudai::JobResult result;
    result.id = id;
    result.nodes = {{"localhost"}};
    result.stages = std::move(final.stages);
    result.warnings = std::move(final.warnings);
    result.reason = final.reason;
    if (!cloudai::is_finished(job.directory)) {
      result.state = job.is_cancelled ? cloudai::JobEnd::cancelled : cloudai::JobEnd::lost;
    }
    return result;
  }

  std::optional<std::string> find(const cloudai::FindRequest& request) override {
    const auto script = cloudai::read_script_identity(request.directory);
    if (!script || script->tag != request.tag) return std::nullopt;
    jobs_[script->id] = {request.directory, script->tag, script->stages};
    return script->id;
  }

 private:
  struct KnownJob {
    std::string directory;
    std::string tag;
    std::vector<cloudai::ListedStage> stages;
    bool is_cancelled = false;
  };

  KnownJob& known(const std::string& id) {
    const auto job = jobs_.find(id);
    if (job == jobs_.end()) throw Error(Status::failed, "This system has no job with the id '" + id + "'.");
    return job->second;
  }

  cloudai::Processes processes_;
  std::map<std::string, KnownJob> jobs_;
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::scheduler<Local>("local"));
