#include "tests/runai_simulator/cluster_api.hpp"

#include <algorithm>

namespace runai_simulator {
namespace {

// Of a workload whose pods run or, if they are kept, have run; else null.
const Workload* workload_with_log(const Api& api, const std::string& project, const std::string& kind,
                                  const std::string& name) {
  for (const auto& workload : api.tenant.workloads) {
    if (workload.deleted_at || workload.name != name || !workload.running_since) continue;
    const auto* owner = find_project(api.tenant, workload.project_id);
    if (owner == nullptr || owner->name != project) continue;
    const auto expected = workload.type == "Distributed" ? api.settings.mpi_log_path : "training/runai";
    const bool gone = workload.finished() && !workload.script.keep_pods;
    return kind == expected && !gone ? &workload : nullptr;
  }
  return nullptr;
}

}  // namespace

Answer cluster_status() {
  Answer answer;
  answer.body = "OK";
  answer.content_type = "text/plain";
  return answer;
}

Answer cluster_call(Api& api, const HttpRequest& request) {
  // cluster-api api v1 {project} workloads {type} {framework} {name} logs [download]
  const auto parts = split(request.path.substr(1), '/');
  const bool logs = parts.size() >= 9 && parts[4] == "workloads" && parts[8] == "logs";
  const bool download = logs && parts.size() == 10 && parts[9] == "download";
  if (request.method != "GET" || (!download && (!logs || parts.size() != 9))) return error_answer(404);
  if (download && !at_least(api.settings, "2.23")) return error_answer(404);
  const auto* workload = workload_with_log(api, parts[3], parts[5] + "/" + parts[6], parts[7]);
  if (workload == nullptr) {
    return error_answer(404, "Identifiers must match an existing, running workload.");
  }
  if (!download && !request.websocket) return error_answer(400, "A WebSocket is expected.");
  Answer answer;
  answer.content_type = "text/plain";
  if (download) {
    answer.body = api.log(*workload, request.query);
  } else {
    answer.log_of_workload = workload->id;
  }
  return answer;
}

}  // namespace runai_simulator
