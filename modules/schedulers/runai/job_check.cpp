#include "job_check.hpp"

#include <algorithm>
#include <array>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"
#include "cloudai/stage_script.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::JobStage;
using cloudai::refuse_plan;
using cloudai::Status;
using cloudai::Step;

// What other schedulers tell a step and what no workload can know of itself here.
constexpr std::array<std::string_view, 4> unknown_variables{"CLOUDAI_RUN_DIR", "CLOUDAI_JOB_ID", "CLOUDAI_MASTER_NODE",
                                                            "CLOUDAI_NODE_LIST"};

void check_tag(const std::string& tag) {
  const bool is_plain =
      std::all_of(tag.begin(), tag.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
  if (!tag.empty() && tag.size() <= 13 && is_plain) return;
  throw Error(Status::invalid_document, "The job's tag '" + cloudai::one_line(tag) + "' is not 1 to 13 of [a-z0-9].");
}

void check_size(const cloudai::Job& job) {
  const std::size_t stages = job.runs.empty() ? 0 : job.runs.front().stages.size();
  if (job.runs.size() == 1 && stages == 1) return;
  throw Error(Status::unsupported, "A workload of Run:ai is one stage of one run; this job has " +
                                       std::to_string(job.runs.size()) + " runs, the first of " +
                                       std::to_string(stages) + " stages.");
}

void check_steps(const JobStage& stage) {
  const auto& plan = stage.plan;
  if (plan.steps.size() > 1) {
    refuse_plan(Status::unsupported, stage,
                "has " + std::to_string(plan.steps.size()) + " steps; a workload of Run:ai is one command.");
  }
  if (!plan.files.empty()) {
    refuse_plan(Status::unsupported, stage,
                "needs the file '" + cloudai::one_line(plan.files.front().path) +
                    "', which a workload of Run:ai does not see: nothing of this machine is mounted into it.",
                "Put it into the image, or on a volume of 'pvc_mounts'.");
  }
  const Step& step = plan.steps.front();
  if (!step.pass_environment.empty()) {
    refuse_plan(Status::unsupported, stage,
                "hands on the variable '" + step.pass_environment.front() +
                    "' (pass_env), which would have to be written down for Run:ai.",
                "Set it in 'extra_env_vars', or keep it in a secret of the project and the image's start script.");
  }
  for (const std::string_view variable : unknown_variables) {
    if (step.command.shell.find(variable) == std::string::npos) continue;
    refuse_plan(Status::unsupported, stage,
                "uses $" + std::string(variable) + ", which is not known in a workload of Run:ai.");
  }
}

void check_placement(const cloudai::Job& job, const JobStage& stage) {
  const Step& step = stage.plan.steps.front();
  const int nodes = stage.num_nodes.value_or(job.nodes.count);
  if (nodes < 1 || step.placement.tasks_per_node < 1) {
    refuse_plan(Status::invalid_document, stage, "has a step without nodes or tasks.");
  }
  if (step.placement.launcher == cloudai::Launcher::mpi) return;
  if (nodes_of(job, stage) > 1) {
    refuse_plan(Status::unsupported, stage,
                "runs on " + std::to_string(nodes) +
                    " nodes without MPI; Run:ai starts programs on several nodes with MPI alone.",
                "Set num_nodes to 1.");
  }
  if (step.placement.tasks_per_node > 1) {
    refuse_plan(Status::unsupported, stage,
                "starts " + std::to_string(step.placement.tasks_per_node) +
                    " tasks on a node without MPI; a workload of Run:ai starts one.");
  }
}

}  // namespace

int nodes_of(const cloudai::Job& job, const JobStage& stage) {
  const bool is_on_first = stage.plan.steps.front().placement.nodes == cloudai::PlacedOn::first;
  return is_on_first ? 1 : stage.num_nodes.value_or(job.nodes.count);
}

const JobStage& checked_stage(const cloudai::Job& job) {
  check_tag(job.tag);
  check_size(job);
  const JobStage& stage = job.runs.front().stages.front();
  cloudai::check_stage(stage);
  check_steps(stage);
  check_placement(job, stage);
  return stage;
}

std::string literal_text(const JobStage& stage, std::string_view text, const std::string& what) {
  std::string literal;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\\$") {
      literal += '$';
      ++i;
      continue;
    }
    if (text[i] == '$') {
      const std::size_t end = cloudai::detail::end_of_expansion(text, i);
      if (end != cloudai::detail::not_closed) {
        refuse_plan(Status::invalid_config, stage,
                    "has '" + cloudai::one_line(text.substr(i, end - i)) + "' in " + what +
                        ", but no shell starts a workload of Run:ai to expand it.",
                    "Write the value itself; \\$ is a dollar.");
      }
    }
    literal += text[i];
  }
  return literal;
}

std::string image_reference(const JobStage& stage, const std::string& url) {
  constexpr std::string_view scheme = "docker://";
  std::string image = url.rfind(scheme, 0) == 0 ? url.substr(scheme.size()) : url;
  if (image.empty()) {
    refuse_plan(Status::invalid_config, stage, "names no image; Run:ai runs everything in containers.",
                "Set 'docker_image_url' in the test's cmd_args.");
  }
  if (image.front() == '/' || image.front() == '.') {
    refuse_plan(Status::invalid_config, stage,
                "runs in the image file '" + cloudai::one_line(image) + "'; Run:ai pulls images from a registry.");
  }
  // enroot's way to set off the registry.
  std::replace(image.begin(), image.end(), '#', '/');
  return image;
}

}  // namespace runai
