// What a job's files are called. All paths are relative to the job's directory.
#pragma once

#include "cloudai/stage_records.hpp"

namespace slurm {

// The batch script; `sbatch cloudai_sbatch_script.sh` by hand does the same.
inline constexpr const char* script_name = "cloudai_sbatch_script.sh";

// What the script records, in the form of cloudai/stage_records.hpp:
//   status/id        the job's tag, its stages, nodes=$SLURM_JOB_NODELIST, id=$SLURM_JOB_ID
//   status/<number>  how stage <number> went, counted from 1 over all runs of the job in their order
//   status/finished  appears when everything has been recorded
//   status/end_main  written by who asks for the end of the main stage: the id of the job that is meant, for a script
//   that
//                    has not come to its main stage yet. A running one hears of it by SIGURG.
// The script then exits with 0 if every gate was open, else with 1.
using cloudai::status_directory;

// Where a script that starts again (Slurm restarted the job, or a person did) puts what the start before it left:
// attempt-1, attempt-2, … status/ and everything written since that start is there, at the same relative paths.
inline constexpr const char* attempt_prefix = "attempt-";

// Output of the batch script itself. A main stage whose directory is ".", that of a run by itself, writes there too;
// every other stage has stdout.txt and stderr.txt in its own directory.
inline constexpr const char* stdout_name = "stdout.txt";
inline constexpr const char* stderr_name = "stderr.txt";
// Of a job whose runs have directories of their own.
inline constexpr const char* common_stdout_name = "common.out";
inline constexpr const char* common_stderr_name = "common.err";

// Where the nodes are named: each as often as it gets tasks, in the order of ranks.
inline constexpr const char* hostfile_name = "hostfile.txt";

// metadata/node-<host>.toml, one a node; mapping-stdout.txt, a line a rank of the main stage.
inline constexpr const char* metadata_directory = "metadata";
inline constexpr const char* metadata_script_name = "slurm-metadata.sh";
inline constexpr const char* mapping_stdout_name = "mapping-stdout.txt";

// Names of the job steps (--job-name of each srun). "cloudai.<stage number>.<step name>" is a step of a plan;
// the others tell about the nodes, and their failure says nothing of the test.
inline constexpr const char* step_prefix = "cloudai.";
inline constexpr const char* vboost_step = "cloudai.vboost";
inline constexpr const char* mapping_step = "cloudai.mapping";
inline constexpr const char* metadata_step = "cloudai.metadata";

}  // namespace slurm
