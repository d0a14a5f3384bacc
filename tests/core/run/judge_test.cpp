#include "core/run/judge.hpp"

#include <gtest/gtest.h>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::run {
namespace {

using testing::a_case;
using testing::a_hook;
using testing::a_scenario;

// A run of prologue "check", a main test and epilogue "clean", all good until a test says otherwise.
class JudgeTest : public ::testing::Test {
 protected:
  JudgeTest() {
    scenario_.prologue = {a_hook("check")};
    scenario_.epilogue = {a_hook("clean")};
    runs_ = pipeline::expand(scenario_);
    record_.run = &runs_[0];
    for (const auto& stage : runs_[0].stages) {
      StageRecord stage_record;
      stage_record.kind = stage.kind;
      stage_record.name = stage.name;
      stage_record.directory = "A/0/" + stage.directory.string();
      record_.stages.push_back(stage_record);
    }
    evidence_.job_result = {{"state", "completed"}, {"nodes", {{{"name", "n1"}}}}, {"stages", Json::array()}};
    for (const auto& stage : runs_[0].stages) {
      evidence_.job_result["stages"].push_back(
          {{"kind", to_string(stage.kind)}, {"name", stage.name}, {"state", "ended"}, {"gate", "open"}});
      evidence_.outcomes.emplace_back(Json{{"verdict", "passed"}});
    }
  }

  Json& result(std::size_t stage) { return evidence_.job_result["stages"][stage]; }
  void outcome(std::size_t stage, const char* verdict, const char* code, const char* text) {
    evidence_.outcomes[stage] = Json{{"verdict", verdict}, {"reason", {{"code", code}, {"text", text}}}};
  }
  void skip_from(std::size_t stage) {
    for (; stage < 3; ++stage) {
      result(stage) = {{"kind", result(stage)["kind"]}, {"name", result(stage)["name"]}, {"state", "skipped"}};
      evidence_.outcomes[stage].reset();
    }
  }
  void expect(Status status, const std::string& code, const std::string& text) {
    judge(record_, evidence_);
    EXPECT_EQ(to_string(record_.status), to_string(status));
    EXPECT_EQ(record_.reason.code, code);
    EXPECT_EQ(record_.reason.text, text);
  }

