// The watch over workloads, and what is brought of them in the end.
#include "fake_tenant.hpp"
#include "job_collection.hpp"
#include "workload_watch.hpp"

namespace runai {
namespace {

using cloudai::JobEnd;
using cloudai::JobPhase;
using runai::testing::failure;
using runai::testing::FakeTenantTest;
using runai::testing::reply;
using std::chrono::seconds;
using Json = cloudai::Json;

class WatchTest : public FakeTenantTest {
 protected:
  WatchTest() { logs_.use({"bench", "cluster.example.com", "", {}}); }

  void add(const std::string& id, std::optional<double> time_limit = std::nullopt) {
    Submission submission;
    submission.name = "nccl-" + id;
    submission.stage_name = "nccl_test";
    submission.stage_directory = ".";
    submission.time_limit = time_limit;
    watch_.add(id, submission, directory_.path().string());
  }
  JobPhase state(const std::string& id, int after = 0) {
    now_ += seconds(after);
    return watch_.poll({id}).jobs.at(0).state;
  }
  cloudai::JobResult collect(const std::string& id) { return collect_workload(id, *watch_.find(id), api_, logs_); }
  std::string file(const std::string& name) const {
    std::ifstream stream(directory_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void lists(std::vector<HttpResult> answers) {
    tenant_.say("GET /api/v1/workloads?", {answers.begin(), answers.end()});
  }

  WorkloadWatch watch_{api_, logs_, options_, [this] { return now_; }};
};

TEST_F(WatchTest, OneRequestTellsOfAllWorkloads) {
  std::vector<std::string> ids;
  std::vector<Json> entries;
  for (int i = 0; i < 30; ++i) {
    ids.push_back(std::to_string(i));
    add(ids.back());
    entries.push_back(entry(ids.back(), "Pending"));
  }
  lists({list(entries)});
  EXPECT_EQ(watch_.poll(ids).jobs.size(), 30);
  EXPECT_EQ(tenant_.count("GET"), 1);
  EXPECT_EQ(tenant_.requests.back().target,
            "/api/v1/workloads?filterBy=projectId%3D%3D4201%2Cname%3D%5Enccl-&limit=500&offset=0");
}

TEST_F(WatchTest, PagesAreFollowedToTheLastAndNoFurther) {
  add("a");
  lists({list({}, 500), list({entry("a", "Running")}, 1000), list({}, 1000)});
  EXPECT_EQ(state("a"), JobPhase::running);
  EXPECT_EQ(tenant_.count("GET"), 3) << "a next page that is none ends the list";
}

TEST_F(WatchTest, AGoodRunLeavesItsLogItsEventsAndItsNodes) {
  add("a");
  lists({list({entry("a", "Pending")}), list({entry("a", "Running")}), list({entry("a", "Completed")})});
  EXPECT_EQ(state("a"), JobPhase::pending);
  EXPECT_EQ(state("a", 60), JobPhase::running);
  EXPECT_EQ(state("a", 60), JobPhase::ended);
  tenant_.say("GET /cluster-api/api/v1/bench/workloads/training/runai/nccl-a/logs/download", {reply(200, "the log\n")});
  tenant_.say("GET /api/v1/workloads/a/events",
              {reply(200, R"({"events":[null,{"createdAt":"2026-02-03T04:05:06Z","type":"Normal","clusterId":"c",
                         "message":"one"}],"next":100})"),
               reply(200, R"({"events":[{"createdAt":"2026-02-03T04:05:07Z","type":"Normal","clusterId":"c",
                         "message":"two"}]})")});
  tenant_.say("GET /api/v1/workloads/a/pods",
              {reply(200, R"({"pods":[{"name":"nccl-a-0-0","nodeName":"gpu-01","k8sPhase":"Succeeded"}]})")});
  const auto result = collect("a");
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.reason, "");
  ASSERT_EQ(result.nodes.size(), 1);
  EXPECT_EQ(result.nodes[0].name, "gpu-01");
  ASSERT_EQ(result.stages.size(), 1);
  EXPECT_EQ(result.stages[0].exit_status, 0);
  EXPECT_EQ(result.stages[0].output_unavailable, "");
  EXPECT_NE(result.stages[0].started, "");
  EXPECT_NE(result.stages[0].ended, "");
  EXPECT_THAT(result.warnings, ::testing::IsEmpty());
  EXPECT_EQ(file("stdout.txt"), "the log\n");
  EXPECT_EQ(file("events.txt"),
            "created_at=datetime.datetime(2026, 2, 3, 4, 5, 6, tzinfo=TzInfo(UTC)) id=None type='Normal' "
            "cluster_id='c' message='one' reason=None source=None involved_object=None\n"
            "created_at=datetime.datetime(2026, 2, 3, 4, 5, 7, tzinfo=TzInfo(UTC)) id=None type='Normal' "
            "cluster_id='c' message='two' reason=None source=None involved_object=None\n");
  EXPECT_EQ(tenant_.count("DELETE"), 0);
}

