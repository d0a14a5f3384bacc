// The verdict every workload starts from.
#include "cloudai/default_evaluation.hpp"

#include <gtest/gtest.h>

#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

class DefaultEvaluation : public ::testing::Test {
 protected:
  StageRequest stage(std::optional<int> exit_status) const {
    Step step;
    step.command.argv = {"all_reduce_perf", "-b", "8"};
    Plan plan;
    plan.steps.push_back(step);
    StageRequest request = stage_request(run_request("X", Json::object(), directory_.path()), plan);
    request.result.exit_status = exit_status;
    return request;
  }

  static void expect(const StageRequest& stage, Verdict verdict, const std::string& code, const std::string& text) {
    const Outcome outcome = default_evaluation(stage);
    EXPECT_EQ(outcome.verdict, verdict);
    ASSERT_TRUE(outcome.reason);
    EXPECT_EQ(outcome.reason->code, code);
    EXPECT_EQ(outcome.reason->text, text);
  }

  TemporaryDirectory directory_;
};

TEST_F(DefaultEvaluation, ExitStatusZeroPasses) {
  const Outcome outcome = default_evaluation(stage(0));
  EXPECT_EQ(outcome.verdict, Verdict::passed);
  EXPECT_FALSE(outcome.reason);
}

TEST_F(DefaultEvaluation, AnotherExitStatusFails) {
  expect(stage(1), Verdict::failed, "exit_status", "exit status 1");
  expect(stage(139), Verdict::failed, "exit_status", "exit status 139 (SIGSEGV)");
  expect(stage(255), Verdict::failed, "exit_status", "exit status 255");
}

TEST_F(DefaultEvaluation, ThePlanMayExpectAnExitStatus) {
  StageRequest request = stage(3);
  request.plan.success.exit_status = 3;
  EXPECT_EQ(default_evaluation(request).verdict, Verdict::passed);
  request.result.exit_status = 0;
  expect(request, Verdict::failed, "exit_status", "exit status 0, expected 3");
}

TEST_F(DefaultEvaluation, ASignalFails) {
  StageRequest request = stage(std::nullopt);
  request.result.signal = 11;
  expect(request, Verdict::failed, "signal", "ended by SIGSEGV");
  request.result.signal = 35;
  expect(request, Verdict::failed, "signal", "ended by signal 35");
}

TEST_F(DefaultEvaluation, ATimeLimitFailsWhateverTheExitStatus) {
  StageRequest request = stage(0);
  request.result.timed_out = true;
  expect(request, Verdict::failed, "time_limit", "exceeded its time limit");
  request.stage.time_limit = 3723;
  expect(request, Verdict::failed, "time_limit", "exceeded its time limit of 01:02:03");
  request.stage.time_limit = 360000;
  expect(request, Verdict::failed, "time_limit", "exceeded its time limit of 100:00:00");
}

TEST_F(DefaultEvaluation, AMissingCommandIsNamedByTheShell) {
  directory_.write("stderr.txt", "./run.sh: line 3: nccl-tests: command not found\n");
  const Outcome outcome = default_evaluation(stage(127));
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->code, "command_not_found");
  EXPECT_EQ(outcome.reason->text, "command not found: nccl-tests (exit status 127)");
  EXPECT_EQ(outcome.reason->evidence.at(0).line, 1);
}

TEST_F(DefaultEvaluation, AMissingCommandIsElseTheOnlyOneThereIs) {
  expect(stage(127), Verdict::failed, "command_not_found", "command not found: all_reduce_perf (exit status 127)");
  StageRequest request = stage(127);
  request.plan.steps.push_back(request.plan.steps[0]);
  expect(request, Verdict::failed, "command_not_found", "a command was not found (exit status 127)");
}

TEST_F(DefaultEvaluation, AnUnfinishedStageIsAnError) {
  StageRequest request = stage(std::nullopt);
  request.result.state = StageState::unfinished;
  expect(request, Verdict::error, "incomplete_output",
         "the stage started, but its end was not recorded: the job was cancelled or died");
}

TEST_F(DefaultEvaluation, AStageThatDidNotStartIsAnError) {
  StageRequest request = stage(std::nullopt);
  request.result.state = StageState::skipped;
  expect(request, Verdict::error, "scheduler_failed", "the stage did not start");
}

TEST_F(DefaultEvaluation, NoExitStatusIsAnError) {
  expect(stage(std::nullopt), Verdict::error, "scheduler_failed", "the scheduler gave no exit status");
}

TEST_F(DefaultEvaluation, AFailureMayHaveNoExitStatus) {
  StageRequest request = stage(std::nullopt);
  request.result.failure = "BackoffLimitExceeded";
  expect(request, Verdict::failed, "exit_status", "the program failed: BackoffLimitExceeded");
}

TEST_F(DefaultEvaluation, AStageEndedOnPurposeIsNoFailure) {
  StageRequest request = stage(std::nullopt);
  request.ended_by_dependency = true;
  request.result.signal = 15;
  EXPECT_EQ(default_evaluation(request).verdict, Verdict::passed);
  request.result.state = StageState::unfinished;
  EXPECT_EQ(default_evaluation(request).verdict, Verdict::passed);
  request.result.timed_out = true;
  EXPECT_EQ(default_evaluation(request).verdict, Verdict::failed);
}

TEST_F(DefaultEvaluation, EvidenceIsTheOutputThatIsNotEmpty) {
  EXPECT_TRUE(default_evaluation(stage(1)).reason->evidence.empty());
  directory_.write("stdout.txt", "started\n");
  directory_.write("stderr.txt", "");
  const auto only_stdout = default_evaluation(stage(1)).reason->evidence;
  ASSERT_EQ(only_stdout.size(), 1U);
  EXPECT_EQ(only_stdout[0].path, "stdout.txt");
  directory_.write("stderr.txt", "trouble\n");
  const auto both = default_evaluation(stage(1)).reason->evidence;
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].path, "stderr.txt");
}

}  // namespace
}  // namespace cloudai::testing
