#include "runai_api.hpp"

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::Json;
using cloudai::Status;

constexpr int page_size = 500;
constexpr int event_page_size = 100;
// A list that never ends is a fault of the tenant's.
constexpr int most_pages = 200;

std::string text_in(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string plural(WorkloadKind kind) {
  return kind == WorkloadKind::training ? "trainings" : "distributed";
}

// The first of the keys that has a text.
std::string first_text(const Json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (std::string text = text_in(object, key); !text.empty()) return text;
  }
  return {};
}

// "all nodes are full; 2 of 4 pods are ready"
std::string scheduling_messages(const Json& object) {
  std::string text;
  const auto list = object.find("pendingSchedulingMessages");
  if (list == object.end() || !list->is_array()) return text;
  for (const Json& entry : *list) {
    const std::string message = entry.is_string() ? entry.get<std::string>() : text_in(entry, "message");
    if (!message.empty()) text += (text.empty() ? "" : "; ") + message;
  }
  return text;
}

Workload read_workload(const Json& object) {
  Workload workload;
  workload.id = first_text(object, {"id", "workloadId"});
  workload.name = text_in(object, "name");
  workload.type = text_in(object, "type");
  workload.phase = first_text(object, {"actualPhase", "phase"});
  workload.desired = text_in(object, "desiredPhase");
  workload.message = text_in(object, "phaseMessage");
  for (const std::string& more : {text_in(object, "phaseReason"), scheduling_messages(object)}) {
    if (!more.empty()) workload.message += (workload.message.empty() ? "" : "; ") + more;
  }
  workload.message = cloudai::one_line(workload.message.substr(0, 1000));
  workload.is_deleted = !text_in(object, "deletedAt").empty();
  return workload;
}

// Nothing where this is the last page.
std::optional<long long> next_offset(const Json& page, long long offset) {
  const auto next = page.find("next");
  if (next == page.end()) return std::nullopt;
  long long value = -1;
  if (next->is_number()) value = static_cast<long long>(next->get<double>());
  if (next->is_string() && !next->get_ref<const std::string&>().empty() &&
      next->get_ref<const std::string&>().size() < 12 &&
      next->get_ref<const std::string&>().find_first_not_of("0123456789") == std::string::npos) {
    value = std::stoll(next->get<std::string>());
  }
  return value > offset ? std::optional(value) : std::nullopt;
}

}  // namespace

void RunaiApi::read_pages(const std::string& path, const std::string& key, const std::string& name,
                          const std::string& what, const Patience& patience,
                          const std::function<void(const Json&)>& take) {
  const char* const joint = path.find('?') == std::string::npos ? "?" : "&";
  std::optional<long long> offset = 0;
  for (int page = 0; offset && page < most_pages; ++page) {
    const Json document = client_.get(path + joint + "offset=" + std::to_string(*offset), name, what, patience);
    const auto list = document.is_object() ? document.find(key) : document.end();
    if (!document.is_object() || list == document.end() || !list->is_array()) {
      if (document.is_null()) return;
      throw Error(Status::unavailable, what + " cannot be asked for: the reply has no list '" + key + "'.");
    }
    for (const Json& entry : *list) {
      if (entry.is_object()) take(entry);
    }
    offset = next_offset(document, *offset);
  }
}

void RunaiApi::ask_for_project(Tenant& tenant) {
  const ApiReply reply =
      client_.call({Call::get, "GET", "/api/v1/org-unit/projects/" + options_.project_id, "GET projects"});
  if (reply.action == Action::not_there) {
    throw Error(Status::invalid_config, "Run:ai has no project '" + options_.project_id + "' (project_id).",
                "The id is a number that the address of the project's page ends with; a name is no id.");
  }
  if (reply.action != Action::accept) {
    if (reply.action == Action::retry || reply.status != 403) {
      throw Error(reply.action == Action::retry ? Status::unavailable : Status::failed,
                  "The project '" + options_.project_id + "' cannot be asked for: " + sentence(reply.message),
                  hint_for(reply.status));
    }
    tenant.notes.push_back("The project cannot be asked for, so output of workloads cannot be fetched: " +
                           sentence(reply.message));
    return;
  }
  tenant.project_name = text_in(reply.body, "name");
  const std::string cluster = text_in(reply.body, "clusterId");
  if (!cluster.empty() && cluster != options_.cluster_id) {
    tenant.notes.push_back("The project '" + tenant.project_name + "' is one of the cluster " + cluster +
                           ", but 'cluster_id' is " + options_.cluster_id + ".");
  }
}

