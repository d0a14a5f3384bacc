#include "tests/runai_simulator/answers.hpp"

#include "tests/runai_simulator/phase_engine.hpp"
#include "tests/runai_simulator/placement.hpp"

namespace runai_simulator {
namespace {

constexpr int tenant_id = 1;

Json optional_time(const std::optional<Milliseconds>& time) {
  return time ? Json(timestamp(*time)) : Json();
}

std::string project_name(const Tenant& tenant, const std::string& id) {
  for (const auto& project : tenant.projects) {
    if (project.id == id) return project.name;
  }
  return "";
}

std::string name_space(const Workload& workload, const Tenant& tenant) {
  return "runai-" + project_name(tenant, workload.project_id);
}

std::string image_of(const Workload& workload) {
  const auto image = workload.spec.value("image", Json());
  return image.is_string() ? image.get<std::string>() : "";
}

std::string pod_phase(const Workload& workload) {
  const auto& phase = workload.phase();
  if (phase == "Completed") return "Succeeded";
  if (phase == "Failed") return "Failed";
  return phase == "Running" || phase == "Degraded" || phase == "Updating" ? "Running" : "Pending";
}

Json gpus_json(int gpus) {
  return {{"gpu", {{"request", gpus}, {"limit", gpus}}}};
}

Json pending_messages(const Workload& workload, const Tenant& tenant) {
  Json messages = Json::array();
  if (!workload.waiting) return messages;
  for (const auto& pool : wanted_node_pools(workload, tenant)) {
    messages.push_back({{"nodePool", pool},
                        {"phaseReason", "OverLimit"},
                        {"reason", "NotEnoughResources"},
                        {"userMessage", why_not_placed(workload, tenant)}});
  }
  return messages;
}

}  // namespace

Json created_workload_json(const Workload& workload, const Tenant& tenant, const Settings& settings) {
  Json result{{"name", workload.name},
              {"requestedName", workload.requested_name},
              {"workloadId", workload.id},
              {"projectId", workload.project_id},
              {"departmentId", "7"},
              {"clusterId", tenant.cluster_id},
              {"createdBy", workload.created_by},
              {"createdAt", timestamp(workload.created_at)},
              {"deletedAt", optional_time(workload.deleted_at)},
              {"desiredPhase", workload.desired},
              {"spec", workload.spec}};
  if (!settings.omit_actual_phase) result["actualPhase"] = workload.phase();
  if (!workload.master_spec.empty()) result["masterSpec"] = workload.master_spec;
  return result;
}

Json workload_json(const Workload& workload, const Tenant& tenant) {
  const auto& last = workload.history.back();
  const bool runs = pod_phase(workload) == "Running";
  Json result{{"tenantId", tenant_id},
              {"id", workload.id},
              {"name", workload.name},
              {"type", workload.type},
              {"phase", last.phase},
              {"phaseMessage", last.message},
              {"phaseUpdatedAt", timestamp(last.at)},
              {"k8sPhase", pod_phase(workload)},
              {"k8sPhaseUpdatedAt", timestamp(last.at)},
              {"conditions", Json::array()},
              {"runningPods", runs ? workload.pods.size() : 0},
              {"requestedPods", {{"number", workload.pods.size()}}},
              {"source", "Control-plane"},
              {"createdAt", timestamp(workload.created_at)},
              {"updatedAt", timestamp(last.at)},
              {"deletedAt", optional_time(workload.deleted_at)},
              {"completedAt", optional_time(workload.completed_at)},
              {"priority", nullptr},
              {"priorityClassName", "train"},
              {"submittedBy", workload.created_by},
              {"clusterId", tenant.cluster_id},
              {"projectId", workload.project_id},
              {"projectName", project_name(tenant, workload.project_id)},
              {"departmentId", "7"},
              {"departmentName", "department"},
              {"namespace", name_space(workload, tenant)},
              {"images", Json::array({image_of(workload)})},
              {"category", "Train"},
              {"pendingSchedulingMessages", pending_messages(workload, tenant)}};
  if (workload.type == "Distributed") {
    result["distributedFramework"] = workload.spec.value("distributedFramework", Json("MPI"));
  }
  if (workload.waiting) result["phaseReason"] = "OverLimit";
  if (!workload.node_pool.empty()) result["currentNodePools"] = Json::array({workload.node_pool});
  return result;
}

std::vector<Json> event_list(const Workload& workload, const Tenant& tenant, const Settings& settings) {
  std::vector<Json> list;
  for (const auto& event : workload.events) {
    std::string pod_id;
    for (const auto& pod : workload.pods) {
      if (pod.name == event.pod) pod_id = pod.id;
    }
    if (settings.null_events && list.size() % 3 == 1) list.emplace_back();
    list.push_back(
        {{"id", event.id},
         {"createdAt", timestamp(event.at)},
         {"type", event.type},
         {"reason", event.reason},
         {"message", event.message},
         {"source", event.reason == "Scheduled" ? "scheduler" : "kubelet"},
         {"clusterId", tenant.cluster_id},
         {"involvedObject",
          {{"uid", pod_id}, {"kind", "Pod"}, {"name", event.pod}, {"namespace", name_space(workload, tenant)}}}});
  }
  return list;
}

std::vector<Json> history_list(const Workload& workload, const Tenant& tenant) {
  std::vector<Json> list;
  for (const auto& change : workload.history) {
    list.push_back({{"meta", {{"creationTimestamp", timestamp(change.at)}, {"type", "PhaseUpdate"}}},
                    {"spec", {{"phaseUpdate", {{"phase", change.phase}, {"phaseMessage", change.message}}}}}});
  }
  for (const auto& event : event_list(workload, tenant, {})) {
    list.push_back(
        {{"meta", {{"creationTimestamp", event["createdAt"]}, {"type", "Event"}}}, {"spec", {{"event", event}}}});
  }
  return list;
}

std::vector<Json> pod_list(const Workload& workload, const Tenant& tenant) {
  std::vector<Json> list;
  if (workload.deleted_at || (workload.finished() && !workload.script.keep_pods)) return list;
  for (const auto& pod : workload.pods) {
    list.push_back({{"id", pod.id},
                    {"name", pod.name},
                    {"workloadId", workload.id},
                    {"workloadName", workload.name},
                    {"tenantId", tenant_id},
                    {"clusterId", tenant.cluster_id},
                    {"projectId", workload.project_id},
                    {"projectName", project_name(tenant, workload.project_id)},
                    {"priorityClassName", "train"},
                    {"nodeName", pod.node.empty() ? Json() : Json(pod.node)},
                    {"createdAt", timestamp(workload.created_at)},
                    {"updatedAt", timestamp(workload.history.back().at)},
                    {"completedAt", optional_time(workload.completed_at)},
                    {"k8sPhase", pod_phase(workload)},
                    {"k8sPhaseUpdatedAt", timestamp(workload.history.back().at)},
                    {"containers", Json::array({{{"name", "main"},
                                                 {"image", image_of(workload)},
                                                 {"startedAt", optional_time(workload.running_since)}}})},
                    {"requestedResources", gpus_json(pod.gpus)}});
  }
  return list;
}

}  // namespace runai_simulator
