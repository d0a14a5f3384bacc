// What ran must be what was planned: every size, and the collective, type and operation that were asked for.
#include "tests/modules/workloads/nccl_test/verdict_fixture.hpp"

namespace cloudai::nccl_test {
namespace {

// A sweep of one node, as the program prints it; the average is that of the rows.
std::string table_of(const std::vector<std::int64_t>& sizes, int ranks, const std::string& type = "float",
                     const std::string& redop = "sum") {
  std::string text = "# Using devices\n";
  for (int rank = 0; rank < ranks; ++rank) {
    const std::string number = std::to_string(rank);
    text += "#  Rank  " + number + " Group  0 Pid  4100 on  node001 device  " + number + " [0x1b] NVIDIA H100\n";
  }
  text += "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n";
  double sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    // Of ranks that reduce, or else exchange shares.
    const double factor = (redop == "none" ? 1.0 : 2.0) * (ranks - 1) / ranks;
    const std::string busbw = std::to_string(i + 1) + ".00";
    const std::string algbw = std::to_string(static_cast<double>(i + 1) / factor);
    sum += static_cast<double>(i + 1);
    std::string row = std::to_string(sizes[i]);
    row += "  2  " + type + "  " + redop + "  -1  20.00  " + algbw + "  " + busbw;
    row += "  0  19.00  " + algbw + "  " + busbw + "  0\n";
    text += row;
  }
  return text + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : " +
         std::to_string(sum / static_cast<double>(sizes.size())) + "\n";
}

const std::string banner = "# nThread 1 nGpus 1 minBytes 8 maxBytes 128 step: 2(factor) warmup iters: 5 iters: 20\n";

TEST_F(Verdicts, EverySizeIsThere) {
  EXPECT_EQ(outcome_of_text(banner + table_of({8, 16, 32, 64, 128}, 2), {2, 1, "128"}).verdict, Verdict::passed);
}

TEST_F(Verdicts, AMiddleSizeIsMissing) {
  // Whether the average is that of the rows or was computed over more of them.
  const std::string consistent = banner + table_of({8, 16, 64, 128}, 2);
  for (const std::string& text : {consistent, changed(consistent, "width    : 2", "width    : 3")}) {
    expect_failed(outcome_of_text(text, {2, 1, "128"}), "incomplete_output",
                  "the test asks for 5 sizes, and size 32 was not measured: the table goes on from 16 (line 7) to 64 "
                  "(line 8)",
                  8);
  }
}

TEST_F(Verdicts, TheFirstOrTheLastSizeIsMissing) {
  expect_failed(outcome_of_text(banner + table_of({16, 32, 64, 128}, 2), {2, 1, "128"}), "incomplete_output",
                "the test asks for 5 sizes, and size 8 was not measured: the table begins with 16 (line 6)", 6);
  expect_failed(outcome_of_text(banner + table_of({8, 16, 32, 64}, 2), {2, 1, "128"}), "incomplete_output",
                "the largest size measured is 64, the test asks for 128");
}

TEST_F(Verdicts, OneTypeLacksASize) {
  std::string rows = table_of({8, 16, 32, 64, 128}, 2, "float");
  std::string others = table_of({8, 16, 64, 128}, 2, "double");
  others = others.substr(0, others.find("# Out of")).substr(others.find("#wrong\n", others.find("algbw")) + 7);
  others = others.substr(others.find("8  2"));
  rows.insert(rows.find("# Out of"), others);
  const Outcome outcome = outcome_of_text(banner + rows, {2, 1, "128", "8", "all_reduce_perf_mpi", "all"});
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->text.substr(0, 64), "the test asks for 5 sizes, and size 32 was not measured: the tab");
}

TEST_F(Verdicts, OneCycleLacksASize) {
  const std::string text = banner + table_of({8, 16, 32, 64, 128, 8, 16, 64, 128}, 2);
  expect_failed(outcome_of_text(text, {2, 1, "128"}), "incomplete_output",
                "the test asks for 5 sizes, and size 32 was not measured: the table goes on from 16 (line 12) to 64 "
                "(line 13)",
                13);
}

// What the program prints where ranks have shares: sizes rounded down, the smallest to nothing.
TEST_F(Verdicts, SharesRoundSizesDown) {
  const Planned planned{6, 1, "1024", "8", "alltoall_perf_mpi"};
  // Shares that are multiples of 16 bytes, and shares of whole elements as older versions have.
  for (const auto& sizes : {std::vector<std::int64_t>{0, 0, 0, 0, 96, 192, 480, 960},
                            std::vector<std::int64_t>{0, 0, 24, 48, 120, 240, 504, 1008}}) {
    const Outcome outcome = outcome_of_text(table_of(sizes, 6, "float", "none"), planned);
    EXPECT_EQ(outcome.verdict, Verdict::passed) << (outcome.reason ? outcome.reason->text : "");
  }
  expect_failed(outcome_of_text(table_of({0, 0, 0, 0, 96, 480, 960}, 6, "float", "none"), planned), "incomplete_output",
                "the test asks for 8 sizes, and size 256 was not measured: the table goes on from 96 (line 13) to 480 "
                "(line 14)",
                14);
  // Where ranks have no shares, nothing is rounded that much.
  EXPECT_EQ(outcome_of_text(table_of({8, 16, 32, 64, 96, 192, 480, 960}, 6), {6, 1, "1024"}).verdict, Verdict::failed);
}

