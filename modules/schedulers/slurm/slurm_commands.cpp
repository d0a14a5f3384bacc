#include "slurm_commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "text_fields.hpp"

namespace slurm {
namespace {

constexpr double question_timeout = 60;  // longer than Slurm's commands try to reach a controller

}  // namespace

SlurmCommands::SlurmCommands(std::vector<std::string> extra_transient_errors)
    : extra_transient_errors_(std::move(extra_transient_errors)) {}

cloudai::ProcessResult SlurmCommands::ask(std::vector<std::string> argv) const {
  cloudai::ProcessCommand command;
  command.environment = {{"TZ", "UTC"}, {"SLURM_TIME_FORMAT", "standard"}};
  command.timeout = question_timeout;
  return run(std::move(argv), std::move(command));
}

cloudai::ProcessResult SlurmCommands::act(std::vector<std::string> argv, double timeout) const {
  cloudai::ProcessCommand command;
  command.timeout = timeout;
  return run(std::move(argv), std::move(command));
}

cloudai::ProcessResult SlurmCommands::run(std::vector<std::string> argv, cloudai::ProcessCommand command) const {
  if (!cluster_.empty()) argv.insert(argv.begin() + 1, "--clusters=" + cluster_);
  command.argv = std::move(argv);
  command.unset = unset_variables();
  return processes_.run(command);
}

void SlurmCommands::use_cluster(const std::string& name) {
  cluster_ = name;
}

bool SlurmCommands::is_transient(const cloudai::ProcessResult& result) const {
  if (result.timed_out || result.signal) return true;
  constexpr std::array<std::string_view, 12> texts{"Socket timed out",
                                                   "Unable to contact slurm controller",
                                                   "Communication connection failure",
                                                   "Zero Bytes were transmitted",
                                                   "Transport endpoint is not connected",
                                                   "Connection refused",
                                                   "Connection timed out",
                                                   "Connection reset",
                                                   "Problem talking to the database",
                                                   "Failed to load running jobs",
                                                   "Slurm backup controller in standby mode",
                                                   "temporarily unable"};
  const auto is_in_output = [&](std::string_view text) { return contains(result.stderr_text, text); };
  return std::any_of(texts.begin(), texts.end(), is_in_output) ||
         std::any_of(extra_transient_errors_.begin(), extra_transient_errors_.end(), is_in_output);
}

const std::vector<std::string>& SlurmCommands::unset_variables() const {
  if (std::exchange(is_said_, true)) return unset_;
  unset_ = misleading_variables(environ);
  if (!unset_.empty()) {
    cloudai::host().log_warning(
        "Slurm's commands and the jobs do not get these variables of the environment: " + join(unset_, ", ") + ".");
  }
  return unset_;
}

std::vector<std::string> misleading_variables(const char* const* environment) {
  constexpr std::array<std::string_view, 7> prefixes{"SBATCH_", "SQUEUE_",  "SACCT_", "SINFO_",
                                                     "SLURM_",  "SCANCEL_", "PMIX_"};
  // Where the cluster is, and who the user is to it, are no settings of a command.
  constexpr std::array<std::string_view, 2> kept{"SLURM_CONF", "SLURM_JWT"};
  std::vector<std::string> names;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry(*environment);
    const std::string_view name = entry.substr(0, entry.find('='));
    const bool is_slurms = std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view prefix) {
      return name.substr(0, prefix.size()) == prefix;
    });
    if (is_slurms && std::find(kept.begin(), kept.end(), name) == kept.end()) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool succeeded(const cloudai::ProcessResult& result) {
  return !result.timed_out && result.exit_status == 0;
}

std::string failure_text(const std::string& program, const cloudai::ProcessResult& result) {
  std::string text = program;
  if (result.timed_out) {
    text += " did not answer in time";
  } else if (result.signal) {
    text += " was ended by signal " + std::to_string(*result.signal);
  } else {
    text += " failed with exit status " + std::to_string(result.exit_status.value_or(0));
  }
  std::vector<std::string> said;
  for (const std::string_view line : split_lines(result.stderr_text)) {
    if (!trim(line).empty()) said.emplace_back(trim(line));
  }
  return said.empty() ? text + "." : text + ": " + join(said, " ");
}

}  // namespace slurm
