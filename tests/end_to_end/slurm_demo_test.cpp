// The demo's tests and hooks on a real Slurm: collectives over two and four nodes, started with srun --mpi=pmix.

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SlurmDemo : public SlurmTest, public testing::WithParamInterface<int> {};

std::string demo_case(const std::string& id, const std::string& test, int nodes, const std::string& more = "") {
  return test_case(id, test, "num_nodes = " + std::to_string(nodes) + "\ntime_limit = \"10m\"\n" + more);
}

TEST_P(SlurmDemo, MeasuresBetweenPrologueAndEpilogue) {
  const int nodes = GetParam();
  system("ntasks_per_node = " + std::to_string(4 / nodes) + "\n");
  const auto demo = source_directory() / "conf/demo";
  workspace.scenario("prologue = \"demo_prologue\"\nepilogue = \"demo_epilogue\"\n" +
                     demo_case("Tests.1", "demo_all_reduce", nodes) +
                     demo_case("Tests.2", "demo_all_gather", nodes, after("Tests.1")));
  // Ranks that wait without giving way would spend minutes where there are more of them than cores. mpirun sees to that
  // by itself; srun does not.
  const std::map<std::string, std::string> patient{{"OMPI_MCA_mpi_yield_when_idle", "1"}};
  const auto ended = start({"run", "--system-config", (workspace.root() / "system.toml").string(), "--tests-dir",
                            (demo / "test").string(), "--hook-dir", (demo / "hook").string(), "--test-scenario",
                            (workspace.root() / "scenario.toml").string()},
                           patient)
                         ->wait(300s);
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  const auto summary = workspace.summary();
  EXPECT_EQ(summary.at("counts"), (Json{{"passed", 2}}));
  for (const auto& run : summary.at("runs")) {
    EXPECT_EQ(run.at("nodes").at("actual").size(), static_cast<std::size_t>(nodes));
    EXPECT_FALSE(run.at("headline").empty());
    ASSERT_EQ(run.at("stages").size(), 3U);
    for (const auto& stage : run.at("stages")) {
      EXPECT_EQ(stage.at("status"), "passed");
      const auto output = read(workspace.results() / stage.at("stdout").get<std::string>());
      EXPECT_THAT(output, HasSubstr("# Avg bus bandwidth"));
      // A line for each rank names the node that it is on.
      for (int node = 1; node <= nodes; ++node)
        EXPECT_THAT(output, HasSubstr(" n" + std::to_string(node) + " device "));
    }
    EXPECT_TRUE(fs::exists(workspace.results() / run.at("directory").get<std::string>() / "nccl_test.csv"));
  }
  EXPECT_EQ(jobs_ever(), 2);
}

INSTANTIATE_TEST_SUITE_P(Nodes, SlurmDemo, testing::Values(2, 4),
                         [](const auto& test) { return std::to_string(test.param); });

}  // namespace
}  // namespace end_to_end
