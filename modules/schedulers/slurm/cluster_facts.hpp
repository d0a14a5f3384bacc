// What the cluster says of itself: its configuration and its partitions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slurm_commands.hpp"

namespace slurm {

struct ClusterConfig {
  bool has_accounting = true;
  bool schedules_gpus = true;
  std::optional<long long> min_job_age;  // seconds the controller remembers an ended job
  std::string version;
};

// Output of: scontrol show config
ClusterConfig parse_config(std::string_view output);

struct PartitionLimits {
  std::string name;
  bool is_default = false;
  bool is_up = true;
  std::string state;
  std::optional<long long> max_seconds;  // absent: unlimited
  std::optional<long long> max_nodes;    // likewise
  long long total_nodes = 0;
};

// Output of: scontrol show partition
std::vector<PartitionLimits> parse_partitions(std::string_view output);

// Both throw Error(unavailable) if the controller does not answer.
ClusterConfig query_config(const SlurmCommands& commands);
std::vector<PartitionLimits> query_partitions(const SlurmCommands& commands);

}  // namespace slurm
