// The module as it is built, against a simulated tenant that is in trouble.
#include <thread>

#include "tenant_fixture.hpp"

namespace runai {
namespace {

using cloudai::JobEnd;
using cloudai::JobPhase;
using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::Json;
using testing::TenantTest;

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += "line " + std::to_string(i) + " größer\n";
  return text;
}

class RunaiFaults : public TenantTest {
 protected:
  static void script(Json script) {
    script["name"] = "*";
    tenant().script(runai_simulator::Json::parse(script.dump()));
  }
  static void fault(const char* match, const char* effect) {
    tenant().fault(runai_simulator::Json::parse(match), runai_simulator::Json::parse(effect));
  }
  static void set(const char* settings) { tenant().settings(runai_simulator::Json::parse(settings)); }
  static const Json& running_for_ever() {
    static const Json phases = Json::parse(R"([{"phase":"Running"}])");
    return phases;
  }
};

TEST_F(RunaiFaults, ATokenThatExpiresIsRenewed) {
  bounds_.token_requests = 10;
  set(R"({"tokenTtlSeconds":2})");
  script({{"phases", Json::parse(R"([{"phase":"Running","ms":3000},{"phase":"Completed"}])")}});
  EXPECT_EQ(run(job()).state, JobEnd::completed);
  EXPECT_GE(count("POST", "/api/v2/token"), 2);
}

TEST_F(RunaiFaults, ATokenThatIsRevokedIsRenewedOnce) {
  ASSERT_EQ(open().status, CLOUDAI_OK);
  tenant().revoke_tokens();
  EXPECT_EQ(run(job()).state, JobEnd::completed);
  EXPECT_EQ(count("POST", "/api/v2/token"), 2);
  EXPECT_EQ(count("POST", "/api/v1/workloads/trainings"), 2) << "the refused one, and the one that was taken";
}

TEST_F(RunaiFaults, WrongCredentialsAreRefusedAtOnce) {
  const auto reply = open({{"app_secret", "a-wrong-secret"}});
  EXPECT_EQ(reply.status, CLOUDAI_INVALID_CONFIG);
  EXPECT_THAT(reply.message(), ::testing::StartsWith("Run:ai gives no token for these credentials: status 401: "));
  EXPECT_THAT(reply.message() + log(), ::testing::Not(::testing::HasSubstr("a-wrong-secret")));
}

struct Effect {
  const char* name;
  const char* effect;
};
class RunaiCreation : public RunaiFaults, public ::testing::WithParamInterface<Effect> {};

TEST_P(RunaiCreation, LeavesOneWorkloadWhateverHappensToTheRequest) {
  fault(R"({"method":"POST","path":"/api/v1/workloads/trainings","nth":1})", GetParam().effect);
  const auto result = run(job());
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(tenant().workloads().size(), 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, RunaiCreation,
    ::testing::Values(Effect{"ResetAfter", R"({"kind":"reset-after"})"}, Effect{"Truncated", R"({"kind":"truncate"})"},
                      Effect{"Malformed", R"({"kind":"malformed"})"}, Effect{"Empty", R"({"kind":"empty"})"},
                      Effect{"TokenExpired", R"({"kind":"token-expired"})"},
                      Effect{"TooManyRequests", R"({"kind":"status","status":429,"retryAfter":0})"},
                      Effect{"Closed", R"({"kind":"close"})"}, Effect{"Http10", R"({"kind":"http10"})"},
                      Effect{"Chunked", R"({"kind":"chunked"})"},
                      Effect{"Slow", R"({"kind":"slow","bytes":50,"ms":5})"}),
    [](const auto& row) { return row.param.name; });

TEST_F(RunaiFaults, AWorkloadThatIsNotSeenYetIsNotMadeTwice) {
  set(R"({"readLagMs":1500})");
  fault(R"({"method":"POST","path":"/api/v1/workloads/trainings","nth":1})", R"({"kind":"reset-after"})");
  script({{"phases", Json::parse(R"([{"phase":"Running","ms":3000},{"phase":"Completed"}])")}});
  EXPECT_EQ(run(job()).state, JobEnd::completed);
  EXPECT_EQ(tenant().workloads().size(), 1);
}

TEST_F(RunaiFaults, ANameThatIsTakenByItsOwnWorkloadIsAdopted) {
  script({{"phases", running_for_ever()}});
  const cloudai::Job one = job();
  const std::string id = submit(one);
  EXPECT_EQ(submit(one), id);
  EXPECT_THAT(cancel({id}), ::testing::IsEmpty());
}

TEST_F(RunaiFaults, AReadThatLagsIsWaitedFor) {
  set(R"({"readLagMs":1000})");
  EXPECT_EQ(run(job()).state, JobEnd::completed);
}

TEST_F(RunaiFaults, AStormOfRefusalsPasses) {
  ASSERT_EQ(open().status, CLOUDAI_OK);
  fault(R"({"path":"/api/v1/workloads*","first":12})", R"({"kind":"status","status":429,"retryAfter":0})");
  const cloudai::Job one = job();
  std::string id;
  // What is refused is asked for again later.
  for (int i = 0; i < 10 && id.empty(); ++i) id = submit(one);
  ASSERT_FALSE(id.empty());
  wait_for_end({id});
  EXPECT_EQ(collect(id).state, JobEnd::completed);
}

TEST_F(RunaiFaults, AnOutageChangesNothing) {
  script({{"phases", Json::parse(R"([{"phase":"Running","ms":300},{"phase":"Completed"}])")}});
  const std::string id = submit(job());
  fault(R"({"path":"/api/v1/workloads","first":8})", R"({"kind":"status","status":503,"retryAfter":0})");
  wait_for_end({id});
  EXPECT_EQ(collect(id).state, JobEnd::completed);
  EXPECT_THAT(log(), ::testing::HasSubstr("What is known of the workloads stays as it is; trying again."));
  EXPECT_THAT(log(), ::testing::HasSubstr("Run:ai answers again."));
}

TEST_F(RunaiFaults, AnOutageWithoutEndIsGivenUp) {
  open({{"unreachable_timeout", 2}});
  script({{"phases", running_for_ever()}});
  const std::string id = submit(job());
  fault(R"({"method":"GET"})", R"({"kind":"status","status":502,"html":true,"retryAfter":0})");
  wait_for_end({id});
  tenant().clear_faults();
  const auto result = collect(id);
  EXPECT_EQ(result.state, JobEnd::lost);
  EXPECT_THAT(result.reason, ::testing::StartsWith("Run:ai has not answered for 2 s (unreachable_timeout): "));
}

TEST_F(RunaiFaults, CancellingEndsAllWorkloadsAlthoughDeletionsFailTwice) {
  bounds_.group = [](const std::string& name) { return name; };
  script({{"phases", running_for_ever()}});
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(submit(job("nccl.Tests." + std::to_string(i))));
  fault(R"({"method":"DELETE","first":6})", R"({"kind":"status","status":500})");
  host().cancelled = true;
  EXPECT_THAT(cancel(ids), ::testing::IsEmpty());
  EXPECT_THAT(poll(ids), ::testing::Each(JobPhase::ended));
  for (const std::string& id : ids) EXPECT_EQ(collect(id).state, JobEnd::cancelled);
}

TEST_F(RunaiFaults, WhatCannotBeDeletedIsNamedWithItsId) {
  bounds_.all_ended = false;
  script({{"phases", running_for_ever()}});
  const std::string id = submit(job());
  fault(R"({"method":"DELETE"})", R"({"kind":"status","status":403})");
  const auto failed = cancel({id});
  ASSERT_EQ(failed.size(), 1);
  EXPECT_EQ(failed[0].id, id);
  EXPECT_THAT(failed[0].message, ::testing::HasSubstr("may still run; delete it in Run:ai: status 403: "));
}

TEST_F(RunaiFaults, ALogThatIsDroppedThriceIsWholeAndThereOnce) {
  const std::string all = numbered_lines(100);
  script({{"log", all},
          {"keepPods", true},
          {"phases", Json::parse(R"([{"phase":"Running","ms":500},{"phase":"Completed"}])")}});
  set(R"({"logBinary":true,"logPingEvery":3,"logChunk":40})");
  fault(R"({"path":"*/logs","nth":1})", R"({"kind":"ws-drop","afterBytes":1001})");
  fault(R"({"path":"*/logs","nth":2})", R"({"kind":"ws-close","code":1011,"afterBytes":1500})");
  fault(R"({"path":"*/logs","nth":3})", R"({"kind":"ws-oversized","afterBytes":700})");
  fault(R"({"path":"*/logs","nth":4})", R"({"kind":"ws-fragment"})");
  const cloudai::Job one = job();
  const auto result = run(one);
  EXPECT_EQ(result.stages.at(0).output_unavailable, "");
  EXPECT_EQ(file(one, "stdout.txt"), all);
}

TEST_F(RunaiFaults, AStreamThatIsRefusedIsReplacedByADownload) {
  script({{"log", "all\n"}, {"keepPods", true}});
  fault(R"({"path":"*/logs"})", R"({"kind":"status","status":500})");
  const cloudai::Job one = job();
  EXPECT_EQ(run(one).stages.at(0).output_unavailable, "");
  EXPECT_EQ(file(one, "stdout.txt"), "all\n");
}

TEST_F(RunaiFaults, ALogThatCannotBeHadIsSaid) {
  script({{"log", "all\n"}, {"keepPods", false}});
  fault(R"({"path":"*/logs"})", R"({"kind":"status","status":404})");
  const auto result = run(job());
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.stages.at(0).exit_status, 0);
  EXPECT_THAT(result.stages.at(0).output_unavailable, ::testing::StartsWith("the stream: status 404; the download: "));
}

TEST_F(RunaiFaults, ALogCanBeDownloadedAlone) {
  open({{"log_source", "cluster_download"}});
  script({{"log", "all\n"}, {"keepPods", true}});
  const cloudai::Job one = job();
  EXPECT_EQ(run(one).stages.at(0).output_unavailable, "");
  EXPECT_EQ(file(one, "stdout.txt"), "all\n");
  EXPECT_EQ(count("GET", "/cluster-api/"), 1);
}

TEST_F(RunaiFaults, AClockThatJumpsChangesNothing) {
  script({{"phases", Json::parse(R"([{"phase":"Running","ms":86400000},{"phase":"Completed"}])")}});
  bounds_.token_requests = 3;
  const std::string id = submit(job());
  wait_for(id, JobPhase::running);
  tenant().advance(std::chrono::hours(25));
  wait_for_end({id});
  EXPECT_EQ(collect(id).state, JobEnd::completed);
}

class RunaiReplies : public RunaiFaults, public ::testing::WithParamInterface<Effect> {};

TEST_P(RunaiReplies, ThatAreSpoiltAreAskedForAgain) {
  script({{"keepPods", true}, {"log", "x\n"}});
  fault(R"({"method":"GET","path":"/api/v1/workloads*","every":2})", GetParam().effect);
  const auto result = run(job());
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.nodes.size(), 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, RunaiReplies,
    ::testing::Values(Effect{"Reset", R"({"kind":"reset-before"})"}, Effect{"Truncated", R"({"kind":"truncate"})"},
                      Effect{"Malformed", R"({"kind":"malformed"})"}, Effect{"Empty", R"({"kind":"empty"})"},
                      Effect{"BadGateway", R"({"kind":"status","status":502,"html":true})"},
                      Effect{"Numbers", R"({"kind":"numbers-as-strings"})"}, Effect{"Null", R"({"kind":"null"})"},
                      Effect{"Type", R"({"kind":"content-type","value":"text/plain"})"}),
    [](const auto& row) { return row.param.name; });

TEST_F(RunaiFaults, AReplyWithoutEndIsCutOff) {
  fault(R"({"path":"/api/v1/clusters"})", R"({"kind":"huge","bytes":50000000})");
  const auto reply = open();
  EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  EXPECT_THAT(reply.text, ::testing::HasSubstr("the reply is larger than 16 MiB"));
}

TEST_F(RunaiFaults, ARequestThatIsNotAnsweredEndsSoonAfterTheHostStops) {
  ASSERT_EQ(open().status, CLOUDAI_OK);
  fault(R"({"method":"POST"})", R"({"kind":"never"})");
  std::thread stop([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    host().cancelled = true;
  });
  const auto started = steady_clock::now();
  EXPECT_EQ(try_to_submit(job()).status, CLOUDAI_CANCELLED);
  EXPECT_LT(steady_clock::now() - started, seconds(20)) << "a request alone may take 60 s";
  stop.join();
}

TEST_F(RunaiFaults, ARedirectionToAnotherPlaceIsRefused) {
  fault(R"({"path":"/api/v1/org-unit/projects/*"})", R"({"kind":"redirect","location":"https://evil.example.com/x"})");
  const auto reply = open();
  EXPECT_EQ(reply.status, CLOUDAI_FAILED);
  EXPECT_EQ(reply.message(),
            "The project '4201' cannot be asked for: status 301, which sends to 'https://evil.example.com/x'.");
}

class RunaiCertificates : public RunaiFaults, public ::testing::WithParamInterface<Effect> {};

TEST_P(RunaiCertificates, ThatAreNotTrustedEndIt) {
  fault("{}", GetParam().effect);
  const auto reply = open({{"base_url", tenant().https_url()}});
  EXPECT_NE(reply.status, CLOUDAI_OK);
  EXPECT_THAT(reply.message(), ::testing::HasSubstr(" is not trusted: "));
  EXPECT_THAT(tenant().requests(), ::testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, RunaiCertificates,
                         ::testing::Values(Effect{"Expired", R"({"kind":"tls-expired"})"},
                                           Effect{"WrongHost", R"({"kind":"tls-wrong-host"})"},
                                           Effect{"SelfSigned", R"({"kind":"tls-self-signed"})"}),
                         [](const auto& row) { return row.param.name; });

TEST_F(RunaiFaults, WithoutTheAuthorityNothingIsTrusted) {
  const auto reply = open({{"base_url", tenant().https_url()}, {"ca_file", ""}});
  EXPECT_THAT(reply.message(), ::testing::HasSubstr(" is not trusted: "));
}

}  // namespace
}  // namespace runai
