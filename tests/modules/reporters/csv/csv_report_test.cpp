// The csv reporter as a module, on whole results directories.
#include <gmock/gmock.h>

#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Rows = std::vector<std::vector<std::string>>;

// Reads CSV back by the rules of RFC 4180.
Rows parse_csv(const std::string& text) {
  Rows rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (text[i] == '\n' && !quoted) {
      rows.emplace_back(1);
    } else {
      rows.back().back() += text[i];
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_THAT(rows.back(), ElementsAre(""));  // the last line has its end, too
  rows.pop_back();
  for (const auto& row : rows) EXPECT_THAT(row, SizeIs(rows.front().size()));
  return rows;
}

class CsvReportTest : public ::testing::Test {
 protected:
  testing::Reply write() { return testing::write_report("csv", directory.path(), host); }
  Rows read(const std::string& name) const { return parse_csv(samples::read_file(directory.path() / name)); }

  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
};

TEST_F(CsvReportTest, HasOneRowForEachRun) {
  samples::write_mixed(directory.path());
  ASSERT_EQ(write().status, CLOUDAI_OK);
  const Rows rows = read("nightly acceptance.csv");
  ASSERT_THAT(rows, SizeIs(9));
  EXPECT_THAT(rows[0],
              ElementsAre("run", "case", "iteration", "step", "test", "workload", "status", "reason_code", "reason",
                          "job", "nodes", "started", "ended", "seconds", "hook_seconds", "hook_share", "headline"));
  EXPECT_THAT(rows[1],
              ElementsAre("all-reduce/0", "all-reduce", "0", "0", "nccl_test_all_reduce", "NcclTest", "passed", "", "",
                          "4711", "node017 node018", "2026-03-01T12:00:00.000Z", "2026-03-01T12:01:36.400Z", "96.4",
                          "20.2", "0.21", "busbw{size=8589934592}=181.778 GB/s"));
  EXPECT_THAT(rows[3], ElementsAre("reduce-scatter/0", "reduce-scatter", "0", "0", "nccl_test_reduce_scatter",
                                   "NcclTest", "failed", "out_of_bounds",
                                   "3 of 31 sizes have wrong values: the first is 4 MiB with 12 wrong elements.",
                                   "4712", "node017 node018", "", "", "31.0", "", "", ""));
  EXPECT_EQ(rows[5][6], "cancelled");
  EXPECT_EQ(rows[7][6], "skipped");
  EXPECT_EQ(rows[7][8], "It depends on broadcast, which did not pass.");
}

TEST_F(CsvReportTest, HasTheMainStagesHeadlineOnly) {
  Json summary = samples::summary("hooked");
  Json run = samples::passed_run("Tests.1", "t", 100);
  Json of_prologue = run["headline"][0];
  of_prologue["stage"] = "prologue/nccl_test_all_reduce";
  Json second = run["headline"][0];
  second["labels"] = {{"collective", "all;gather"}, {"placement", "in"}};
  run["headline"] = {of_prologue, run["headline"][0], second};
  summary["runs"].push_back(run);
  samples::write_results(directory.path(), summary);
  ASSERT_EQ(write().status, CLOUDAI_OK);
  EXPECT_EQ(read("hooked.csv")[1].back(),
            "busbw{size=8589934592}=97.0 GB/s; busbw{collective=all\\;gather;placement=in}=97.0 GB/s");
}

TEST_F(CsvReportTest, HasOneRowForEachMetric) {
  samples::write_passed(directory.path());
  ASSERT_EQ(write().status, CLOUDAI_OK);
  const Rows rows = read("nccl-test-metrics.csv");
  ASSERT_THAT(rows, SizeIs(1 + 2 * 3 * 31));
  EXPECT_THAT(rows[0], ElementsAre("run", "case", "iteration", "step", "test", "stage_kind", "stage", "name", "value",
                                   "unit", "better", "labels"));
  EXPECT_THAT(rows[32],
              ElementsAre("Tests.1/0", "Tests.1", "0", "0", "nccl_test_all_reduce", "main", "nccl_test_all_reduce",
                          "busbw", "0.0", "GB/s", "higher", "collective=all_reduce;placement=in;size=8"));
}

TEST_F(CsvReportTest, WritesEveryTableIntoItsStageAndNamesTheFiles) {
  samples::write_passed(directory.path());
  const testing::Reply reply = write();
  ASSERT_EQ(reply.status, CLOUDAI_OK);
  const auto files = reply.json()["files"].get<std::vector<std::string>>();
  EXPECT_THAT(files, SizeIs(2 + 2 * 3));
  EXPECT_THAT(files, Contains("Tests.1/0/prologue/nccl_test_all_reduce/collective.csv"));
  for (const std::string& file : files) EXPECT_TRUE(fs::is_regular_file(directory.path() / file)) << file;
  const Rows rows = read("Tests.1/0/collective.csv");
  ASSERT_THAT(rows, SizeIs(32));
  EXPECT_THAT(rows[0], ElementsAre("Size (B)", "Type", "Time out-of-place (us)", "Busbw out-of-place (GB/s)",
                                   "Time in-place (us)", "Busbw in-place (GB/s)"));
  EXPECT_EQ(rows[31][0], "8589934592");
}

TEST_F(CsvReportTest, KeepsColumnNamesThatHoldTheirUnitAndTablesOfOneName) {
  samples::write_passed(directory.path());
  Outcome outcome;
  outcome.tables = {
      {"t", {{"Size (B)", "B", ColumnType::integer}, {"Count", "1", ColumnType::integer}}, {{8}, {16, 4, 7}}},
      {"t", {{"x", "", ColumnType::text}}, {{nullptr}}}};
  const Json run = samples::passed_run("Tests.1", "nccl_test_all_reduce", 187.4);
  samples::write_file(directory.path() / "Tests.1/0/outcome.json", samples::run_outcome(run, outcome).dump());
  ASSERT_EQ(write().status, CLOUDAI_OK);
  EXPECT_THAT(read("Tests.1/0/t.csv"),
              ElementsAre(ElementsAre("Size (B)", "Count"), ElementsAre("8", ""), ElementsAre("16", "4")));
  EXPECT_EQ(samples::read_file(directory.path() / "Tests.1/0/t.2.csv"), "x\n\"\"\n");
}

TEST_F(CsvReportTest, WritesTheTableOfNcclTestsUnderTheNameThatScriptsRead) {
  samples::write_passed(directory.path());
  Outcome outcome;
  outcome.tables = {{"nccl_test",
                     {{"Size (B)", "", ColumnType::integer}, {"#Wrong In-place", "", ColumnType::integer}},
                     {{8, nullptr}, {16, 0}}},
                    {"nccl_test_by_size", {{"Size (B)", "", ColumnType::integer}}, {{8}}}};
  const Json run = samples::passed_run("Tests.1", "nccl_test_all_reduce", 187.4);
  samples::write_file(directory.path() / "Tests.1/0/outcome.json", samples::run_outcome(run, outcome).dump());
  const testing::Reply reply = write();
  ASSERT_EQ(reply.status, CLOUDAI_OK);
  const std::string file = "Tests.1/0/cloudai_nccl_test_csv_report.csv";
  EXPECT_THAT(reply.json()["files"].get<std::vector<std::string>>(), Contains(file));
  EXPECT_EQ(samples::read_file(directory.path() / file), "Size (B),#Wrong In-place\n8,\n16,0\n");
  EXPECT_EQ(samples::read_file(directory.path() / "Tests.1/0/nccl_test.csv"),
            samples::read_file(directory.path() / file));
  EXPECT_TRUE(fs::exists(directory.path() / "Tests.1/0/nccl_test_by_size.csv"));
}

TEST_F(CsvReportTest, HasARowForEachMetricOfSeveralIterations) {
  Json summary = samples::summary("repeated");
  for (int i = 0; i < 4; ++i) {
    Json run = i == 1 ? samples::unsuccessful_run("A", "t", "failed", {"exit_status", "exit status 1", "", {}})
                      : samples::passed_run("A", "t", 100);
    run["id"] = "A/" + std::to_string(i);
    run["iteration"] = i;
    run["outcome"] = "A/" + std::to_string(i) + "/outcome.json";
    summary["runs"].push_back(run);
  }
  summary["runs"].push_back(samples::passed_run("B", "t", 100));
  samples::write_results(directory.path(), summary);
  for (int i = 0; i < 4; ++i) {
    Outcome outcome;
    if (i == 0 || i == 3) outcome.metrics = {{"busbw", i == 0 ? 100.0 : 102.0, "GB/s", Better::higher, true, {}}};
    Json run = summary["runs"][static_cast<std::size_t>(i)];
    run["stages"] = Json::array({{{"kind", "main"}, {"name", "t"}, {"directory", "A/" + std::to_string(i)}}});
    samples::write_file(directory.path() / run["outcome"].get<std::string>(),
                        samples::run_outcome(run, outcome).dump());
  }
  const testing::Reply reply = write();
  ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  EXPECT_EQ(reply.json()["files"][2], "repeated-iterations.csv");
  const Rows rows = read("repeated-iterations.csv");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0], ElementsAre("case", "test", "stage", "name", "unit", "better", "labels", "iterations", "values",
                                   "min", "median", "mean", "max", "stddev", "not_passed"));
  EXPECT_THAT(rows[1], ElementsAre("A", "t", "main/t", "busbw", "GB/s", "higher", "", "4", "2", "100.0", "101.0",
                                   "101.0", "102.0", "1.4142135623730951", "A/1 failed"));
}

