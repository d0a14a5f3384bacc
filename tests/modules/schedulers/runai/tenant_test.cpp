// The module as it is built, against a simulated tenant: runs that end well and badly.
#include <thread>

#include "tenant_fixture.hpp"

namespace runai {
namespace {

using cloudai::JobEnd;
using cloudai::JobPhase;
using testing::Json;
using testing::TenantTest;

const Json long_run =
    Json::parse(R"([{"phase":"Creating","ms":10},{"phase":"Running","ms":600},{"phase":"Completed"}])");

class RunaiTenant : public TenantTest {
 protected:
  static void script(Json script) {
    script["name"] = "*";
    tenant().script(runai_simulator::Json::parse(script.dump()));
  }
  static void fault(const char* match, const char* effect) {
    tenant().fault(runai_simulator::Json::parse(match), runai_simulator::Json::parse(effect));
  }
  static void set(const char* settings) { tenant().settings(runai_simulator::Json::parse(settings)); }
};

TEST_F(RunaiTenant, RunsATrainingOnOneNode) {
  script({{"log", "the log\nof nccl\n"}, {"keepPods", true}});
  const cloudai::Job one = job();
  const auto result = run(one);
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.stages.at(0).exit_status, 0);
  EXPECT_EQ(result.stages.at(0).output_unavailable, "");
  EXPECT_EQ(result.nodes.size(), 1);
  EXPECT_THAT(result.warnings, ::testing::IsEmpty());
  EXPECT_EQ(file(one, "stdout.txt"), "the log\nof nccl\n");
  EXPECT_THAT(file(one, "events.txt"), ::testing::HasSubstr(" message='Started container' reason='Started' "));
  EXPECT_THAT(log(), ::testing::HasSubstr("Submitted RunAI job: " + tenant().workloads().at(0).id));
}

TEST_F(RunaiTenant, RunsMpiOnSeveralNodes) {
  script({{"log", "of the launcher\n"}, {"keepPods", true}});
  const cloudai::Job two = job("nccl.Tests.1", 2);
  const auto result = run(two);
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.nodes.size(), 2);
  EXPECT_EQ(result.stages.at(0).output_unavailable, "");
  EXPECT_EQ(file(two, "stdout.txt"), "of the launcher\n");
  EXPECT_EQ(tenant().workloads().at(0).type, "Distributed");
}

TEST_F(RunaiTenant, IsReachedOverTlsWithACertificateThatIsTrusted) {
  ASSERT_EQ(open({{"base_url", tenant().https_url()}}).status, CLOUDAI_OK);
  EXPECT_EQ(run(job()).state, JobEnd::completed);
}

