// The demo scenario as scripts/demo runs it: real collectives, measured with MPI.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Demo : public testing::Test {
 protected:
  Ended run(const std::string& command = "run") {
    const auto demo = source_directory() / "conf/demo";
    const auto program = workspace.start(
        {command, "--system-config", (demo / "system.toml").string(), "--tests-dir", (demo / "test").string(),
         "--test-scenario", (demo / "test_scenario/demo.toml").string(), "--output-dir", workspace.output().string()});
    return program->wait(110s);  // six MPI programs, with more ranks than cores
  }

  const Workspace workspace;
};

// The value of the main stage's bus bandwidth that the summary shows; 0 if there is none.
double bus_bandwidth(const Json& run) {
  for (const auto& metric : run.at("headline")) {
    if (metric.at("name") != "busbw" || metric.at("stage").get<std::string>().rfind("main/", 0) != 0) continue;
    EXPECT_EQ(metric.at("unit"), "GB/s");
    return metric.at("value").get<double>();
  }
  return 0;
}

TEST_F(Demo, PassesMeasuresAndLeavesReports) {
  const auto ended = run();
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  const auto summary = workspace.summary();
  EXPECT_EQ(summary.at("status"), "passed");
  EXPECT_EQ(summary.at("counts"), (Json{{"passed", 2}}));
  for (const auto& run : summary.at("runs")) {
    EXPECT_EQ(run.at("workload"), "NcclTest");
    EXPECT_GT(bus_bandwidth(run), 0.0);
    ASSERT_EQ(run.at("stages").size(), 3U);
    EXPECT_EQ(run.at("stages").front().at("kind"), "prologue");
    EXPECT_EQ(run.at("stages").back().at("kind"), "epilogue");
    const auto directory = workspace.results() / run.at("directory").get<std::string>();
    EXPECT_EQ(Json::parse(read(directory / "outcome.json")).at("stages").size(), 3U);
    EXPECT_THAT(read(directory / "cloudai_nccl_test_report.html"), HasSubstr("Time of small messages"));
    for (const auto& stage : run.at("stages")) {
      const auto stage_directory = workspace.results() / stage.at("directory").get<std::string>();
      EXPECT_THAT(read(stage_directory / "stdout.txt"), HasSubstr("# Avg bus bandwidth"));
      EXPECT_TRUE(fs::exists(stage_directory / "nccl_test.csv")) << stage_directory;
    }
  }
  const auto page = read(workspace.results() / "demo.html");
  EXPECT_THAT(page, HasSubstr("Tests.1"));
  EXPECT_THAT(page, HasSubstr("demo_all_gather"));
}

TEST_F(Demo, DryRunStartsNothing) {
  const auto ended = run("dry-run");
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  for (const auto& entry : fs::recursive_directory_iterator(workspace.results())) {
    EXPECT_NE(entry.path().filename(), "stdout.txt") << entry.path();
  }
}

}  // namespace
}  // namespace end_to_end
