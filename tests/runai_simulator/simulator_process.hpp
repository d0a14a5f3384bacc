// A simulated Run:ai tenant for as long as a test needs it: the program `runai_simulator` of this folder as a process
// of its own, what a test may do to it, and what it remembers of its clients. See README.md for the documents.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/runai_simulator/default_tenant.hpp"
#include "tests/runai_simulator/nccl_log.hpp"

namespace runai_simulator {

using Json = nlohmann::json;

struct Options {
  std::uint64_t seed = 1;        // of all that is random in the simulator
  std::string release = "2.24";  // 2.18 to 3.0: which calls there are
  double time_scale = 1;         // milliseconds of the tenant per millisecond; 0: its clock moves by advance() alone
  Json state = Json::object();   // laid over the tenant above, as seed() does
  bool execute = false;          // run the submitted commands on this machine
  std::filesystem::path path{};  // put before PATH for those
};

// One request to the API, as it came: secrets are left out.
struct RecordedRequest {
  std::string method;
  std::string path;
  std::string query;                           // still encoded
  std::map<std::string, std::string> headers;  // names in lower case, without Authorization
  Json body;                                   // null if there was none, a string if it was no JSON
  bool authorized = false;                     // it had an Authorization header with a token, whatever that is worth
  int status = 0;                              // that was answered; 0: none was
  std::int64_t at = 0;                         // ms of the tenant's clock
};

// A workload that was ever created.
struct RecordedWorkload {
  std::string id;
  std::string name;
  std::string type;                  // Training, Distributed
  std::string phase;                 // "" once it is gone
  bool from_client = false;          // not from the seed
  std::int64_t created = 0;          // ms of the tenant's clock
  std::int64_t ended = -1;           // when it was finished, gone or asked to be deleted; -1: it lives
  std::vector<std::string> history;  // phases, oldest first
};

class SimulatorProcess {
 public:
  // Starts it and waits until it listens; throws if it does not.
  explicit SimulatorProcess(const Options& options = {});
  ~SimulatorProcess();  // ends it with all that it executes
  SimulatorProcess(const SimulatorProcess&) = delete;
  SimulatorProcess& operator=(const SimulatorProcess&) = delete;

  // The control plane: https://127.0.0.1:<port>, and the same without TLS. The cluster's domain is localhost:<port>,
  // same port.
  const std::string& https_url() const { return https_url_; }
  const std::string& http_url() const { return http_url_; }
  const std::string& control_url() const { return control_url_; }
  // What to trust.
  const std::filesystem::path& ca_file() const { return ca_file_; }

  // Control calls: all throw if the simulator refuses.
  Json control(const std::string& method, const std::string& path, const Json& body = nullptr) const;
  void reset() const;                     // everything as after the start, with Options::state
  void seed(const Json& state) const;     // each key replaces what the tenant has under it
  void settings(const Json& more) const;  // e.g. {{"readLagMs", 200}}
  // Adds a script for workloads whose name matches the glob in its "name"; the newest that matches counts.
  void script(const Json& script) const;
  void advance(std::chrono::milliseconds time) const;
  // By name or id. The script of that workload ends there: the phase stays.
  void set_phase(const std::string& workload, const std::string& phase, const std::string& message = "") const;
  void vanish(const std::string& workload) const;  // 404 from now on, as if somebody had removed it
  void revoke_tokens() const;
  // Adds a rule, e.g. fault({{"method", "POST"}, {"path", "/api/v1/workloads/trainings"}, {"nth", 1}}, {{"kind",
  // "reset-after"}}).
  void fault(const Json& match, const Json& effect) const;
  void clear_faults() const;
  std::vector<RecordedRequest> requests() const;
  std::vector<RecordedWorkload> workloads() const;

 private:
  struct Process;
  std::unique_ptr<Process> process_;
  std::string https_url_;
  std::string http_url_;
  std::string control_url_;
  std::filesystem::path ca_file_;
};

// What shall hold after every scenario, whatever was in its way.
struct Bounds {
  std::size_t requests = 400;
  std::size_t token_requests = 2;
  bool all_ended = true;  // none of its workloads may live
  // Workloads that are attempts at the same thing have the same group: by default the name without what follows the
  // last '-'.
  std::function<std::string(const std::string& name)> group = {};
};

struct Invariants {
  std::size_t requests = 0;
  std::size_t token_requests = 0;
  std::vector<std::string> violations;  // sentences; empty if all holds
};
Invariants check(const SimulatorProcess& simulator, const Bounds& bounds = {});

// The files below `directory` that hold one of the tenant's secrets: a client's or a token. Empty is good.
std::vector<std::string> files_with_secrets(const SimulatorProcess& simulator, const std::filesystem::path& directory);

}  // namespace runai_simulator
