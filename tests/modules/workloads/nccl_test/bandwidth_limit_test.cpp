#include "tests/modules/workloads/nccl_test/verdict_fixture.hpp"

namespace cloudai::nccl_test {
namespace {

class BandwidthLimit : public Verdicts {
 protected:
  Outcome judged(const std::string& log, const Planned& planned, const Json& limit) {
    options.update(limit);
    return outcome_of(log, planned);
  }
};

const Planned large{8, 1, "32M", "32M"};

TEST_F(BandwidthLimit, TooLowAtTheLargestSize) {
  const Outcome outcome =
      judged("smallest_message_only", {8, 1, "8"}, {{"min_busbw", 400}, {"min_busbw_tolerance", 10}});
  expect_failed(outcome, "below_minimum",
                "bus bandwidth at size 8, out-of-place: measured 0.00 < limit 400 - 10 % = 360 GB/s", 16);
  EXPECT_FALSE(outcome.metrics.empty());
}

TEST_F(BandwidthLimit, ASizeThatWasNotMeasuredCannotBeEvaluated) {
  const Outcome outcome = judged("smallest_message_only", {8, 1, "8"},
                                 {{"min_busbw", 400}, {"min_busbw_size", "16G"}, {"min_busbw_tolerance", 10}});
  EXPECT_EQ(outcome.verdict, Verdict::inconclusive);
  ASSERT_TRUE(outcome.reason);
  EXPECT_EQ(outcome.reason->code, "no_measurement");
  EXPECT_EQ(outcome.reason->text,
            "min_busbw cannot be evaluated (limit 400 - 10 % = 360 GB/s): no bus bandwidth was measured at size "
            "17179869184");
}

TEST_F(BandwidthLimit, IsALineAcrossThePlotOfBandwidth) {
  const Outcome outcome = judged("2024_baseline_16_ranks", {16, 2, "16G"},
                                 {{"min_busbw", 84}, {"min_busbw_size", "1M"}, {"min_busbw_tolerance", 50}});
  ASSERT_EQ(outcome.plots.at(0).references.size(), 1U);
  const Reference& line = outcome.plots[0].references[0];
  EXPECT_EQ(line.name, "min_busbw");
  EXPECT_EQ(line.value, 42);
  EXPECT_EQ(line.x, 1048576);
  EXPECT_TRUE(line.minimum);
}

TEST_F(BandwidthLimit, OfASizeThatWasNotMeasuredNoPointIsBelow) {
  const Outcome outcome = judged("smallest_message_only", {8, 1, "8"}, {{"min_busbw", 400}, {"min_busbw_size", "16G"}});
  ASSERT_EQ(outcome.plots.at(0).references.size(), 1U);
  EXPECT_EQ(outcome.plots[0].references[0].x, std::nullopt);
  EXPECT_FALSE(outcome.plots[0].references[0].minimum);
}

TEST_F(BandwidthLimit, TheSpeedOfLightIsALineToo) {
  directory_.write("stdout.txt", log_text("2024_baseline_16_ranks"));
  StageRequest request = stage({16, 2, "16G"});
  request.speed_of_light = 370;
  const Outcome outcome = evaluated(request);
  ASSERT_EQ(outcome.plots.at(0).references.size(), 1U);
  EXPECT_EQ(outcome.plots[0].references[0].name, "speed of light");
  EXPECT_EQ(outcome.plots[0].references[0].value, 370);
  EXPECT_FALSE(outcome.plots[0].references[0].minimum);
}

TEST_F(BandwidthLimit, ReachingItExactlyIsEnough) {
  // 445.36 out of place, 449.86 in place.
  const Outcome exact = judged("single_size_chart", large, {{"min_busbw", 445.36}});
  EXPECT_EQ(exact.verdict, Verdict::passed);
  EXPECT_EQ(exact.facts.at("min_busbw"),
            "bus bandwidth at size 33554432, out-of-place: measured 445.36 >= limit 445.36 GB/s");
  expect_failed(judged("single_size_chart", large, {{"min_busbw", 445.37}}), "below_minimum",
                "bus bandwidth at size 33554432, out-of-place: measured 445.36 < limit 445.37 GB/s", 16);
}

TEST_F(BandwidthLimit, EachTestHasItsOwn) {
  EXPECT_EQ(judged("single_size_chart", large, {{"min_busbw", 10.0}}).verdict, Verdict::passed);
  EXPECT_EQ(judged("single_size_chart", large, {{"min_busbw", 9999.0}}).verdict, Verdict::failed);
  EXPECT_EQ(judged("single_size_chart", large, {{"min_busbw", 10.0}}).verdict, Verdict::passed);
}

TEST_F(BandwidthLimit, AnExplicitSize) {
  EXPECT_EQ(judged("2024_baseline_16_ranks", {16, 2, "16G"}, {{"min_busbw", 83}, {"min_busbw_size", "1M"}}).verdict,
            Verdict::passed);
  expect_failed(judged("2024_baseline_16_ranks", {16, 2, "16G"}, {{"min_busbw", 84}, {"min_busbw_size", "1M"}}),
                "below_minimum", "bus bandwidth at size 1048576, out-of-place: measured 83.68 < limit 84 GB/s", 26);
}

TEST_F(BandwidthLimit, EveryRootMustReachIt) {
  expect_failed(judged("gather_root_all", {4, 1, "1M", "1M", "gather_perf_mpi"}, {{"min_busbw", 20}}), "below_minimum",
                "bus bandwidth at size 1048576, in-place: measured 19.47 < limit 20 GB/s", 16);
}

TEST_F(BandwidthLimit, OneRankHasNone) {
  options["min_busbw"] = 1;
  const Outcome outcome = outcome_of_text(
      "# Using devices\n#  Rank  0 Group  0 Pid   4100 on    node001 device  0 [0x00] A CPU\n"
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
      "8 2 float sum -1 1 1 0 0 1 1 0 0\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0 \n#\n",
      {1, 1, "8"});
  EXPECT_EQ(outcome.verdict, Verdict::inconclusive);
  EXPECT_EQ(outcome.reason->text,
            "min_busbw cannot be evaluated (limit 1 GB/s): one rank sends nothing, so that there is no bus bandwidth");
}

TEST_F(BandwidthLimit, AFailureIsNoMatterOfBandwidth) {
  EXPECT_EQ(judged("wrong_count_scientific", {8, 1, "1G", "1G"}, {{"min_busbw", 9999}}).reason->code, "out_of_bounds");
}

}  // namespace
}  // namespace cloudai::nccl_test
