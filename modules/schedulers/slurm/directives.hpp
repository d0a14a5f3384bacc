// The lines #SBATCH of a job's script.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"
#include "system_options.hpp"

namespace slurm {

std::string directives(const cloudai::Job& job, const SystemOptions& options);

// A limit of so many seconds, rounded up to Slurm's whole minutes: "[D-]HH:MM:SS".
std::string time_limit_text(double seconds);

}  // namespace slurm
