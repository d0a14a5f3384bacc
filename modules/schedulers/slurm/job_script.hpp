// A job as one batch script. Pure: the same job on the same options gives the same bytes.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"
#include "job_files.hpp"
#include "system_options.hpp"

namespace slurm {

// How many seconds a job's limit is longer than the sum of its stages' limits: time for the steps about the nodes and
// for stages that do not end at once when theirs is over.
int limit_slack(const cloudai::Job& job);

// The name Slurm knows the job by: "<main test>_<tag>", with an account "<account>-<main test>.<tag>"; of a job with
// run directories "cloudai-single-sbatch_<tag>". The tag is the end of it; of the rest, whatever is not a letter, a
// digit or one of "._-" is "_".
std::string job_name(const cloudai::Job& job, const SystemOptions& options);

// The files of a job and its submission: {"script": absolute path, "name": job_name(), "stages": list_stages(),
// "srun_cmd" and "test_cmd": the command lines of the main stage, with srun and without}. Throws cloudai::Error where
// Slurm cannot run the job as it is.
cloudai::Rendering render_job(const cloudai::Job& job, const SystemOptions& options);

}  // namespace slurm
