#include "tests/runai_simulator/create.hpp"

#include <algorithm>

#include "tests/runai_simulator/answers.hpp"
#include "tests/runai_simulator/shape.hpp"
#include "tests/runai_simulator/tokens.hpp"

namespace runai_simulator {
namespace {

constexpr std::size_t longest_name = 63;

bool valid_name(const std::string& name) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool characters =
      std::all_of(name.begin(), name.end(), [&](char c) { return lower(c) || digit(c) || c == '-'; });
  return characters && name.size() <= longest_name && lower(name.front()) && name.back() != '-';
}

// The first thing that keeps the body from being a workload.
std::optional<Answer> fault_of_body(const Json& body, const std::string& type, Tenant& tenant,
                                    const Settings& settings) {
  if (!body.is_object()) return error_answer(400, "The body is no JSON object.");
  for (const auto* field : {"name", "projectId", "clusterId"}) {
    if (!body.contains(field) || body[field].is_null()) return error_answer(400, "", field);
  }
  const auto violations = shape_violations(body, creation_shape(type), settings.strict);
  if (!violations.empty()) {
    std::string details;
    for (const auto& violation : violations) details += (details.empty() ? "" : "; ") + violation;
    return error_answer(400, "Validation failed", details);
  }
  const std::string name = body["name"];
  if (name.empty() || !valid_name(name))
    return error_answer(400, "Validation failed", "name '" + name + "' is not valid");
  if (find_project(tenant, body["projectId"]) == nullptr) return error_answer(404, "Project not found.");
  if (body["clusterId"] != tenant.cluster_id) return error_answer(404, "Cluster not found.");
  const auto spec = body.value("spec", Json());
  if (!spec.is_object()) return error_answer(400, "", "spec");
  if (spec.value("image", Json()).is_null()) return error_answer(400, "", "spec.image");
  if (type == "Distributed" && spec.value("distributedFramework", Json()).is_null()) {
    return error_answer(400, "", "spec.distributedFramework");
  }
  return std::nullopt;
}

Json field_of(const Json& spec, const std::string& path) {
  Json value = spec;
  for (const auto& part : split(path, '.')) value = value.is_object() ? value.value(part, Json()) : Json();
  return value;
}

bool complies(const PolicyRule& rule, const Json& value) {
  if (rule.rule == "required") return !value.is_null();
  if (value.is_null()) return true;
  if (rule.rule == "max") return value <= rule.value;
  if (rule.rule == "min") return value >= rule.value;
  if (rule.rule == "options") return std::find(rule.value.begin(), rule.value.end(), value) != rule.value.end();
  return false;  // locked, canEdit, canAdd: the field may not be given
}

std::optional<Answer> policy_violation(const Json& spec, const Tenant& tenant) {
  Json issues = Json::array();
  for (const auto& rule : tenant.policy) {
    if (complies(rule, field_of(spec, rule.field))) continue;
    const auto details =
        rule.details.empty() ? "value must comply with " + rule.rule + " " + rule.value.dump() : rule.details;
    issues.push_back({{"field", rule.field}, {"details", details}, {"rule", rule.rule}});
  }
  if (issues.empty()) return std::nullopt;
  return json_answer(400, {{"code", 400},
                           {"message", "The workload request does not comply with the policy set by the administrator"},
                           {"complianceIssues", issues}});
}

bool name_taken(const Tenant& tenant, const std::string& name, const std::string& project) {
  return std::any_of(tenant.workloads.begin(), tenant.workloads.end(), [&](const Workload& item) {
    return !item.deleted_at && item.name == name && item.project_id == project;
  });
}

Workload workload_from(const Json& body, const std::string& type, const std::string& client, Random& random) {
  Workload workload;
  workload.id = random_uuid(random);
  workload.requested_name = body["name"];
  workload.name = workload.requested_name;
  if (body.value("useGivenNameAsPrefix", false)) workload.name += "-" + random_letters(random, 5);
  workload.type = type;
  workload.project_id = body["projectId"];
  workload.created_by = client;
  workload.spec = body["spec"];
  workload.from_client = true;
  const bool same = body.value("masterSpecSameAsWorker", Json(false)) == Json(true);
  const auto master = body.value("masterSpec", Json());
  if (type == "Distributed" && same) workload.master_spec = workload.spec;
  if (type == "Distributed" && !same && master.is_object()) workload.master_spec = master;
  return workload;
}

}  // namespace

Answer create_workload(const HttpRequest& request, const std::string& type, Tenant& tenant, const Settings& settings,
                       PhaseEngine& engine, Random& random, Milliseconds now) {
  const auto body = parsed_body(request);
  if (auto fault = fault_of_body(body, type, tenant, settings)) return *fault;
  if (auto violation = policy_violation(body["spec"], tenant)) return *violation;
  auto workload = workload_from(body, type, tenant.tokens[bearer_of(request)].client, random);
  if (name_taken(tenant, workload.name, workload.project_id)) {
    return error_answer(settings.duplicate_status, "Resource with this name already exists");
  }
  workload.created_at = now;
  tenant.workloads.push_back(workload);
  auto& begun = tenant.workloads.back();
  engine.begin(begun, now);
  return json_answer(202, created_workload_json(begun, tenant, settings));
}

}  // namespace runai_simulator
