// How answers travel when rules spoil that; certificates; logs on WebSockets.
#include <gmock/gmock.h>

#include "tests/runai_simulator/tenant_test.hpp"
#include "tests/runai_simulator/tls_client.hpp"

namespace runai_simulator {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Delivery : public ::testing::Test {
 protected:
  HttpResult with(const Json& effect) {
    simulator.clear_faults();
    simulator.fault(Json::object(), effect);
    return client.call("GET", "/api/v1/clusters");
  }
  ReceivedLog log(const std::string& name = "a") const {
    return receive_log(simulator.https_url(), simulator.ca_file(),
                       "/cluster-api/api/v1/bench/workloads/training/runai/" + name + "/logs", client.token);
  }
  // Of a finished workload named a, with this log.
  void finished(const std::string& text) {
    simulator.script({{"phases", {{{"phase", "Running"}, {"ms", 1}}, {{"phase", "Completed"}}}}, {"log", text}});
    client.create(training("a"));
    simulator.advance(10ms);
  }

  SimulatorProcess simulator{standing_clock()};
  ApiClient client{simulator};
};

TEST_F(Delivery, StatusesAreAnsweredInstead) {
  const auto unavailable = with({{"kind", "status"}, {"status", 503}, {"retryAfter", 3}});
  EXPECT_EQ(unavailable.status, 503);
  EXPECT_EQ(unavailable.headers.at("retry-after"), "3");
  const auto gateway = with({{"kind", "status"}, {"status", 502}, {"html", true}});
  EXPECT_EQ(gateway.headers.at("content-type"), "text/html");
  const auto moved = with({{"kind", "redirect"}, {"location", "https://elsewhere.invalid/"}});
  EXPECT_EQ(moved.status, 301);
  EXPECT_EQ(moved.headers.at("location"), "https://elsewhere.invalid/");
}

TEST_F(Delivery, AnswersMayBreakOff) {
  const auto whole = client.call("GET", "/api/v1/clusters");
  const auto cut = with({{"kind", "truncate"}});
  EXPECT_EQ(cut.headers.at("content-length"), whole.headers.at("content-length"));
  EXPECT_LT(cut.body.size(), whole.body.size());
  EXPECT_EQ(with({{"kind", "reset-before"}}).raw, "");
  EXPECT_THAT(with({{"kind", "http10"}}).raw, HasSubstr("HTTP/1.0 200 OK"));
  EXPECT_THAT(with({{"kind", "chunked"}}).raw, HasSubstr("\r\n0\r\nX-Checksum: none\r\n\r\n"));
  EXPECT_EQ(with({{"kind", "slow"}, {"bytes", 100}, {"ms", 1}}).body.size(), whole.body.size());
}

TEST_F(Delivery, AResetAfterTheRequestLeavesItsWorkload) {
  simulator.fault({{"method", "POST"}, {"nth", 1}}, {{"kind", "reset-after"}});
  EXPECT_EQ(client.call("POST", "/api/v1/workloads/trainings", training("a")).status, 0);
  EXPECT_EQ(client.get("/api/v1/workloads?filterBy=name==a")["workloads"].size(), 1U);
  simulator.fault({{"method", "POST"}, {"nth", 1}}, {{"kind", "reset-before"}});
  EXPECT_EQ(client.call("POST", "/api/v1/workloads/trainings", training("b")).status, 0);
  EXPECT_TRUE(client.get("/api/v1/workloads?filterBy=name==b")["workloads"].empty());
}

TEST_F(Delivery, CertificatesAreGoodUntilARuleSaysOtherwise) {
  EXPECT_EQ(tls_refusal(simulator.https_url(), simulator.ca_file()), "");
  for (const auto* kind : {"tls-expired", "tls-wrong-host", "tls-self-signed", "reset-on-connect"}) {
    simulator.clear_faults();
    simulator.fault({{"nth", 1}}, {{"kind", kind}});
    EXPECT_THAT(tls_refusal(simulator.https_url(), simulator.ca_file()), Not(IsEmpty())) << kind;
    EXPECT_EQ(tls_refusal(simulator.https_url(), simulator.ca_file()), "") << kind;
  }
}

TEST_F(Delivery, LogsNeedATokenAndAWorkload) {
  EXPECT_EQ(log().error, "HTTP 404");
  finished("hello\n");
  EXPECT_EQ(log().text(), "hello\n");
  EXPECT_EQ(log().close_code, 1000);
  client.token = "other";
  EXPECT_EQ(log().error, "HTTP 401");
}

TEST_F(Delivery, LogsAreSplitAnywhere) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "line " + std::to_string(i) + " with an äöü\n";
  finished(text);
  simulator.settings({{"logChunk", 7}, {"logPingEvery", 50}});
  const auto characters = log();
  EXPECT_EQ(characters.text(), text);
  EXPECT_GT(characters.messages.size(), 300U);
  EXPECT_FALSE(characters.messages[0].binary);
  EXPECT_GT(characters.pings, 5);
  simulator.settings({{"logBinary", true}});
  const auto bytes = log();
  EXPECT_EQ(bytes.text(), text);
  EXPECT_TRUE(bytes.messages[0].binary);
  simulator.settings({{"logBinary", false}});
  simulator.fault(Json::object(), {{"kind", "ws-fragment"}});
  EXPECT_EQ(log().text(), text);
}

