// A simulator whose clock a test moves, and a client that knows its token.
#pragma once

#include <gtest/gtest.h>

#include "tests/runai_simulator/http_call.hpp"
#include "tests/runai_simulator/simulator_process.hpp"

namespace runai_simulator {

using namespace std::chrono_literals;

inline Json training(const std::string& name, int gpus = 1) {
  return {{"name", name},
          {"projectId", tenant::project_id},
          {"clusterId", tenant::cluster_id},
          {"spec",
           {{"image", "image:1"}, {"command", "echo"}, {"args", "hello"}, {"compute", {{"gpuDevicesRequest", gpus}}}}}};
}

inline Json distributed(const std::string& name, int workers, int slots) {
  return {{"name", name},
          {"projectId", tenant::project_id},
          {"clusterId", tenant::cluster_id},
          {"spec",
           {{"image", "image:1"},
            {"distributedFramework", "MPI"},
            {"numWorkers", workers},
            {"slotsPerWorker", slots},
            {"compute", {{"gpuDevicesRequest", slots}}}}},
          {"masterSpec", {{"image", "image:1"}, {"command", "mpirun"}, {"args", "-np 2 true"}}}};
}

inline Options standing_clock() {
  Options options;
  options.time_scale = 0;
  return options;
}

class ApiClient {
 public:
  explicit ApiClient(const SimulatorProcess& simulator) : simulator_(simulator) { log_in(); }

  void log_in() {
    const Json body{
        {"grantType", "client_credentials"}, {"clientID", tenant::client_id}, {"clientSecret", tenant::client_secret}};
    token = Json::parse(http_call(simulator_.http_url(), "POST", "/api/v1/token", body.dump()).body).at("accessToken");
  }
  HttpResult call(const std::string& method, const std::string& target, const Json& body = nullptr) const {
    return http_call(simulator_.http_url(), method, target, body.is_null() ? "" : body.dump(),
                     {{"Authorization", "Bearer " + token}});
  }
  Json get(const std::string& target) const { return Json::parse(call("GET", target).body); }
  // The id of the new workload.
  std::string create(const Json& body) const {
    const bool many = body["spec"].contains("numWorkers");
    const auto result = call("POST", std::string("/api/v1/workloads/") + (many ? "distributed" : "trainings"), body);
    EXPECT_EQ(result.status, 202) << result.body;
    return Json::parse(result.body).value("workloadId", "");
  }
  std::string phase(const std::string& id) const { return get("/api/v1/workloads/" + id).value("phase", ""); }

  std::string token;

 private:
  const SimulatorProcess& simulator_;
};

}  // namespace runai_simulator
