// The built module and a simulated tenant.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/scheduler.hpp"
#include "tests/runai_simulator/simulator_process.hpp"
#include "tests/sdk/module_harness.hpp"

namespace runai::testing {

using Json = cloudai::Json;

class TenantTest : public ::testing::Test {
 protected:
  TenantTest();
  ~TenantTest() override;
  void TearDown() override;

  // Opens the system with these options instead of the usual ones; over TLS where `base_url` is that of the tenant.
  cloudai::testing::Reply open(const Json& options = Json::object());

  // A job of so many nodes; its main test prints what nccl-tests does.
  static cloudai::Job job(const std::string& name = "nccl.Tests.1", int nodes = 1);

  // Renders the job, writes its files into a directory of its own and submits it. The id, or what was refused.
  std::string submit(const cloudai::Job& job);
  std::string submit_error(const cloudai::Job& job);
  cloudai::testing::Reply try_to_submit(const cloudai::Job& job);

  std::vector<cloudai::JobPhase> poll(const std::vector<std::string>& ids);
  // Polls until all have ended; fails after half a minute.
  void wait_for_end(const std::vector<std::string>& ids);
  void wait_for(const std::string& id, cloudai::JobPhase phase);
  cloudai::JobResult collect(const std::string& id);
  std::vector<cloudai::NotCancelled> cancel(const std::vector<std::string>& ids);

  // The id of the job's workload; empty if there is none.
  std::string find(const cloudai::Job& job);

  // Submits, waits for the end and collects.
  cloudai::JobResult run(const cloudai::Job& job);

  std::string file(const cloudai::Job& job, const std::string& name) const;
  std::filesystem::path directory_of(const cloudai::Job& job) const { return directory_.path() / job.tag; }
  std::string log() const;
  std::size_t count(const std::string& method, const std::string& path) const;

  static cloudai::testing::FakeHost& host();
  static runai_simulator::SimulatorProcess& tenant();

  cloudai::testing::TemporaryDirectory directory_;
  runai_simulator::Bounds bounds_;  // what holds at the end of each test
  void* instance_ = nullptr;

 private:
  static const cloudai::testing::LoadedModule& module();
  cloudai::testing::Reply call(cloudai_call cloudai_scheduler_v1::*function, const Json& request);
};

}  // namespace runai::testing
