#include <gtest/gtest.h>

#include <filesystem>

#include "tests/modules/workloads/nccl_test/verdict_fixture.hpp"

namespace cloudai::nccl_test {
namespace {

TEST_F(Verdicts, GoodLogsOfEveryFormPass) {
  struct Good {
    const char* log;
    Planned planned;
    std::size_t rows;
  };
  const std::string all_reduce = "all_reduce_perf_mpi";
  for (const Good& good : {Good{"2017_milliseconds", {4, 1, "4M", "1M"}, 3},
                           Good{"2021_allreduce_error_column", {4, 1, "4M", "1M"}, 3},
                           Good{"2021_broadcast_root_column", {4, 1, "4M", "1M", "broadcast_perf"}, 3},
                           Good{"2021_alltoall_blank_redop", {4, 1, "64", "1", "alltoall_perf_mpi"}, 6},
                           Good{"2024_baseline_16_ranks", {16, 2, "16G"}, 4},
                           Good{"alltoall_inplace_na", {16, 2, "16M", "1M", "alltoall_perf_mpi"}, 2},
                           Good{"sendrecv", {2, 1, "16M", "1M", "/opt/nccl-tests/build/sendrecv_perf"}, 2},
                           Good{"gather_root_all", {4, 1, "1M", "1M", "gather_perf_mpi"}, 4},
                           Good{"openmpi_tag_output", {16, 2, "16G"}, 4},
                           Good{"kubectl_timestamps", {16, 2, "16G"}, 4},
                           Good{"invalid_utf8_and_ansi", {16, 2, "16G"}, 4},
                           Good{"requeue_append", {8, 1, "1G"}, 3},
                           Good{"2026_version_banner", {8, 1, "16M", "1M"}, 2},
                           Good{"report_timestamps_15_tokens", {8, 1, "16M", "1M"}, 2},
                           Good{"cputime_header", {8, 1, "1M", "1M"}, 1},
                           Good{"memory_report_footer", {8, 1, "16M", "1M"}, 2},
                           Good{"device_list_truncated", {8, 1, "8"}, 1},
                           Good{"device_line_forms", {4, 3, "8"}, 1},
                           Good{"run_cycles", {8, 1, "2M", "1M"}, 6},
                           Good{"all_types_all_ops", {4, 1, "1M", "1M", all_reduce, "all", "all"}, 12},
                           Good{"rccl_text", {4, 1, "2M", "1M"}, 2},
                           Good{"single_size_chart", {8, 1, "32M", "32M"}, 1},
                           Good{"no_hash_prefix", {4, 1, "4M", "32"}, 3}}) {
    const Outcome outcome = outcome_of(good.log, good.planned);
    EXPECT_EQ(outcome.verdict, Verdict::passed) << good.log << ": " << (outcome.reason ? outcome.reason->text : "");
    ASSERT_FALSE(outcome.tables.empty()) << good.log;
    EXPECT_EQ(outcome.tables[0].rows.size(), good.rows) << good.log;
    EXPECT_FALSE(outcome.metrics.empty()) << good.log;
  }
}

TEST_F(Verdicts, WrongDataFail) {
  expect_failed(outcome_of("wrong_count_scientific", {8, 1, "1G"}), "out_of_bounds",
                "268435000 wrong values at size 1073741824, out-of-place", 16);
  // Also where only the exit status is seen at first.
  expect_failed(outcome_of("wrong_count_scientific", {8, 1, "1G"}, 1), "out_of_bounds",
                "268435000 wrong values at size 1073741824, out-of-place (exit status 1)", 16);
}

TEST_F(Verdicts, TheFooterAloneCanTellOfWrongData) {
  std::string text = log_text("2021_allreduce_error_column");
  text.replace(text.find("values : 0 OK"), 13, "values : 3 FAILED");
  expect_failed(outcome_of_text(text, {4, 1, "4M"}), "out_of_bounds",
                "the program counts 3 results with out of bounds values", 15);
}

TEST_F(Verdicts, WrongDataBeatAnOkFooter) {
  std::string text = log_text("2024_baseline_16_ranks");
  text.replace(text.find("565.02      0"), 13, "565.02      3");
  expect_failed(outcome_of_text(text, {16, 2, "16G"}), "out_of_bounds", "3 wrong values at size 1073741824, in-place",
                27);
}

TEST_F(Verdicts, TheProgramsOwnThreshold) {
  expect_failed(outcome_of("min_bw_failed", {8, 1, "1G"}), "test_failure",
                "average bus bandwidth 105.412 GB/s is below NCCL_TESTS_MIN_BW", 18);
}

TEST_F(Verdicts, ARowThatCannotBeReadIsNoPass) {
  expect_failed(outcome_of("warn_inside_row", {8, 1, "4M"}), "incomplete_output",
                "1 row of the table cannot be read, so what they measured is unknown", 19);
}

// A good log that the tests spoil.
const char* const two_ranks =
    "# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid   4100 on    node001 device  0 [0x1b] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid   4101 on    node001 device  1 [0x43] NVIDIA H100 80GB HBM3\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n"
    "           8             2     float     sum      -1    20.00    0.01    0.02      0    19.80    0.03    0.04     "
    " 0\n"
    "          16             4     float     sum      -1    21.00    0.05    0.06      0    19.90    0.07    0.08     "
    " 0\n"
    "# Out of bounds values : 0 OK\n"
    "# Avg bus bandwidth    : 0.05\n";

TEST_F(Verdicts, TheLogThatTheNextTestsSpoilIsGood) {
  EXPECT_EQ(outcome_of_text(two_ranks, {2, 1, "16"}).verdict, Verdict::passed);
}

TEST_F(Verdicts, NumbersThatNoMeasurementGivesAreNone) {
  for (const auto& [from, to] :
       {std::pair{"20.00", "0.00"}, {"20.00", "-5.0"}, {"20.00", "nan"}, {"0.02", "inf"}, {"0.04", "-0.4"}}) {
    expect_failed(outcome_of_text(changed(two_ranks, from, to), {2, 1, "16"}), "no_measurement",
                  "the numbers at size 8 are no measurement", 6);
  }
}

TEST_F(Verdicts, NegativeCountsOfWrongValuesAreWrong) {
  expect_failed(outcome_of_text(changed(two_ranks, "0.02      0", "0.02     -1"), {2, 1, "16"}), "out_of_bounds",
                "wrong values at size 8, out-of-place", 6);
}

TEST_F(Verdicts, DataThatWereToBeCheckedAndWereNot) {
  const std::string text = changed(changed(two_ranks, "0.06      0", "0.06    N/A"), "0.08      0", "0.08    N/A");
  expect_failed(outcome_of_text(text, {2, 1, "16"}), "incomplete_output",
                "the test asks for a check of the data, the log shows none at size 16", 7);
}

TEST_F(Verdicts, AnAverageThatIsNoNumber) {
  for (const char* average : {"nan", ""}) {
    expect_failed(outcome_of_text(changed(two_ranks, "0.05\n", std::string(average) + "\n"), {2, 1, "16"}),
                  "incomplete_output", "the average bus bandwidth is not a number", 9);
  }
}

TEST_F(Verdicts, RanksAreNumberedFromZero) {
  expect_failed(outcome_of_text(changed(two_ranks, "Rank  1", "Rank  7"), {2, 1, "16"}), "ranks_missing",
                "expected 2 ranks on 1 node, the log shows 2 with other numbers than 0 to 1");
}

TEST_F(Verdicts, ADeviceListThatIsCutTooEarlyHidesRanks) {
  const std::string line = "#  Rank  1 Group  0 Pid   4101 on    node001 device  1 [0x43] NVIDIA H100 80GB HBM3";
  expect_failed(outcome_of_text(changed(two_ranks, line, "#  Rank  1 ..."), {2, 1, "16"}), "ranks_missing",
                "expected 2 ranks on 1 node, the log shows 1");
}

TEST_F(Verdicts, ASecondFooterIsASecondTable) {
  const std::string text = two_ranks;
  const std::string table = text.substr(text.find("#       size"));
  const Outcome outcome = outcome_of_text(text + table, {2, 1, "16"});
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->code, "ranks_missing");
}

TEST_F(Verdicts, NoRows) {
  expect_failed(outcome_of("avg_nan_no_rows", {8, 1, "1M"}), "no_measurement", "the output holds no measurement");
}

TEST_F(Verdicts, OnlyMalformedRows) {
  expect_failed(outcome_of_text("# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
                                "8 2 float\n16 4 float\n"
                                "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 1\n",
                                {4, 1, "8"}),
                "no_measurement", "the output holds no measurement, only 2 malformed rows", 2);
}

TEST_F(Verdicts, BothEndMarkersAreNeeded) {
  expect_failed(outcome_of("truncated_mid_row", {16, 2, "16G"}), "incomplete_output",
                "Missing success indicators in " + path() +
                    ": '# Out of bounds values', '# Avg bus bandwidth'; last complete size 1048576");
  EXPECT_EQ(outcome_of("truncated_mid_row", {16, 2, "16G"}).reason->hint,
            "stdout.txt ends with: 1073741824     268435456     float     sum      -1   359");
  expect_failed(outcome_of("banner_only", {16, 2, "16G"}), "incomplete_output",
                "Missing success indicators in " + path() +
                    ": '# Out of bounds values', '# Avg bus bandwidth'; no size was completed");
  std::string text = log_text("2024_baseline_16_ranks");
  text.resize(text.find("# Avg bus"));
  directory_.write("stderr.txt", "first\nsrun: error: node002: task 9: Killed\n\n");
  EXPECT_EQ(outcome_of_text(text, {16, 2, "16G"}).reason->hint,
            "stdout.txt ends with: # Out of bounds values : 0 OK stderr.txt ends with: srun: error: node002: task 9: "
            "Killed");
  expect_failed(outcome_of_text(text, {16, 2, "16G"}), "incomplete_output",
                "Missing success indicators in " + path() + ": '# Avg bus bandwidth'; last complete size 17179869184");
}

TEST_F(Verdicts, EveryCutOfAGoodLogFails) {
  const std::string text = log_text("single_size_chart");
  const std::size_t end = text.find("# Avg bus bandwidth") + std::string("# Avg bus bandwidth    :").size();
  for (std::size_t length = 0; length < end; length += 7) {
    EXPECT_EQ(outcome_of_text(text.substr(0, length), {8, 1, "32M", "32M"}).verdict, Verdict::failed) << length;
  }
}

TEST_F(Verdicts, FailuresTheProgramReports) {
  const Outcome network = outcome_of("multi_line_error", {2, 2, "1G"}, 3);
  expect_failed(
      network, "test_failure",
      "the program reports a failure: node001: Test NCCL failure common.cu:958 'internal error - please report this "
      "issue to the NCCL developers / Net : Connect to 10.0.0.2<41001> failed : No route to host (and 1 more "
      "failure) (exit status 3)",
      6);
  ASSERT_EQ(network.reason->evidence.size(), 2U);
  EXPECT_EQ(network.reason->evidence[1].line, 10);

  const Outcome cuda = outcome_of("cuda_failure", {8, 1, "1K"});
  expect_failed(cuda, "test_failure",
                "the program reports a failure: node001: Test CUDA failure common.cu:963 'invalid device ordinal'", 4);
  EXPECT_EQ(cuda.reason->hint, "More processes or GPUs were asked for on a node than it has GPUs.");

  expect_failed(
      outcome_of("alltoallv_matrix_error", {8, 1, "1M"}), "test_failure",
      "the program reports a failure: Invalid alltoallv traffic matrix column count in file matrix.txt row 3. "
      "Expected 8 columns, got 7.",
      5);
}

TEST_F(Verdicts, AFailureInAGoodLookingLogFails) {
  const Outcome outcome =
      outcome_of_text(log_text("single_size_chart") + "node001: Test failure common.cu:1\n", {8, 1, "32M", "32M"});
  expect_failed(outcome, "test_failure", "the program reports a failure: node001: Test failure common.cu:1", 20);
}

TEST_F(Verdicts, MissingEmptyAndStrangeOutput) {
  expect_failed(evaluated(stage({4, 1, "8"})), "missing_output",
                path() + " does not exist: nothing that ran wrote any output");
  expect_failed(outcome_of_text("", {4, 1, "8"}), "missing_output", path() + " is empty: the program wrote no output");
  std::filesystem::remove(path());
  std::filesystem::create_directory(path());
  expect_failed(evaluated(stage({4, 1, "8"})), "missing_output", path() + " is not a regular file");
}

TEST_F(Verdicts, FewerRanksThanPlanned) {
  const Outcome outcome = outcome_of("sendrecv", {4, 1, "16M", "1M", "sendrecv_perf_mpi"});
  expect_failed(outcome, "ranks_missing", "expected 4 ranks on 1 node, the log shows 2");
  EXPECT_EQ(outcome.reason->hint,
            "Check that the program is built with MPI and started by the launcher of the MPI it is built with.");
}

TEST_F(Verdicts, OtherNodesThanPlanned) {
  expect_failed(outcome_of("2024_baseline_16_ranks", {16, 4, "16G"}), "ranks_missing",
                "expected 16 ranks on 4 nodes, the log shows 16 ranks on 2 nodes");
  expect_failed(outcome_of("single_size_chart", {4, 1, "32M"}), "ranks_missing",
                "expected 4 ranks on 1 node, the log shows 8");
}

TEST_F(Verdicts, NoRanksAtAll) {
  std::string text = log_text("sendrecv");
  for (std::size_t at = text.find("#  Rank"); at != std::string::npos; at = text.find("#  Rank")) {
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  expect_failed(outcome_of_text(text, {2, 1, "16M", "1M", "sendrecv_perf_mpi"}), "ranks_missing",
                "expected 2 ranks on 1 node, the log shows none");
}

TEST_F(Verdicts, SeparateTablesOfProcessesThatDidNotFindEachOther) {
  const std::string alone =
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 "
      "graph: 0\n"
      "# Using devices\n#  Rank  0 Group  0 Pid   4100 on    node001 device  0 [0x00] A CPU\n"
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
      "8 2 float sum -1 1 1 0 0 1 1 0 0\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0 \n#\n";
  expect_failed(
      outcome_of_text(alone + alone + alone + alone, {4, 1, "8"}), "ranks_missing",
      "expected 4 ranks on 1 node, the log shows 4 separate tables of processes that did not find each other");
  expect_failed(outcome_of_text(alone, {4, 1, "8"}), "ranks_missing", "expected 4 ranks on 1 node, the log shows 1");

  // Planned as one rank it passes, and says that it has no bus bandwidth.
  const Outcome one = outcome_of_text(alone, {1, 1, "8"});
  EXPECT_EQ(one.verdict, Verdict::passed);
  EXPECT_EQ(one.facts.at("note"), "one rank: nothing is sent, so that there is no bus bandwidth");
  ASSERT_FALSE(one.metrics.empty());
  for (const Metric& metric : one.metrics) EXPECT_NE(metric.name, "busbw");
}

TEST_F(Verdicts, ASweepThatEndsEarly) {
  expect_failed(outcome_of("single_size_chart", {8, 1, "64M"}), "incomplete_output",
                "the largest size measured is 33554432, the test asks for 67108864");
  std::string text = log_text("single_size_chart");
  text.insert(text.find("# Using"), "# Reducing maxBytes to 33554432 due to memory limitation\n");
  expect_failed(outcome_of_text(text, {8, 1, "64M"}), "incomplete_output",
                "the largest size measured is 33554432, the test asks for 67108864; the log says: Reducing maxBytes to "
                "33554432 due to memory limitation");
}

TEST_F(Verdicts, HowItEndedComesFirst) {
  StageRequest killed = stage({8, 1, "32M"});
  directory_.write("stdout.txt", log_text("single_size_chart"));
  killed.result.exit_status.reset();
  killed.result.signal = 9;
  const Outcome signal = evaluated(killed);
  EXPECT_EQ(signal.verdict, Verdict::failed);
  EXPECT_EQ(signal.reason->code, "signal");
  EXPECT_EQ(signal.reason->text, "ended by SIGKILL; last complete size 33554432");

  StageRequest late = stage({16, 2, "16G"});
  directory_.write("stdout.txt", log_text("truncated_mid_row"));
  late.result.timed_out = true;
  late.stage.time_limit = 1200;
  EXPECT_EQ(evaluated(late).reason->code, "time_limit");
  EXPECT_EQ(evaluated(late).reason->text, "exceeded its time limit of 00:20:00; last complete size 1048576");

  const Outcome status = outcome_of("single_size_chart", {8, 1, "32M"}, 1);
  EXPECT_EQ(status.reason->code, "exit_status");
  EXPECT_EQ(status.reason->text, "exit status 1; last complete size 33554432");
  EXPECT_TRUE(status.metrics.empty());
  EXPECT_EQ(status.tables.size(), 1U);

  directory_.write("stdout.txt", "");
  directory_.write("stderr.txt", "bash: line 1: all_reduce_perf_mpi: command not found\n");
  const Outcome not_found = evaluated(stage({8, 1, "32M"}, 127));
  EXPECT_EQ(not_found.reason->code, "command_not_found");
  EXPECT_EQ(not_found.reason->text, "command not found: all_reduce_perf_mpi (exit status 127)");
}

TEST_F(Verdicts, AStageThatWasStoppedOnPurposeNeedsNoEnd) {
  StageRequest stopped = stage({16, 2, "16G"});
  stopped.ended_by_dependency = true;
  stopped.result.exit_status.reset();
  stopped.result.signal = 15;
  directory_.write("stdout.txt", log_text("truncated_mid_row"));
  EXPECT_EQ(evaluated(stopped).verdict, Verdict::passed);
  directory_.write("stdout.txt", log_text("banner_only"));
  EXPECT_EQ(evaluated(stopped).reason->code, "no_measurement");
}

}  // namespace
}  // namespace cloudai::nccl_test
