// The command lines of a job's sruns.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"
#include "system_options.hpp"

namespace slurm {

// Where a step runs: what its command line depends on besides the step itself.
struct StepPlace {
  const cloudai::Job& job;
  const SystemOptions& options;
  int nodes = 1;                  // of its stage
  std::string directory;          // of its stage, absolute
  std::string extra_srun_args{};  // of its stage's case: shell text
};

// What the case of a stage adds to its sruns; shell text.
std::string extra_srun_args(const cloudai::JobStage& stage);

// How often hostfile.txt names each node; 0 where there is no such file: Slurm chooses the nodes or spreads the tasks.
int hostfile_repetitions(const cloudai::Job& job, const SystemOptions& options);

// True if the step's ranks are placed by hostfile.txt.
bool follows_hostfile(const cloudai::Step& step, const StepPlace& place);

// The command line of one step of a plan; `name` is the Slurm step's. The command runs with the values that the script
// wrote to env_vars.sh in the stage's directory: in a container the image's own variables would hide those srun brings.
std::string step_command(const cloudai::Step& step, const StepPlace& place, const std::string& name);

// The same for the steps that tell about the nodes: one line a rank of `step`, and one file a node.
std::string mapping_command(const cloudai::Step& step, const StepPlace& place);
std::string metadata_command(const cloudai::Step& step, const StepPlace& place);
std::string vboost_command(const StepPlace& place);

}  // namespace slurm
