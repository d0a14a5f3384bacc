// How the stages of a run follow each other where each is a job of its own.
#include "core/run/stage_sequence.hpp"

#include <fstream>
#include <regex>
#include <set>

#include "tests/core/run/stage_sequence_fixture.hpp"

namespace cloudai::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(StageSequenceTest, AJobOfOneStageGoesThroughAsItIs) {
  Json single = job();
  single["runs"][0]["stages"] = Json::array({stage("main", "work")});
  const Json rendering = call("render", single).value();
  EXPECT_EQ(scheduler->requests("render"), std::vector<Json>{single});
  EXPECT_EQ(rendering["files"][0]["content"], single.dump());
  EXPECT_EQ(text_of(submit(single).value(), "id"), "j1");
  EXPECT_EQ(poll("j1")["state"], "running");
  EXPECT_FALSE(std::filesystem::exists(directory() / "stage-jobs.json"));
  scheduler->end("j1");
  EXPECT_EQ(result("j1"), scheduler->jobs["j1"].result);
  EXPECT_EQ(text_of(find().value(), "id"), "j1");
}

TEST_F(StageSequenceTest, OtherCallsReachTheScheduler) {
  EXPECT_TRUE(call("open", {{"provider", "one_stage"}, {"offline", true}}));
  EXPECT_TRUE(call("allocate", {{"nodes", 1}, {"taken", 2}}));
  EXPECT_THAT(scheduler->requests("open"), SizeIs(1));
  EXPECT_EQ(scheduler->requests("allocate").at(0)["taken"], 2);
}

TEST_F(StageSequenceTest, EachStageIsRenderedAsAJobWithItsOwnLimitNodesAndDirectory) {
  Json document = job();
  Json& stages = document["runs"][0]["stages"];
  stages[0]["time_limit"] = 20;
  stages[0]["num_nodes"] = 1;
  stages[0]["options"] = {{"urgency", 3}, {"x", 1}};
  const Json rendering = call("render", document).value();
  const auto jobs = scheduler->requests("render");
  ASSERT_THAT(jobs, SizeIs(3));
  const Json& hook = jobs[0];
  EXPECT_EQ(hook["name"], "scenario.A.prologue");
  EXPECT_EQ(hook["time_limit"], 20);
  EXPECT_EQ(hook["nodes"], Json({{"count", 1}, {"names", {"n1"}}}));
  EXPECT_EQ(hook["directory"], (directory() / "prologue/check").string());
  EXPECT_EQ(hook["run_directory"], directory().string());
  EXPECT_EQ(hook["runs"][0]["id"], "A/0");
  const Json& alone = hook["runs"][0]["stages"];
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(alone[0]["kind"], "prologue");
  EXPECT_EQ(alone[0]["directory"], ".");
  EXPECT_EQ(alone[0]["time_limit"], 20);
  EXPECT_EQ(alone[0]["options"]["urgency"], 3);
  EXPECT_FALSE(alone[0].contains("num_nodes"));

  EXPECT_EQ(jobs[1]["name"], "scenario.A");
  EXPECT_FALSE(jobs[1].contains("time_limit"));
  EXPECT_FALSE(jobs[1].contains("run_directory"));
  EXPECT_EQ(jobs[1]["nodes"]["count"], 2);
  EXPECT_EQ(jobs[1]["directory"], directory().string());

  EXPECT_EQ(rendering["files"][0]["path"], "prologue/check/job.sh");
  EXPECT_EQ(rendering["files"][1]["path"], "job.sh");
  EXPECT_EQ(rendering["files"][2]["path"], "epilogue/clean/job.sh");
  EXPECT_EQ(rendering["main_command"], "run scenario.A");
  EXPECT_EQ(text_of(rendering, "command"), "start " + (directory() / "prologue/check").string() + "\nstart " +
                                               directory().string() + "\nstart " +
                                               (directory() / "epilogue/clean").string());
}

TEST_F(StageSequenceTest, TheTagsOfStagesDifferAndAreAlwaysTheSame) {
  call("render", job()).value();
  call("render", job("bbbbbbbbbbbbb")).value();
  call("render", job()).value();
  const auto jobs = scheduler->requests("render");
  std::set<std::string> tags{"aaaaaaaaaaaaa", "bbbbbbbbbbbbb"};
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string tag = text_of(jobs[i], "tag");
    EXPECT_TRUE(std::regex_match(tag, std::regex("[a-z0-9]{13}"))) << tag;
    EXPECT_TRUE(tags.insert(tag).second) << tag;
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(jobs[i], jobs[i + 6]);
}

