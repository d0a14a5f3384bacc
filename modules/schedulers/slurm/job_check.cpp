#include "job_check.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"
#include "cloudai/stage_script.hpp"
#include "srun_command.hpp"
#include "system_options.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using cloudai::JobStage;
using cloudai::Status;

// sbatch reads the paths of the output files itself.
void check_directory(const cloudai::Job& job) {
  const bool has_odd = std::any_of(job.directory.begin(), job.directory.end(),
                                   [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; });
  if (!has_odd) return;
  throw Error(Status::invalid_config,
              "The directory '" + cloudai::one_line(job.directory) +
                  "' has a backslash or a control character in its name, which Slurm cannot write output to.",
              "Choose another output_path, or another name for the scenario or the case.");
}

void check_container(const JobStage& stage, const cloudai::Job& job) {
  const bool has_container = std::any_of(stage.plan.steps.begin(), stage.plan.steps.end(),
                                         [](const cloudai::Step& step) { return !step.image.empty(); });
  if (!has_container || (job.directory + stage.directory).find_first_of(",:") == std::string::npos) return;
  throw Error(Status::invalid_config,
              "The directory '" + job.directory + "/" + stage.directory +
                  "' has a ',' or a ':' in its name, so that it cannot be mounted into a container.",
              "Choose another output_path, or another name for the scenario, the case or the test.");
}

void check_placement(const JobStage& stage, const cloudai::Job& job) {
  const int nodes = stage.num_nodes.value_or(job.nodes.count);
  if (nodes > job.nodes.count) {
    throw Error(Status::invalid_config,
                "The " + std::string(to_string(stage.kind)) + " '" + cloudai::one_line(stage.name) + "' asks for " +
                    std::to_string(nodes) + " nodes, but the run it belongs to has " + std::to_string(job.nodes.count) +
                    ".",
                "Remove num_nodes from the hook, so that it gets the nodes of each run.");
  }
  for (const cloudai::Step& step : stage.plan.steps) {
    if (nodes < 1 || step.placement.tasks_per_node < 1) {
      cloudai::refuse_plan(Status::invalid_document, stage, "has a step without nodes or tasks.");
    }
  }
}

// It becomes a part of a line of the script.
void check_extra_arguments(const JobStage& stage) {
  const std::string text = extra_srun_args(stage);
  const std::string fault = fault_of_srun_arguments(text);
  if (fault.empty()) return;
  throw Error(Status::invalid_config,
              "'extra_srun_args' of the " + std::string(to_string(stage.kind)) + " '" + cloudai::one_line(stage.name) +
                  "' is '" + cloudai::one_line(text) + "', which " + fault,
              "Write all arguments on one line.");
}

void check_tag(const std::string& tag) {
  const bool is_plain =
      std::all_of(tag.begin(), tag.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
  if (!tag.empty() && tag.size() <= 13 && is_plain) return;
  throw Error(Status::invalid_document, "The job's tag '" + cloudai::one_line(tag) + "' is not 1 to 13 of [a-z0-9].");
}

// Runs start in the order of the document, so those that one waits for stand before it.
void check_order(const cloudai::Job& job) {
  std::set<std::string> before;
  for (const cloudai::JobRun& run : job.runs) {
    for (const std::string& other : run.after) {
      if (before.count(other) != 0) continue;
      throw Error(Status::invalid_document, "The run '" + cloudai::one_line(run.id) + "' is to start after '" +
                                                cloudai::one_line(other) + "', which is no run before it.");
    }
    before.insert(run.id);
  }
}

}  // namespace

void check_job(const cloudai::Job& job) {
  check_tag(job.tag);
  check_directory(job);
  if (job.runs.empty()) throw Error(Status::invalid_document, "The job has no run.");
  check_order(job);
  for (const cloudai::JobRun& run : job.runs) {
    if (run.stages.empty()) throw Error(Status::invalid_document, "The run '" + run.id + "' has no stage.");
    for (const JobStage& stage : run.stages) {
      cloudai::check_stage(stage);
      check_placement(stage, job);
      check_container(stage, job);
      check_extra_arguments(stage);
    }
  }
}

}  // namespace slurm
