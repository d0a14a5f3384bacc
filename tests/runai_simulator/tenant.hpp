// What the tenant has: a value, so that a reset is an assignment.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tests/runai_simulator/workload.hpp"

namespace runai_simulator {

struct Client {
  std::string id;
  std::string secret;
  std::vector<std::string> denied;  // globs of "METHOD path" that it has no permission for
};

struct Token {
  std::string client;
  Milliseconds expires = 0;
};

struct Node {
  std::string name;
  std::string pool;
  int gpus = 0;
  int used = 0;
};

struct Project {
  std::string id;
  std::string name;
  std::vector<std::string> node_pools;
};

struct PolicyRule {
  std::string field;  // of spec, e.g. compute.gpuDevicesRequest
  std::string rule;   // max, min, options, required
  Json value;
  std::string details;
};

struct Tenant {
  std::vector<Client> clients;
  std::map<std::string, Token> tokens;
  std::vector<std::string> revoked_tokens;
  std::string cluster_id;
  std::string cluster_name;
  std::string cluster_domain;  // "{authority}" stands for localhost:<port>
  std::vector<Project> projects;
  std::vector<Node> nodes;
  std::vector<PolicyRule> policy;
  std::vector<Script> scripts;     // the last that matches counts
  std::deque<Workload> workloads;  // addresses last
};

// See default_tenant.hpp: one project, and a node pool of 4 nodes with 8 GPUs each.
Tenant default_tenant();

// Each key of `state` replaces what the tenant has under it; "workloads" are added. Throws std::exception if it does
// not fit.
void apply_state(Tenant& tenant, const Json& state, Milliseconds now, std::uint64_t seed);

Project* find_project(Tenant& tenant, const std::string& id);
// By id, or by name among those that are there; null if there is none.
Workload* find_workload(Tenant& tenant, const std::string& id_or_name);

}  // namespace runai_simulator
