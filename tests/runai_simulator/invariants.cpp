#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "tests/runai_simulator/simulator_process.hpp"

namespace runai_simulator {
namespace {

bool is_token_request(const RecordedRequest& request) {
  return request.path == "/api/v1/token" || request.path == "/api/v2/token";
}

std::string without_last_part(const std::string& name) {
  return name.substr(0, name.rfind('-'));
}

std::int64_t end_of(const RecordedWorkload& workload) {
  return workload.ended < 0 ? std::numeric_limits<std::int64_t>::max() : workload.ended;
}

void check_requests(const std::vector<RecordedRequest>& requests, const Bounds& bounds, Invariants& result) {
  bool has_token = false;
  for (const auto& request : requests) {
    if (is_token_request(request)) {
      ++result.token_requests;
      has_token = has_token || request.status == 200;
      continue;
    }
    const bool open = request.path == "/cluster-api/status";
    if (has_token && !open && !request.authorized) {
      result.violations.push_back(request.method + " " + request.path + " came without a token.");
    }
  }
  result.requests = requests.size();
  if (result.requests > bounds.requests) {
    result.violations.push_back(std::to_string(result.requests) + " requests were made, at most " +
                                std::to_string(bounds.requests) + " were expected.");
  }
  if (result.token_requests > bounds.token_requests) {
    result.violations.push_back(std::to_string(result.token_requests) + " tokens were asked for, at most " +
                                std::to_string(bounds.token_requests) + " were expected.");
  }
}

void check_workloads(const std::vector<RecordedWorkload>& workloads, const Bounds& bounds, Invariants& result) {
  const auto group = bounds.group ? bounds.group : without_last_part;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const auto& one = workloads[i];
    if (!one.from_client) continue;
    if (bounds.all_ended && one.ended < 0) {
      result.violations.push_back("Workload " + one.name + " lives: it is " + one.phase + ".");
    }
    for (std::size_t j = i + 1; j < workloads.size(); ++j) {
      const auto& other = workloads[j];
      const bool overlap = one.created < end_of(other) && other.created < end_of(one);
      if (other.from_client && overlap && group(one.name) == group(other.name)) {
        result.violations.push_back("Workloads " + one.name + " and " + other.name + " lived at the same time.");
      }
    }
  }
}

std::string content_of(const std::filesystem::path& path) {
  // Of a process that ends meanwhile, what could be read: iterators would throw.
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

Invariants check(const SimulatorProcess& simulator, const Bounds& bounds) {
  Invariants result;
  check_requests(simulator.requests(), bounds, result);
  check_workloads(simulator.workloads(), bounds, result);
  return result;
}

std::vector<std::string> files_with_secrets(const SimulatorProcess& simulator, const std::filesystem::path& directory) {
  std::vector<std::string> secrets = simulator.control("GET", "secrets");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    const auto content = content_of(entry.path());
    const bool found = std::any_of(secrets.begin(), secrets.end(), [&](const std::string& secret) {
      return content.find(secret) != std::string::npos;
    });
    if (found) files.push_back(entry.path().string());
  }
  return files;
}

}  // namespace runai_simulator
