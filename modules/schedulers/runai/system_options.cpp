#include "system_options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::Status;
using cloudai::Value;
using std::chrono::seconds;

[[noreturn]] void refuse(std::string message, std::string hint = {}) {
  throw Error(Status::invalid_config, std::move(message), std::move(hint));
}

Url read_base_url(const Value& in) {
  const auto text = in.get<std::string>("base_url");
  const auto url = parse_url(text);
  if (!url) {
    refuse("'base_url' is '" + cloudai::one_line(text) + "', which is no address of a web server.",
           "Write it as a browser shows it, without a user name and without what follows a '?': "
           "\"https://my-tenant.run.ai\".");
  }
  if (!url->is_tls && !is_loopback(*url)) {
    refuse("'base_url' is '" + to_text(*url) + "': the secret would be sent unencrypted.", "Use https://.");
  }
  return *url;
}

// The one of the two spellings that is there.
std::optional<std::string> either(const Value& in, const char* name, const char* other) {
  auto value = in.find<std::string>(name);
  auto alias = in.find<std::string>(other);
  if (value && alias) {
    refuse(std::string("'") + name + "' and '" + other + "' are the same setting, and both are there.", "Remove one.");
  }
  return value ? std::move(value) : std::move(alias);
}

std::string without_line_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::string secret_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    refuse("The file '" + path + "' (app_secret_file) cannot be read, or is empty.", "It holds the secret alone.");
  }
  return without_line_end(text.str());
}

std::string secret_of_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') {
    refuse("The environment variable '" + name + "' (app_secret_env) is not set.",
           "Export it before cloudai is started.");
  }
  return value;
}

std::string read_secret(const Value& in, bool offline) {
  const auto direct = either(in, "app_secret", "client_secret");
  const auto variable = either(in, "app_secret_env", "client_secret_env");
  const auto file = either(in, "app_secret_file", "client_secret_file");
  const int count = (direct ? 1 : 0) + (variable ? 1 : 0) + (file ? 1 : 0);
  if (count != 1) {
    refuse(count == 0 ? "The system file does not say where the secret of the application is."
                      : "The system file has the secret of the application in several places.",
           "Set one of 'app_secret_file', 'app_secret_env' and 'app_secret'.");
  }
  if (offline) return {};
  if (variable) return secret_of_variable(*variable);
  return file ? secret_of_file(*file) : *direct;
}

std::string read_client_id(const Value& in) {
  auto id = either(in, "app_id", "client_id");
  if (!id)
    refuse("The system file does not name the application ('app_id').", "An administrator of Run:ai creates one.");
  return *id;
}

std::vector<PvcMount> read_pvc_mounts(const Value& in) {
  std::vector<PvcMount> mounts;
  for (const cloudai::Json& entry : in.get_or<std::vector<cloudai::Json>>("pvc_mounts", {})) {
    const Value mount(entry);
    mounts.push_back(
        {mount.get<std::string>("claim_name"), mount.get<std::string>("path"), mount.get_or("read_only", false)});
    const std::string& path = mounts.back().path;
    const auto has_path = [&](const PvcMount& other) { return other.path == path; };
    if (std::count_if(mounts.begin(), mounts.end(), has_path) > 1) {
      refuse("Two entries of 'pvc_mounts' have the path '" + path + "'.");
    }
  }
  return mounts;
}

PhaseLimits read_limits(const Value& in) {
  PhaseLimits limits;
  const auto read = [&](const char* name, seconds& limit) {
    limit = seconds(in.get_or(name, static_cast<int>(limit.count())));
  };
  read("pending_timeout", limits.pending);
  read("degraded_timeout", limits.degraded);
  read("unknown_timeout", limits.unknown);
  read("stopping_timeout", limits.stopping);
  read("unreachable_timeout", limits.unreachable);
  return limits;
}

std::string read_ca_file(const Value& in) {
  auto path = in.get_or<std::string>("ca_file", {});
  if (!path.empty() && !std::ifstream(path)) refuse("The file '" + path + "' (ca_file) cannot be read.");
  return path;
}

}  // namespace

SystemOptions read_system_options(const cloudai::SystemSettings& settings, bool offline) {
  const Value in(settings.options.json);
  SystemOptions options;
  options.system_name = settings.name;
  options.base_url = read_base_url(in);
  options.client_id = read_client_id(in);
  options.client_secret = read_secret(in, offline);
  options.project_id = in.get<std::string>("project_id");
  options.cluster_id = in.get<std::string>("cluster_id");
  options.auth = in.get_or("auth", options.auth);
  if (!offline) options.ca_file = read_ca_file(in);
  options.gpus_per_node = in.get_or("gpus_per_node", options.gpus_per_node);
  options.tasks_per_node = in.get_or("ntasks_per_node", std::max(options.gpus_per_node, 1));
  options.node_pools = in.get_or<std::vector<std::string>>("node_pools", {});
  options.priority_class = in.get_or<std::string>("priority_class", {});
  options.security_capabilities = in.get_or<std::vector<std::string>>("security_capabilities", {"IPC_LOCK"});
  options.large_shm = in.get_or("large_shm", options.large_shm);
  options.pvc_mounts = read_pvc_mounts(in);
  options.log_source = in.get_or("log_source", options.log_source);
  options.cluster_api_framework = in.get_or<std::string>("cluster_api_framework", {});
  options.limits = read_limits(in);
  return options;
}

}  // namespace runai
