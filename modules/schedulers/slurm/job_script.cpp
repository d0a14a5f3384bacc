#include "job_script.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"
#include "cloudai/stage_records.hpp"
#include "cloudai/stage_script.hpp"
#include "directives.hpp"
#include "job_check.hpp"
#include "metadata_script.hpp"
#include "script_functions.hpp"
#include "srun_command.hpp"

namespace slurm {
namespace {

using cloudai::Job;
using cloudai::JobRun;
using cloudai::JobStage;
using cloudai::literal_word;
using cloudai::one_line;
using cloudai::StageKind;
using cloudai::Step;

// Letters, digits and "._-" alone: sbatch reads such a name as it is, and a line of squeue has no room for others.
std::string plain_name(const std::string& text) {
  constexpr size_t most = 120;
  std::string name = text.substr(0, most);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !cloudai::detail::continues_name(c) && c != '.' && c != '-'; },
      '_');
  return name;
}

const JobStage& main_stage(const JobRun& run) {
  const auto& stages = run.stages;
  const auto main =
      std::find_if(stages.begin(), stages.end(), [](const JobStage& s) { return s.kind == StageKind::main; });
  return main == stages.end() ? stages.front() : *main;
}

StepPlace place_of(const JobStage& stage, const Job& job, const SystemOptions& options) {
  const std::string directory = stage.directory == "." ? job.directory : job.directory + "/" + stage.directory;
  return {job, options, stage.num_nodes.value_or(job.nodes.count), directory, extra_srun_args(stage)};
}

std::string step_name(const Step& step, const std::string& number) {
  return step_prefix + number + "." + plain_name(step.name);
}

std::string exports(const Step& step, const std::string& indent) {
  std::string text;
  for (const auto& [name, value] : step.environment) {
    // Together with a command, `export` would hide that the command failed.
    const std::string assignment = name + "=" + cloudai::expanding_word(value);
    if (cloudai::runs_a_command(value)) {
      text += indent + assignment + " || exit\n" + indent + "export " + name + "\n";
    } else {
      text += indent + "export " + assignment + "\n";
    }
  }
  return text;
}

std::string environment_text(const Step& step, const StepPlace& place, const std::string& indent) {
  std::string text = exports(step, indent);
  if (follows_hostfile(step, place)) {
    text += indent + "export SLURM_HOSTFILE=" + literal_word(place.job.directory + "/" + hostfile_name) + "\n";
  }
  text += indent + "save_environment";
  for (const auto& variable : step.environment) text += " " + variable.name;
  return text + " || exit\n";
}

std::string step_text(const Step& step, const StepPlace& place, const std::string& number, const std::string& indent) {
  return environment_text(step, place, indent) + indent + "step " + step_command(step, place, step_name(step, number)) +
         "\n";
}

std::string stage_text(const JobStage& stage, const StepPlace& place, const std::string& number) {
  std::string text =
      "\n# Stage " + number + ": " + std::string(to_string(stage.kind)) + " " + one_line(stage.name) + "\n";
  text += "stage_" + number + "() (\n";
  if (stage.directory != ".") text += "  cd " + literal_word("./" + stage.directory) + " || exit\n";
  for (const Step& step : stage.plan.steps) {
    const bool is_last = &step == &stage.plan.steps.back();
    // The last step becomes the stage's own subshell; an earlier one needs another.
    text += is_last ? step_text(step, place, number, "  ")
                    : "  (\n" + step_text(step, place, number, "    ") + "  ) || exit\n";
  }
  return text + ")\ngate_" + number + "() {\n" + cloudai::gate_text(stage.plan.success) + "}\n";
}

std::string run_text(const JobStage& stage, const std::string& number) {
  const std::string limit =
      stage.time_limit ? std::to_string(static_cast<long long>(std::ceil(std::max(*stage.time_limit, 0.0)))) : "''";
  return "run_stage " + number + " " + std::string(to_string(stage.kind)) + " " + literal_word(one_line(stage.name)) +
         " " + literal_word(stage.directory == "." ? "." : "./" + stage.directory) + " " + limit + "\n";
}

bool wants_vboost(const JobStage& stage) {
  const auto& variables = stage.plan.steps.front().environment;
  return std::any_of(variables.begin(), variables.end(), [](const cloudai::NamedValue& variable) {
    return variable.name == "ENABLE_VBOOST" && variable.value == "1";
  });
}

