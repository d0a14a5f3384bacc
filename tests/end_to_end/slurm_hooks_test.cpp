// On a real Slurm: a test with its prologue and epilogue in one allocation, and which of them run.

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SlurmHooks : public SlurmTest {
 protected:
  void SetUp() override { start_cluster({.nodes = 2}); }

  // One test on both nodes between a prologue and an epilogue, each of the given shell text.
  void write_stages(const std::string& prologue, const std::string& main, const std::string& epilogue,
                    const std::string& prologue_limit = "") const {
    system();
    workspace.hook_test("check", prologue);
    workspace.hook("before", {"check"}, prologue_limit);
    workspace.hook_test("clean", epilogue);
    workspace.hook("behind", {"clean"});
    workspace.test("work", main);
    workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                       test_case("Tests.1", "work", "num_nodes = 2\n"));
  }
};

TEST_F(SlurmHooks, RunInTheAllocationOfTheTest) {
  write_stages(record_node("order") + "; echo said by check", record_node("order") + "; echo said by work",
               record_node("order") + "; echo said by clean");
  const auto ended = run();
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  const auto lines = lines_of(read(workspace.marker("order")));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_EQ(lines[1], lines[2]);

  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(lines[0], "n1 " + run.at("job").get<std::string>());
  const auto& nodes = run.at("nodes").at("actual");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes.at(0).at("name"), "n1");
  EXPECT_EQ(nodes.at(1).at("name"), "n2");
  const auto directory = workspace.results() / "Tests.1/0";
  EXPECT_EQ(read(directory / "prologue/check/stdout.txt"), "said by check\n");
  EXPECT_THAT(read(directory / "stdout.txt"), HasSubstr("said by work\n"));
  EXPECT_EQ(read(directory / "epilogue/clean/stdout.txt"), "said by clean\n");
  for (const auto* file : {"cloudai_sbatch_script.sh", "outcome.json", "slurm-job.toml", "metadata/node-n1.toml",
                           "metadata/node-n2.toml"}) {
    EXPECT_TRUE(fs::exists(directory / file)) << file;
  }
  EXPECT_EQ(jobs_ever(), 1);
}

TEST_F(SlurmHooks, ThatFailBeforeSkipMainAndEpilogue) {
  write_stages(record_node("prologue") + "; exit 3", record_node("main"), record_node("epilogue"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_TRUE(workspace.marked("prologue"));
  EXPECT_FALSE(workspace.marked("main"));
  EXPECT_FALSE(workspace.marked("epilogue"));
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(reason_code(run), "prologue_failed");
  EXPECT_EQ(stage_of(run, "prologue").at("exit_status"), 3);
  for (const auto* kind : {"main", "epilogue"}) {
    EXPECT_EQ(stage_of(run, kind).at("status"), "skipped");
    EXPECT_EQ(reason_code(stage_of(run, kind)), "prologue_failed");
  }
}

TEST_F(SlurmHooks, AfterATestThatFailedStillRun) {
  write_stages("true", "exit 7", record_node("epilogue"));
  EXPECT_EQ(run().exit_status, 1);
  EXPECT_TRUE(workspace.marked("epilogue"));
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(reason_code(run), "exit_status");
  EXPECT_EQ(stage_of(run, "main").at("exit_status"), 7);
  EXPECT_EQ(stage_of(run, "epilogue").at("status"), "passed");
}

TEST_F(SlurmHooks, ThatFailAfterAGoodTestAreSaid) {
  write_stages("true", record_node("main"), "exit 5");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(reason_code(run), "epilogue_failed");
  EXPECT_THAT(reason_text(run), HasSubstr("clean"));
  EXPECT_EQ(stage_of(run, "main").at("status"), "passed");
  EXPECT_EQ(stage_of(run, "epilogue").at("exit_status"), 5);
}

TEST_F(SlurmHooks, ThatHangEndAtTheirOwnLimit) {
  write_stages("sleep 300", record_node("main"), record_node("epilogue"), "3s");
  EXPECT_EQ(run().exit_status, 1);
  EXPECT_FALSE(workspace.marked("main"));
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(reason_code(run), "prologue_failed");
  EXPECT_EQ(reason_code(stage_of(run, "prologue")), "time_limit");
}

TEST_F(SlurmHooks, StandInAScriptThatDoesTheSameByHand) {
  write_stages(record_node("order"), record_node("order") + "; echo said by work", record_node("order"));
  ASSERT_EQ(start(workspace.command("dry-run"))->wait().exit_status, 0);
  const auto directory = workspace.results() / "Tests.1/0";
  EXPECT_EQ(jobs_ever(), 0);

  // As a person would: from the shell, with what the program and its jobs need.
  const char* path = ::getenv("PATH");
  const auto ended = cluster->command(
      {"sbatch", "--wait", (directory / "cloudai_sbatch_script.sh").string()},
      {{"MARKS", (workspace.root() / "marks").string()}, {"PATH", (build_directory() / "bin").string() + ":" + path}});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  const auto lines = lines_of(read(workspace.marker("order")));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], lines[2]);
  EXPECT_THAT(read(directory / "stdout.txt"), HasSubstr("said by work\n"));
  EXPECT_TRUE(fs::exists(directory / "prologue/check/stdout.txt"));
  EXPECT_TRUE(fs::exists(directory / "epilogue/clean/stdout.txt"));
}

}  // namespace
}  // namespace end_to_end
