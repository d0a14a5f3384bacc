// The final word on an ended job: what Slurm says, what its script recorded, and what its nodes told of themselves.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"
#include "job_watch.hpp"
#include "slurm_commands.hpp"

namespace slurm {

// Writes slurm-job.toml into the job's directory, too. Runs a command only where there are no accounts and the script
// did not record its end.
cloudai::JobResult collect_job(const std::string& id, const WatchedJob& job, const SlurmCommands& commands);

}  // namespace slurm
