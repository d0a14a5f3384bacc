#include "modules/workloads/nccl_test/json_output.hpp"

#include "tests/modules/workloads/nccl_test/verdict_fixture.hpp"

namespace cloudai::nccl_test {
namespace {

void expect_alltoall(const Output& output) {
  ASSERT_EQ(output.rows.size(), 2U);
  const Row& row = output.rows[0];
  EXPECT_EQ(row.size, 1048576);
  EXPECT_EQ(row.count, 262144);
  EXPECT_EQ(row.type, "float");
  EXPECT_EQ(row.redop, "none");
  EXPECT_EQ(row.root, -1);
  EXPECT_EQ(row.sides[out_of_place].time_us, 23.495253);
  EXPECT_EQ(row.sides[out_of_place].algbw, 44.62927);
  EXPECT_EQ(row.sides[out_of_place].busbw, 22.314635);
  EXPECT_EQ(row.sides[out_of_place].wrong, 0);
  EXPECT_EQ(row.sides[in_place].busbw, 22.540035);
  EXPECT_EQ(row.sides[in_place].wrong, std::nullopt);
  EXPECT_EQ(output.collective, "alltoall");
  EXPECT_EQ(output.nccl_version, "2.28.7");
  ASSERT_EQ(output.devices.size(), 2U);
  EXPECT_EQ(output.devices[1].host, "node002");
  EXPECT_EQ(output.devices[1].rank, 1);
  EXPECT_EQ(output.devices[1].name, "NVIDIA H100 80GB HBM3");
  EXPECT_TRUE(output.out_of_bounds->ok);
}

TEST(JsonOutput, EveryVersion) {
  const Output first = parsed_log("json_version_1.json");
  expect_alltoall(first);
  EXPECT_EQ(first.format, "json 1");
  EXPECT_EQ(first.average->value, 14.5);
  const Output third = parsed_log("json_version_3.json");
  expect_alltoall(third);
  EXPECT_EQ(third.format, "json 3");
  EXPECT_EQ(third.average->value, 14.5);
  EXPECT_EQ(third.sweep, (Sweep{1048576, 2097152, 2, true}));
  const Output later = parsed_text(changed(log_text("json_version_3.json"), "\"version\":3", "\"version\":7"));
  expect_alltoall(later);
  EXPECT_EQ(later.format, "json 7");
}

TEST(JsonOutput, AnAverageThatIsNoNumberIsAbsent) {
  const Output output = parsed_log("json_average_nan.json");
  expect_alltoall(output);
  ASSERT_TRUE(output.average);
  EXPECT_EQ(output.average->value, std::nullopt);
}

TEST(JsonOutput, LinesOfRcclAreMerged) {
  const Output output = parsed_log("rccl_json_lines.jsonl");
  ASSERT_EQ(output.rows.size(), 2U);
  EXPECT_EQ(output.format, "json lines");
  EXPECT_EQ(output.collective, "all_reduce");
  EXPECT_EQ(output.rows[0].size, 1024);
  EXPECT_EQ(output.rows[1].size, 2048);
  for (const std::size_t side : {out_of_place, in_place}) {
    EXPECT_EQ(output.rows[0].sides[side].busbw, 0.081);
    EXPECT_EQ(output.rows[0].sides[side].wrong, 0);
    EXPECT_EQ(output.rows[1].sides[side].time_us, 19.140187);
  }
}

TEST(JsonOutput, EveryCutOfADocumentIsReadWithoutInventingRows) {
  const std::string text = log_text("json_version_3.json");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const Output cut = parsed_text(text.substr(0, length));
    ASSERT_LE(cut.rows.size(), 2U);
    for (const Row& row : cut.rows) ASSERT_GT(row.sides[in_place].busbw.value_or(0), 22) << length;
  }
}

TEST(JsonOutput, OtherJsonIsText) {
  const Output output = parsed_text("{\"event\": \"start\"}\n" + log_text("single_size_chart"));
  EXPECT_EQ(output.rows.size(), 1U);
  EXPECT_EQ(output.format, "");
  EXPECT_TRUE(parsed_text("{").rows.empty());
  EXPECT_TRUE(parsed_text(std::string(100000, '{')).rows.empty());
  EXPECT_TRUE(parsed_text("{\"version\":" + std::string(100000, '[')).rows.empty());
}

TEST_F(Verdicts, JsonIsJudgedLikeText) {
  const Planned planned{2, 2, "2M", "1M", "alltoall_perf_mpi"};
  for (const char* log : {"json_version_1.json", "json_version_3.json", "json_average_nan.json"}) {
    const Outcome outcome = outcome_of(log, planned);
    EXPECT_EQ(outcome.verdict, Verdict::passed) << log << ": " << (outcome.reason ? outcome.reason->text : "");
    EXPECT_EQ(Json(outcome).dump().find("do-not-copy-me"), std::string::npos) << log;
    EXPECT_EQ(Json(outcome).dump().find("nan"), std::string::npos) << log;
  }
  const std::string text = log_text("json_version_3.json");
  expect_failed(outcome_of_text(changed(text, R"("nwrong":0.0)", R"("nwrong":3)"), planned), "out_of_bounds",
                "3 wrong values at size 1048576, out-of-place");
  expect_failed(outcome_of_text(changed(text, R"("okay":"true")", R"("okay":"false")"), planned), "out_of_bounds",
                "the program counts 0 results with out of bounds values");
  expect_failed(outcome_of_text(changed(text, R"("okay":"unchecked")", R"("okay":"false")"), planned), "test_failure",
                "average bus bandwidth 14.5 GB/s is below NCCL_TESTS_MIN_BW");
  expect_failed(outcome_of_text(changed(text, R"("errors":[])", R"("errors":["it broke"])"), planned), "test_failure",
                "the program reports a failure: it broke");
  expect_failed(outcome_of_text(changed(text, "node002", "node001"), planned), "ranks_missing",
                "expected 2 ranks on 2 nodes, the log shows 2 ranks on 1 node");
  expect_failed(outcome_of_text(text.substr(0, text.find("\"out_of_bounds\"")), planned), "incomplete_output",
                "Missing success indicators in " + path() +
                    ": '# Out of bounds values', '# Avg bus bandwidth'; last complete size 2097152");
}

}  // namespace
}  // namespace cloudai::nccl_test