TEST_F(StageSequenceTest, EachStageFollowsTheOneBeforeIt) {
  const Json reply = submit(job()).value();
  EXPECT_EQ(text_of(reply, "id"), "aaaaaaaaaaaaa");
  EXPECT_EQ(reply["watch"], Json({(directory() / "prologue/check/ended").string()}));
  EXPECT_EQ(states(poll()), "unfinished");
  EXPECT_EQ(poll_all({"aaaaaaaaaaaaa"})["poll_after"], 2);
  EXPECT_EQ(after_end("j1"), "running");
  EXPECT_EQ(states(poll()), "ended open, unfinished");
  EXPECT_EQ(poll()["stages"][1]["kind"], "main");
  EXPECT_EQ(after_end("j2"), "running");
  EXPECT_EQ(after_end("j3"), "ended");
  const auto submissions = scheduler->requests("submit");
  ASSERT_THAT(submissions, SizeIs(3));
  EXPECT_EQ(submissions[0]["directory"], (directory() / "prologue/check").string());
  EXPECT_EQ(submissions[1]["submission"]["name"], "scenario.A");
  const Json end = result();
  EXPECT_EQ(end["schema"], "cloudai.job_result/1");
  EXPECT_EQ(end["id"], "aaaaaaaaaaaaa");
  EXPECT_EQ(end["state"], "completed");
  EXPECT_EQ(states(end), "ended open, ended open, ended open");
  EXPECT_EQ(end["stages"][2]["name"], "clean");
  EXPECT_EQ(end["stages"][2]["job"], "j3");
  EXPECT_EQ(end["nodes"][0]["name"], "n1");
  EXPECT_FALSE(end.contains("warnings"));
  EXPECT_FALSE(end.contains("reason"));
}

TEST_F(StageSequenceTest, APendingFirstStageIsAPendingJob) {
  submitted();
  scheduler->jobs["j1"].state = "pending";
  EXPECT_EQ(poll()["state"], "pending");
  EXPECT_THAT(poll()["stages"], IsEmpty());
  scheduler->jobs["j1"].state = "running";
  EXPECT_EQ(poll()["state"], "running");
  after_end("j1");
  scheduler->jobs["j2"].state = "pending";
  EXPECT_EQ(poll()["state"], "running");
  EXPECT_EQ(states(poll()), "ended open") << "the main stage has not begun";
}

TEST_F(StageSequenceTest, AClosedGateOfAPrologueSkipsTheRest) {
  submitted();
  EXPECT_EQ(after_end("j1", 3), "ended");
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(1));
  const Json end = result();
  EXPECT_EQ(end["state"], "completed");
  EXPECT_EQ(states(end), "ended closed, skipped, skipped");
  EXPECT_EQ(end["reason"], "The gate of the prologue 'check' is closed: exit status 3, expected 0.");
}

TEST_F(StageSequenceTest, TheGateGoesByTheRuleOfThePlanAndTheOutputInTheStagesDirectory) {
  Json document = job();
  document["runs"][0]["stages"][0]["plan"]["success"] = {
      {"exit_status", 3}, {"must_contain", {{{"file", "stdout.txt"}, {"text", "all good"}}}}};
  submit(document).value();
  std::ofstream(directory() / "prologue/check/stdout.txt") << "it is all good\n";
  EXPECT_EQ(after_end("j1", 3), "running");
  EXPECT_EQ(states(poll()), "ended open, unfinished");
}

TEST_F(StageSequenceTest, AnEpilogueRunsWhateverCameOfTheTest) {
  submitted();
  after_end("j1");
  EXPECT_EQ(after_end("j2", 4), "running");
  EXPECT_EQ(after_end("j3"), "ended");
  EXPECT_EQ(states(result()), "ended open, ended closed, ended open");
}

