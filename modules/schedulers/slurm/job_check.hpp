// What keeps a job from being run as it is.
#pragma once

#include "cloudai/documents/scheduler.hpp"

namespace slurm {

// Throws cloudai::Error with the first thing that a batch script could not say, or that Slurm would refuse.
void check_job(const cloudai::Job& job);

}  // namespace slurm