TEST_F(Delivery, LogStreamsEndEarly) {
  finished("one\ntwo\nthree\n");
  simulator.fault({{"nth", 1}}, {{"kind", "ws-close"}, {"code", 1013}, {"afterBytes", 6}});
  const auto closed = log();
  EXPECT_EQ(closed.text(), "one\ntw");
  EXPECT_EQ(closed.close_code, 1013);
  simulator.clear_faults();
  simulator.fault({{"nth", 1}}, {{"kind", "ws-drop"}, {"afterBytes", 5}});
  const auto dropped = log();
  EXPECT_EQ(dropped.text(), "one\nt");
  EXPECT_EQ(dropped.close_code, 0);
  EXPECT_THAT(dropped.error, Not(IsEmpty()));
  simulator.clear_faults();
  simulator.fault({{"nth", 1}}, {{"kind", "ws-oversized"}});
  EXPECT_THAT(log().error, HasSubstr("exceeded"));
  EXPECT_EQ(log().text(), "one\ntwo\nthree\n");
}

TEST_F(Delivery, LogsAreGoneWithTheirPods) {
  simulator.script({{"phases", {{{"phase", "Running"}, {"ms", 1}}, {{"phase", "Completed"}}}}, {"keepPods", false}});
  client.create(training("a"));
  simulator.advance(10ms);
  EXPECT_EQ(log().error, "HTTP 404");
}

TEST_F(Delivery, ARunningWorkloadIsFollowed) {
  simulator.script(
      {{"phases", {{{"phase", "Running"}, {"ms", 100}}, {{"phase", "Completed"}}}}, {"log", "1\n2\n3\n4\n"}});
  client.create(training("a"));
  simulator.advance(50ms);
  simulator.fault({{"nth", 1}}, {{"kind", "ws-drop"}, {"afterBytes", 4}});
  EXPECT_EQ(log().text(), "1\n2\n");
  simulator.advance(100ms);
  EXPECT_EQ(log().text(), "1\n2\n3\n4\n");
}

TEST_F(Delivery, InvariantsSeeWhatAClientDidWrong) {
  const auto id = client.create(training("run-1"));
  client.create(training("run-2"));
  simulator.advance(1ms);
  http_call(simulator.http_url(), "GET", "/api/v1/clusters");
  client.call("DELETE", "/api/v1/workloads/trainings/" + id);
  Bounds bounds;
  bounds.requests = 3;
  const auto result = check(simulator, bounds);
  EXPECT_EQ(result.requests, 5U);
  EXPECT_THAT(result.violations, ::testing::ElementsAre("GET /api/v1/clusters came without a token.",
                                                        "5 requests were made, at most 3 were expected.",
                                                        "Workloads run-1 and run-2 lived at the same time.",
                                                        "Workload run-2 lives: it is Creating."));
}

TEST_F(Delivery, RequestsAreRememberedWithoutTheirSecrets) {
  client.create(training("a"));
  const auto requests = simulator.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].body["clientSecret"], "***");
  EXPECT_EQ(requests[1].body["name"], "a");
  EXPECT_TRUE(requests[1].authorized);
  EXPECT_EQ(requests[1].headers.count("authorization"), 0U);
  EXPECT_EQ(requests[1].status, 202);
}

}  // namespace
}  // namespace runai_simulator
