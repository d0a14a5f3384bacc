// The tenant with everything around it: the one thing that several threads use.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "tests/runai_simulator/connection.hpp"
#include "tests/runai_simulator/executor.hpp"
#include "tests/runai_simulator/request_log.hpp"

namespace runai_simulator {

struct Start {
  std::uint64_t seed = 1;
  double time_scale = 1;
  Milliseconds time = 0;            // of the tenant's clock, at first
  Json state = Json::object();      // laid over the default tenant; "settings" over the default settings
  std::filesystem::path directory;  // for certificates and what is executed
  std::filesystem::path path;       // put before PATH for that
};

class Simulator {
 public:
  explicit Simulator(const Start& start);

  // Of a client.
  Exchange receive(const HttpRequest& request);
  // Of a test.
  Exchange control(const HttpRequest& request);
  std::string connection_effect();
  LogState log(const std::string& workload_id, const std::string& query);
  LogRules log_rules();
  std::uint64_t random();

  void set_authority(const std::string& authority) { authority_ = authority; }
  // Lets time pass, also while nobody asks. Always from the same thread.
  void tick();
  void kill_commands();

 private:
  void reset();
  void pass_time();
  Answer answer_control(const HttpRequest& request, const Json& body);
  Answer control_workloads() const;
  Answer control_secrets() const;
  Answer change_workload(const std::string& action, const Json& body);
  Answer control_faults(const HttpRequest& request, const Json& body);
  std::string log_text(const Workload& workload, const std::string& query) const;

  Start start_;
  std::string authority_;
  Clock clock_;
  Executor executor_;
  std::mutex mutex_;  // over all that follows and the two above
  Settings settings_;
  Tenant tenant_;
  Random random_;
  std::unique_ptr<PhaseEngine> engine_;
  std::unique_ptr<Faults> faults_;
  RequestLog requests_;
};

}  // namespace runai_simulator
