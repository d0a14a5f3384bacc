// Which nodes a run gets.
#pragma once

#include <string>
#include <vector>

#include "cloudai/documents/scheduler.hpp"
#include "cluster_nodes.hpp"
#include "system_options.hpp"

namespace slurm {

struct ClusterView {
  std::vector<ClusterNode> nodes;
  std::vector<Reservation> reservations;  // those of the cluster; empty where none was asked for
};

// True if the request names a group, so that choose_nodes() needs to know the nodes' states.
bool names_a_group(const cloudai::NodeRequest& request);

// True if a node of the view is reserved or in maintenance, so that choose_nodes() needs the reservations.
bool needs_reservations(const std::vector<ClusterNode>& nodes);

// The nodes of a run, in ascending order; the same answer for the same question.
//
// A request without names leaves the choice to Slurm: no nodes. A name is a host list, taken as it is but for the
// excluded nodes, or "partition:group:N", or "partition:group:max_avail". N nodes of a group are taken from those that
// are idle, then completing, then allocated to others, and among equals in the group's order; max_avail takes all that
// are idle or completing. Reserved nodes, and those in maintenance, count as idle for who has their reservation, and
// for nobody else. Nodes in `taken` are in use by other runs of ours: a request that could be met without them waits.
//
// Throws cloudai::Error(invalid_config) for a request that cannot be met by waiting.
cloudai::Allocation choose_nodes(const cloudai::AllocateRequest& request, const SystemOptions& options,
                                 const ClusterView& cluster);

}  // namespace slurm