// A node that does not answer must not take the stages' time.
std::string bounded(const std::string& command) {
  const size_t at = command.find("srun ");  // after the variables it starts with
  return command.substr(0, at) + "timeout --kill-after=10 60 " + command.substr(at) + "\n";
}

std::string begin_run_text(const JobRun& run, const Job& job, const SystemOptions& options) {
  const JobStage& main = main_stage(run);
  const StepPlace place = place_of(main, job, options);
  std::string text = "\nbegin_run " + literal_word(one_line(run.id)) + " " + literal_word("./" + main.directory) + " " +
                     std::to_string(place.nodes);
  for (const std::string& other : run.after) text += " " + literal_word(one_line(other));
  text += "\n";
  if (wants_vboost(main)) text += "[[ -n $cloudai_stopped_by ]] || " + bounded(vboost_command(place));
  return text;
}

// What is done for the stages of a job, each part of it in the order of the stages.
struct StageTexts {
  std::string functions;
  std::string listings;
  std::string calls;
};

StageTexts stage_texts(const Job& job, const SystemOptions& options) {
  StageTexts texts;
  const bool has_directories = has_run_directories(job);
  int count = 0;
  for (const JobRun& run : job.runs) {
    if (has_directories) texts.calls += begin_run_text(run, job, options);
    for (const JobStage& stage : run.stages) {
      const std::string number = std::to_string(++count);
      texts.functions += stage_text(stage, place_of(stage, job, options), number);
      texts.listings += " " + cloudai::stage_listing(stage, number);
      if (has_directories) texts.listings += " " + literal_word("run." + number + "=" + one_line(run.id));
      texts.calls += run_text(stage, number);
    }
    if (has_directories) texts.calls += "end_run\n";
  }
  return texts;
}

std::string heading(const Job& job, const SystemOptions& options) {
  return "#!/bin/bash\n"
         "# generated by CloudAI\n" +
         directives(job, options) +
         "#\n"
         "# " +
         one_line(job.name) +
         ": the stages below run one after the other on the same nodes; status/ records how they ended.\n"
         "# To start it again by hand: sbatch " +
         one_line(literal_word(job.directory + "/" + script_name)) +
         "\n"
         "# shellcheck disable=SC2016,SC2030,SC2031,SC2317 # A dollar in single quotes is literal; a stage's variables "
         "are\n"
         "# its own; stages and gates are called by number.\n"
         "\n"
         "cd -- " +
         literal_word(job.directory) + " || exit\n";
}

// Where an earlier start may have left files: a job whose runs have directories shares its own with others.
std::string attempt_directories(const Job& job) {
  if (!has_run_directories(job)) return " .";
  std::set<std::string> directories;
  for (const JobRun& run : job.runs) {
    for (const JobStage& stage : run.stages) directories.insert("./" + stage.directory);
  }
  std::string text = " ./" + std::string(common_stdout_name) + " ./" + common_stderr_name + " ./" + metadata_directory;
  for (const std::string& directory : directories) {
    const bool is_below_another = std::any_of(directories.begin(), directories.end(), [&](const std::string& other) {
      return directory.compare(0, other.size() + 1, other + "/") == 0;
    });
    if (!is_below_another) text += " " + literal_word(directory);
  }
  return text;
}

std::string preparation(const Job& job, const std::string& listings) {
  return "\nkeep_attempt" + attempt_directories(job) +
         "\n"
         "mkdir -p status metadata\n"
         "\n"
         "SLURM_JOB_MASTER_NODE=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
         "CLOUDAI_NODE_LIST=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | paste -sd ,)\n"
         "export SLURM_JOB_MASTER_NODE CLOUDAI_NODE_LIST CLOUDAI_MASTER_NODE=$SLURM_JOB_MASTER_NODE\n"
         "export CLOUDAI_NUM_NODES=$SLURM_JOB_NUM_NODES CLOUDAI_JOB_ID=$SLURM_JOB_ID CLOUDAI_RUN_DIR=$PWD\n"
         "\n"
         "# The request to end the main stage comes as a signal that a shell ignores until it heeds it.\n"
         "requests=0 main_stage='' ending=''\n"
         "trap heed_request URG\n"
         "\n"
         "cloudai_all_open=yes\n"
         "cloudai_stopped_by=\n" +
         (has_run_directories(job) ? "job_nodes=$CLOUDAI_NODE_LIST\ndeclare -A bad_runs\n" : "") + "printf '%s\\n' " +
         literal_word("tag=" + job.tag) + listings + " \"nodes=$SLURM_JOB_NODELIST\" \"id=$SLURM_JOB_ID\" >status/id\n";
}

