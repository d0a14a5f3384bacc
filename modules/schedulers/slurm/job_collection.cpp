#include "job_collection.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include "cloudai/error.hpp"
#include "host_list.hpp"
#include "job_files.hpp"
#include "job_metadata.hpp"
#include "job_verdict.hpp"
#include "main_end.hpp"
#include "memory_note.hpp"
#include "node_facts.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using std::chrono::milliseconds;

// What a job wrote last on a node may take so long to be seen here.
constexpr milliseconds file_system_lag{3000};

// The script's own record of the job, where it is this job's.
std::optional<cloudai::ScriptIdentity> identity_of(const std::string& id, const std::string& directory) {
  auto script = cloudai::read_script_identity(directory);
  return script && script->id == id ? script : std::nullopt;
}

// Slurm opens the output files before the script starts.
bool has_log(const std::string& directory) {
  std::error_code ignored;
  for (const char* name : {stdout_name, common_stdout_name}) {
    if (std::filesystem::exists(std::filesystem::path(directory) / name, ignored)) return true;
  }
  return false;
}

// Gives what a node wrote the time to be seen on this machine.
void await_end_of_script(const std::string& directory) {
  for (milliseconds waited{0}; !cloudai::is_finished(directory) && waited < file_system_lag;
       waited += milliseconds(100)) {
    std::this_thread::sleep_for(milliseconds(100));
  }
}

std::vector<std::string> names_in(const std::string& host_list, std::vector<std::string>& warnings) {
  try {
    return expand_host_list(host_list);
  } catch (const Error& error) {
    warnings.push_back("The nodes of the job are not known: " + error.message());
    return {};
  }
}

// The exit code that scontrol knows, for clusters without accounting.
ExitCode exit_code_from_controller(const SlurmCommands& commands, const std::string& id) {
  const auto result = commands.ask({"scontrol", "--oneliner", "show", "job", id});
  constexpr std::string_view key = " ExitCode=";
  const std::size_t found = result.stdout_text.find(key);
  if (!succeeded(result) || found == std::string::npos) return {};
  const std::string text = result.stdout_text.substr(found + key.size());
  return parse_exit_code(text.substr(0, text.find_first_of(" \n"))).value_or(ExitCode{});
}

JobMetadata metadata_of(const std::string& id, const WatchedJob& job, const EndedJob& ended) {
  JobMetadata metadata;
  metadata.job_id = id;
  metadata.state = ended.state.name.empty() ? "UNKNOWN" : ended.state.name;
  metadata.exit_code = ended.exit_code;
  metadata.job_root = job.directory;
  metadata.steps = ended.steps;
  metadata.srun_command = job.srun_command;
  metadata.test_command = job.test_command;
  for (const AccountingRow& step : ended.steps) {
    const std::size_t stage = stage_of(step.name);
    const bool is_main =
        stage > 0 && stage <= ended.stages.size() && ended.stages[stage - 1].kind == cloudai::StageKind::main;
    if (is_main && metadata.srun_command.empty()) metadata.srun_command = step.submit_line;
  }
  metadata.is_single_sbatch = !ended.stages.empty() && !ended.stages.front().run.empty();
  if (metadata.is_single_sbatch) metadata.srun_command = "n/a for single sbatch run";
  if (job.accounting) {
    metadata.name = job.accounting->job.name;
    metadata.start_time = job.accounting->job.start;
    metadata.end_time = job.accounting->job.end;
    metadata.elapsed = job.accounting->job.elapsed;
  } else if (job.queue) {
    metadata.name = job.name;
    metadata.start_time = job.queue->start;
    metadata.end_time = job.queue->end;
  }
  return metadata;
}

void write_metadata(const JobMetadata& metadata, std::vector<std::string>& warnings) {
  const std::string path = metadata.job_root + "/" + job_metadata_name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  // Command lines may hold what is for the user alone.
  std::error_code ignored;
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  file << metadata_text(metadata);
  file.close();
  if (!file) warnings.push_back("The file '" + path + "' cannot be written.");
}

