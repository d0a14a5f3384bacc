#include <map>

#include "tests/runai_simulator/answers.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {
namespace {

const Milliseconds founded = 1'760'000'000'000;

// A UUID for what has none of its own, always the same.
std::string uuid_of(const std::string& name) {
  Random random(std::hash<std::string>()(name));
  return random_uuid(random);
}

std::string replaced(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  return at == std::string::npos ? text : text.replace(at, part.size(), other);
}

}  // namespace

Json cluster_json(const Tenant& tenant, const Settings& settings, const std::string& authority, Milliseconds now) {
  return {{"uuid", tenant.cluster_id},
          {"tenantId", 1},
          {"name", tenant.cluster_name},
          {"createdAt", timestamp(founded)},
          {"updatedAt", timestamp(founded)},
          {"domain", replaced(tenant.cluster_domain, "{authority}", authority)},
          {"version", settings.release + ".0"},
          {"lastLiveness", timestamp(now)},
          {"status",
           {{"state", "Connected"},
            {"conditions", Json::array()},
            {"platform", {{"type", "vanilla"}, {"kubeVersion", "v1.33.1"}}}}}};
}

Json project_json(const Project& project, const Tenant& tenant) {
  const Json pools = project.node_pools;
  return {{"id", project.id},
          {"name", project.name},
          {"clusterId", tenant.cluster_id},
          {"parentId", "7"},
          {"enforceRunaiScheduler", true},
          {"defaultNodePools", pools},
          {"totalResources", {{"gpuQuota", 0}}},
          {"resources", Json::array()},
          {"effective", {{"defaultNodePools", pools}}},
          {"createdAt", timestamp(founded)},
          {"updatedAt", timestamp(founded)},
          {"status", {{"namespace", "runai-" + project.name}, {"phase", "Ready"}, {"phaseMessage", ""}}}};
}

std::vector<Json> node_pool_list(const Tenant& tenant) {
  std::map<std::string, Json> nodes_of_pool;
  for (const auto& node : tenant.nodes) nodes_of_pool[node.pool].push_back(node.name);
  std::vector<Json> list;
  for (const auto& [name, nodes] : nodes_of_pool) {
    list.push_back({{"id", uuid_of(name)},
                    {"name", name},
                    {"labelKey", "run.ai/type"},
                    {"labelValue", name},
                    {"clusterId", tenant.cluster_id},
                    {"clusterName", tenant.cluster_name},
                    {"tenantId", 1},
                    {"phase", "Ready"},
                    {"status", {{"nodes", nodes}}},
                    {"isDefault", name == "default"},
                    {"createdBy", "admin"},
                    {"createdAt", timestamp(founded)},
                    {"updatedBy", "admin"},
                    {"updatedAt", timestamp(founded)}});
  }
  return list;
}

std::vector<Json> node_list(const Tenant& tenant) {
  std::vector<Json> list;
  for (const auto& node : tenant.nodes) {
    list.push_back({{"id", uuid_of(node.name)},
                    {"name", node.name},
                    {"status", "Ready"},
                    {"nodePool", node.pool},
                    {"gpuInfo", {{"gpuType", "NVIDIA-H100"}, {"gpuCount", node.gpus}}},
                    {"clusterUuid", tenant.cluster_id},
                    {"createdAt", timestamp(founded)},
                    {"updatedAt", timestamp(founded)}});
  }
  return list;
}

}  // namespace runai_simulator
