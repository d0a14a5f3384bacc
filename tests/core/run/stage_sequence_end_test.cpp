// Ending a run whose stages are jobs of their own before its time, and going on with it after the end of the program.
#include <fstream>

#include "core/run/stage_sequence.hpp"
#include "tests/core/run/stage_sequence_fixture.hpp"

namespace cloudai::run {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class StageSequenceEnd : public StageSequenceTest {
 protected:
  // The ids in the last request to cancel.
  Json cancelled() { return scheduler->requests("cancel").back()["ids"]; }
};

TEST_F(StageSequenceEnd, ACancelledRunStartsNothingMore) {
  submitted();
  after_end("j1");
  EXPECT_THAT(cancel(), IsEmpty());
  EXPECT_EQ(cancelled(), Json({"j2"}));
  EXPECT_EQ(after_end("j2", 143, "cancelled"), "ended");
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(2));
  const Json end = result();
  EXPECT_EQ(end["state"], "cancelled");
  EXPECT_EQ(states(end), "ended open, ended closed, skipped");
}

TEST_F(StageSequenceEnd, AStageThatEndedByItselfMeanwhileIsNotFollowed) {
  submitted();
  scheduler->end("j1");
  cancel();
  EXPECT_EQ(poll()["state"], "ended");
  const Json end = result();
  EXPECT_EQ(end["state"], "cancelled");
  EXPECT_EQ(end["reason"], "The job was cancelled.");
  EXPECT_EQ(states(end), "ended open, skipped, skipped");
}

TEST_F(StageSequenceEnd, ARunWhoseStagesHadAllEndedIsComplete) {
  submitted();
  after_end("j1");
  after_end("j2");
  scheduler->end("j3");
  cancel();
  EXPECT_EQ(poll()["state"], "ended");
  EXPECT_EQ(result()["state"], "completed");
}

TEST_F(StageSequenceEnd, AStageThatWaitsForTheSchedulerIsLookedForFirst) {
  submitted();
  scheduler->submissions.push_back(busy());
  after_end("j1");
  const std::string tag = text_of(scheduler->requests("submit").back(), "tag");
  scheduler->ids[tag] = "j9";
  scheduler->jobs["j9"] = {};
  EXPECT_THAT(cancel(), IsEmpty());
  EXPECT_EQ(cancelled(), Json({"j9"}));
  scheduler->end("j9", 143, "cancelled");
  EXPECT_EQ(poll()["state"], "ended");
  EXPECT_EQ(states(result()), "ended open, ended closed, skipped");
}

TEST_F(StageSequenceEnd, AStageThatTheSchedulerNeverTookIsSkipped) {
  submitted();
  scheduler->submissions.push_back(busy());
  after_end("j1");
  EXPECT_THAT(cancel(), IsEmpty());
  EXPECT_THAT(scheduler->requests("cancel"), IsEmpty());
  EXPECT_EQ(poll()["state"], "ended");
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(2));
  EXPECT_EQ(states(result()), "ended open, skipped, skipped");
}

TEST_F(StageSequenceEnd, AStageThatMayHaveAJobIsNamed) {
  submitted();
  scheduler->submissions.push_back(busy());
  after_end("j1");
  scheduler->answers = false;
  const Json left = cancel();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0]["id"], "aaaaaaaaaaaaa");
  EXPECT_EQ(left[0]["message"], "Whether the main 'work' has a job is not known: no answer to find().");
  scheduler->answers = true;
  EXPECT_EQ(poll()["state"], "ended");
  const Json end = result();
  EXPECT_EQ(end["state"], "lost");
  EXPECT_EQ(states(end), "ended open, unfinished closed, skipped");
}

TEST_F(StageSequenceEnd, WhatCouldNotBeCancelledIsToldByTheIdOfTheWhole) {
  submitted();
  scheduler->not_cancelled = {{{"id", "j1"}, {"message", "it is stuck."}}};
  EXPECT_EQ(cancel(), Json({{{"id", "aaaaaaaaaaaaa"}, {"message", "prologue 'check', job j1: it is stuck."}}}));
}

TEST_F(StageSequenceEnd, ACancellationThatFailsIsAnError) {
  submitted();
  scheduler->answers = false;
  Json request;
  request["ids"] = {"aaaaaaaaaaaaa"};
  EXPECT_EQ(call("cancel", request).error().message, "no answer to cancel().");
  scheduler->answers = true;
  EXPECT_EQ(after_end("j1"), "ended") << "nothing starts all the same";
}

TEST_F(StageSequenceEnd, TheMainStageAloneIsEndedAndItsEpilogueRuns) {
  submitted();
  after_end("j1");
  EXPECT_THAT(cancel(true), IsEmpty());
  EXPECT_EQ(cancelled(), Json({"j2"}));
  EXPECT_FALSE(scheduler->requests("cancel").back().contains("stage"));
  EXPECT_EQ(after_end("j2", 143, "cancelled"), "running");
  EXPECT_EQ(after_end("j3"), "ended");
  const Json end = result();
  EXPECT_EQ(end["state"], "completed");
  EXPECT_EQ(end["stages"][1]["asked_to_end"], true);
  EXPECT_EQ(states(end), "ended open, ended closed, ended open");
}

