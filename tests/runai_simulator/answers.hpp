// How the API tells of what the tenant has.
#pragma once

#include "tests/runai_simulator/http.hpp"
#include "tests/runai_simulator/settings.hpp"
#include "tests/runai_simulator/tenant.hpp"

namespace runai_simulator {

// Of the calls for trainings and distributed workloads; its phase is `actualPhase`.
Json created_workload_json(const Workload& workload, const Tenant& tenant, const Settings& settings);
// Of the calls for workloads of any type; its phase is `phase`.
Json workload_json(const Workload& workload, const Tenant& tenant);
std::vector<Json> event_list(const Workload& workload, const Tenant& tenant, const Settings& settings);
std::vector<Json> history_list(const Workload& workload, const Tenant& tenant);
std::vector<Json> pod_list(const Workload& workload, const Tenant& tenant);

Json cluster_json(const Tenant& tenant, const Settings& settings, const std::string& authority, Milliseconds now);
Json project_json(const Project& project, const Tenant& tenant);
std::vector<Json> node_pool_list(const Tenant& tenant);
std::vector<Json> node_list(const Tenant& tenant);

}  // namespace runai_simulator
