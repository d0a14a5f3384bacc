#include "events.hpp"

#include <gtest/gtest.h>

#include "timestamps.hpp"

namespace runai {
namespace {

using cloudai::Json;

TEST(Events, AreLinesAsTheOriginalWritesThem) {
  const Json event = Json::parse(R"({"createdAt":"2026-02-03T04:05:06.789Z","id":"1d","type":"Warning","clusterId":"c1",
    "message":"Back-off pulling image \"x\"","reason":"Failed","source":"kubelet",
    "involvedObject":{"uid":"u1","kind":"Pod","name":"a-worker-0","namespace":"runai-bench"},"novelty":1})");
  EXPECT_EQ(event_line(event),
            "created_at=datetime.datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=TzInfo(UTC)) id='1d' type='Warning' "
            "cluster_id='c1' message='Back-off pulling image \"x\"' reason='Failed' source='kubelet' "
            "involved_object=InvolvedObject(uid='u1', kind='Pod', name='a-worker-0', namespace='runai-bench')");
}

TEST(Events, MayLackNearlyEverything) {
  EXPECT_EQ(
      event_line(Json::parse(R"({"createdAt":"yesterday","type":"Normal","clusterId":"c","message":"it's\na line"})")),
      "created_at='yesterday' id=None type='Normal' cluster_id='c' message=\"it's\\na line\" reason=None "
      "source=None involved_object=None");
}

TEST(Events, TimesAreThoseOfPython) {
  EXPECT_EQ(python_time("2026-02-03T04:05:00Z"), "datetime.datetime(2026, 2, 3, 4, 5, tzinfo=TzInfo(UTC))");
  EXPECT_EQ(python_time("2026-12-31T23:59:59.123456789+02:00"),
            "datetime.datetime(2026, 12, 31, 23, 59, 59, 123456, tzinfo=TzInfo(+02:00))");
  EXPECT_FALSE(python_time("2026-02-03"));
}

TEST(Events, TheLastWarningsExplainAFailure) {
  std::vector<Json> events;
  EXPECT_EQ(last_warnings(events), "");
  for (const char* message : {"one", "two", "three", "four"}) {
    events.push_back(Json{{"type", "Warning"}, {"reason", "BackOff"}, {"message", message}});
    events.push_back(Json{{"type", "Normal"}, {"message", "fine"}});
  }
  EXPECT_EQ(last_warnings(events), "BackOff: two; BackOff: three; BackOff: four");
}

TEST(Events, AnExitStatusIsWhereOneIsNamed) {
  EXPECT_EQ(named_exit_status({"fine", "The container ended with exit code 3"}), 3);
  EXPECT_EQ(named_exit_status({"process exited with exit status: 137."}), 137);
  EXPECT_EQ(named_exit_status({"exitCode=1"}), 1);
  EXPECT_FALSE(named_exit_status({"BackoffLimitExceeded", "exit code 4711", "exit code"}));
}

}  // namespace
}  // namespace runai