TEST_F(WatchTest, ALogThatCannotBeFetchedIsSaidAndIsNoFailure) {
  add("a");
  lists({list({entry("a", "Running")}), list({entry("a", "Completed")})});
  state("a");
  state("a");
  const auto result = collect("a");
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.stages[0].exit_status, 0);
  EXPECT_EQ(result.stages[0].output_unavailable,
            "the stream: status 404; the download: status 404: Resource id not found.");
}

TEST_F(WatchTest, AFailureTellsItsExitStatusWhereSomethingNamesIt) {
  add("a");
  lists({list({entry("a", "Running")}), list({entry("a", "Failed", "The container ended with exit code 3")})});
  state("a");
  EXPECT_EQ(state("a"), JobPhase::ended);
  const auto result = collect("a");
  EXPECT_EQ(result.state, JobEnd::failed);
  EXPECT_EQ(result.reason, "Run:ai's workload is Failed (The container ended with exit code 3).");
  EXPECT_EQ(result.stages[0].exit_status, 3);
}

// As when a node is lost: the pods of the others would run for ever.
TEST_F(WatchTest, WhatAnEvictionLeavesBehindIsDeletedOnceTheLogIsSaved) {
  add("a");
  lists({list({entry("a", "Running")}), list({entry("a", "Failed", "MPIJobEvicted: 1/8 workers are evicted")})});
  state("a");
  state("a");
  tenant_.say("GET /cluster-api/", {reply(200, "so far\n")});
  tenant_.say(
      "GET /api/v1/workloads/a/events",
      {reply(200, R"({"events":[{"type":"Warning","reason":"Evicted","message":"The node is low on memory"}]})")});
  tenant_.say("GET /api/v1/workloads/a/pods",
              {reply(200, R"({"pods":[{"name":"nccl-a-launcher","nodeName":"cpu-1","k8sPhase":"Failed"},
                         {"name":"nccl-a-worker-0","nodeName":"gpu-01","k8sPhase":"Failed"},
                         {"name":"nccl-a-worker-1","nodeName":"gpu-02","k8sPhase":"Running"}]})")});
  tenant_.say("DELETE /api/v1/workloads/trainings/a", {reply(202, R"({"code":202,"message":"ok"})")});
  const auto result = collect("a");
  EXPECT_EQ(result.reason,
            "Run:ai's workload is Failed (MPIJobEvicted: 1/8 workers are evicted). Last events: Evicted: The node is "
            "low on memory");
  EXPECT_EQ(result.stages[0].failure, "Run:ai's workload is Failed (MPIJobEvicted: 1/8 workers are evicted).");
  EXPECT_FALSE(result.stages[0].exit_status);
  EXPECT_EQ(result.nodes.size(), 2) << "the launcher's node does not count";
  EXPECT_EQ(tenant_.lines().back(), "DELETE /api/v1/workloads/trainings/a");
  EXPECT_EQ(file("stdout.txt"), "so far\n");
}

TEST_F(WatchTest, OneThatNeverStartsIsDeletedInTheEnd) {
  options_.limits.pending = seconds(1200);
  add("a");
  lists({list({entry("a", "Pending", "no node has 8 GPUs")})});
  tenant_.say("DELETE /api/v1/workloads/trainings/a", {reply(202)});
  tenant_.say("GET /api/v1/workloads/a/events",
              {reply(200, R"({"events":[{"type":"Warning","reason":"ImagePullBackOff","message":"Back-off"}]})")});
  EXPECT_EQ(state("a"), JobPhase::pending);
  EXPECT_EQ(state("a", 1199), JobPhase::pending);
  EXPECT_EQ(state("a", 1), JobPhase::ended);
  EXPECT_EQ(tenant_.count("DELETE"), 1);
  const auto result = collect("a");
  EXPECT_EQ(result.state, JobEnd::failed);
  EXPECT_EQ(result.reason,
            "Run:ai's workload was Pending (no node has 8 GPUs) for 1200 s (pending_timeout). Last events: "
            "ImagePullBackOff: Back-off");
  EXPECT_EQ(result.stages[0].state, cloudai::StageState::skipped);
}

