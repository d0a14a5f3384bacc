// The whole way: the planned command, run by a real mpirun with mpi_collectives, judged by its real output.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "modules/workloads/nccl_test/command.hpp"
#include "modules/workloads/nccl_test/verdict.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::nccl_test {
namespace {

using testing::TemporaryDirectory;

RunRequest request(const std::string& subtest, int ranks, const TemporaryDirectory& directory) {
  RunRequest run = testing::run_request("NcclTest",
                                        {{"subtest_name", subtest},
                                         {"minbytes", "8"},
                                         {"maxbytes", "64K"},
                                         {"op", "sum"},
                                         {"datatype", "float"},
                                         {"iters", 2},
                                         {"warmup_iters", 1},
                                         {"stepfactor", 16}},
                                        directory.path());
  run.system.tasks_per_node = ranks;
  return run;
}

// Runs the plan's command behind `launcher`, in the stage's directory.
Outcome run_and_judge(const RunRequest& run, const std::string& launcher, const TemporaryDirectory& directory) {
  const Plan plan = plan_of(run);
  // Open MPI itself leaks at its end.
  std::string command = "cd " + directory.path().string() +
                        " && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                        "ASAN_OPTIONS=detect_leaks=0 PATH=" MPI_COLLECTIVES_DIR ":$PATH && { " +
                        launcher;
  for (const std::string& argument : plan.steps[0].command.argv) command += " '" + argument + "'";
  command += "; } >stdout.txt 2>stderr.txt";
  const int status = std::system(command.c_str());
  return evaluated(testing::stage_request(run, plan, WIFEXITED(status) ? WEXITSTATUS(status) : 1));
}

const std::string mpirun = MPIRUN " --oversubscribe -np ";

TEST(RealRun, FourRanksPass) {
  for (const char* const collective : {"all_reduce", "all_gather"}) {
    const TemporaryDirectory directory;
    const RunRequest run = request(std::string(collective) + "_perf_mpi", 4, directory);
    const Outcome outcome = run_and_judge(run, mpirun + "4", directory);
    EXPECT_EQ(outcome.verdict, Verdict::passed) << collective << ": " << (outcome.reason ? outcome.reason->text : "");
    EXPECT_EQ(outcome.facts.at("collective"), collective);
    EXPECT_EQ(outcome.facts.at("ranks"), "4");
    ASSERT_EQ(outcome.tables.size(), 1U);
    EXPECT_EQ(outcome.tables[0].rows.size(), 4U);
    EXPECT_FALSE(outcome.metrics.empty());
  }
}

TEST(RealRun, OneRankPasses) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_and_judge(request("all_reduce_perf_mpi", 1, directory), mpirun + "1", directory);
  EXPECT_EQ(outcome.verdict, Verdict::passed) << (outcome.reason ? outcome.reason->text : "");
  EXPECT_TRUE(outcome.facts.contains("note"));
}

TEST(RealRun, FewerRanksThanPlannedFail) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_and_judge(request("all_reduce_perf_mpi", 4, directory), mpirun + "2", directory);
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->text, "expected 4 ranks on 1 node, the log shows 2");
}

TEST(RealRun, ProcessesThatDoNotFindEachOtherFail) {
  const TemporaryDirectory directory;
  // What a launcher does that the program's MPI does not know: it starts the program twice, alone each time.
  const Outcome outcome =
      run_and_judge(request("all_reduce_perf_mpi", 2, directory), "twice() { \"$@\"; \"$@\"; }; twice", directory);
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->code, "ranks_missing");
}

TEST(RealRun, AnOptionTheProgramRefusesFails) {
  const TemporaryDirectory directory;
  RunRequest run = request("all_reduce_perf_mpi", 2, directory);
  run.test.extra_cmd_args = {{"--ngpus", "8"}};
  const Outcome outcome = run_and_judge(run, mpirun + "2", directory);
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->code, "exit_status");
  EXPECT_EQ(outcome.reason->evidence.at(0).path, "stderr.txt");
}

}  // namespace
}  // namespace cloudai::nccl_test