  config::Scenario scenario_ = a_scenario({a_case("A")});
  std::vector<pipeline::Run> runs_;
  RunRecord record_;
  Evidence evidence_;
};

TEST_F(JudgeTest, AllGoodIsAPass) {
  expect(Status::passed, "", "");
  EXPECT_EQ(record_.nodes[0]["name"], "n1");
}

TEST_F(JudgeTest, AFailedPrologueFailsTheRunAndTheRestIsSkipped) {
  result(0)["gate"] = "closed";
  outcome(0, "failed", "exit_status", "exit status 3");
  skip_from(1);
  expect(Status::failed, "prologue_failed", "prologue check failed: exit status 3");
  EXPECT_EQ(record_.stages[1].status, Status::skipped);
  EXPECT_EQ(record_.stages[1].reason.text, "prologue check failed");
  EXPECT_EQ(record_.stages[2].status, Status::skipped);
}

TEST_F(JudgeTest, GateOpenButJudgedBadFailsTheRunAndShowsMainAsRan) {
  outcome(0, "failed", "out_of_bounds", "2 values out of bounds");
  expect(Status::failed, "prologue_failed", "prologue check failed: 2 values out of bounds");
  EXPECT_EQ(record_.stages[1].status, Status::passed);
}

TEST_F(JudgeTest, GateClosedButJudgedGoodIsAnError) {
  result(0)["gate"] = "closed";
  skip_from(1);
  expect(Status::error, "gate_disagrees",
         "prologue check could not be judged: the scheduler's check of the stage failed, but the workload judges its "
         "output good");
}

TEST_F(JudgeTest, AFailedMainTestHasItsOwnReason) {
  result(1)["gate"] = "closed";
  outcome(1, "failed", "exit_status", "exit status 1");
  outcome(2, "failed", "exit_status", "exit status 9");
  expect(Status::failed, "exit_status", "exit status 1");
  EXPECT_EQ(record_.stages[2].status, Status::failed);
}

TEST_F(JudgeTest, AFailedEpilogueFailsTheRunAndMainIsShownAsPassed) {
  result(2)["gate"] = "closed";
  outcome(2, "failed", "exit_status", "exit status 4");
  expect(Status::failed, "epilogue_failed", "epilogue clean failed: exit status 4");
  EXPECT_EQ(record_.stages[1].status, Status::passed);
}

TEST_F(JudgeTest, AModuleThatCannotJudgeIsAnError) {
  evidence_.outcomes[1] = trouble("module 'x' sent no reply.");
  expect(Status::error, "module_failed", "module 'x' sent no reply.");
}

TEST_F(JudgeTest, AModuleThatCrashedHasACodeOfItsOwn) {
  evidence_.outcomes[1] = tl::make_unexpected(Error{ErrorKind::module_crashed, "module 'x' crashed.", "Mend it."});
  expect(Status::error, "module_crashed", "module 'x' crashed.");
  EXPECT_EQ(record_.reason.hint, "Mend it.");
}

TEST_F(JudgeTest, WhatIsMissedInAnOutputThatIsNotAllThereIsNoFailure) {
  result(1)["output_unavailable"] = "the pods are gone";
  outcome(1, "failed", "missing_output", "stdout.txt is empty");
  expect(Status::error, "output_unavailable",
         "its output is not all there (the pods are gone); of what there is: stdout.txt is empty");
}

TEST_F(JudgeTest, AnOutputThatIsNotAllThereMayBeEnough) {
  result(1)["output_unavailable"] = "the pods are gone";
  expect(Status::passed, "", "");
}

TEST_F(JudgeTest, AVerdictNobodyKnowsIsAnError) {
  outcome(1, "great", "x", "y");
  expect(Status::error, "x", "y");
}

TEST_F(JudgeTest, AStageTheSchedulerSaysNothingOfIsNoPass) {
  evidence_.job_result["stages"].erase(1);
  evidence_.outcomes[1].reset();
  judge(record_, evidence_);
  EXPECT_EQ(record_.status, Status::error);
}

TEST_F(JudgeTest, GoodOutputOfAJobThatWasNotCompletedIsNoPass) {
  evidence_.job_result["state"] = "node_fail";
  evidence_.job_result["reason"] = "n1 is down";
  expect(Status::failed, "node_fail", "a node failed (n1 is down)");
  evidence_.job_result["state"] = "failed";
  evidence_.job_result.erase("reason");
  expect(Status::error, "scheduler_failed", "the job did not run to its end: the scheduler says 'failed'");
  evidence_.job_result.erase("state");
  expect(Status::error, "scheduler_failed", "the job did not run to its end: the scheduler says ''");
}

TEST_F(JudgeTest, OfAFailedStageTheSchedulerMayKnowTheReason) {
  outcome(1, "failed", "exit_status", "exit status 137");
  evidence_.job_result["state"] = "failed";
  evidence_.job_result["reason"] = "out of memory in step 0";
  expect(Status::failed, "exit_status", "exit status 137; the scheduler says: out of memory in step 0");
}

TEST_F(JudgeTest, AFailedJobThatNeverStartedIsTheSchedulersTrouble) {
  skip_from(0);
  evidence_.job_result["state"] = "failed";
  evidence_.job_result["reason"] = "it waited in vain";
  expect(Status::error, "scheduler_failed",
         "the job did not run to its end: the scheduler says 'failed' (it waited in vain)");
}

TEST_F(JudgeTest, AnEpilogueThatNeverStartedIsTheSchedulersTrouble) {
  skip_from(2);
  evidence_.job_result["state"] = "failed";
  evidence_.job_result["reason"] = "it takes no more jobs";
  expect(Status::error, "scheduler_failed",
         "the job did not run to its end: the scheduler says 'failed' (it takes no more jobs)");
  EXPECT_EQ(record_.stages[1].status, Status::passed);
}

TEST_F(JudgeTest, WarningsOfTheSchedulerAreKept) {
  evidence_.job_result["warnings"] = {"the nodes differ"};
  expect(Status::passed, "", "");
  EXPECT_EQ(record_.warnings, std::vector<std::string>{"the nodes differ"});
}

TEST_F(JudgeTest, ATimeLimitOfTheJobIsTheReason) {
  evidence_.job_result["state"] = "time_limit";
  expect(Status::failed, "time_limit", "the job exceeded its time limit");
}

TEST_F(JudgeTest, ACancelledRunIsCancelledAndItsStagesSayHowFarItCame) {
  evidence_.interference = Interference::cancelled;
  evidence_.job_result["state"] = "cancelled";
  result(1)["state"] = "unfinished";
  evidence_.outcomes[1].reset();
  skip_from(2);
  judge(record_, evidence_);
  EXPECT_EQ(record_.status, Status::cancelled);
  EXPECT_EQ(record_.stages[0].status, Status::passed);
  EXPECT_EQ(record_.stages[1].status, Status::cancelled);
  EXPECT_EQ(record_.stages[2].status, Status::skipped);
}

TEST_F(JudgeTest, ARunThatEndedBeforeItsCancellationKeepsItsResult) {
  evidence_.interference = Interference::cancelled;
  expect(Status::passed, "", "");
}

TEST_F(JudgeTest, AMainTestThatWasEndedIsJudgedByItsWorkloadAlone) {
  evidence_.interference = Interference::main_ended;
  result(1)["gate"] = "closed";
  result(1)["exit_status"] = 143;
  result(1)["asked_to_end"] = true;
  expect(Status::passed, "", "");
  outcome(1, "failed", "no_measurement", "nothing was measured");
  expect(Status::failed, "no_measurement", "nothing was measured");
}

TEST_F(JudgeTest, AMainTestThatEndedBeforeItWasAskedToIsJudgedAsEver) {
  evidence_.interference = Interference::main_ended;
  result(1)["gate"] = "closed";
  expect(Status::error, "gate_disagrees",
         "the scheduler's check of the stage failed, but the workload judges its output good");
  EXPECT_FALSE(was_ended_by_us(evidence_.job_result, record_.run->stages[1], Interference::main_ended));
  result(1)["asked_to_end"] = true;
  EXPECT_TRUE(was_ended_by_us(evidence_.job_result, record_.run->stages[1], Interference::main_ended));
  EXPECT_FALSE(was_ended_by_us(evidence_.job_result, record_.run->stages[1], Interference::none));
}

TEST_F(JudgeTest, AnEpilogueThatIsMissingAfterAnEndedMainTestIsNoPass) {
  evidence_.interference = Interference::main_ended;
  evidence_.job_result["state"] = "cancelled";
  result(1)["state"] = "unfinished";
  skip_from(2);
  expect(Status::failed, "epilogue_failed",
         "epilogue clean failed: the job was ended whole, as its main test could not be ended alone");
}

TEST_F(JudgeTest, AnEpilogueAfterAnEndedMainTestCountsAsEver) {
  evidence_.interference = Interference::main_ended;
  result(2)["gate"] = "closed";
  outcome(2, "failed", "exit_status", "exit status 4");
  expect(Status::failed, "epilogue_failed", "epilogue clean failed: exit status 4");
}

TEST_F(JudgeTest, AMainTestThatHadToEndBeforeItStartedMakesTheRunSkipped) {
  evidence_.interference = Interference::main_ended;
  skip_from(1);
  expect(Status::skipped, "dependency_ended", "the main test had to end before it started");
  EXPECT_EQ(record_.stages[0].status, Status::passed);
  EXPECT_EQ(record_.stages[2].status, Status::skipped);
}

TEST_F(JudgeTest, AFailedPrologueOfATestThatHadToEndIsAFailedPrologue) {
  evidence_.interference = Interference::main_ended;
  result(0)["gate"] = "closed";
  outcome(0, "failed", "exit_status", "exit status 3");
  skip_from(1);
  expect(Status::failed, "prologue_failed", "prologue check failed: exit status 3");
}

TEST_F(JudgeTest, AJobCancelledToEndItsMainTestIsNoError) {
  evidence_.interference = Interference::main_ended;
  evidence_.job_result["state"] = "cancelled";
  result(1)["state"] = "unfinished";
  expect(Status::passed, "", "");
}

TEST_F(JudgeTest, AJobCancelledByOthersIsAnError) {
  evidence_.job_result["state"] = "cancelled";
  expect(Status::error, "cancelled", "the job was cancelled by someone else");
}

TEST_F(JudgeTest, HeadlineMetricsCarryTheirStageAndEvidencePathsAreOfTheResultsDirectory) {
  evidence_.outcomes[1] =
      Json{{"verdict", "failed"},
           {"reason", {{"code", "c"}, {"text", "t"}, {"evidence", {{{"path", "stdout.txt"}, {"line", 3}}}}}},
           {"metrics", {{{"name", "busbw"}, {"value", 2}, {"headline", true}}, {{"name", "time"}}}}};
  judge(record_, evidence_);
  ASSERT_EQ(record_.headline.size(), 1U);
  EXPECT_EQ(record_.headline[0]["stage"], "main/test_of_A");
  EXPECT_FALSE(record_.headline[0].contains("headline"));
  EXPECT_EQ(record_.stages[1].reason.evidence[0]["path"], "A/0/stdout.txt");
}

TEST_F(JudgeTest, DocumentsOfTheWrongShapeAreErrorsNotCrashes) {
  evidence_.job_result = {{"stages", "none"}, {"nodes", 3}, {"state", 7}};
  evidence_.outcomes[0] = Json("text");
  evidence_.outcomes[1] = Json{{"verdict", 1}, {"reason", "r"}, {"metrics", {1, {{"headline", "yes"}}}}};
  judge(record_, evidence_);
  EXPECT_EQ(record_.status, Status::error);
}

}  // namespace
}  // namespace cloudai::run