TEST_F(WatchTest, OneThatVanishedIsMissedThreeTimesFirst) {
  add("a");
  lists({list({entry("a", "Running")}), list({})});
  state("a");
  EXPECT_EQ(watch_.poll({"a"}).poll_after, 5);
  EXPECT_EQ(state("a", 4), JobPhase::running) << "too early to count";
  EXPECT_EQ(state("a", 1), JobPhase::running);
  EXPECT_EQ(state("a", 5), JobPhase::ended);
  const auto result = collect("a");
  EXPECT_EQ(result.state, JobEnd::lost);
  EXPECT_EQ(result.reason,
            "The workload 'nccl-a' vanished: Run:ai says that there is none with the id a. Someone may have deleted "
            "it.");
  EXPECT_EQ(result.stages[0].state, cloudai::StageState::unfinished);
}

TEST_F(WatchTest, AListThatLagsIsNotBelieved) {
  add("a");
  lists({list({}), list({}), list({entry("a", "Running")})});
  EXPECT_EQ(state("a"), JobPhase::pending);
  EXPECT_EQ(state("a", 5), JobPhase::pending);
  EXPECT_EQ(state("a", 5), JobPhase::running);
  EXPECT_EQ(watch_.poll({"a"}).poll_after, std::nullopt);
}

TEST_F(WatchTest, WhatAListLeavesOutIsAskedForByItsId) {
  add("a");
  lists({list({})});
  tenant_.say("GET /api/v1/workloads/a", {reply(200, entry("a", "Running"))});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(state("a", 5), JobPhase::running);
}

TEST_F(WatchTest, ATenantInTroubleChangesNothingForTenMinutes) {
  add("a");
  lists({list({entry("a", "Running")}), failure(HttpFailure::Kind::too_large, "trouble")});
  state("a");
  EXPECT_EQ(state("a", 60), JobPhase::running);
  EXPECT_EQ(state("a", 599), JobPhase::running);
  EXPECT_THAT(log(), ::testing::HasSubstr("The workloads of the project cannot be asked for: trouble. What is known "
                                          "of the workloads stays as it is; trying again."));
  lists({list({entry("a", "Running")})});
  EXPECT_EQ(state("a", 1), JobPhase::running);
  EXPECT_THAT(log(), ::testing::HasSubstr("Run:ai answers again."));
}

TEST_F(WatchTest, ATenantThatNeverAnswersAgainEndsTheWait) {
  add("a");
  lists({list({entry("a", "Running")}), failure(HttpFailure::Kind::too_large, "trouble")});
  tenant_.say("DELETE", {reply(403, R"({"code":403,"message":"You do not have sufficient permissions."})")});
  state("a");
  state("a", 60);
  EXPECT_EQ(state("a", 600), JobPhase::ended);
  EXPECT_EQ(collect("a").state, JobEnd::lost);
  EXPECT_THAT(log(), ::testing::HasSubstr("The workload 'nccl-a' (a) could not be deleted: status 403: You do not have "
                                          "sufficient permissions. Delete it in Run:ai."));
}

TEST_F(WatchTest, TheTimeLimitCountsFromWhenItRuns) {
  add("a", 100);
  lists({list({entry("a", "Pending")}), list({entry("a", "Running")})});
  tenant_.say("DELETE /api/v1/workloads/trainings/a", {reply(202)});
  state("a");
  EXPECT_EQ(state("a", 500), JobPhase::running);
  EXPECT_EQ(state("a", 99), JobPhase::running);
  EXPECT_EQ(state("a", 1), JobPhase::ended);
  EXPECT_EQ(tenant_.count("DELETE"), 1);
  const auto result = collect("a");
  EXPECT_EQ(result.state, JobEnd::time_limit);
  EXPECT_TRUE(result.stages[0].timed_out);
}

