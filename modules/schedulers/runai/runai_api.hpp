// The calls of the API that a run needs, and what is read from their replies. Keys, phases and values that are not
// known are ignored: a tenant may be newer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api_client.hpp"

namespace runai {

enum class WorkloadKind { training, distributed };
constexpr std::array<std::string_view, 2> enum_names(WorkloadKind) {
  return {"training", "distributed"};
}

// An entry of the list of workloads.
struct Workload {
  std::string id;
  std::string name;
  std::string type;     // "Training", "Distributed"
  std::string phase;    // as the tenant spells it; empty: it does not say
  std::string message;  // why it is in this phase, in words
  std::string desired;  // what it is to become, where the reply tells
  bool is_deleted = false;
};

struct Pod {
  std::string name;
  std::string node;   // empty: none yet
  std::string phase;  // Kubernetes' own: "Running"
};

struct Tenant {
  std::string project_name;    // empty: not known
  std::string cluster_domain;  // as the tenant spells it; empty: not known
  std::string cluster_version;
  std::vector<std::string> notes;  // what the log should say
};

class RunaiApi {
 public:
  RunaiApi(ApiClient& client, const SystemOptions& options) : client_(client), options_(options) {}

  // Asks for the project and the cluster. Throws Error(invalid_config) for one that is not there.
  Tenant tenant();

  // action accept: `body` holds the id in "workloadId".
  ApiReply create(WorkloadKind kind, const std::string& payload);

  // accept and not_there: it is gone, or will be.
  ApiReply remove(WorkloadKind kind, const std::string& id, const Patience& patience);

  // Those of the project that the filter selects, "name=^nccl-" or, without one, all; every page. Throws Error.
  std::vector<Workload> workloads(const std::string& filter, const Patience& patience = {});

  // Nothing if it is not there. Throws Error. With its kind the reply says what it is to become, too.
  std::optional<Workload> workload(const std::string& id);
  std::optional<Workload> workload(WorkloadKind kind, const std::string& id);

  // Oldest first, all pages, as the tenant gives them. Throws Error.
  std::vector<cloudai::Json> events(const std::string& id);
  std::vector<Pod> pods(const std::string& id);

 private:
  // Calls `take` with every entry of the list `key`, page by page.
  void read_pages(const std::string& path, const std::string& key, const std::string& name, const std::string& what,
                  const Patience& patience, const std::function<void(const cloudai::Json&)>& take);
  void ask_for_project(Tenant& tenant);
  void ask_for_cluster(Tenant& tenant);

  ApiClient& client_;
  const SystemOptions& options_;
};

}  // namespace runai