TEST_F(CsvReportTest, NeverOverwritesAFileOfTheProgram) {
  samples::write_passed(directory.path());
  samples::write_file(directory.path() / "Tests.1/0/collective.csv", "the program's own\n");
  samples::write_file(directory.path() / "Tests.1/0/collective.2.csv", "this one, too\n");
  for (int time = 0; time < 2; ++time) {
    const testing::Reply reply = write();
    ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    EXPECT_THAT(reply.json()["files"].get<std::vector<std::string>>(),
                ::testing::AllOf(Contains("Tests.1/0/collective.3.csv"), SizeIs(2 + 2 * 3)));
    EXPECT_THAT(read("Tests.1/0/collective.3.csv"), SizeIs(32));
    EXPECT_EQ(samples::read_file(directory.path() / "Tests.1/0/collective.csv"), "the program's own\n");
    EXPECT_EQ(samples::read_file(directory.path() / "Tests.1/0/collective.2.csv"), "this one, too\n");
    EXPECT_FALSE(fs::exists(directory.path() / "Tests.1/0/collective.4.csv"));
    EXPECT_FALSE(fs::exists(directory.path() / "Tests.1/0/prologue/nccl_test_all_reduce/collective.2.csv"));
  }
}

TEST_F(CsvReportTest, KeepsHostileTextsInTheirCells) {
  samples::write_hostile(directory.path());
  const testing::Reply reply = write();
  ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  const Rows rows = read("nemo2.0_llama3 70b fp8: <final> & \"x\".csv");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[1][0], samples::hostile_text());
  EXPECT_EQ(rows[1][9], "'=cmd|' /C calc'!A0");
  const auto files = reply.json()["files"].get<std::vector<std::string>>();
  for (const std::string& file : files) {
    EXPECT_TRUE(fs::is_regular_file(directory.path() / file)) << file;
    EXPECT_THAT(file, ::testing::Not(::testing::StartsWith("..")));
  }
}

