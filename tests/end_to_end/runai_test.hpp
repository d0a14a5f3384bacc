// Tests of the built program on a simulated Run:ai tenant: a user's folder, a tenant that the test has alone, and what
// must hold at the end of each of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/end_to_end/workspace.hpp"
#include "tests/runai_simulator/simulator_process.hpp"

namespace end_to_end {

// The command lines of all processes that ran while it lived.
class ProcessList {
 public:
  ProcessList();
  ~ProcessList() { stop(); }
  ProcessList(const ProcessList&) = delete;
  ProcessList& operator=(const ProcessList&) = delete;

  void stop();
  bool contains(const std::string& text) const;  // once it has been stopped

 private:
  std::atomic<bool> stopping_{false};
  std::set<std::string> seen_;
  std::thread thread_;
};

class RunaiTest : public testing::Test {
 protected:
  explicit RunaiTest(const runai_simulator::Options& options = {});
  // Of the tenant: `bounds` hold. Of the user's folder, what was printed, and the process list: no secret is there.
  void TearDown() override;

  // system.toml: this tenant over TLS, with these keys besides or instead; a null takes one away.
  void system(const Json& changes = Json::object()) const;
  // A test of one size of output: what the tenant prints by itself.
  void nccl_test(const std::string& name) const;
  // One test, "Tests.1", of which this is said further.
  void one_case(const std::string& more = "") const;

  // What happens to workloads whose name matches the glob; the keys of a script of the tenant.
  void script(const std::string& phases, Json more = Json::object(), const std::string& name = "*") const;
  void fault(const char* match, const char* effect) const;

  std::unique_ptr<Program> start(const Arguments& arguments) const { return workspace.start(arguments); }
  Ended run(const Arguments& more = {}) const;

  Json the_run() const { return workspace.run_of("Tests.1/0"); }
  std::string output(const std::string& directory = "Tests.1/0") const;
  // Waits until so many of the workloads were seen in this phase.
  bool reached(const std::string& phase, std::size_t count = 1) const;
  std::size_t count(const std::string& method, const std::string& path) const;
  // The sum of scheduler_commands in the summary.
  std::size_t counted_requests() const;

  const Workspace workspace;
  const runai_simulator::SimulatorProcess tenant;
  runai_simulator::Bounds bounds;

 private:
  ProcessList processes_;
};

// Of a run or a stage.
std::string reason_code(const Json& run_or_stage);
std::string reason_text(const Json& run_or_stage);

// A line for each number from 1 on, as a program might print while it warms up; a comment to nccl-tests' readers.
std::string numbered_lines(int count);

}  // namespace end_to_end
