#include "srun_command.hpp"

#include <algorithm>

#include "cloudai/shell_text.hpp"
#include "job_files.hpp"
#include "output_pattern.hpp"

namespace slurm {
namespace {

using cloudai::literal_word;
using cloudai::Step;

bool is_on_all(const Step& step, const StepPlace& place) {
  return step.placement.nodes == cloudai::PlacedOn::all && place.nodes == place.job.nodes.count;
}

// Which of the job's nodes: nothing where a list already says so.
std::string node_options(const Step& step, const StepPlace& place) {
  if (step.placement.nodes == cloudai::PlacedOn::first) return " -N1 --nodelist=\"$CLOUDAI_MASTER_NODE\"";
  if (is_on_all(step, place) && !place.job.nodes.names.empty()) return {};
  const std::string count = std::to_string(place.nodes);
  if (place.nodes == place.job.nodes.count) return " -N" + count;
  // Left to itself Slurm would choose others while those of the step before are being cleaned up.
  return " -N" + count + " --nodelist=\"$(cut -d , -f 1-" + count + " <<<\"$CLOUDAI_NODE_LIST\")\"";
}

// Within double quotes, literally.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"' || c == '$' || c == '`') result += '\\';
    result += c;
  }
  return result;
}

// NCCL reads its topology from a file of the host.
bool has_topology_file(const Step& step) {
  return std::any_of(step.environment.begin(), step.environment.end(), [](const cloudai::NamedValue& variable) {
    return variable.name == "NCCL_TOPO_FILE" && !variable.value.empty();
  });
}

// One word, in double quotes where it needs them: the paths of the job are literal, in the user's mounts variables and
// commands are expanded.
std::string mounts_word(const Step& step, const StepPlace& place) {
  std::string text = escaped(place.directory) + ":/cloudai_run_results";
  if (!place.options.install_path.empty()) text += "," + escaped(place.options.install_path) + ":/cloudai_install";
  text += "," + escaped(place.directory);
  for (const std::string& mount : step.mounts) {
    const std::string quoted = cloudai::expanding_word(mount);
    text += "," + quoted.substr(1, quoted.size() - 2);
  }
  if (has_topology_file(step)) text += ",$NCCL_TOPO_FILE:$NCCL_TOPO_FILE";
  return literal_word(text) == text ? text : "\"" + text + "\"";
}

std::string container_options(const Step& step, const StepPlace& place) {
  if (step.image.empty()) return {};
  const std::string text =
      " --container-image=" + literal_word(step.image) + " --container-mounts=" + mounts_word(step, place);
  return place.options.container_mount_home ? text : text + " --no-container-mount-home";
}

std::string prefix(const Step& step, const StepPlace& place) {
  std::string text = "srun --export=ALL";
  if (step.placement.launcher == cloudai::Launcher::mpi) text += " --mpi=" + literal_word(place.options.mpi);
  text += node_options(step, place) + container_options(step, place);
  if (!place.options.extra_srun_args.empty()) text += " " + place.options.extra_srun_args;
  if (!place.extra_srun_args.empty()) text += " " + place.extra_srun_args;
  return text;
}

std::string layout(const Step& step, const StepPlace& place) {
  const int nodes = step.placement.nodes == cloudai::PlacedOn::first ? 1 : place.nodes;
  std::string text = " --ntasks=" + std::to_string(nodes * step.placement.tasks_per_node) +
                     " --ntasks-per-node=" + std::to_string(step.placement.tasks_per_node);
  // Slurm would look for the file that it is told of by the job's arbitrary distribution.
  if (place.options.distribution == "arbitrary" && !follows_hostfile(step, place)) text += " --distribution=block";
  return text;
}

std::string hostfile_assignment(const Step& step, const StepPlace& place) {
  return follows_hostfile(step, place)
             ? "SLURM_HOSTFILE=" + literal_word(place.job.directory + "/" + hostfile_name) + " "
             : "";
}

std::string named(const std::string& name) {
  return " --job-name=" + literal_word(name);
}

std::string output_options(const std::string& stdout_path, const std::string& stderr_path) {
  return " --output=" + literal_word(stdout_path) + " --error=" + literal_word(stderr_path);
}

}  // namespace

std::string extra_srun_args(const cloudai::JobStage& stage) {
  return stage.options.find<std::string>("extra_srun_args").value_or("");
}

int hostfile_repetitions(const cloudai::Job& job, const SystemOptions& options) {
  const bool may_place = options.distribution.empty() || options.distribution == "arbitrary";
  return job.nodes.names.empty() || !may_place ? 0 : options.tasks_per_node.value_or(1);
}

bool follows_hostfile(const Step& step, const StepPlace& place) {
  return is_on_all(step, place) && step.placement.tasks_per_node == hostfile_repetitions(place.job, place.options);
}

std::string step_command(const Step& step, const StepPlace& place, const std::string& name) {
  std::vector<std::string> words = step.command.argv;
  if (words.empty()) words = {"bash", "-c", step.command.shell};
  return prefix(step, place) + layout(step, place) + named(name) + " bash -c 'source \"$0\" && exec \"$@\"' " +
         literal_word(place.directory + "/env_vars.sh") + " " + cloudai::literal_words(words);
}

std::string mapping_command(const Step& step, const StepPlace& place) {
  const std::string directory = output_pattern(place.job.directory);
  return hostfile_assignment(step, place) + prefix(step, place) + layout(step, place) + named(mapping_step) +
         output_options(directory + "/" + mapping_stdout_name, directory + "/mapping-stderr.txt") +
         " bash -c \"echo \\$(date): \\$(hostname):node \\${SLURM_NODEID}:rank \\${SLURM_PROCID}.\"";
}

std::string metadata_command(const Step& step, const StepPlace& place) {
  Step one_a_node = step;
  one_a_node.placement.nodes = cloudai::PlacedOn::all;
  one_a_node.placement.tasks_per_node = 1;
  one_a_node.placement.launcher = cloudai::Launcher::none;
  const std::string directory = output_pattern(place.job.directory) + "/" + metadata_directory;
  return hostfile_assignment(one_a_node, place) + prefix(one_a_node, place) + layout(one_a_node, place) +
         named(metadata_step) + output_options(directory + "/node-%N.toml", directory + "/nodes.err") + " bash " +
         literal_word(place.job.directory + "/" + metadata_script_name);
}

std::string vboost_command(const StepPlace& place) {
  const std::string directory = output_pattern(place.directory);
  return "srun --ntasks=" + std::to_string(place.nodes) + " --ntasks-per-node=1" + named(vboost_step) +
         output_options(directory + "/vboost.out", directory + "/vboost.err") +
         " bash -c \"sudo nvidia-smi boost-slider --vboost 1\"";
}

}  // namespace slurm
