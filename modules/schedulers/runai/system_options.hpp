// The system file's settings for Run:ai, read once and used by every part of the module.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/scheduler.hpp"
#include "url.hpp"

namespace runai {

// How a token is asked for. `automatic`: the newest form that the tenant knows.
enum class Auth { automatic, v2, v1, app_token };
constexpr std::array<std::string_view, 4> enum_names(Auth) {
  return {"auto", "v2", "v1", "app_token"};
}

// Where the output of a workload comes from.
enum class LogSource { cluster_ws, cluster_download, none };
constexpr std::array<std::string_view, 3> enum_names(LogSource) {
  return {"cluster_ws", "cluster_download", "none"};
}

// A volume claim that exists in the project, mounted into every workload.
struct PvcMount {
  std::string claim_name;
  std::string path;
  bool is_read_only = false;
};

// How long a workload may be in a phase that is not its last.
struct PhaseLimits {
  std::chrono::seconds pending{3600};
  std::chrono::seconds degraded{600};
  std::chrono::seconds unknown{600};
  std::chrono::seconds stopping{600};
  std::chrono::seconds unreachable{600};  // no answer about any workload
};

struct SystemOptions {
  std::string system_name;
  Url base_url;
  std::string client_id;
  std::string client_secret;  // empty where none is needed: a dry-run talks to nobody
  std::string project_id;
  std::string cluster_id;
  Auth auth = Auth::automatic;
  std::string ca_file;  // empty: the system's
  int gpus_per_node = 8;
  int tasks_per_node = 8;
  std::vector<std::string> node_pools;
  std::string priority_class;  // empty: the project's
  std::vector<std::string> security_capabilities;
  bool large_shm = true;
  std::vector<PvcMount> pvc_mounts;
  LogSource log_source = LogSource::cluster_ws;
  std::string cluster_api_framework;  // in the path of the logs; empty: by the kind of workload
  PhaseLimits limits;
};

// Throws cloudai::Error(invalid_config) for what the schema cannot see: an address that would send the secret in the
// clear, no secret or several, a file or a variable that is not there. With `offline` the secret is not read.
SystemOptions read_system_options(const cloudai::SystemSettings& settings, bool offline);

}  // namespace runai