TEST_F(StageSequenceTest, AnEpilogueRunsAfterATestWhoseNodeFailed) {
  submitted();
  after_end("j1");
  scheduler->end("j2", 0, "node_fail");
  scheduler->jobs["j2"].result["stages"] = Json::array();
  scheduler->jobs["j2"].result["reason"] = "n1 is down";
  poll();
  EXPECT_EQ(after_end("j3"), "ended");
  const Json end = result();
  EXPECT_EQ(states(end), "ended open, unfinished closed, ended open");
  EXPECT_EQ(end["state"], "node_fail");
  EXPECT_EQ(end["reason"], "n1 is down");
}

TEST_F(StageSequenceTest, APrologueWhoseJobDidNotRunToItsEndHasAClosedGate) {
  submitted();
  EXPECT_EQ(after_end("j1", 0, "cancelled"), "ended");
  const Json end = result();
  EXPECT_EQ(end["state"], "cancelled");
  EXPECT_EQ(states(end), "ended closed, skipped, skipped");
}

TEST_F(StageSequenceTest, AnEpilogueOfATestThatNeverStartedDoesNotRun) {
  submitted();
  after_end("j1");
  scheduler->end("j2", 0, "cancelled");
  scheduler->jobs["j2"].result["stages"] = {{{"kind", "main"}, {"name", "work"}, {"state", "skipped"}}};
  EXPECT_EQ(poll()["state"], "ended");
  EXPECT_EQ(states(result()), "ended open, skipped, skipped");
}

TEST_F(StageSequenceTest, TheTimeLimitOfAJobIsThatOfItsStage) {
  submitted();
  EXPECT_EQ(after_end("j1", 0, "time_limit"), "ended");
  const Json end = result();
  EXPECT_EQ(end["state"], "completed");
  EXPECT_EQ(end["stages"][0]["timed_out"], true);
  EXPECT_EQ(end["reason"], "The gate of the prologue 'check' is closed: its time limit has passed.");
}

TEST_F(StageSequenceTest, OneQueryServesAllRuns) {
  submit(job()).value();
  submit(job("bbbbbbbbbbbbb", "B/0")).value();
  Json single = job("ccccccccccccc", "C/0");
  single["runs"][0]["stages"] = Json::array({stage("main", "work")});
  submit(single).value();
  scheduler->end("j1");
  const Json states = poll_all({"aaaaaaaaaaaaa", "bbbbbbbbbbbbb", "j3"});
  ASSERT_THAT(scheduler->requests("poll"), SizeIs(1));
  EXPECT_EQ(scheduler->requests("poll")[0]["ids"], Json({"j1", "j2", "j3"}));
  EXPECT_EQ(states["jobs"].size(), 3U);
  EXPECT_EQ(states["jobs"][2]["id"], "j3");
}

TEST_F(StageSequenceTest, AQueryThatFailsIsNoResult) {
  submitted();
  scheduler->end("j1");
  scheduler->answers = false;
  Json request;
  request["ids"] = {"aaaaaaaaaaaaa"};
  EXPECT_EQ(call("poll", request).error().message, "no answer to poll().");
  scheduler->answers = true;
  EXPECT_EQ(states(poll()), "ended open");
  EXPECT_THAT(scheduler->requests("submit"), SizeIs(2));
}

TEST_F(StageSequenceTest, AStageThatCannotBeSubmittedEndsItsRunAlone) {
  submit(job()).value();
  submit(job("bbbbbbbbbbbbb", "B/0")).value();
  scheduler->submissions.push_back(trouble("the queue is closed."));
  scheduler->end("j1");
  scheduler->end("j2");
  const Json all = poll_all({"aaaaaaaaaaaaa", "bbbbbbbbbbbbb"});
  EXPECT_EQ(all["jobs"][0]["state"], "ended");
  EXPECT_EQ(all["jobs"][1]["state"], "running");
  const Json end = result();
  EXPECT_EQ(end["state"], "failed");
  EXPECT_EQ(end["reason"], "The job of the main 'work' could not be submitted: the queue is closed.");
  EXPECT_EQ(states(end), "ended open, skipped, skipped");
}

TEST_F(StageSequenceTest, AFirstStageThatCannotBeSubmittedIsAnErrorOfTheSubmission) {
  scheduler->submissions.push_back(trouble("the queue is closed."));
  EXPECT_EQ(submit(job()).error().message, "the queue is closed.");
}

