// Logs that look good at first sight and are not, and good ones that look odd.
#include <array>
#include <cstdio>
#include <functional>

#include "tests/modules/workloads/nccl_test/verdict_fixture.hpp"

namespace cloudai::nccl_test {
namespace {

constexpr int ranks = 8;

struct Shown {
  double factor = 1.75;        // of all_reduce between eight ranks
  double largest_algbw = 400;  // at the largest size; smaller sizes have less
  std::string redop = "sum";
  std::string root = "-1";
  std::string banner_sizes = "minBytes 8 maxBytes 1048576";
  int first_size = 8;
};

std::string cell(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%7.2f", value);
  return text.data();
}

// The whole log of a sweep up to 1 MiB, the average being that of the rows. `sides` makes a row's two halves.
std::string log_of(const Shown& shown, const std::function<std::string(const std::string& half)>& sides) {
  std::string text = "# nThread 1 nGpus 1 " + shown.banner_sizes + " step: 2(factor) warmup iters: 5 iters: 20\n";
  for (int rank = 0; rank < ranks; ++rank) {
    const std::string number = std::to_string(rank);
    text += "#  Rank  " + number + " Group  0 Pid  4100 on  node001 device  " + number + " [0x1b] NVIDIA H100\n";
  }
  text += "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n";
  double sum = 0;
  int count = 0;
  for (int size = shown.first_size; size <= 1048576; size *= 2) {
    const double algbw = std::stod(cell(shown.largest_algbw * size / 1048576));
    const double busbw = std::stod(cell(shown.factor * algbw));
    sum += busbw;
    ++count;
    text += std::to_string(size) + "  2  float  " + shown.redop + "  " + shown.root +
            sides("   20.00 " + cell(algbw) + " " + cell(busbw) + "      0") + "\n";
  }
  return text + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : " + std::to_string(sum / count) + "\n#\n";
}

std::string log_of(const Shown& shown = {}) {
  return log_of(shown, [](const std::string& half) { return half + half; });
}

class UntrustedOutput : public Verdicts {
 protected:
  Outcome judged(const std::string& text, const std::string& program = "all_reduce_perf_mpi") const {
    return outcome_of_text(text, {ranks, 1, "1M", "8", program});
  }