TEST_F(CsvReportTest, WritesNothingOutsideOfTheResults) {
  samples::write_passed(directory.path());
  Json run = samples::passed_run("Tests.1", "nccl_test_all_reduce", 187.4);
  run["stages"][1]["directory"] = "../outside";
  const Json outcome = samples::run_outcome(run, samples::collective_outcome("all_reduce", 3, 9));
  samples::write_file(directory.path() / "Tests.1/0/outcome.json", outcome.dump());
  const testing::Reply reply = write();
  EXPECT_EQ(reply.status, CLOUDAI_OK);
  EXPECT_THAT(reply.json()["files"], SizeIs(2 + 5));
  EXPECT_FALSE(fs::exists(directory.path().parent_path() / "outside"));
  ASSERT_THAT(host.log, SizeIs(1));
  EXPECT_EQ(host.log[0].level, CLOUDAI_LOG_WARNING);
  EXPECT_EQ(host.log[0].text,
            "The tables of stage nccl_test_all_reduce are left out: The path '../outside' leaves the results "
            "directory " +
                directory.path().string() + ".");
}

TEST_F(CsvReportTest, LeavesOutABrokenOutcomeAndSaysSo) {
  samples::write_passed(directory.path());
  directory.write("Tests.1/0/outcome.json", "{");
  fs::remove(directory.path() / "Tests.2/0/outcome.json");
  EXPECT_EQ(write().status, CLOUDAI_OK);
  EXPECT_THAT(read("nccl-test.csv"), SizeIs(3));
  EXPECT_THAT(read("nccl-test-metrics.csv"), SizeIs(1));
  ASSERT_THAT(host.log, SizeIs(2));
  EXPECT_EQ(host.log[0].text, "Run Tests.1/0 is left out of the metrics and tables: " +
                                  (directory.path() / "Tests.1/0/outcome.json").string() +
                                  " is cut off: it ends in the middle of the document.");
}

TEST_F(CsvReportTest, IsTheSameEveryTime) {
  samples::write_mixed(directory.path());
  write();
  const std::string first = samples::read_file(directory.path() / "nightly acceptance-metrics.csv");
  write();
  EXPECT_EQ(samples::read_file(directory.path() / "nightly acceptance-metrics.csv"), first);
}

TEST_F(CsvReportTest, HasItsHeadingsWithoutAnyRun) {
  samples::write_empty(directory.path());
  EXPECT_EQ(write().status, CLOUDAI_OK);
  EXPECT_THAT(read("empty.csv"), SizeIs(1));
  EXPECT_THAT(read("empty-metrics.csv"), SizeIs(1));
}

TEST_F(CsvReportTest, FailsWithoutASummaryAndLeavesNothing) {
  const testing::Reply reply = write();
  EXPECT_EQ(reply.status, CLOUDAI_FAILED);
  EXPECT_EQ(reply.message(), (directory.path() / "summary.json").string() + " does not exist.");
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

TEST_F(CsvReportTest, RefusesOtherKindsOfReports) {
  Json request = testing::report_request("csv", directory.path());
  request["kind"] = "comparison";
  testing::Reply reply = testing::send_report_request("csv", request, host);
  EXPECT_EQ(reply.status, CLOUDAI_UNSUPPORTED);
  EXPECT_EQ(reply.message(), "The reporter 'csv' writes reports of the kind 'scenario'; asked for 'comparison'.");
  request = testing::report_request("csv", directory.path());
  request["results"] = Json::array();
  reply = testing::send_report_request("csv", request, host);
  EXPECT_EQ(reply.status, CLOUDAI_UNSUPPORTED);
  EXPECT_EQ(reply.message(), "A report of a scenario is about one results directory; the request names 0.");
}

}  // namespace
}  // namespace cloudai
