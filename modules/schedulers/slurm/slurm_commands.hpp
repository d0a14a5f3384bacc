// Slurm's commands, run in one place: what the user's shell says to them is taken away, and each has a time-out.
#pragma once

#include <string>
#include <vector>

#include "cloudai/processes.hpp"

namespace slurm {

class SlurmCommands {
 public:
  // Extra texts in a command's error output that mean: try again later. Throws Error(unsupported) if the host runs no
  // commands.
  explicit SlurmCommands(std::vector<std::string> extra_transient_errors);

  // A question to the cluster. Times are printed in UTC and in Slurm's standard form.
  cloudai::ProcessResult ask(std::vector<std::string> argv) const;

  // sbatch or scancel: their environment becomes the job's, so nothing is added to it.
  cloudai::ProcessResult act(std::vector<std::string> argv, double timeout) const;

  // From now on the commands talk to this cluster instead of the default one.
  void use_cluster(const std::string& name);

  // Whether the failed command may do better later: the controller or the database did not answer.
  bool is_transient(const cloudai::ProcessResult& result) const;

 private:
  cloudai::ProcessResult run(std::vector<std::string> argv, cloudai::ProcessCommand command) const;
  // The variables of the caller's that the commands do not get; named in the log the first time.
  const std::vector<std::string>& unset_variables() const;

  cloudai::Processes processes_;
  std::vector<std::string> extra_transient_errors_;
  std::string cluster_;
  mutable std::vector<std::string> unset_;
  mutable bool is_said_ = false;
};

// What a failed command said, in one line: "squeue failed with exit status 1: slurm_load_jobs error: …".
std::string failure_text(const std::string& program, const cloudai::ProcessResult& result);

// Whether the command ran to its end and returned 0.
bool succeeded(const cloudai::ProcessResult& result);

// Of these variables, those that would change what Slurm's commands do or print.
std::vector<std::string> misleading_variables(const char* const* environment);

}  // namespace slurm
