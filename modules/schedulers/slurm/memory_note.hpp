// Where the cluster keeps no accounts of steps: what Slurm wrote into the output when one had used up its memory.
#pragma once

#include <string>
#include <vector>

#include "cloudai/stage_records.hpp"

namespace slurm {

// "out of memory in the main 'test': slurmstepd: error: Detected 1 oom_kill event in StepId=42.2. …"; empty if nothing
// says so. `results` are those of `stages`, in the same order; only stages that have started are looked at.
std::string memory_note(const std::string& job_directory, const std::vector<cloudai::ListedStage>& stages,
                        const std::vector<cloudai::StageResult>& results);

}  // namespace slurm
