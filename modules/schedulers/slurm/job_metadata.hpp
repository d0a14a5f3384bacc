// slurm-job.toml: Slurm's account of a job, for people and for scripts that read upstream's file.
#pragma once

#include <string>
#include <vector>

#include "accounting_query.hpp"

namespace slurm {

inline constexpr const char* job_metadata_name = "slurm-job.toml";

struct JobMetadata {
  std::string job_id;
  std::string name;
  std::string state;
  std::string start_time;
  std::string end_time;
  std::optional<long long> elapsed;
  ExitCode exit_code;
  std::string srun_command;  // of the main stage; empty: not known
  std::string test_command;  // the same without srun and what it is given
  std::string job_root;
  bool is_single_sbatch = false;
  std::vector<AccountingRow> steps;
};

std::string metadata_text(const JobMetadata& job);

}  // namespace slurm
