#include "tests/runai_simulator/api.hpp"

#include <algorithm>

#include "tests/runai_simulator/answers.hpp"
#include "tests/runai_simulator/cluster_api.hpp"
#include "tests/runai_simulator/create.hpp"
#include "tests/runai_simulator/query.hpp"
#include "tests/runai_simulator/tokens.hpp"

namespace runai_simulator {
namespace {

using Parts = std::vector<std::string>;

const ListRules workload_rules{"workloads",
                               {"type", "name", "clusterId", "projectId", "projectName", "departmentId",
                                "departmentName", "createdAt", "deletedAt", "submittedBy", "phase", "completedAt",
                                "distributedFramework", "phaseUpdatedAt", "category", "priority", "priorityClassName"}};
const ListRules pod_rules{"pods", {"clusterId", "workloadId", "nodeName", "createdAt", "completedAt", "deletedAt"}};

// Null if it is not there, or not yet to be seen.
Workload* visible(Api& api, const std::string& id, Milliseconds now) {
  auto* workload = find_workload(api.tenant, id);
  if (workload == nullptr || workload->id != id || workload->deleted_at) return nullptr;
  return workload->from_client && now < workload->created_at + api.settings.read_lag_ms ? nullptr : workload;
}

std::string query_value(const HttpRequest& request, const std::string& name) {
  const auto query = decode_form(request.query);
  const auto found = query.find(name);
  return found == query.end() ? "" : found->second;
}

Answer list_workloads(Api& api, const HttpRequest& request, Milliseconds now) {
  const bool deleted = query_value(request, "deleted") == "true";
  std::vector<Json> items;
  for (const auto& workload : api.tenant.workloads) {
    const bool lags = workload.from_client && now < workload.created_at + api.settings.read_lag_ms;
    if (workload.deleted_at.has_value() == deleted && !lags) items.push_back(workload_json(workload, api.tenant));
  }
  return list_answer(items, request.query, workload_rules);
}

void act(Api& api, Workload& workload, const std::string& action, Milliseconds now) {
  if (action == "delete") api.engine.remove(workload, now);
  if (action == "suspend") api.engine.suspend(workload, now);
  if (action == "resume") api.engine.resume(workload, now);
}

Answer batch(Api& api, const HttpRequest& request, Milliseconds now) {
  const auto body = parsed_body(request);
  const std::vector<std::string> actions{"delete", "suspend", "resume"};
  const auto ids = body.is_object() ? body.value("ids", Json()) : Json();
  const auto action = body.is_object() ? body.value("action", Json()) : Json();
  const bool good =
      ids.is_array() && ids.size() <= 100 && std::find(actions.begin(), actions.end(), action) != actions.end();
  if (!good) return error_answer(400, "Validation failed", "ids must be at most 100, action delete, suspend or resume");
  Json succeeded = Json::array();
  Json failed = Json::array();
  for (const auto& id : ids) {
    auto* workload = id.is_string() ? visible(api, id, now) : nullptr;
    if (workload == nullptr) {
      failed.push_back({{"id", id}, {"code", 404}, {"message", "Resource id not found."}});
    } else {
      act(api, *workload, action, now);
      succeeded.push_back(id);
    }
  }
  return json_answer(200, {{"id", random_uuid(api.random)}, {"succeeded", succeeded}, {"failed", failed}});
}

// /api/v1/workloads/{id} and what is below it.
Answer one_workload(Api& api, const HttpRequest& request, const Parts& parts, Milliseconds now) {
  const auto* workload = visible(api, parts[3], now);
  if (workload == nullptr) return error_answer(404);
  if (parts.size() == 4) return json_answer(200, workload_json(*workload, api.tenant));
  if (parts[4] == "events") {
    return list_answer(event_list(*workload, api.tenant, api.settings), request.query, {"events", {}, true});
  }
  if (parts[4] == "history") return list_answer(history_list(*workload, api.tenant), request.query, {"records", {}});
  if (parts[4] == "pods") return list_answer(pod_list(*workload, api.tenant), request.query, pod_rules);
  return error_answer(404);
}

Answer all_pods(Api& api, const HttpRequest& request) {
  std::vector<Json> items;
  for (const auto& workload : api.tenant.workloads) {
    for (const auto& pod : pod_list(workload, api.tenant)) items.push_back(pod);
  }
  return list_answer(items, request.query, pod_rules);
}

// /api/v1/workloads/trainings and …/distributed, and what is below them.
Answer typed_workload(Api& api, const HttpRequest& request, const Parts& parts, const std::string& type,
                      Milliseconds now) {
  if (parts.size() == 4) {
    if (request.method != "POST") return error_answer(405);
    return create_workload(request, type, api.tenant, api.settings, api.engine, api.random, now);
  }
  auto* workload = visible(api, parts[4], now);
  if (workload == nullptr || workload->type != type) return error_answer(404);
  if (parts.size() == 5 && request.method == "GET") {
    return json_answer(200, created_workload_json(*workload, api.tenant, api.settings));
  }
  const bool action = parts.size() == 6 && request.method == "POST" && (parts[5] == "suspend" || parts[5] == "resume");
  if (!action && (parts.size() != 5 || request.method != "DELETE")) return error_answer(parts.size() == 5 ? 405 : 404);
  act(api, *workload, action ? parts[5] : "delete", now);
  return json_answer(202, {{"code", 202}, {"message", "Accepted"}});
}

Answer workloads(Api& api, const HttpRequest& request, const Parts& parts, Milliseconds now) {
  if (parts.size() == 3) return list_workloads(api, request, now);
  if (parts[3] == "trainings") return typed_workload(api, request, parts, "Training", now);
  if (parts[3] == "distributed") return typed_workload(api, request, parts, "Distributed", now);
  if (parts[3] == "batch") return at_least(api.settings, "2.19") ? batch(api, request, now) : error_answer(404);
  if (parts[3] == "pods") return all_pods(api, request);
  return request.method == "GET" ? one_workload(api, request, parts, now) : error_answer(405);
}

Answer clusters(Api& api, const HttpRequest& request, const Parts& parts, Milliseconds now) {
  const auto cluster = cluster_json(api.tenant, api.settings, api.authority, now);
  if (parts.size() == 3) return json_answer(200, Json::array({cluster}));
  if (parts[3] != api.tenant.cluster_id) return error_answer(404);
  if (parts.size() == 4) return json_answer(200, cluster);
  if (parts[4] != "nodes" || at_least(api.settings, "3.0")) return error_answer(404);
  return list_answer(node_list(api.tenant), request.query, {"nodes", {"name", "status", "nodePool"}, false, false});
}

Answer projects(Api& api, const HttpRequest& request, const Parts& parts) {
  if (parts.size() == 5) {
    const auto* project = find_project(api.tenant, parts[4]);
    return project == nullptr ? error_answer(404) : json_answer(200, project_json(*project, api.tenant));
  }
  std::vector<Json> items;
  for (const auto& project : api.tenant.projects) items.push_back(project_json(project, api.tenant));
  return list_answer(items, request.query,
                     {"projects", {"name", "clusterId", "departmentId", "parentId", "createdAt"}});
}

Answer node_lists(Api& api, const HttpRequest& request, const std::string& name) {
  if (name == "node-pools" && at_least(api.settings, "2.19")) {
    return list_answer(node_pool_list(api.tenant), request.query,
                       {"nodepools", {"name", "clusterId", "phase"}, false, false});
  }
  if (name == "nodes" && at_least(api.settings, "2.23")) {
    return list_answer(node_list(api.tenant), request.query,
                       {"nodes", {"name", "status", "nodePool", "gpuType", "clusterUuid"}, false, false});
  }
  return error_answer(404);
}

}  // namespace

Answer answer_call(Api& api, const HttpRequest& request, Milliseconds now) {
  const bool post = request.method == "POST";
  if (request.path == "/api/v1/token" && post) return token_v1(request, api.tenant, api.settings, api.random, now);
  if (request.path == "/api/v2/token" && post) return token_v2(request, api.tenant, api.settings, api.random, now);
  if (request.path == "/cluster-api/status") return cluster_status();
  if (auto refused = refusal(request, api.tenant, now)) return *refused;
  if (request.path.rfind("/cluster-api/", 0) == 0) return cluster_call(api, request);
  if (request.path.rfind("/api/v1/", 0) != 0) return error_answer(404);
  const auto parts = split(request.path.substr(1), '/');
  if (parts[2] == "workloads") return workloads(api, request, parts, now);
  if (request.method != "GET") return error_answer(405);
  if (parts[2] == "clusters") return clusters(api, request, parts, now);
  if (parts[2] == "org-unit" && parts.size() >= 4 && parts[3] == "projects") return projects(api, request, parts);
  return node_lists(api, request, parts[2]);
}

}  // namespace runai_simulator
