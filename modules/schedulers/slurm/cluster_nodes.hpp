// The nodes of a cluster as its commands print them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "node_state.hpp"
#include "system_options.hpp"

namespace slurm {

struct ClusterNode {
  std::string name;
  NodeState state;
  std::vector<std::string> partitions;  // every one it is in
};

struct ClusterNodes {
  std::vector<ClusterNode> nodes;
  std::vector<std::string> unknown_states;  // each word once
};

// Output of: sinfo --all --noheader -o '%P|%t|%N'. Fields after the first two and before the last are skipped, so that
// '%P|%t|%u|%N' is read as well. Lines that are no such record are skipped.
ClusterNodes parse_sinfo(std::string_view output);

struct Reservation {
  std::string name;
  std::vector<std::string> nodes;
  bool active = false;
};

// Output of: scontrol show reservation -o
std::vector<Reservation> parse_reservations(std::string_view output);

// Every node of every group, idle: what is assumed where the cluster is not asked.
std::vector<ClusterNode> nodes_of_groups(const SystemOptions& options);

}  // namespace slurm