TEST_F(StageSequenceTest, AStageThatHasToWaitIsSubmittedAgain) {
  scheduler->submissions.push_back(busy());
  EXPECT_EQ(text_of(submit(job()).value(), "wait"), "The queue is full.");
  EXPECT_EQ(submitted(), "aaaaaaaaaaaaa");
  scheduler->submissions.push_back(busy());
  scheduler->submissions.push_back(busy());
  EXPECT_EQ(after_end("j1"), "running");
  EXPECT_EQ(poll()["state"], "running");
  EXPECT_THAT(scheduler->requests("poll"), SizeIs(1)) << "there was nothing to ask about";
  poll();
  EXPECT_EQ(after_end("j2"), "running");
  EXPECT_EQ(after_end("j3"), "ended");
  EXPECT_EQ(states(result()), "ended open, ended open, ended open");
}

TEST_F(StageSequenceTest, AStageThatIsUnknownForLongHasEnded) {
  submitted();
  scheduler->end("j1");
  scheduler->jobs["j1"].state = "unknown";
  EXPECT_EQ(poll()["state"], "pending");
  now += stage_patience;
  EXPECT_EQ(poll()["state"], "pending");
  now += std::chrono::seconds(1);
  EXPECT_EQ(states(poll()), "ended open");
}

TEST_F(StageSequenceTest, AnEndThatCannotBeLearntIsAskedForAgainAndThenLost) {
  submitted();
  scheduler->jobs["j1"].state = "ended";
  EXPECT_THAT(poll()["stages"], IsEmpty());
  scheduler->end("j1");
  EXPECT_EQ(states(poll()), "ended open");
  scheduler->jobs["j2"].state = "ended";
  poll();
  now += stage_patience + std::chrono::seconds(1);
  EXPECT_EQ(states(poll()), "ended open, unfinished closed");
  EXPECT_EQ(after_end("j3"), "ended") << "the epilogue runs all the same";
  const Json end = result();
  EXPECT_EQ(end["state"], "lost");
  EXPECT_EQ(end["reason"], "How the job ended is not known: nothing is known of j2.");
}

TEST_F(StageSequenceTest, StagesElsewhereAreWarnedOf) {
  submitted();
  const auto end_on = [&](const std::string& id, const Json& nodes) {
    scheduler->end(id);
    scheduler->jobs[id].result["nodes"] = nodes;
    scheduler->jobs[id].result["warnings"] = {"a slow disk", "of " + id};
    return poll();
  };
  end_on("j1", {{{"name", "n1"}}, {{"name", "n3"}}});
  end_on("j2", {{{"name", "n1"}}, {{"name", "n2"}}});
  end_on("j3", {{{"name", "n2"}}});
  const Json end = result();
  EXPECT_EQ(end["nodes"][1]["name"], "n2");
  EXPECT_EQ(
      end["warnings"],
      Json({"prologue 'check': a slow disk", "prologue 'check': of j1", "of j2", "epilogue 'clean': of j3",
            "The stages of this run were on different nodes: main 'work' on n1, n2, prologue 'check' on n1, n3."}));
}

TEST_F(StageSequenceTest, EverySubmissionIsRecordedBeforeAndAfter) {
  std::vector<std::string> records;
  sequence->tell([&](std::string_view event, const Json& fields) -> Result<void> {
    const bool is_before = event == "stage_submitting";
    records.push_back(std::string(event) + " " + text_of(fields, "run") + " " + text_of(fields, "stage"));
    EXPECT_EQ(text_of(fields, is_before ? "tag" : "job").size(), is_before ? 13U : 2U);
    return {};
  });
  scheduler->submissions.push_back(busy());
  submit(job()).value();
  submitted();
  after_end("j1");
  EXPECT_THAT(records, ElementsAre("stage_submitting A/0 prologue/check", "stage_submitted A/0 prologue/check",
                                   "stage_submitting A/0 main/work", "stage_submitted A/0 main/work"));
}

TEST_F(StageSequenceTest, WhatCannotBeRecordedIsNotSubmitted) {
  sequence->tell([](std::string_view, const Json&) -> Result<void> { return trouble("the disk is full."); });
  EXPECT_EQ(submit(job()).error().message, "the disk is full.");
  EXPECT_THAT(scheduler->requests("submit"), IsEmpty());
}

}  // namespace
}  // namespace cloudai::run
