// Stopping a run on a real Slurm from outside: nothing of it stays in the queue.

#include <signal.h>

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

class SlurmSignal : public SlurmTest, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override { start_cluster({.nodes = 2}); }
};

TEST_P(SlurmSignal, LeavesNothingInTheQueue) {
  const auto stranger =
      cluster->ask({"sbatch", "--parsable", "--exclusive", "--nodelist=n2", "--output=/dev/null", "--wrap=sleep 900"});
  ASSERT_TRUE(eventually([&] { return cluster->field_of_job(stranger, "JobState") == "RUNNING"; }, 120s));
  system("max_parallel = 3\n");
  workspace.test("hangs", "touch \"$MARKS/hangs\"; sleep 900");
  workspace.test("stubborn", "trap '' TERM INT; touch \"$MARKS/stubborn\"; while true; do sleep 0.1; done");
  workspace.test("waits", "true");
  workspace.scenario(test_case("Tests.1", "hangs") + test_case("Tests.2", "stubborn") +
                     test_case("Tests.3", "waits", "nodes = [\"n2\"]\n"));
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs") && workspace.marked("stubborn"); }, 120s))
      << program->err();
  ASSERT_TRUE(eventually([&] { return cluster->queue().size() == 4; }, 120s)) << program->err();

  program->send(GetParam());
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 128 + GetParam()) << ended.err;
  EXPECT_TRUE(eventually([&] { return cluster->queue() == std::vector<std::string>{stranger}; }, 60s));
  EXPECT_EQ(workspace.summary().at("status"), "cancelled");
  for (const auto* id : {"Tests.1/0", "Tests.2/0", "Tests.3/0"}) {
    EXPECT_EQ(workspace.run_of(id).at("status"), "cancelled") << id;
  }
}

INSTANTIATE_TEST_SUITE_P(Signals, SlurmSignal, testing::Values(SIGINT, SIGTERM),
                         [](const auto& test) { return std::string(test.param == SIGINT ? "Sigint" : "Sigterm"); });

}  // namespace
}  // namespace end_to_end
