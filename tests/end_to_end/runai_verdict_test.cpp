// What becomes of a run on a simulated Run:ai tenant whose workload ends in one of many ways.

#include <regex>

#include "tests/end_to_end/runai_test.hpp"
#include "tests/runai_simulator/tenant_test.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr auto endless = R"([{"phase":"Running"}])";

// A run of one test that ends while it is watched.
class RunaiVerdict : public RunaiTest {
 protected:
  std::string id() const { return tenant.workloads().at(0).id; }
};

TEST_F(RunaiVerdict, OfAGoodRunIsPassed) {
  system();
  one_case("num_nodes = 2\n");
  script(R"([{"phase":"Creating","ms":50},{"phase":"Running","ms":500},{"phase":"Completed"}])");
  const auto ended = run();
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(the_run().at("job"), id());
  EXPECT_EQ(the_run().at("nodes").at("actual").size(), 2U);
  EXPECT_EQ(output(), runai_simulator::nccl_log(16));
  EXPECT_EQ(counted_requests(), tenant.requests().size());
}

TEST_F(RunaiVerdict, OfAFailedWorkloadIsFailedWithItsExitStatus) {
  system();
  one_case();
  script(R"([{"phase":"Running","ms":200},{"phase":"Failed","message":"The container ended with exit code 3"}])",
         {{"exitCode", 3}, {"log", "Test NCCL failure common.cu:1\n"}, {"keepPods", true}});
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(the_run().at("status"), "failed");
  EXPECT_EQ(stage_of(the_run(), "main").at("exit_status"), 3);
  EXPECT_THAT(reason_text(the_run()), HasSubstr("Run:ai's workload is Failed (The container ended with exit code 3)."));
  EXPECT_EQ(output(), "Test NCCL failure common.cu:1\n");
  EXPECT_THAT(read(workspace.results() / "Tests.1/0/events.txt"), HasSubstr("reason='Failed'"));
}

TEST_F(RunaiVerdict, OfAWorkloadThatSomebodyStoppedIsAnError) {
  system();
  one_case();
  script(endless);
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(reached("Running")) << program->err();
  runai_simulator::ApiClient somebody(tenant);
  bounds.token_requests = 3;
  EXPECT_EQ(somebody.call("POST", "/api/v1/workloads/trainings/" + id() + "/suspend").status, 202);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(the_run().at("status"), "error");
  EXPECT_EQ(reason_code(the_run()), "cancelled");
  EXPECT_THAT(reason_text(the_run()), HasSubstr("was stopped by someone else, or by a rule: it is Stopped"));
}

TEST_F(RunaiVerdict, OfAWorkloadThatVanishedIsAnError) {
  system();
  one_case();
  script(endless);
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(reached("Running")) << program->err();
  ASSERT_TRUE(eventually([&] { return program->err().find("Submitted RunAI job: ") != std::string::npos; }));
  tenant.vanish(id());
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(the_run().at("status"), "error");
  EXPECT_THAT(reason_text(the_run()), HasSubstr("there is none with the id " + id()));
}

TEST_F(RunaiVerdict, OfAWorkloadThatFindsNoNodesIsAnErrorAndItIsDeleted) {
  system({{"pending_timeout", 1}, {"gpus_per_node", 9}, {"ntasks_per_node", 8}});
  one_case();
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(the_run().at("status"), "error");
  EXPECT_THAT(reason_text(the_run()), HasSubstr("for 1 s (pending_timeout)"));
  EXPECT_THAT(reason_text(the_run()), HasSubstr("FailedScheduling"));
  EXPECT_EQ(count("DELETE", "/api/v1/workloads/trainings/"), 1U);
}

TEST_F(RunaiVerdict, OfAnEpisodeOfDegradedIsThatOfTheEnd) {
  system();
  one_case();
  script(
      R"([{"phase":"Running","ms":300},{"phase":"Degraded","ms":700},{"phase":"Running","ms":300},{"phase":"Completed"}])");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("is Degraded: "));
}

TEST_F(RunaiVerdict, BearsPhasesAndFieldsOfNoRelease) {
  system();
  one_case();
  script(R"([{"phase":"Running","ms":300},{"phase":"Suspending","ms":500},{"phase":"Levitating","ms":700},
             {"phase":"Completed"}])");
  fault(R"({"every":1})", R"({"kind":"extra-fields"})");
  tenant.settings({{"nullEvents", true}, {"omitActualPhase", true}});
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err,
              HasSubstr("Run:ai says that a workload is 'Levitating', which tells nothing that is known here."));
}

TEST_F(RunaiVerdict, OfARefusalTellsWhatThePolicySays) {
  system();
  one_case();
  tenant.seed({{"policy", Json::array({{{"field", "compute.gpuDevicesRequest"},
                                        {"rule", "max"},
                                        {"value", 4},
                                        {"details", "value must be no more than 4"}}})}});
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(the_run().at("status"), "error");
  EXPECT_EQ(reason_code(the_run()), "submission_failed");
  EXPECT_THAT(reason_text(the_run()),
              HasSubstr("Run:ai does not take the workload: status 400: The workload request does not comply with the "
                        "policy set by the administrator; compute.gpuDevicesRequest: value must be no more than 4."));
  EXPECT_THAT(tenant.workloads(), IsEmpty());
}

