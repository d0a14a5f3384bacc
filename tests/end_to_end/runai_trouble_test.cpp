// Runs through a simulated Run:ai tenant that is in trouble, and tenants that cannot be used.

#include <signal.h>

#include "tests/end_to_end/runai_test.hpp"

namespace end_to_end {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr auto endless = R"([{"phase":"Running"}])";
constexpr auto three_seconds = R"([{"phase":"Running","ms":3000},{"phase":"Completed"}])";

class RunaiTrouble : public RunaiTest {
 protected:
  void SetUp() override {
    system();
    one_case();
  }
};

TEST_F(RunaiTrouble, TokensThatExpireOrAreRevokedAreRenewed) {
  bounds.token_requests = 20;
  tenant.settings({{"tokenTtlSeconds", 1}});
  script(three_seconds);
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(reached("Running")) << program->err();
  tenant.revoke_tokens();
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_GE(count("POST", "/api/v2/token"), 3U);
  EXPECT_EQ(tenant.workloads().size(), 1U);
}

TEST_F(RunaiTrouble, ACreationWhoseAnswerIsLostIsAdopted) {
  tenant.settings({{"readLagMs", 1500}});
  fault(R"({"method":"POST","path":"/api/v1/workloads/trainings","nth":1})", R"({"kind":"reset-after"})");
  script(three_seconds);
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("it is looked for by its name."));
  EXPECT_THAT(ended.err, HasSubstr("Submitted RunAI job: " + tenant.workloads().at(0).id));
  EXPECT_EQ(tenant.workloads().size(), 1U);
  EXPECT_EQ(count("POST", "/api/v1/workloads/trainings"), 1U);
}

TEST_F(RunaiTrouble, AStormOf429PassesAndNothingIsMadeTwice) {
  fault(R"({"path":"/api/v1/workloads*","first":20})", R"({"kind":"status","status":429,"retryAfter":0})");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(tenant.workloads().size(), 1U);
}

TEST_F(RunaiTrouble, ALagOfReadsIsWaitedFor) {
  tenant.settings({{"readLagMs", 2000}});
  script(three_seconds);
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
}

// Ten minutes of the tenant are five seconds here.
class RunaiOutage : public RunaiTest {
 protected:
  static runai_simulator::Options fast_clock() {
    runai_simulator::Options options;
    options.time_scale = 120;
    return options;
  }
  RunaiOutage() : RunaiTest(fast_clock()) {}
};

TEST_F(RunaiOutage, OfTenMinutesChangesNothing) {
  system();
  one_case();
  bounds.requests = 1000;
  script(R"([{"phase":"Running","ms":240000},{"phase":"Completed"}])");
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return program->err().find("Submitted RunAI job: ") != std::string::npos; }))
      << program->err();
  fault(R"({"path":"/api/*","forMs":600000})", R"({"kind":"status","status":503,"html":true,"retryAfter":0})");
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(first_missing(ended.err, {"What is known of the workloads stays as it is; trying again.",
                                      "Run:ai answers again.", "Job completed: Tests.1"}),
            "")
      << ended.err;
}

TEST_F(RunaiOutage, WithoutEndIsGivenUp) {
  bounds.all_ended = false;  // nobody could
  system({{"unreachable_timeout", 1}});
  one_case();
  script(endless);
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(reached("Running")) << program->err();
  ASSERT_TRUE(eventually([&] { return program->err().find("Submitted RunAI job: ") != std::string::npos; }));
  fault(R"({"path":"/api/*"})", R"({"kind":"status","status":503,"retryAfter":0})");
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(the_run().at("status"), "error");
  EXPECT_THAT(reason_text(the_run()), HasSubstr("Run:ai has not answered for 1 s (unreachable_timeout): "));
  EXPECT_THAT(ended.err, HasSubstr("(" + tenant.workloads().at(0).id + ") could not be deleted: "));
}

class RunaiSignal : public RunaiTest {
 protected:
  // Three workloads that run.
  void SetUp() override {
    bounds.group = [](const std::string& name) { return name; };
    system();
    nccl_test("work");
    workspace.scenario(test_case("Tests.1", "work") + test_case("Tests.2", "work") + test_case("Tests.3", "work"));
    script(endless);
    program = start(workspace.command("run"));
    ASSERT_TRUE(reached("Running", 3)) << program->err();
    ASSERT_TRUE(eventually([&] {
      const std::string said = "Submitted RunAI job: ";
      return first_missing(program->err(), {said, said, said}).empty();
    })) << program->err();
  }

  std::unique_ptr<Program> program;
};

TEST_F(RunaiSignal, DeletesAllWorkloadsAlthoughDeletionsFailTwice) {
  fault(R"({"method":"DELETE","first":6})", R"({"kind":"status","status":500})");
  program->send(SIGINT);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 130) << ended.err;
  EXPECT_EQ(workspace.summary().at("status"), "cancelled");
  EXPECT_EQ(workspace.summary().at("counts"), (Json{{"cancelled", 3}}));
  EXPECT_EQ(first_missing(ended.err, {"Terminating all jobs...", "All jobs have been killed."}), "") << ended.err;
  EXPECT_EQ(count("DELETE", "/api/v1/workloads/trainings/"), 9U);
  for (const auto& workload : tenant.workloads()) EXPECT_GE(workload.ended, 0) << workload.name;
}

TEST_F(RunaiSignal, NamesWhatCannotBeDeletedWithItsId) {
  bounds.all_ended = false;
  const auto workloads = tenant.workloads();
  const Json match = {{"method", "DELETE"}, {"path", "*/" + workloads.at(1).id}};
  tenant.fault(match, {{"kind", "status"}, {"status", 500}, {"retryAfter", 0}});
  program->send(SIGTERM);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 143) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("may still run; delete it in Run:ai: status 500"));
  for (const auto& workload : tenant.workloads()) {
    const bool is_named = ended.err.find("{\"id\":\"" + workload.id + "\"") != std::string::npos;
    EXPECT_EQ(is_named, workload.ended < 0) << workload.name << ended.err;
  }
}

