// Judges a log as the output of a planned stage.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "modules/workloads/nccl_test/verdict.hpp"
#include "tests/modules/workloads/nccl_test/logs.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::nccl_test {

struct Planned {
  int ranks;
  int nodes;
  std::string max_bytes;
  std::string min_bytes = "8";
  std::string program = "all_reduce_perf_mpi";
  std::string type = "float";
  std::string redop = "sum";
};

class Verdicts : public ::testing::Test {
 protected:
  StageRequest stage(const Planned& planned, int exit_status = 0) const {
    const RunRequest run = testing::run_request("NcclTest", options, directory_.path());
    Plan plan;
    Step step;
    step.command.argv = {planned.program, "-b", planned.min_bytes, "-e", planned.max_bytes, "-f", "2", "-d",
                         planned.type,    "-o", planned.redop};
    plan.steps.push_back(step);
    plan.expects = {planned.ranks, planned.nodes};
    return testing::stage_request(run, plan, exit_status);
  }

  Outcome outcome_of_text(const std::string& text, const Planned& planned, int exit_status = 0) const {
    directory_.write("stdout.txt", text);
    return evaluated(stage(planned, exit_status));
  }

  Outcome outcome_of(const std::string& log, const Planned& planned, int exit_status = 0) const {
    return outcome_of_text(log_text(log), planned, exit_status);
  }

  std::string path() const { return (directory_.path() / "stdout.txt").string(); }

  Json options = {{"subtest_name", "all_reduce_perf_mpi"}};
  testing::TemporaryDirectory directory_;
};

inline void expect_failed(const Outcome& outcome, const std::string& code, const std::string& text,
                          std::optional<int> line = std::nullopt) {
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->code, code);
  EXPECT_EQ(outcome.reason->text, text);
  ASSERT_FALSE(outcome.reason->evidence.empty());
  EXPECT_EQ(outcome.reason->evidence[0].path, "stdout.txt");
  EXPECT_EQ(outcome.reason->evidence[0].line, line);
}

// A copy of a log with some words replaced.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) ADD_FAILURE() << "no '" << from << "' in the log";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace cloudai::nccl_test
