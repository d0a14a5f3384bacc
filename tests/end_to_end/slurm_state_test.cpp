// Every way in which Slurm ends a job that did not end itself, made to happen, with and without accounting.

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

class SlurmState : public SlurmTest, public testing::WithParamInterface<bool> {
 protected:
  // Soon enough after the death of a node, and late enough for a machine that is slow itself.
  void SetUp() override {
    start_cluster({.accounting = GetParam(), .settings = {"SlurmdTimeout=5", "MessageTimeout=5"}});
  }

  // A job of somebody else that wants every node for itself, now.
  std::string push_aside() const {
    return cluster->ask({"sbatch", "--parsable", "--partition=main", "--nodes=4", "--exclusive", "--output=/dev/null",
                         "--wrap=sleep 2"});
  }
};

INSTANTIATE_TEST_SUITE_P(Accounting, SlurmState, testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "on" : "off"); });

const std::string hang = "sleep 900";

TEST_P(SlurmState, OfAJobEndedFromOutsideIsToldApart) {
  system("max_parallel = 6\n");
  for (const auto* name : {"cancelled", "limited", "dark"}) workspace.test(name, hang);
  workspace.test("crashes", "kill -SEGV $$");
  workspace.test("good", "true");
  workspace.scenario("job_status_check = false\n" + test_case("cancelled", "cancelled", "nodes = [\"n1\"]\n") +
                     test_case("limited", "limited", "nodes = [\"n2\"]\n") +
                     test_case("crashes", "crashes", "nodes = [\"n2\"]\n") +
                     test_case("dark", "dark", "nodes = [\"n4\"]\n") + test_case("good", "good", "nodes = [\"n3\"]\n"));
  const auto program = start(workspace.command("run"));
  // Slurm looks at limits twice a minute.
  cluster->ask({"bash", "-c", "scontrol update jobid=\"$0\" endtime=\"$(date -d '+2 sec' +%FT%T)\"",
                job_in_state("limited", "RUNNING")});
  job_in_state("dark", "RUNNING");
  cluster->stop_node("n4");
  cluster->ask({"scancel", job_in_state("cancelled", "RUNNING")});
  const auto ended = program->wait(300s);
  EXPECT_EQ(ended.exit_status, 3) << ended.err;

  const auto expect = [&](const std::string& id, const std::string& status, const std::string& code) {
    const auto run = workspace.run_of(id + "/0");
    EXPECT_EQ(run.at("status"), status) << id;
    EXPECT_EQ(reason_code(run), code) << id << ": " << run.at("reason");
  };
  expect("cancelled", "error", "cancelled");
  expect("limited", "failed", "time_limit");
  expect("dark", "failed", "node_fail");
  expect("crashes", "failed", "signal");
  EXPECT_EQ(workspace.run_of("good/0").at("status"), "passed");
  EXPECT_EQ(jobs_ever(), 5);
}

TEST_P(SlurmState, OfAJobPushedAsideForGoodIsNoPass) {
  system("", "cancel");
  workspace.test("work", "touch \"$MARKS/runs\"; " + hang);
  workspace.scenario(test_case("Tests.1", "work"));
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("runs"); }, 120s)) << program->err();
  push_aside();
  const auto ended = program->wait(300s);
  EXPECT_NE(ended.exit_status, 0);
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_NE(run.at("status"), "passed");
  EXPECT_THAT(reason_text(run), AnyOf(HasSubstr("PREEMPTED"), HasSubstr("preempted"))) << run.at("reason");
}

TEST_P(SlurmState, OfAJobPushedAsideForNowIsThatOfItsLastStart) {
  system("extra_sbatch_args = [\"--requeue\"]\n", "requeue");
  workspace.test("work",
                 "echo start $SLURM_RESTART_COUNT; [ -e \"$MARKS/runs\" ] || { touch \"$MARKS/runs\"; " + hang + "; }");
  workspace.scenario(test_case("Tests.1", "work"));
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("runs"); }, 120s)) << program->err();
  push_aside();
  const auto ended = program->wait(300s);
  EXPECT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "passed");
  const auto directory = workspace.results() / "Tests.1/0";
  EXPECT_EQ(read(directory / "attempt-1/stdout.txt"), "start\n");
  EXPECT_EQ(read(directory / "stdout.txt"), "start 1\n");
  EXPECT_EQ(jobs_ever(), 2) << "the one that was pushed aside, and the one that did it";
}

class SlurmMemory : public SlurmTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override { start_cluster({.nodes = 2, .accounting = GetParam(), .memory_limits = true}); }
};

INSTANTIATE_TEST_SUITE_P(Accounting, SlurmMemory, testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "on" : "off"); });

TEST_P(SlurmMemory, BeyondTheLimitIsTheReason) {
  system();
  workspace.test("greedy", "exec python3 -c 'x = b\"1\" * 2000000000'");
  workspace.scenario(test_case("Tests.1", "greedy"));
  EXPECT_EQ(run().exit_status, 1);
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  // Only the accounts know how a step ended; without them there is what Slurm said at the time.
  EXPECT_THAT(reason_text(run), HasSubstr("; the scheduler says: out of memory in ")) << run.at("reason");
}

}  // namespace
}  // namespace end_to_end
