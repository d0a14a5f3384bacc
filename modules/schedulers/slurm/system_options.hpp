// The system file's settings for Slurm, read once and used by every part of the module.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/scheduler.hpp"

namespace slurm {

// Nodes of a partition under a name, so that a test can ask for some of them: "partition:group:4".
struct Group {
  std::string name;
  std::vector<std::string> nodes;  // expanded
};

struct Partition {
  std::string name;
  std::vector<Group> groups;
};

struct SystemOptions {
  std::string system_name;
  std::string install_path;
  std::string output_path;
  std::string default_partition;
  std::vector<Partition> partitions;
  std::string account;       // empty: none
  std::string distribution;  // empty: none
  std::string mpi = "pmix";
  std::optional<int> gpus_per_node;
  std::optional<int> tasks_per_node;
  bool cache_docker_images_locally = false;
  std::string extra_srun_args;  // shell text; empty: none
  std::vector<std::string> extra_sbatch_args;
  std::vector<std::string> extra_transient_status_errors;
  int status_retry_pause_seconds = 10;
  int max_pending_time = 3600;  // seconds
  bool container_mount_home = false;
  // Absent: ask the cluster. Whoever asked fills it in; the script is written as if it were true otherwise.
  std::optional<bool> supports_gpu_directives;
};

// Throws cloudai::Error(invalid_config) for what the schema cannot see: host lists that cannot be expanded, groups or
// partitions named twice, extra arguments that would take from cloudai what it relies on (job name, output, array).
SystemOptions read_system_options(const cloudai::SystemSettings& settings);

// The reservation that the extra arguments ask for, of srun or of sbatch, in either spelling; empty if none.
std::string requested_reservation(const SystemOptions& options);

// "has a quote that nothing closes.": why these arguments cannot be put behind every srun; empty if they can.
std::string fault_of_srun_arguments(const std::string& text);

}  // namespace slurm
