// Which pods a workload has, and on which nodes they are.
#pragma once

#include "tests/runai_simulator/settings.hpp"
#include "tests/runai_simulator/tenant.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {

// The pods, placed nowhere: <name>-0-<i> of a training; <name>-launcher and <name>-worker-<i> of a distributed
// workload, the launcher being first.
void make_pods(Workload& workload, const Settings& settings, Random& random);

// All of them on nodes of one node pool with GPUs free, or none. Needs that the workload has no node pool.
bool place_pods(Workload& workload, Tenant& tenant);
void release_pods(Workload& workload, Tenant& tenant);

// A sentence for a workload that could not be placed.
std::string why_not_placed(const Workload& workload, const Tenant& tenant);

// The node pools it may use, best first.
std::vector<std::string> wanted_node_pools(const Workload& workload, const Tenant& tenant);

}  // namespace runai_simulator
