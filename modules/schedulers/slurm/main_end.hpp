// Ending the main stage of jobs alone. The script of a job does it: it hears of it by a signal or, if it comes to its
// main stage later, from a file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cloudai/scheduler.hpp"
#include "slurm_commands.hpp"

namespace slurm {

// `directories` of the jobs, by id. One squeue and at most two scancels for all of them: a job that waits in the queue
// is cancelled, since nothing of it is to start. Says for which jobs it could not be done; throws Error(unavailable) if
// the controller does not answer.
std::vector<cloudai::NotCancelled> end_main_stages(const std::map<std::string, std::string>& directories,
                                                   const SlurmCommands& commands);

// Whether that was asked of the job.
bool main_had_to_end(const std::string& id, const std::string& directory);

}  // namespace slurm