TEST_F(WatchTest, OneThatSomebodyStoppedIsAskedWhatItIsToBecome) {
  add("a");
  lists({list({entry("a", "Running")}), list({entry("a", "Stopped")})});
  tenant_.say("GET /api/v1/workloads/trainings/a",
              {reply(200, Json{{"workloadId", "a"}, {"desiredPhase", "Running"}, {"actualPhase", "Stopped"}}),
               reply(200, Json{{"workloadId", "a"}, {"desiredPhase", "Stopped"}, {"actualPhase", "Stopped"}})});
  tenant_.say("DELETE", {reply(202)});
  state("a");
  EXPECT_EQ(state("a", 5), JobPhase::running);
  EXPECT_EQ(state("a", 5), JobPhase::ended);
  EXPECT_EQ(collect("a").state, JobEnd::cancelled);
}

TEST_F(WatchTest, UnknownPhasesAreSaidOnceAndChangeNothing) {
  add("a");
  lists({list({entry("a", "Running")}), list({entry("a", "Levitating")})});
  state("a");
  EXPECT_EQ(state("a", 5), JobPhase::running);
  EXPECT_EQ(state("a", 5), JobPhase::running);
  const std::string said = log();
  EXPECT_EQ(said.find("'Levitating'"), said.rfind("'Levitating'"));
}

TEST_F(WatchTest, ACancelledWorkloadHasEndedWhenItIsGone) {
  add("a");
  lists({list({entry("a", "Running")}), list({entry("a", "Deleting")}), list({})});
  tenant_.say("DELETE", {reply(202)});
  state("a");
  EXPECT_THAT(watch_.cancel({"a"}), ::testing::IsEmpty());
  EXPECT_EQ(watch_.poll({"a"}).poll_after, 1);
  EXPECT_EQ(state("a", 1), JobPhase::ended);
  EXPECT_EQ(collect("a").state, JobEnd::cancelled);
}

TEST_F(WatchTest, OneThatIsPromisedToBeGoneIsNotWaitedForLong) {
  add("a");
  lists({list({entry("a", "Terminating")})});
  tenant_.say("DELETE", {reply(404)});
  watch_.cancel({"a"});
  EXPECT_NE(state("a"), JobPhase::ended);
  EXPECT_EQ(state("a", 5), JobPhase::ended);
}

TEST_F(WatchTest, CancellingWorksAfterTheHostAskedToStop) {
  add("a");
  lists({list({entry("a", "Running")})});
  tenant_.say("DELETE", {reply(500), reply(500), reply(202)});
  state("a");
  host_.cancelled = true;
  EXPECT_THAT(watch_.cancel({"a"}), ::testing::IsEmpty());
  EXPECT_EQ(tenant_.count("DELETE"), 3);
  EXPECT_EQ(state("a"), JobPhase::ended);
  const int asked = tenant_.count("GET");
  EXPECT_EQ(collect("a").state, JobEnd::cancelled);
  EXPECT_EQ(tenant_.count("GET"), asked) << "nothing is asked for any more";
}

TEST_F(WatchTest, WhatCannotBeDeletedIsNamed) {
  add("a");
  add("b");
  tenant_.say("DELETE /api/v1/workloads/trainings/a", {reply(202)});
  tenant_.say("DELETE /api/v1/workloads/trainings/b",
              {reply(403, R"({"message":"You do not have sufficient permissions."})")});
  const auto failed = watch_.cancel({"a", "b", "c"});
  ASSERT_EQ(failed.size(), 2);
  EXPECT_EQ(failed[0].id, "b");
  EXPECT_EQ(failed[0].message,
            "The workload 'nccl-b' may still run; delete it in Run:ai: status 403: You do not have sufficient "
            "permissions.");
  EXPECT_EQ(failed[1].message, "No workload with this id was submitted or found by this system.");
}

TEST_F(WatchTest, OneThatWasPreemptedKeepsItsEarlierOutputApart) {
  add("a");
  lists({list({entry("a", "Running")}), list({entry("a", "Pending")}), list({entry("a", "Running")}),
         list({entry("a", "Completed")})});
  state("a");
  state("a");
  state("a");
  EXPECT_TRUE(std::filesystem::exists(directory_.path() / "attempt-1" / "stdout.txt"));
  EXPECT_THAT(log(), ::testing::HasSubstr("The workload 'nccl-a' lost its nodes and was started again; its earlier "
                                          "output is in attempt-1."));
  EXPECT_EQ(state("a"), JobPhase::ended);
}

}  // namespace
}  // namespace runai