EndedJob gather(const std::string& id, const WatchedJob& job, const SlurmCommands& commands,
                std::vector<std::string>& warnings) {
  EndedJob ended;
  ended.is_cancelled = job.is_cancelled;
  ended.given_up = job.given_up;
  ended.main_had_to_end = main_had_to_end(id, job.directory);
  if (job.accounting) {
    ended.state = job.accounting->job.state;
    ended.exit_code = job.accounting->job.exit_code;
    ended.reason = job.accounting->job.reason;
    ended.steps = job.accounting->steps;
    ended.end_time = job.accounting->job.end;
    if (job.accounting->attempts > 1) {
      warnings.push_back("Slurm started the job " + std::to_string(job.accounting->attempts) +
                         " times; the result is that of the last attempt.");
    }
  } else if (job.queue && (job.left_since || job.is_cancelled)) {
    ended.state = job.queue->state;
    ended.reason = job.queue->reason;
    ended.end_time = job.queue->end;
  }
  if (ended.state.is("COMPLETED") || ended.state.is("FAILED")) await_end_of_script(job.directory);
  const auto script = identity_of(id, job.directory);
  const auto& stages = job.stages.empty() && script ? script->stages : job.stages;
  ended.has_started = script.has_value();
  if (script) {
    cloudai::FinalStages final = cloudai::final_stages(job.directory, stages);
    ended.is_finished = cloudai::is_finished(job.directory);
    ended.stages = std::move(final.stages);
    ended.is_recorded = std::move(final.is_recorded);
    ended.gate_reason = std::move(final.reason);
    forget_after_end(ended);
    warnings.insert(warnings.end(), final.warnings.begin(), final.warnings.end());
  } else {
    for (const cloudai::ListedStage& listed : stages) {
      cloudai::StageResult& stage = ended.stages.emplace_back();
      stage.run = listed.run;
      stage.kind = listed.kind;
      stage.name = listed.name;
      stage.state = cloudai::StageState::skipped;
    }
    if (!has_log(job.directory)) ended.missing_log = job.directory;
  }
  if (!job.accounting) ended.memory_note = memory_note(job.directory, stages, ended.stages);
  if (!job.accounting && !ended.is_finished && ended.state.is("FAILED")) {
    ended.exit_code = exit_code_from_controller(commands, id);
  }
  return ended;
}

}  // namespace

cloudai::JobResult collect_job(const std::string& id, const WatchedJob& job, const SlurmCommands& commands) {
  cloudai::JobResult result;
  result.id = id;
  result.warnings = job.warnings;
  const EndedJob ended = gather(id, job, commands, result.warnings);
  Verdict verdict = judge(ended);
  result.runs = judge_runs(ended, verdict);
  result.state = verdict.state;
  result.reason = std::move(verdict.reason);
  result.stages = ended.stages;
  result.warnings.insert(result.warnings.end(), verdict.warnings.begin(), verdict.warnings.end());

  const auto script = identity_of(id, job.directory);
  std::string nodes = job.accounting ? job.accounting->job.nodes : job.queue ? job.queue->nodes : std::string();
  if (nodes.empty() && script) nodes = script->nodes;
  if (script) {
    NodeFacts facts = read_node_facts(job.directory, names_in(nodes, result.warnings));
    result.nodes = std::move(facts.nodes);
    result.warnings.insert(result.warnings.end(), facts.warnings.begin(), facts.warnings.end());
    for (std::string& sentence : differing_versions(result.nodes)) result.warnings.push_back(std::move(sentence));
  } else {
    for (std::string& name : names_in(nodes, result.warnings)) result.nodes.push_back({std::move(name), {}});
  }
  write_metadata(metadata_of(id, job, ended), result.warnings);
  return result;
}

}  // namespace slurm