// The sruns that tell about the nodes, with the variables of the main stage: its container may need them.
std::string facts_text(const Job& job, const SystemOptions& options) {
  const JobStage& main = main_stage(job.runs.front());
  // Arguments of the case, such as --label, would change what the files about the nodes look like.
  const StepPlace whole{job, options, job.nodes.count, job.directory};
  const Step& step = main.plan.steps.front();
  std::string text =
      "\n# Where the ranks are, and what the nodes are. Nothing depends on it.\n(\n" + exports(step, "  ");
  if (wants_vboost(main) && !has_run_directories(job)) text += "  " + bounded(vboost_command(whole));
  return text + "  " + bounded(mapping_command(step, place_of(main, job, options))) + "  " +
         bounded(metadata_command(step, whole)) + ") </dev/null\n";
}

std::string script(const Job& job, const SystemOptions& options) {
  const StageTexts texts = stage_texts(job, options);
  const bool is_one_run = !has_run_directories(job);
  return heading(job, options) + std::string(step_functions) + std::string(cloudai::gate_functions) +
         std::string(stage_function) + (is_one_run ? "" : std::string(run_functions)) + texts.functions +
         preparation(job, texts.listings) + facts_text(job, options) + "\n" + texts.calls + "\n: >status/finished\n" +
         (is_one_run ? "[[ $cloudai_all_open == yes ]]\n" : "((${#bad_runs[@]} == 0))\n");
}

std::string main_command(const Job& job, const SystemOptions& options) {
  std::string text;
  int count = 0;
  for (const JobRun& run : job.runs) {
    for (const JobStage& stage : run.stages) {
      const std::string number = std::to_string(++count);
      if (stage.kind != StageKind::main) continue;
      for (const Step& step : stage.plan.steps) {
        text +=
            (text.empty() ? "" : " && ") + step_command(step, place_of(stage, job, options), step_name(step, number));
      }
    }
  }
  return text;
}

// What the main stages run, without what starts it.
std::string test_command(const Job& job) {
  std::string text;
  for (const JobRun& run : job.runs) {
    for (const JobStage& stage : run.stages) {
      if (stage.kind != StageKind::main) continue;
      for (const Step& step : stage.plan.steps) {
        text += (text.empty() ? "" : " && ") +
                (step.command.argv.empty() ? step.command.shell : cloudai::literal_words(step.command.argv));
      }
    }
  }
  return text;
}

std::string hostfile(const Job& job, int repetitions) {
  std::string text;
  for (const std::string& node : job.nodes.names) {
    for (int i = 0; i < repetitions; ++i) text += node + "\n";
  }
  return text;
}

}  // namespace

int limit_slack(const Job& job) {
  constexpr int of_first_run = 300;
  constexpr int of_further_run = 60;
  return of_first_run + of_further_run * std::max(static_cast<int>(job.runs.size()) - 1, 0);
}

std::string job_name(const Job& job, const SystemOptions& options) {
  if (has_run_directories(job)) return "cloudai-single-sbatch_" + job.tag;
  const std::string name = plain_name(main_stage(job.runs.front()).name);
  return options.account.empty() ? name + "_" + job.tag : plain_name(options.account) + "-" + name + "." + job.tag;
}

cloudai::Rendering render_job(const Job& job, const SystemOptions& options) {
  check_job(job);
  const std::string path = job.directory + "/" + script_name;
  cloudai::Rendering rendering;
  rendering.files.push_back({script_name, script(job, options), true, true});
  rendering.files.push_back({metadata_script_name, std::string(metadata_script), true, false});
  if (const int repetitions = hostfile_repetitions(job, options); repetitions > 0) {
    rendering.files.push_back({hostfile_name, hostfile(job, repetitions), false, false});
  }
  rendering.submission = cloudai::list_stages(job);
  rendering.submission["script"] = path;
  rendering.submission["name"] = job_name(job, options);
  rendering.submission["srun_cmd"] = main_command(job, options);
  rendering.submission["test_cmd"] = test_command(job);
  rendering.command = "sbatch " + literal_word(path);
  rendering.main_command = main_command(job, options);
  return rendering;
}

}  // namespace slurm
