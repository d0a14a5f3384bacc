#include "tests/runai_simulator/tenant.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/runai_simulator/default_tenant.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {
namespace {

std::vector<Client> clients_from(const Json& list) {
  std::vector<Client> clients;
  for (const auto& item : list) {
    clients.push_back({item.at("id"), item.at("secret"), item.value("denied", std::vector<std::string>{})});
  }
  return clients;
}

std::vector<Project> projects_from(const Json& list) {
  std::vector<Project> projects;
  for (const auto& item : list) {
    projects.push_back({item.at("id"), item.at("name"), item.value("nodePools", std::vector<std::string>{"default"})});
  }
  return projects;
}

std::vector<Node> nodes_from(const Json& list) {
  std::vector<Node> nodes;
  for (const auto& item : list)
    nodes.push_back({item.at("name"), item.value("pool", "default"), item.value("gpus", 8), 0});
  return nodes;
}

std::vector<PolicyRule> policy_from(const Json& list) {
  std::vector<PolicyRule> rules;
  for (const auto& item : list) {
    rules.push_back({item.at("field"), item.at("rule"), item.value("value", Json()), item.value("details", "")});
  }
  return rules;
}

// Workloads of others: {name, phase, count?}, created before now.
void add_workloads(Tenant& tenant, const Json& list, Milliseconds now, std::uint64_t seed) {
  Random random(seed + tenant.workloads.size());
  for (const auto& item : list) {
    const int count = item.value("count", 1);
    for (int i = 0; i < count; ++i) {
      Workload workload;
      workload.id = random_uuid(random);
      workload.name = item.at("name").get<std::string>() + (count > 1 ? "-" + std::to_string(i) : "");
      workload.requested_name = workload.name;
      workload.type = item.value("type", "Training");
      workload.project_id = item.value("projectId", tenant.projects.front().id);
      workload.created_by = "somebody";
      workload.created_at = now - 1000;
      workload.plan = {{item.value("phase", "Completed"), {}, "", nullptr}};
      workload.history = {{workload.plan[0].phase, "", workload.created_at}};
      if (workload.finished()) workload.completed_at = workload.created_at;
      tenant.workloads.push_back(workload);
    }
  }
}

}  // namespace

Tenant default_tenant() {
  Tenant tenant;
  tenant.clients = {{tenant::client_id, tenant::client_secret, {}}};
  tenant.cluster_id = tenant::cluster_id;
  tenant.cluster_name = "cluster";
  tenant.cluster_domain = "https://{authority}";
  tenant.projects = {{tenant::project_id, tenant::project_name, {tenant::node_pool}}};
  for (int i = 1; i <= 4; ++i) tenant.nodes.push_back({"node-" + std::to_string(i), tenant::node_pool, 8, 0});
  return tenant;
}

void apply_state(Tenant& tenant, const Json& state, Milliseconds now, std::uint64_t seed) {
  for (const auto& [key, value] : state.items()) {
    if (key == "clients") {
      tenant.clients = clients_from(value);
    } else if (key == "cluster") {
      tenant.cluster_id = value.value("uuid", tenant.cluster_id);
      tenant.cluster_name = value.value("name", tenant.cluster_name);
      tenant.cluster_domain = value.value("domain", tenant.cluster_domain);
    } else if (key == "projects") {
      tenant.projects = projects_from(value);
    } else if (key == "nodes") {
      tenant.nodes = nodes_from(value);
    } else if (key == "policy") {
      tenant.policy = policy_from(value);
    } else if (key == "scripts") {
      tenant.scripts.clear();
      for (const auto& item : value) tenant.scripts.push_back(script_from(item));
    } else if (key == "workloads") {
      add_workloads(tenant, value, now, seed);
    } else if (key != "settings") {
      throw std::invalid_argument("A tenant has no '" + key + "'.");
    }
  }
}

Project* find_project(Tenant& tenant, const std::string& id) {
  const auto found =
      std::find_if(tenant.projects.begin(), tenant.projects.end(), [&](const Project& item) { return item.id == id; });
  return found == tenant.projects.end() ? nullptr : &*found;
}

Workload* find_workload(Tenant& tenant, const std::string& id_or_name) {
  const auto found = std::find_if(tenant.workloads.begin(), tenant.workloads.end(), [&](const Workload& item) {
    return item.id == id_or_name || (item.name == id_or_name && !item.deleted_at);
  });
  return found == tenant.workloads.end() ? nullptr : &*found;
}

}  // namespace runai_simulator