  void expect_failed_with(const std::string& text, const std::string& code, const std::string& reason,
                          const std::string& program = "all_reduce_perf_mpi") const {
    const Outcome outcome = judged(text, program);
    ASSERT_EQ(outcome.verdict, Verdict::failed) << text;
    EXPECT_EQ(outcome.reason->code, code);
    EXPECT_EQ(outcome.reason->text, reason);
  }
};

TEST_F(UntrustedOutput, AGoodLogPasses) {
  const Outcome outcome = judged(log_of());
  EXPECT_EQ(outcome.verdict, Verdict::passed) << (outcome.reason ? outcome.reason->text : "");
}

TEST_F(UntrustedOutput, AnAverageThatIsNotThatOfTheRows) {
  for (const char* average : {"0", "-5", "1e9", "12.5"}) {
    std::string text = log_of();
    const std::size_t at = text.find("Avg bus bandwidth    : ") + 23;
    text.replace(at, text.find('\n', at) - at, average);
    EXPECT_EQ(judged(text).verdict, Verdict::failed) << average;
  }
  std::string text = log_of();
  const std::size_t at = text.find("Avg bus bandwidth    : ") + 23;
  text.replace(at, text.find('\n', at) - at, "0");
  expect_failed_with(text, "incomplete_output",
                     "the average bus bandwidth 0.0 GB/s is not that of the 18 rows, 77.78 GB/s");
}

// Where every bandwidth is rounded to nearly the same, an average fits whatever rows were lost.
TEST_F(UntrustedOutput, SmallBandwidthsDoNotVouchForRowsThatAreMissing) {
  const Shown shown{1.75, 0.02};
  std::string text = log_of(shown);
  for (int size = 16; size <= 524288; size *= 4) {
    const std::size_t row = text.find("\n" + std::to_string(size) + "  2") + 1;
    text.erase(row, text.find('\n', row) + 1 - row);
  }
  EXPECT_EQ(judged(text).reason->code, "incomplete_output");
}

TEST_F(UntrustedOutput, BandwidthsOfAnotherCollectiveOrOfOneRank) {
  // Eight processes that each ran alone under eight device lines.
  expect_failed_with(log_of({0}), "other_benchmark",
                     "at size 4096 the log shows an algorithm bandwidth of 1.56 and a bus bandwidth of 0.0 GB/s; "
                     "all_reduce between 8 ranks has 2.73 then");
  EXPECT_EQ(judged(log_of({1})).reason->code, "other_benchmark");      // reduce
  EXPECT_EQ(judged(log_of({0.875})).reason->code, "other_benchmark");  // reduce_scatter
  EXPECT_EQ(judged(log_of({1, 400, "none"}), "alltoall_perf_mpi").reason->code, "other_benchmark");
  EXPECT_EQ(judged(log_of({0.875, 400, "none"}), "alltoall_perf_mpi").verdict, Verdict::passed);
}

TEST_F(UntrustedOutput, RanksInGroupsHaveTheBandwidthOfTheirGroup) {
  std::string text = log_of({1.5});  // of four ranks
  for (int rank = 4; rank < ranks; ++rank) {
    text = changed(text, "Rank  " + std::to_string(rank) + " Group  0", "Rank  " + std::to_string(rank) + " Group  1");
  }
  EXPECT_EQ(judged(text).verdict, Verdict::passed);
}

TEST_F(UntrustedOutput, WhatNoMachineReaches) {
  const Outcome outcome = judged(log_of({1.75, 1e9}));
  ASSERT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_EQ(outcome.reason->code, "no_measurement");
  EXPECT_NE(outcome.reason->text.find("which nothing reaches between 8 ranks"), std::string::npos);
}

TEST_F(UntrustedOutput, OtherSizesThanAskedFor) {
  expect_failed_with(log_of({1.75, 400, "sum", "-1", "minBytes 8 maxBytes 16777216"}), "other_benchmark",
                     "the test asks for 18 sizes from 8 to 1048576, the log says 22 sizes from 8 to 16777216");
}

TEST_F(UntrustedOutput, OneOfAllTheRootsAskedFor) {
  Planned planned{ranks, 1, "1M", "8", "broadcast_perf_mpi"};
  const std::string text = log_of({1, 400, "none", "0"});
  StageRequest request = stage(planned);
  for (const auto& [root, expected] :
       {std::pair{"-1", "the test asks for every rank as root, the log shows 1 of 8"},
        std::pair{"2", "the test asks for the root 2, the log shows others"}, std::pair{"0", ""}}) {
    directory_.write("stdout.txt", text);
    StageRequest with_root = request;
    with_root.plan.steps[0].command.argv.insert(with_root.plan.steps[0].command.argv.end(), {"-r", root});
    const Outcome outcome = evaluated(with_root);
    EXPECT_EQ(outcome.reason ? outcome.reason->text : "", expected);
  }
}

TEST_F(UntrustedOutput, MessagesOfNoBytes) {
  std::string text = log_of({0.875, 400, "none", "-1", "minBytes 8 maxBytes 64", 1048576});
  text = changed(text, "\n1048576  2", "\n0  0");
  const Outcome outcome = outcome_of_text(text, {ranks, 1, "64", "8", "alltoall_perf_mpi"});
  ASSERT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_EQ(outcome.reason->text, "every message was rounded down to 0 bytes, so that nothing was sent");
}

TEST_F(UntrustedOutput, ADeviationThatIsNoNumber) {
  std::string text = log_of({}, [](const std::string& half) {
    std::string cells = half.substr(0, half.size() - 1);
    return cells + "nan" + cells + "nan";
  });
  text = changed(changed(text, "#wrong", "error"), "#wrong", "error");
  EXPECT_EQ(judged(text).reason->code, "out_of_bounds");
  while (text.find("nan") != std::string::npos) text = changed(text, "nan", "0e+00");
  EXPECT_EQ(judged(text).verdict, Verdict::passed);
}

TEST_F(UntrustedOutput, AVerdictThatIsCutOff) {
  std::string text = log_of();
  text.resize(text.rfind("\n#\n"));
  EXPECT_EQ(judged(text).reason->code, "incomplete_output");
}

TEST_F(UntrustedOutput, AHeaderThatIsCutShortHidesNoWrongValues) {
  std::string text = changed(log_of(), "#wrong  time  algbw  busbw #wrong", "#wrnode001:4100:4119 [0] NCCL INFO x");
  while (text.find("      0") != std::string::npos) text = changed(text, "      0", "      7");
  EXPECT_EQ(judged(text).verdict, Verdict::failed);
}

TEST_F(UntrustedOutput, AHalfThatIsLeftBlankWasNotMeasured) {
  const Outcome outcome =
      judged(log_of({}, [](const std::string& half) { return std::string(half.size(), ' ') + half; }));
  EXPECT_EQ(outcome.verdict, Verdict::passed) << (outcome.reason ? outcome.reason->text : "");
  // Without the room of the blank half the row was torn apart.
  EXPECT_EQ(judged(log_of({}, [](const std::string& half) { return half; })).verdict, Verdict::failed);
}

TEST_F(UntrustedOutput, NumbersBelowTheTableAreNoRows) {
  EXPECT_EQ(judged(log_of() + "    0   75    -    35     0     0\n").verdict, Verdict::passed);
}

TEST_F(UntrustedOutput, FactsOfTheLogDoNotPassForTheModulesOwn) {
  const Outcome outcome = judged(log_of() + "# min_busbw : 400 >= limit 400\n");
  EXPECT_EQ(outcome.facts.count("min_busbw"), 0U);
  EXPECT_EQ(outcome.facts.at("min_busbw_in_log"), "400 >= limit 400");
}

TEST_F(UntrustedOutput, JsonThatIsNotWhole) {
  const Planned planned{2, 2, "2M", "1M", "alltoall_perf_mpi"};
  const std::string good = log_text("json_version_3.json");
  ASSERT_EQ(outcome_of_text(good, planned).verdict, Verdict::passed);
  for (std::size_t length = 1; length < good.find_last_of('}'); length += 7) {
    EXPECT_EQ(outcome_of_text(good.substr(0, length), planned).verdict, Verdict::failed) << length;
  }
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"nwrong\":0.0", "\"nwrong\":[5]"},
           {"\"nwrong\":0.0", "\"nwrong\":{\"count\":5}"},
           {"\"time\":23.495253,", ""},
           {"\"out_of_bounds\":{\"count\":0", "\"out_of_bounds\":{\"count\":5"},
           {"\"out_of_bounds\":{\"count\":0,", "\"out_of_bounds\":{"},
           {"\"errors\":[]", "\"errors\":\"boom\""},
           {"\"errors\":[]", "\"errors\":[\"boom\"]"}}) {
    EXPECT_EQ(outcome_of_text(changed(good, from, to), planned).verdict, Verdict::failed) << to;
  }
  EXPECT_EQ(outcome_of_text(good + good, planned).verdict, Verdict::failed);
  EXPECT_EQ(outcome_of_text(good + "node001: Test NCCL failure common.cu:1279\n", planned).verdict, Verdict::failed);
}

TEST_F(UntrustedOutput, ALineOfACollectorIsNoJsonOfTheProgram) {
  EXPECT_EQ(judged("{\"version\":1,\"level\":\"info\"}\n" + log_of()).verdict, Verdict::passed);
}

}  // namespace
}  // namespace cloudai::nccl_test