// A tenant that cannot be used is told at once; nothing is submitted.
class RunaiRefusal : public RunaiTest {
 protected:
  std::string error_with(const Json& changes, int exit_status = 2) const {
    system(changes);
    one_case();
    const auto ended = run();
    EXPECT_EQ(ended.exit_status, exit_status) << ended.err;
    EXPECT_THAT(tenant.workloads(), IsEmpty());
    return ended.err;
  }
};

TEST_F(RunaiRefusal, OfAWrongSecret) {
  const auto error = error_with({{"app_secret", "a-wrong-secret"}});
  EXPECT_THAT(error, HasSubstr("Run:ai gives no token for these credentials: status 401: "));
  EXPECT_THAT(error, Not(HasSubstr("a-wrong-secret")));
}

TEST_F(RunaiRefusal, OfASecretThatIsNotThere) {
  EXPECT_THAT(error_with({{"app_secret", nullptr}, {"app_secret_env", "THIS_VARIABLE_IS_NOT_THERE"}}),
              HasSubstr("The environment variable 'THIS_VARIABLE_IS_NOT_THERE' (app_secret_env) is not set."));
}

TEST_F(RunaiRefusal, OfAProjectThatIsNotThere) {
  EXPECT_THAT(error_with({{"project_id", "4711"}}), HasSubstr("Run:ai has no project '4711' (project_id)."));
}

TEST_F(RunaiRefusal, OfAnUnreachableHost) {
  const auto error = error_with({{"base_url", "https://127.0.0.1:9"}}, 3);
  EXPECT_THAT(error, HasSubstr("127.0.0.1"));
  EXPECT_THAT(error, HasSubstr("refused"));
}

TEST_F(RunaiRefusal, OfACertificateOfAnUnknownAuthority) {
  const auto error = error_with({{"ca_file", nullptr}});
  EXPECT_THAT(error, HasSubstr("Run:ai was not asked for a token: the certificate of 127.0.0.1:"));
  EXPECT_THAT(error, HasSubstr("set 'ca_file' to the certificate of the authority that signed the tenant's."));
  EXPECT_THAT(tenant.requests(), IsEmpty());
}

TEST_F(RunaiRefusal, OfAnAuthorityThatIsAnother) {
  const runai_simulator::SimulatorProcess other;
  EXPECT_THAT(error_with({{"ca_file", other.ca_file().string()}}), HasSubstr(" is not trusted: "));
  EXPECT_THAT(tenant.requests(), IsEmpty());
}

TEST_F(RunaiRefusal, OfAnExpiredCertificate) {
  fault("{}", R"({"kind":"tls-expired"})");
  EXPECT_THAT(error_with(Json::object()), HasSubstr(" is not trusted: "));
  EXPECT_THAT(tenant.requests(), IsEmpty());
}

TEST_F(RunaiRefusal, OfAFileThatHoldsNoCertificates) {
  workspace.write("ca.pem", "this is no certificate\n");
  EXPECT_THAT(error_with({{"ca_file", (workspace.root() / "ca.pem").string()}}), HasSubstr("ca.pem"));
}

}  // namespace
}  // namespace end_to_end