TEST_F(RunaiTenant, StreamsTheLogWhileItRuns) {
  script({{"log", "first\nsecond\nthird\n"},
          {"phases", Json::parse(R"([{"phase":"Running","ms":2000},{"phase":"Completed"}])")}});
  const cloudai::Job one = job();
  const std::string id = submit(one);
  wait_for(id, JobPhase::running);
  while (file(one, "stdout.txt").find("first") == std::string::npos) {
    ASSERT_NE(poll({id}).at(0), JobPhase::ended);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  wait_for_end({id});
  EXPECT_EQ(collect(id).stages.at(0).output_unavailable, "");
  EXPECT_EQ(file(one, "stdout.txt"), "first\nsecond\nthird\n");
}

TEST_F(RunaiTenant, HasTheLogOfOneThatEndedBetweenTwoLooks) {
  script({{"log", "quick\n"}, {"keepPods", true}});
  fault(R"({"path":"*/download"})", R"({"kind":"status","status":404})");
  const cloudai::Job one = job();
  const std::string id = submit(one);
  while (tenant().workloads().at(0).phase != "Completed") std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(poll({id}).at(0), JobPhase::ended);
  EXPECT_EQ(collect(id).stages.at(0).output_unavailable, "");
  EXPECT_EQ(file(one, "stdout.txt"), "quick\n");
}

TEST_F(RunaiTenant, TellsAFailureWithItsExitStatus) {
  script({{"exitCode", 3},
          {"log", "Test NCCL failure\n"},
          {"keepPods", true},
          {"phases", Json::parse(R"([{"phase":"Running","ms":200},
             {"phase":"Failed","message":"The container ended with exit code 3"}])")}});
  const cloudai::Job one = job();
  const auto result = run(one);
  EXPECT_EQ(result.state, JobEnd::failed);
  EXPECT_EQ(result.stages.at(0).exit_status, 3);
  EXPECT_THAT(result.reason,
              ::testing::StartsWith("Run:ai's workload is Failed (The container ended with exit code 3)."));
  EXPECT_EQ(file(one, "stdout.txt"), "Test NCCL failure\n");
}

TEST_F(RunaiTenant, EndsWhatSomebodyElseStopped) {
  open({{"stopping_timeout", 1}});
  script({{"phases", Json::parse(R"([{"phase":"Running","ms":300},{"phase":"Stopped","message":"idle"}])")}});
  const auto result = run(job());
  EXPECT_EQ(result.state, JobEnd::cancelled);
  EXPECT_THAT(result.reason, ::testing::StartsWith("Run:ai's workload was Stopped (idle) for 1 s (stopping_timeout)."));
}

TEST_F(RunaiTenant, NoticesThatAWorkloadVanished) {
  script({{"phases", Json::parse(R"([{"phase":"Running"}])")}});
  const std::string id = submit(job());
  wait_for(id, JobPhase::running);
  tenant().vanish(id);
  wait_for_end({id});
  EXPECT_EQ(collect(id).state, JobEnd::lost);
}

TEST_F(RunaiTenant, GivesUpAWorkloadThatDoesNotStart) {
  open({{"pending_timeout", 1}, {"gpus_per_node", 9}});
  const auto result = run(job());
  EXPECT_EQ(result.state, JobEnd::failed);
  EXPECT_EQ(result.stages.at(0).state, cloudai::StageState::skipped);
  EXPECT_THAT(result.reason, ::testing::HasSubstr("(pending_timeout)"));
  EXPECT_THAT(result.reason, ::testing::HasSubstr("FailedScheduling"));
}

TEST_F(RunaiTenant, WaitsForADegradedWorkload) {
  script({{"phases", Json::parse(R"([{"phase":"Running","ms":100},{"phase":"Degraded","ms":200},
                                    {"phase":"Running","ms":200},{"phase":"Completed"}])")}});
  EXPECT_EQ(run(job()).state, JobEnd::completed);
}

TEST_F(RunaiTenant, EndsAWorkloadAtItsTimeLimit) {
  script({{"phases", Json::parse(R"([{"phase":"Pending","ms":1500},{"phase":"Running"}])")}});
  cloudai::Job one = job();
  one.time_limit = 1;
  const auto result = run(one);
  EXPECT_EQ(result.state, JobEnd::time_limit);
  EXPECT_TRUE(result.stages.at(0).timed_out);
}

TEST_F(RunaiTenant, BearsPhasesAndFieldsOfNoRelease) {
  script({{"phases", Json::parse(R"([{"phase":"Running","ms":100},{"phase":"Suspending","ms":100},
                                    {"phase":"Levitating","ms":100},{"phase":"Completed"}])")}});
  fault(R"({"every":1})", R"({"kind":"extra-fields"})");
  set(R"({"nullEvents":true,"omitActualPhase":true})");
  const auto result = run(job());
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_THAT(result.warnings, ::testing::IsEmpty());
}

TEST_F(RunaiTenant, SaysWhyAPolicyRefusesAWorkload) {
  tenant().seed(
      {{"policy", runai_simulator::Json::parse(R"([{"field":"compute.gpuDevicesRequest","rule":"max","value":4,
                             "details":"value must be no more than 4"}])")}});
  EXPECT_EQ(submit_error(job()),
            "Run:ai does not take the workload: status 400: The workload request does not comply with the policy set "
            "by the administrator; compute.gpuDevicesRequest: value must be no more than 4.");
}

TEST_F(RunaiTenant, FindsItsWorkloadAmongHundredsOfOthers) {
  tenant().seed(
      {{"workloads", runai_simulator::Json::parse(R"([{"name":"nccl-tests-1","phase":"Running","count":1100}])")}});
  EXPECT_EQ(run(job()).state, JobEnd::completed);
  EXPECT_THAT(log(), ::testing::Not(::testing::HasSubstr("cannot be asked for")));
}

TEST_F(RunaiTenant, AsksOnceForAllWorkloadsOfARun) {
  bounds_.group = [](const std::string& name) { return name; };
  script({{"phases", long_run}});
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(submit(job("nccl.Tests." + std::to_string(i))));
  const auto before = tenant().requests().size();
  poll(ids);
  EXPECT_EQ(tenant().requests().size(), before + 1);
  wait_for_end(ids);
  for (const std::string& id : ids) EXPECT_EQ(collect(id).state, JobEnd::completed);
}

TEST_F(RunaiTenant, AdoptsWhatAnEarlierProcessSubmitted) {
  script({{"phases", Json::parse(R"([{"phase":"Running"}])")}});
  const cloudai::Job two = job("nccl.Tests.1", 2);
  const std::string id = submit(two);
  open();  // as another process would
  const auto reply = find(two);
  EXPECT_EQ(reply, id);
  EXPECT_EQ(poll({id}).at(0), JobPhase::running);
  EXPECT_THAT(cancel({id}), ::testing::IsEmpty());
  cloudai::Job unknown = job();
  EXPECT_EQ(find(unknown), "");
}

TEST_F(RunaiTenant, WorksWithOlderReleases) {
  for (const char* release : {"2.18", "2.20", "2.22"}) {
    SCOPED_TRACE(release);
    tenant().reset();
    tenant().settings({{"release", release}});
    ASSERT_EQ(open().status, CLOUDAI_OK);
    script({{"keepPods", true}, {"log", "x\n"}});
    EXPECT_EQ(run(job()).state, JobEnd::completed);
  }
}

struct Domain {
  const char* name;
  const char* text;
};
class RunaiDomain : public RunaiTenant, public ::testing::WithParamInterface<Domain> {};

TEST_P(RunaiDomain, IsUnderstoodHoweverItIsWritten) {
  auto cluster = runai_simulator::Json{{"uuid", runai_simulator::tenant::cluster_id}, {"name", "c"}};
  cluster["domain"] = GetParam().text;
  tenant().seed({{"cluster", cluster}});
  ASSERT_EQ(open().status, CLOUDAI_OK);
  script({{"keepPods", true}, {"log", "x\n"}});
  const cloudai::Job one = job();
  EXPECT_EQ(run(one).stages.at(0).output_unavailable, "");
  EXPECT_EQ(file(one, "stdout.txt"), "x\n");
}

INSTANTIATE_TEST_SUITE_P(All, RunaiDomain,
                         ::testing::Values(Domain{"Bare", "{authority}"}, Domain{"Scheme", "https://{authority}"},
                                           Domain{"Slash", "https://{authority}/"}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace runai
