#include <gmock/gmock.h>

#include <thread>

#include "api_client.hpp"
#include "fake_network.hpp"
#include "token_source.hpp"

namespace runai {
namespace {

using runai::testing::failure;
using runai::testing::FakeTransport;
using runai::testing::refusal;
using runai::testing::reply;
using std::chrono::seconds;
using testing::bearer_of;
using Json = cloudai::Json;

// {"exp":1770094800,"iat":1770091200,"sub":"x"}
constexpr const char* an_hour_long =
    "eyJhbGciOiJub25lIn0.eyJleHAiOjE3NzAwOTQ4MDAsImlhdCI6MTc3MDA5MTIwMCwic3ViIjoieCJ9.";

TEST(TokenGrant, FormsAreTriedNewestFirst) {
  EXPECT_THAT(grants_of(Auth::automatic),
              ::testing::ElementsAre(Grant::oauth2, Grant::client_credentials, Grant::app_token));
  EXPECT_THAT(grants_of(Auth::app_token), ::testing::ElementsAre(Grant::app_token));
}

TEST(TokenGrant, EachFormIsSpelledAsItsReleaseKnowsIt) {
  const HttpRequest oauth2 = token_request(Grant::oauth2, "the id", "a&b=c");
  EXPECT_EQ(oauth2.target, "/api/v2/token");
  EXPECT_EQ(oauth2.body, "grant_type=client_credentials&client_id=the%20id&client_secret=a%26b%3Dc");
  const HttpRequest v1 = token_request(Grant::client_credentials, "id", "se\"cret");
  EXPECT_EQ(v1.target, "/api/v1/token");
  EXPECT_EQ(Json::parse(v1.body),
            Json({{"grantType", "client_credentials"}, {"clientID", "id"}, {"clientSecret", "se\"cret"}}));
  EXPECT_EQ(Json::parse(token_request(Grant::app_token, "id", "s").body),
            Json({{"grantType", "app_token"}, {"appID", "id"}, {"appSecret", "s"}}));
}

TEST(TokenGrant, RepliesOfAllReleasesAreRead) {
  EXPECT_EQ(parse_token_reply(R"({"access_token":"t","expires_in":60})")->expires_in, seconds(60));
  EXPECT_EQ(parse_token_reply(R"({"accessToken":"t","expiresIn":"90"})")->expires_in, seconds(90));
  EXPECT_EQ(parse_token_reply(R"({"accessToken":"t"})")->token, "t");
  for (const char* body :
       {"", "[]", "{}", R"({"accessToken":""})", R"({"accessToken":7})", R"({"accessToken":"a\nb"})"}) {
    EXPECT_FALSE(parse_token_reply(body)) << body;
  }
}

TEST(TokenGrant, LifetimeComesFromTheReplyThenTheTokenThenIsAssumed) {
  EXPECT_EQ(lifetime_of({an_hour_long, seconds(60)}, ""), seconds(60));
  EXPECT_EQ(lifetime_of({an_hour_long, std::nullopt}, "Tue, 03 Feb 2026 04:30:00 GMT"), seconds(1800));
  EXPECT_EQ(lifetime_of({an_hour_long, std::nullopt}, ""), seconds(3600));
  EXPECT_EQ(lifetime_of({"opaque", std::nullopt}, ""), seconds(300));
  EXPECT_EQ(lifetime_of({"a.b.c", std::nullopt}, ""), seconds(300));
  // By a clock that is far ahead it would be over already.
  EXPECT_EQ(lifetime_of({an_hour_long, std::nullopt}, "Wed, 03 Feb 2027 04:30:00 GMT"), seconds(300));
}

TEST(TokenGrant, ATokenIsReplacedBeforeItExpires) {
  EXPECT_EQ(usable_part(seconds(3600)), seconds(3540));
  EXPECT_EQ(usable_part(seconds(100)), seconds(90));
}

class TokenTest : public ::testing::Test {
 protected:
  TokenTest() { cloudai::host().connect(host_.get()); }
  ~TokenTest() override { cloudai::host().connect(nullptr); }

  std::string token() { return tokens_.token({}); }
  std::string log() const {
    std::string text;
    for (const auto& line : host_.log) text += line.text + "\n";
    return text;
  }

