#include "tests/runai_simulator/placement.hpp"

#include <algorithm>

#include "tests/runai_simulator/phase_engine.hpp"

namespace runai_simulator {
namespace {

int integer_of(const Json& object, const std::string& name, int fallback) {
  const auto value = object.value(name, Json());
  return value.is_number_integer() ? value.get<int>() : fallback;
}

// Puts every pod on a node with enough GPUs; false, and nothing is changed, if that cannot be.
bool place_in_pool(std::vector<Pod>& pods, std::vector<Node>& nodes, const std::string& pool) {
  auto placed = pods;
  auto filled = nodes;
  for (auto& pod : placed) {
    const auto node = std::find_if(filled.begin(), filled.end(), [&](const Node& item) {
      return item.pool == pool && item.gpus - item.used >= pod.gpus;
    });
    if (node == filled.end()) return false;
    node->used += pod.gpus;
    pod.node = node->name;
  }
  pods = placed;
  nodes = filled;
  return true;
}

}  // namespace

int gpus_of_pod(const Json& spec) {
  const auto compute = spec.value("compute", Json());
  return compute.is_object() ? integer_of(compute, "gpuDevicesRequest", 0) : 0;
}

int workers_of(const Workload& workload) {
  const bool distributed = workload.type == "Distributed";
  return std::max(1, integer_of(workload.spec, distributed ? "numWorkers" : "parallelism", 1));
}

void make_pods(Workload& workload, const Settings& settings, Random& random) {
  const bool distributed = workload.type == "Distributed";
  if (distributed && !settings.independent_pods) {
    workload.pods.push_back({random_uuid(random), workload.name + "-launcher", "", gpus_of_pod(workload.master_spec)});
  }
  for (int i = 0; i < workers_of(workload); ++i) {
    const auto name = workload.name + (distributed ? "-worker-" : "-0-") + std::to_string(i);
    workload.pods.push_back({random_uuid(random), name, "", gpus_of_pod(workload.spec)});
  }
}

std::vector<std::string> wanted_node_pools(const Workload& workload, const Tenant& tenant) {
  const auto asked = workload.spec.value("nodePools", Json());
  if (asked.is_array() && !asked.empty()) return asked.get<std::vector<std::string>>();
  for (const auto& project : tenant.projects) {
    if (project.id == workload.project_id) return project.node_pools;
  }
  return {};
}

bool place_pods(Workload& workload, Tenant& tenant) {
  for (const auto& pool : wanted_node_pools(workload, tenant)) {
    if (!place_in_pool(workload.pods, tenant.nodes, pool)) continue;
    workload.node_pool = pool;
    return true;
  }
  return false;
}

void release_pods(Workload& workload, Tenant& tenant) {
  for (const auto& pod : workload.pods) {
    for (auto& node : tenant.nodes) {
      if (node.name == pod.node) node.used -= pod.gpus;
    }
  }
  workload.node_pool.clear();
}

std::string why_not_placed(const Workload& workload, const Tenant& tenant) {
  std::string message = "Pods with " + std::to_string(gpus_of_pod(workload.spec)) +
                        " GPUs on one node: " + std::to_string(workers_of(workload)) + " are wanted.";
  for (const auto& pool : wanted_node_pools(workload, tenant)) {
    int free = 0;
    for (const auto& node : tenant.nodes) free += node.pool == pool ? node.gpus - node.used : 0;
    message += " Node pool " + pool + " has " + std::to_string(free) + " free.";
  }
  return message;
}

}  // namespace runai_simulator