TEST_F(Verdicts, OfAlltoallvTheTrafficMatrixMakesTheSizes) {
  EXPECT_EQ(outcome_of_text(table_of({12345}, 2, "float", "none"), {2, 1, "128", "8", "alltoallv_perf_mpi"}).verdict,
            Verdict::passed);
}

TEST_F(Verdicts, AChoiceOfTheSizesIsSaid) {
  const Outcome outcome = outcome_of("2024_baseline_16_ranks", {16, 2, "16G"});
  EXPECT_EQ(outcome.verdict, Verdict::passed);
  EXPECT_EQ(outcome.facts.at("sizes"), "4 of the 32 asked for");
  // A row that was lost is in the average still.
  std::string text = log_text("2024_baseline_16_ranks");
  const std::size_t row = text.find("  1073741824     268435456");
  text.erase(row, text.find('\n', row) + 1 - row);
  expect_failed(outcome_of_text(text, {16, 2, "16G"}), "incomplete_output",
                "the test asks for 32 sizes, and size 16 was not measured: the table goes on from 8 (line 25) to "
                "1048576 (line 26)",
                26);
  // A program that says it will measure something else did not understand.
  expect_failed(outcome_of_text(changed(log_text("2024_baseline_16_ranks"), "2(factor)", "8(factor)"), {16, 2, "16G"}),
                "incomplete_output",
                "the test asks for 32 sizes, and size 16 was not measured: the table goes on from 8 (line 25) to "
                "1048576 (line 26)",
                26);
}

TEST_F(Verdicts, AnotherCollective) {
  const Outcome outcome = outcome_of("sendrecv", {2, 1, "16M", "1M", "/opt/bin/alltoall_perf_mpi"});
  expect_failed(outcome, "other_benchmark", "the test asks for alltoall, the log is of sendrecv", 1);
  EXPECT_EQ(outcome.reason->hint,
            "Check which program '/opt/bin/alltoall_perf_mpi' is where the job runs, and whether it understood its "
            "options.");
}

TEST_F(Verdicts, ACollectiveThatIsNotNamedShowsInItsOperation) {
  expect_failed(outcome_of("alltoall_inplace_na", {16, 2, "16M", "1M"}), "other_benchmark",
                "the test asks for all_reduce with the operation sum, the log shows no operation", 24);
  expect_failed(outcome_of("2021_broadcast_root_column", {4, 1, "4M", "1M"}), "other_benchmark",
                "the test asks for all_reduce with the operation sum, the log shows no operation", 13);
  expect_failed(outcome_of("single_size_chart", {8, 1, "32M", "32M", "all_gather_perf_mpi"}), "other_benchmark",
                "the test asks for all_gather, which computes nothing, the log shows the operation sum", 16);
}

TEST_F(Verdicts, AnotherTypeOrOperation) {
  expect_failed(outcome_of("single_size_chart", {8, 1, "32M", "32M", "all_reduce_perf_mpi", "bfloat16"}),
                "other_benchmark", "the test asks for the data type bfloat16, the log shows float", 16);
  expect_failed(outcome_of("single_size_chart", {8, 1, "32M", "32M", "all_reduce_perf_mpi", "float", "max"}),
                "other_benchmark", "the test asks for the operation max, the log shows sum", 16);
  expect_failed(outcome_of("all_types_all_ops", {4, 1, "1M", "1M", "all_reduce_perf_mpi", "all", "prod"}),
                "other_benchmark", "the test asks for the operation prod, the log shows sum", 12);
  // A collective that computes nothing has none, whatever the test says.
  EXPECT_EQ(outcome_of("alltoall_inplace_na", {16, 2, "16M", "1M", "alltoall_perf_mpi", "float", "max"}).verdict,
            Verdict::passed);
}

// Two nodes were asked for, MPI did not work, and the in-place time is that of nothing.
TEST_F(Verdicts, AOneRankTableWithFantasticBandwidthIsNoPass) {
  const std::string alone =
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1\n"
      "# Using devices\n#  Rank  0 Group  0 Pid   4100 on    node001 device  0 [0x00] NVIDIA H100\n"
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
      "8 2 float sum -1 1 1 0 0 0.02 179705744.60 0 0\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0 \n#\n";
  expect_failed(outcome_of_text(alone, {16, 2, "8"}), "ranks_missing",
                "expected 16 ranks on 2 nodes, the log shows 1 rank on 1 node");
}

}  // namespace
}  // namespace cloudai::nccl_test