  cloudai::testing::FakeHost host_;
  FakeTransport tenant_;
  SystemOptions options_ = testing::options();
  RequestLog log_;
  SteadyTime now_ = std::chrono::steady_clock::now();
  TokenSource tokens_{tenant_, options_, log_, [this] { return now_; }};
};

TEST_F(TokenTest, OneIsFetchedForAsLongAsItLives) {
  EXPECT_EQ(token(), "token-1");
  now_ += seconds(3539);
  EXPECT_EQ(token(), "token-1");
  EXPECT_EQ(tenant_.requests.size(), 1);
  tenant_.say("POST /api/v2/token", {reply(200, Json{{"access_token", "token-2"}, {"expires_in", 3600}})});
  now_ += seconds(2);
  EXPECT_EQ(token(), "token-2");
  EXPECT_EQ(tenant_.requests.size(), 2);
}

TEST_F(TokenTest, ThreadsThatNeedOneTogetherMakeOneRequest) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) threads.emplace_back([this] { EXPECT_EQ(token(), "token-1"); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(tenant_.requests.size(), 1);
  tenant_.say("POST /api/v2/token", {reply(200, Json{{"access_token", "token-2"}})});
  threads.clear();
  for (int i = 0; i < 16; ++i) threads.emplace_back([this] { EXPECT_EQ(tokens_.renewed("token-1", {}), "token-2"); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(tenant_.requests.size(), 2);
}

TEST_F(TokenTest, OlderTenantsAreAskedInOlderForms) {
  tenant_.say("POST /api/v2/token", {reply(404)});
  tenant_.say("POST /api/v1/token",
              {reply(400, R"({"code":400,"message":"unknown grant"})"), reply(200, Json{{"accessToken", "old"}})});
  EXPECT_EQ(token(), "old");
  EXPECT_EQ(Json::parse(tenant_.requests.at(2).body).at("grantType"), "app_token");
  now_ += seconds(400);
  EXPECT_EQ(token(), "old");
  EXPECT_EQ(tenant_.requests.size(), 4) << "the form that worked is the one that is used";
}

TEST_F(TokenTest, WrongCredentialsAreSaidWithoutThem) {
  tenant_.say("POST /api/v2/token",
              {reply(401, R"({"error":"invalid_client","error_description":"benchmark with the-secret is unknown"})")});
  const auto error = refusal([&] { token(); });
  EXPECT_EQ(error.status(), cloudai::Status::invalid_config);
  EXPECT_EQ(error.message(),
            "Run:ai gives no token for these credentials: status 401: invalid_client: benchmark with redacted is "
            "unknown.");
  EXPECT_EQ(error.hint(), "Check 'base_url', 'app_id' and the secret in the system file.");
  EXPECT_EQ(log().find("the-secret"), std::string::npos);
}

TEST_F(TokenTest, AReplyWithoutATokenIsTheEnd) {
  tenant_.say("POST /api/v2/token", {reply(200, "{}")});
  EXPECT_EQ(refusal([&] { token(); }).message(),
            "Run:ai gives no token for these credentials: status 200, but there is no token in the reply.");
}

TEST_F(TokenTest, ATenantThatDoesNotAnswerIsAskedThreeTimes) {
  tenant_.say("POST /api/v2/token", {failure(HttpFailure::Kind::not_sent, "no connection")});
  const auto error = refusal([&] { token(); });
  EXPECT_EQ(error.status(), cloudai::Status::unavailable);
  EXPECT_EQ(error.message(), "Run:ai gives no token at present: no connection.");
  EXPECT_EQ(tenant_.requests.size(), 3);
}

class ApiClientTest : public TokenTest {
 protected:
  ApiReply call(Call kind = Call::get, const char* key = nullptr) {
    return client_.call({kind, kind == Call::create ? "POST" : "GET", "/api/v1/x", "GET x", "", key});
  }
  ApiClient client_{tenant_, tokens_, options_, log_};
};

TEST_F(ApiClientTest, AnExpiredTokenIsRenewedAndTheRequestSentAgainOnce) {
  tenant_.say("GET /api/v1/x", {reply(401, R"({"message":"token expired"})"), reply(200, "{}")});
  tenant_.say("POST /api/v2/token", {reply(200, Json{{"access_token", "t1"}, {"expires_in", 3600}}),
                                     reply(200, Json{{"access_token", "t2"}, {"expires_in", 3600}})});
  EXPECT_EQ(call().action, Action::accept);
  ASSERT_EQ(tenant_.requests.size(), 4);
  EXPECT_EQ(bearer_of(tenant_.requests[1]), "Bearer t1");
  EXPECT_EQ(bearer_of(tenant_.requests[3]), "Bearer t2");
  EXPECT_EQ(log().find("t1"), std::string::npos);
}

TEST_F(ApiClientTest, ASecondRefusalOfTheTokenIsTheEnd) {
  tenant_.say("GET /api/v1/x", {reply(401, R"({"code":401,"message":"Issuer is not familiar."})")});
  const ApiReply answer = call();
  EXPECT_EQ(answer.action, Action::fail);
  EXPECT_EQ(answer.message, "status 401: Issuer is not familiar.");
  EXPECT_EQ(tenant_.count("GET /api/v1/x"), 2);
}

TEST_F(ApiClientTest, ATenantInTroubleIsAskedAgainWhenItSaysSo) {
  tenant_.say("GET /api/v1/x", {reply(503, "<html><b>Bad</b> day</html>", {{"retry-after", "0"}}),
                                reply(429, "", {{"retry-after", "0"}}), reply(200, R"({"a":1})")});
  EXPECT_EQ(call().body.at("a"), 1);
  EXPECT_THAT(log(), ::testing::HasSubstr("GET /api/v1/x, attempt 1, after"));
  EXPECT_THAT(log(), ::testing::HasSubstr("ms: status 503: Bad day"));
}

TEST_F(ApiClientTest, FiveAttemptsAreEnough) {
  tenant_.say("GET /api/v1/x", {reply(503, "", {{"retry-after", "0"}})});
  EXPECT_EQ(call().action, Action::retry);
  EXPECT_EQ(tenant_.count("GET /api/v1/x"), 5);
}

TEST_F(ApiClientTest, ACreationIsNeverRepeatedBlindly) {
  tenant_.say("POST /api/v1/x", {failure(HttpFailure::Kind::broken)});
  EXPECT_EQ(call(Call::create, "workloadId").action, Action::reconcile);
  tenant_.say("POST /api/v1/x", {reply(202, R"({"name":"x"})")});
  EXPECT_EQ(call(Call::create, "workloadId").action, Action::reconcile);
  tenant_.say("POST /api/v1/x", {reply(202, R"({"workloadId":"7"})")});
  EXPECT_EQ(call(Call::create, "workloadId").body.at("workloadId"), "7");
}

TEST_F(ApiClientTest, ARedirectionIsNotFollowed) {
  tenant_.say("GET /api/v1/x", {reply(301, "", {{"location", "https://evil.example.com/?token=token-1"}})});
  const ApiReply answer = call();
  EXPECT_EQ(answer.action, Action::fail);
  EXPECT_EQ(answer.message, "status 301, which sends to 'https://evil.example.com/'");
  EXPECT_EQ(tenant_.count("GET"), 1);
}

TEST_F(ApiClientTest, ADocumentThatIsNoneIsAskedForAgain) {
  tenant_.say("GET /api/v1/x", {reply(200, "<html>"), reply(200, ""), reply(200, "[1]")});
  EXPECT_EQ(call().body, Json::parse("[1]"));
}

TEST_F(ApiClientTest, ADeletionNeedsNoDocument) {
  tenant_.say("GET /api/v1/x", {reply(204)});
  EXPECT_EQ(call(Call::change).action, Action::accept);
  tenant_.say("GET /api/v1/x", {reply(202, "deleted!")});
  EXPECT_EQ(call(Call::change).action, Action::accept);
}

TEST_F(ApiClientTest, WhoStopsWaitsForNothing) {
  tenant_.say("GET /api/v1/x", {reply(503, "", {{"retry-after", "60"}})});
  host_.cancelled = true;
  EXPECT_EQ(refusal([&] { call(); }).status(), cloudai::Status::cancelled);
  EXPECT_EQ(tenant_.count("GET /api/v1/x"), 1);
}

TEST(Secrets, AreHiddenHoweverTheyAreWritten) {
  Secrets secrets;
  secrets.add("s&\"x");
  secrets.add("abc");
  EXPECT_EQ(secrets.hide(R"(s&"x s&\"x s%26%22x abc)"), "redacted redacted redacted abc");
}

TEST(Secrets, WhatAServerSaysIsOneShortLine) {
  const Secrets secrets;
  EXPECT_EQ(
      server_message(R"({"code":400,"message":"The policy.","complianceIssues":[{"field":"compute.gpuDevicesRequest",
            "details":"value must be no more than 4","rule":"max"}]})",
                     secrets),
      "The policy.; compute.gpuDevicesRequest: value must be no more than 4");
  EXPECT_EQ(server_message("<html>\n<h1>502</h1> Bad\tGateway</html>", secrets), "502 Bad Gateway");
  EXPECT_EQ(server_message("", secrets), "");
  EXPECT_LE(server_message(std::string(5000, 'x'), secrets).size(), 1003);
}

}  // namespace
}  // namespace runai
