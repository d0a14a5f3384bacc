#include <gmock/gmock.h>

#include "tests/runai_simulator/faults.hpp"

namespace runai_simulator {
namespace {

using ::testing::ElementsAre;

const Json unavailable{{"kind", "status"}, {"status", 503}};

// Which of so many requests, counted from 1, go wrong.
std::vector<int> hits(const Json& match, int count, std::uint64_t seed = 1) {
  Faults faults(seed);
  faults.add({{"match", match}, {"effect", unavailable}}, 0);
  std::vector<int> result;
  for (int i = 1; i <= count; ++i) {
    if (faults.of_request("GET", "/api/v1/workloads", 0)) result.push_back(i);
  }
  return result;
}

TEST(SimulatorFaults, ConditionsPickRequests) {
  EXPECT_THAT(hits({{"nth", 2}}, 5), ElementsAre(2));
  EXPECT_THAT(hits({{"nth", {1, 4}}}, 5), ElementsAre(1, 4));
  EXPECT_THAT(hits({{"first", 2}}, 5), ElementsAre(1, 2));
  EXPECT_THAT(hits({{"every", 2}}, 5), ElementsAre(2, 4));
  EXPECT_THAT(hits(Json::object(), 2), ElementsAre(1, 2));
  EXPECT_THAT(hits({{"method", "POST"}}, 3), ElementsAre());
  EXPECT_THAT(hits({{"path", "/api/*/workloads"}}, 1), ElementsAre(1));
}

TEST(SimulatorFaults, ChanceIsTheSameForTheSameSeed) {
  const auto some = hits({{"probability", 0.3}}, 1000);
  EXPECT_GT(some.size(), 200U);
  EXPECT_LT(some.size(), 400U);
  EXPECT_EQ(some, hits({{"probability", 0.3}}, 1000));
  EXPECT_NE(some, hits({{"probability", 0.3}}, 1000, 2));
}

TEST(SimulatorFaults, ARuleMayEndInTime) {
  Faults faults(1);
  faults.add({{"match", {{"forMs", 1000}}}, {"effect", unavailable}}, 5000);
  EXPECT_TRUE(faults.of_request("GET", "/", 5999));
  EXPECT_FALSE(faults.of_request("GET", "/", 6000));
}

TEST(SimulatorFaults, TheFirstRuleThatFiresCountsAndAllRulesCountRequests) {
  Faults faults(1);
  const auto id = faults.add({{"match", {{"nth", 1}}}, {"effect", {{"kind", "reset-after"}}}}, 0);
  faults.add({{"match", {{"first", 2}}}, {"effect", unavailable}}, 0);
  EXPECT_EQ(faults.of_request("GET", "/", 0)->kind, "reset-after");
  EXPECT_EQ(faults.of_request("GET", "/", 0)->kind, "status");
  EXPECT_FALSE(faults.of_request("GET", "/", 0));
  EXPECT_EQ(faults.list()[1]["matched"], 3);
  EXPECT_EQ(faults.list()[1]["fired"], 1);
  faults.remove(id);
  EXPECT_EQ(faults.list().size(), 1U);
}

TEST(SimulatorFaults, ConnectionsHaveTheirOwn) {
  Faults faults(1);
  faults.add({{"effect", {{"kind", "tls-expired"}}}}, 0);
  EXPECT_FALSE(faults.of_request("GET", "/", 0));
  EXPECT_EQ(faults.of_connection(0)->kind, "tls-expired");
}

TEST(SimulatorFaults, UnknownRulesAreRefused) {
  Faults faults(1);
  EXPECT_THROW(faults.add({{"effect", {{"kind", "explode"}}}}, 0), std::invalid_argument);
  EXPECT_THROW(faults.add({{"match", {{"colour", 1}}}, {"effect", unavailable}}, 0), std::invalid_argument);
}

TEST(SimulatorFaults, RetryAfterHasItsForms) {
  const auto header = [](const Json& value) {
    const auto answer = answer_instead({"status", {{"status", 429}, {"retryAfter", value}}}, 1796007600000);
    return answer->headers.at(0).second;
  };
  EXPECT_EQ(header(7), "7");
  EXPECT_EQ(header("date:30"), "Mon, 30 Nov 2026 03:00:30 GMT");
  EXPECT_EQ(header("soon"), "soon");
}

TEST(SimulatorFaults, AnswersAreSpoiled) {
  const auto spoiled = [](const std::string& kind) {
    auto answer = json_answer(200, {{"a", 1}, {"b", {{"c", "text"}}}});
    spoil(answer, {kind, Json::object()});
    return answer.body;
  };
  EXPECT_EQ(spoiled("empty"), "");
  EXPECT_EQ(spoiled("null"), R"({"a":null,"b":{"c":null}})");
  EXPECT_EQ(spoiled("numbers-as-strings"), R"({"a":"1","b":{"c":"text"}})");
  EXPECT_TRUE(Json::parse(spoiled("malformed"), nullptr, false).is_discarded());
  EXPECT_EQ(spoiled("huge").size(), 50'000'000 + std::string(R"({"a":1,"b":{"c":"text"}})").size());
  EXPECT_TRUE(Json::parse(spoiled("extra-fields"))["b"].contains("fieldOfALaterRelease"));
}

}  // namespace
}  // namespace runai_simulator