// The list, not the one: releases before 2.19 have no more.
void RunaiApi::ask_for_cluster(Tenant& tenant) {
  const ApiReply reply = client_.call({Call::get, "GET", "/api/v1/clusters", "GET clusters"});
  if (reply.action == Action::retry) {
    throw Error(Status::unavailable, "The clusters cannot be asked for: " + sentence(reply.message));
  }
  if (reply.action != Action::accept) {
    tenant.notes.push_back("The clusters cannot be asked for, so output of workloads cannot be fetched: " +
                           sentence(reply.message));
    return;
  }
  const bool is_wrapped = reply.body.is_object() && reply.body.contains("clusters");
  std::string known;
  for (const Json& cluster : is_wrapped ? reply.body.at("clusters") : reply.body) {
    const std::string uuid = text_in(cluster, "uuid");
    known += (known.empty() ? "" : ", ") + uuid + " (" + text_in(cluster, "name") + ")";
    if (uuid != options_.cluster_id) continue;
    tenant.cluster_domain = text_in(cluster, "domain");
    tenant.cluster_version = text_in(cluster, "version");
    const auto status = cluster.find("status");
    const std::string state = status == cluster.end() ? "" : text_in(*status, "state");
    if (!state.empty() && state != "Connected") {
      tenant.notes.push_back("Run:ai says that the cluster '" + text_in(cluster, "name") + "' is " + state + ".");
    }
    return;
  }
  throw Error(Status::invalid_config, "Run:ai has no cluster '" + options_.cluster_id + "' (cluster_id).",
              known.empty() ? "It has none that this application may see." : "It has: " + known + ".");
}

Tenant RunaiApi::tenant() {
  Tenant tenant;
  ask_for_project(tenant);
  ask_for_cluster(tenant);
  return tenant;
}

ApiReply RunaiApi::create(WorkloadKind kind, const std::string& payload) {
  return client_.call({Call::create, "POST", "/api/v1/workloads/" + plural(kind), "POST workloads/" + plural(kind),
                       payload, "workloadId"});
}

ApiReply RunaiApi::remove(WorkloadKind kind, const std::string& id, const Patience& patience) {
  return client_.call({Call::change, "DELETE", "/api/v1/workloads/" + plural(kind) + "/" + percent_encoded(id),
                       "DELETE workloads/" + plural(kind)},
                      patience);
}

std::vector<Workload> RunaiApi::workloads(const std::string& filter, const Patience& patience) {
  const std::string query = percent_encoded("projectId==" + options_.project_id + (filter.empty() ? "" : ",") + filter);
  std::vector<Workload> found;
  read_pages("/api/v1/workloads?filterBy=" + query + "&limit=" + std::to_string(page_size), "workloads",
             "GET workloads", "The workloads of the project", patience, [&](const Json& entry) {
               Workload workload = read_workload(entry);
               if (!workload.id.empty()) found.push_back(std::move(workload));
             });
  return found;
}

std::optional<Workload> RunaiApi::workload(const std::string& id) {
  const Json document =
      client_.get("/api/v1/workloads/" + percent_encoded(id), "GET workloads/{id}", "The workload " + id);
  return document.is_object() ? std::optional(read_workload(document)) : std::nullopt;
}

std::optional<Workload> RunaiApi::workload(WorkloadKind kind, const std::string& id) {
  const Json document = client_.get("/api/v1/workloads/" + plural(kind) + "/" + percent_encoded(id),
                                    "GET workloads/" + plural(kind) + "/{id}", "The workload " + id);
  return document.is_object() ? std::optional(read_workload(document)) : std::nullopt;
}

std::vector<Json> RunaiApi::events(const std::string& id) {
  std::vector<Json> events;
  read_pages("/api/v1/workloads/" + percent_encoded(id) + "/events?limit=" + std::to_string(event_page_size) +
                 "&sortOrder=asc",
             "events", "GET events", "The events of the workload " + id, {},
             [&](const Json& entry) { events.push_back(entry); });
  return events;
}

std::vector<Pod> RunaiApi::pods(const std::string& id) {
  std::vector<Pod> pods;
  read_pages("/api/v1/workloads/" + percent_encoded(id) + "/pods?limit=" + std::to_string(page_size), "pods",
             "GET pods", "The pods of the workload " + id, {}, [&](const Json& entry) {
               pods.push_back({text_in(entry, "name"), text_in(entry, "nodeName"), text_in(entry, "k8sPhase")});
             });
  return pods;
}

}  // namespace runai