TEST_F(StageSequenceEnd, AMainStageThatEndedByItselfWasNotEnded) {
  submitted();
  after_end("j1");
  cancel(true);
  after_end("j2", 3);
  after_end("j3");
  EXPECT_FALSE(result()["stages"][1].contains("asked_to_end"));
}

TEST_F(StageSequenceEnd, AMainStageThatHasNotStartedNeverDoes) {
  submitted();
  cancel(true);
  EXPECT_THAT(scheduler->requests("cancel"), IsEmpty()) << "the prologue goes on";
  EXPECT_EQ(states(poll()), "unfinished");
  EXPECT_EQ(after_end("j1"), "ended");
  const Json end = result();
  EXPECT_EQ(end["state"], "completed");
  EXPECT_EQ(states(end), "ended open, skipped, skipped");
}

TEST_F(StageSequenceEnd, AMainStageThatWaitsForTheSchedulerNeverStarts) {
  submitted();
  scheduler->submissions.push_back(busy());
  after_end("j1");
  cancel(true);
  EXPECT_EQ(poll()["state"], "ended");
  EXPECT_EQ(states(result()), "ended open, skipped, skipped");
}

TEST_F(StageSequenceEnd, AnEpilogueGoesOnWhenTheMainStageIsToEnd) {
  submitted();
  after_end("j1");
  after_end("j2");
  cancel(true);
  EXPECT_THAT(scheduler->requests("cancel"), IsEmpty());
  EXPECT_EQ(after_end("j3"), "ended");
  EXPECT_EQ(states(result()), "ended open, ended open, ended open");
}

TEST_F(StageSequenceEnd, AJobOfOneStageIsEndedByItsCancellation) {
  Json single = job();
  single["runs"][0]["stages"] = Json::array({stage("main", "work")});
  submit(single).value();
  cancel(true, "j1");
  EXPECT_EQ(cancelled(), Json({"j1"}));
  EXPECT_FALSE(scheduler->requests("cancel").back().contains("stage"));
}

TEST_F(StageSequenceEnd, ARunIsFoundAgainAndGoesOn) {
  submitted();
  after_end("j1");
  restart();
  EXPECT_EQ(text_of(find().value(), "id"), "aaaaaaaaaaaaa");
  EXPECT_EQ(after_end("j2"), "running");
  restart();
  EXPECT_EQ(text_of(find().value(), "id"), "aaaaaaaaaaaaa");
  EXPECT_EQ(after_end("j3"), "ended");
  restart();
  EXPECT_EQ(text_of(find().value(), "id"), "aaaaaaaaaaaaa");
  EXPECT_EQ(poll()["state"], "ended");
  EXPECT_EQ(states(result()), "ended open, ended open, ended open");
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(3));
}

TEST_F(StageSequenceEnd, ASubmissionThatWasCutOffIsAdoptedOrMadeAgain) {
  submitted();
  scheduler->submissions.push_back(busy());
  after_end("j1");
  const std::string tag = text_of(scheduler->requests("submit").back(), "tag");
  restart();
  scheduler->ids[tag] = "j7";
  scheduler->jobs["j7"] = {};
  find().value();
  EXPECT_EQ(states(poll()), "ended open, unfinished");
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(2)) << "never twice";
  scheduler->submissions.push_back(busy());
  after_end("j7");
  restart();
  find().value();
  poll();
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(4)) << "the epilogue, which the scheduler had not taken";
}

TEST_F(StageSequenceEnd, ARunWhoseFirstStageWasNeverTakenHasNoJob) {
  scheduler->submissions.push_back(busy());
  submit(job()).value();
  EXPECT_EQ(find().value(), Json::object());
  restart();
  EXPECT_EQ(find().value(), Json::object());
}

TEST_F(StageSequenceEnd, ACancelledRunStaysCancelledAfterARestart) {
  submitted();
  cancel();
  restart();
  find().value();
  EXPECT_EQ(after_end("j1"), "ended");
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(1));
}

TEST_F(StageSequenceEnd, TheStateOfAnotherAttemptIsNotThisOnes) {
  submitted();
  restart();
  EXPECT_EQ(find("bbbbbbbbbbbbb").value(), Json::object());
}

TEST_F(StageSequenceEnd, ADamagedStateIsAnError) {
  submitted();
  restart();
  const std::string path = (directory() / "stage-jobs.json").string();
  std::ofstream(path) << "{";
  EXPECT_EQ(find().error().message, "'" + path + "' is damaged: it is no document of schema 'cloudai.stage_jobs/1'.");
  std::ofstream(path) << R"({"schema": "cloudai.stage_jobs/1", "tag": "aaaaaaaaaaaaa", "stages": [{"kind": "main"}]})";
  EXPECT_EQ(find().error().message, "'" + path + "' is damaged: its stages are not readable.");
}

TEST_F(StageSequenceEnd, TheStateIsForTheUserAlone) {
  submitted();
  const auto permissions = std::filesystem::status(directory() / "stage-jobs.json").permissions();
  EXPECT_EQ(permissions, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace cloudai::run