TEST_F(RunaiVerdict, IsMadeOfALogThatWasDroppedThriceAndIsThereOnce) {
  system();
  one_case();
  const auto log = numbered_lines(100) + runai_simulator::nccl_log(8);
  script(R"([{"phase":"Running","ms":1500},{"phase":"Completed"}])", {{"log", log}, {"keepPods", true}});
  tenant.settings({{"logBinary", true}, {"logPingEvery", 3}, {"logChunk", 40}});
  fault(R"({"path":"*/logs","nth":1})", R"({"kind":"ws-drop","afterBytes":1001})");
  fault(R"({"path":"*/logs","nth":2})", R"({"kind":"ws-close","code":1011,"afterBytes":1500})");
  fault(R"({"path":"*/logs","nth":3})", R"({"kind":"ws-oversized","afterBytes":700})");
  fault(R"({"path":"*/logs","nth":4})", R"({"kind":"ws-fragment"})");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(output(), log);
}

TEST_F(RunaiVerdict, OfAnOutputThatCannotBeHadIsAnErrorOfItsOwn) {
  system();
  one_case();
  script(R"([{"phase":"Running","ms":300},{"phase":"Completed"}])");
  fault(R"({"path":"*/logs*"})", R"({"kind":"status","status":404})");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(the_run().at("status"), "error");
  EXPECT_EQ(reason_code(the_run()), "output_unavailable");
  EXPECT_THAT(reason_text(the_run()), HasSubstr("the stream: status 404; the download: status 404"));
}

// Hooks: workloads of their own, whose names tell them apart.
class RunaiHooks : public RunaiTest {
 protected:
  RunaiHooks() {
    system();
    nccl_test("work");
    workspace.hook("before", {"work"});
    workspace.hook("behind", {"work"});
    workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" + test_case("Tests.1", "work"));
  }
};

constexpr auto failing = R"([{"phase":"Running","ms":200},{"phase":"Failed","message":"exit code 3"}])";

TEST_F(RunaiHooks, ThatFailBeforeLeaveTheTestUncreated) {
  script(failing, {{"exitCode", 3}}, "scenario-tests-1-pro*");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(the_run().at("status"), "failed");
  EXPECT_EQ(reason_code(the_run()), "prologue_failed");
  for (const auto* kind : {"main", "epilogue"}) EXPECT_EQ(stage_of(the_run(), kind).at("status"), "skipped");
  ASSERT_EQ(tenant.workloads().size(), 1U);
  EXPECT_THAT(tenant.workloads().at(0).name, StartsWith("scenario-tests-1-pro"));
}

TEST_F(RunaiHooks, AfterATestThatFailedStillRun) {
  script(failing, {{"exitCode", 3}});
  script(R"([{"phase":"Running","ms":200},{"phase":"Completed"}])", Json::object(), "scenario-tests-1-pro*");
  script(R"([{"phase":"Running","ms":200},{"phase":"Completed"}])", Json::object(), "scenario-tests-1-epi*");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(the_run().at("status"), "failed");
  EXPECT_EQ(stage_of(the_run(), "prologue").at("status"), "passed");
  EXPECT_EQ(stage_of(the_run(), "main").at("status"), "failed");
  EXPECT_EQ(stage_of(the_run(), "epilogue").at("status"), "passed");
  EXPECT_EQ(tenant.workloads().size(), 3U);
}

// The tag, by which a workload belongs to a results directory, set aside.
std::string without_tag(const std::string& payload) {
  return std::regex_replace(payload, std::regex(R"rx("name": "(scenario-[-a-z0-9]*)-[a-z0-9]{13}")rx"),
                            "\"name\": \"$1\"");
}

TEST_F(RunaiHooks, AreRenderedByADryRunByteForByteAsTheyAreSent) {
  ASSERT_EQ(workspace.cloudai(workspace.command("dry-run")).exit_status, 0);
  EXPECT_THAT(tenant.requests(), IsEmpty());
  const auto rendered = workspace.results();
  const auto ended = run({"--output-dir", (workspace.root() / "run").string()});
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  const auto results = fs::directory_iterator(workspace.root() / "run")->path();
  std::vector<runai_simulator::RecordedRequest> sent;
  for (const auto& request : tenant.requests()) {
    if (request.method == "POST" && request.path == "/api/v1/workloads/trainings") sent.push_back(request);
  }
  ASSERT_EQ(sent.size(), 3U);
  const char* const directories[] = {"prologue/work", ".", "epilogue/work"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto file = fs::path("Tests.1/0") / directories[i] / "runai-workload.json";
    const auto payload = read(results / file);
    EXPECT_EQ(without_tag(read(rendered / file)), without_tag(payload)) << file;
    EXPECT_EQ(sent[i].headers.at("content-length"), std::to_string(payload.size()));
    EXPECT_EQ(sent[i].body, Json::parse(payload));
  }
}

}  // namespace
}  // namespace end_to_end
