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
    return workspace.cloudai({command, "--system-config", (demo / "system.toml").string(), "--tests-dir",
                              (demo / "test").string(), "--test-scenario", (demo / "test_scenario/demo.toml").string(),
                              "--output-dir", workspace.output().string()});
  }

  const Workspace workspace;
};

TEST_F(Demo, PassesAndMeasures) {
  const auto ended = run();
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  const auto summary = workspace.summary();
  EXPECT_EQ(summary.at("status"), "passed");
  EXPECT_EQ(summary.at("counts"), (Json{{"passed", 2}}));
  for (const auto& run : summary.at("runs")) {
    EXPECT_EQ(run.at("workload"), "NcclTest");
    EXPECT_EQ(run.at("stages").front().at("kind"), "prologue");
    EXPECT_EQ(run.at("stages").back().at("kind"), "epilogue");
    ASSERT_FALSE(run.at("headline").empty());
    EXPECT_EQ(run.at("headline").at(0).at("unit"), "GB/s");
    EXPECT_GT(run.at("headline").at(0).at("value").get<double>(), 0.0);
    const auto directory = workspace.results() / run.at("directory").get<std::string>();
    EXPECT_THAT(read(directory / "stdout.txt"), HasSubstr("# Avg bus bandwidth"));
    const auto outcome = Json::parse(read(directory / "outcome.json"));
    EXPECT_EQ(outcome.at("stages").size(), run.at("stages").size());
  }
}

TEST_F(Demo, LeavesAReportAndATableOfEveryBenchmark) {
  ASSERT_EQ(run().exit_status, 0);
  int pages = 0;
  int tables = 0;
  for (const auto& entry : fs::recursive_directory_iterator(workspace.results())) {
    if (entry.path().extension() == ".html") ++pages;
    if (entry.path().extension() == ".csv") ++tables;
  }
  EXPECT_GE(pages, 1);
  EXPECT_GE(tables, 2);
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
