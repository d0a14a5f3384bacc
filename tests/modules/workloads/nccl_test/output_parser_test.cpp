#include "modules/workloads/nccl_test/output_parser.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cctype>

#include "modules/workloads/nccl_test/text.hpp"
#include "tests/modules/workloads/nccl_test/logs.hpp"
#include "tests/modules/workloads/nccl_test/repeated_text.hpp"

namespace cloudai::nccl_test {
namespace {

std::vector<std::int64_t> sizes_of(const Output& output) {
  std::vector<std::int64_t> sizes;
  for (const Row& row : output.rows) sizes.push_back(row.size);
  return sizes;
}

void expect_same_rows(const Output& found, const Output& expected) {
  ASSERT_EQ(found.rows.size(), expected.rows.size());
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    EXPECT_EQ(found.rows[i].size, expected.rows[i].size);
    EXPECT_EQ(found.rows[i].type, expected.rows[i].type);
    for (std::size_t side = 0; side < 2; ++side) {
      EXPECT_EQ(found.rows[i].sides[side].time_us, expected.rows[i].sides[side].time_us);
      EXPECT_EQ(found.rows[i].sides[side].busbw, expected.rows[i].sides[side].busbw);
      EXPECT_EQ(found.rows[i].sides[side].wrong, expected.rows[i].sides[side].wrong);
    }
  }
  EXPECT_EQ(found.devices.size(), expected.devices.size());
  EXPECT_EQ(found.nccl_version, expected.nccl_version);
  ASSERT_TRUE(found.average);
  EXPECT_EQ(found.average->value, expected.average->value);
}

TEST(OutputParser, TheFormOf2024) {
  const Output output = parsed_log("2024_baseline_16_ranks");
  EXPECT_EQ(sizes_of(output), (std::vector<std::int64_t>{8, 1048576, 1073741824, 17179869184}));
  const Row& last = output.rows.back();
  EXPECT_EQ(last.line, 28);
  EXPECT_EQ(last.count, 4294967296);
  EXPECT_EQ(last.type, "float");
  EXPECT_EQ(last.redop, "sum");
  EXPECT_EQ(last.root, -1);
  EXPECT_EQ(last.sides[out_of_place].time_us, 57286);
  EXPECT_EQ(last.sides[out_of_place].algbw, 299.90);
  EXPECT_EQ(last.sides[out_of_place].busbw, 562.30);
  EXPECT_EQ(last.sides[out_of_place].wrong, 0);
  EXPECT_EQ(last.sides[in_place].time_us, 56713);
  EXPECT_EQ(last.sides[in_place].busbw, 567.98);
  ASSERT_EQ(output.devices.size(), 16U);
  EXPECT_EQ(output.devices[9].host, "node002");
  EXPECT_EQ(output.devices[9].device, 1);
  EXPECT_EQ(output.devices[9].name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(output.nccl_version, "2.21.5+cuda12.4");
  EXPECT_EQ(output.tables, 1);
  EXPECT_TRUE(output.out_of_bounds->ok);
  EXPECT_EQ(output.average->value, 302.862);
  EXPECT_EQ(output.malformed_rows, 0U);
}

TEST(OutputParser, WhatLaunchersAndCollectorsPutBeforeLinesIsTakenOff) {
  const Output expected = parsed_log("2024_baseline_16_ranks");
  expect_same_rows(parsed_log("openmpi_tag_output"), expected);
  expect_same_rows(parsed_log("kubectl_timestamps"), expected);
  expect_same_rows(parsed_log("invalid_utf8_and_ansi"), expected);
}

TEST(OutputParser, TaskLabelsAndPodNamesAreTakenOff) {
  for (const std::string prefix : {"0: ", " 0: ", "[pod/nccl-launcher-x/main] ",
                                   "[pod/nccl-launcher-x/main] 2026-03-04T05:06:07.5Z [1,0]<stdout>:"}) {
    std::istringstream stream(log_text("2024_baseline_16_ranks"));
    std::string text;
    for (std::string line; std::getline(stream, line);) text += prefix + line + "\n";
    expect_same_rows(parsed_text(text), parsed_log("2024_baseline_16_ranks"));
  }
}

TEST(OutputParser, DebugLinesInsideTheTableAreNoRows) {
  std::istringstream stream(log_text("2024_baseline_16_ranks"));
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    text += line + "\nnode001:4100:4119 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n";
  }
  const Output output = parsed_text(text);
  EXPECT_EQ(output.malformed_rows, 0U);
  expect_same_rows(output, parsed_log("2024_baseline_16_ranks"));
}

TEST(OutputParser, WindowsLineEnds) {
  std::string text;
  for (const char c : log_text("2024_baseline_16_ranks")) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_same_rows(parsed_text(text), parsed_log("2024_baseline_16_ranks"));
}

TEST(OutputParser, ColumnsFollowTheHeader) {
  const Output broadcast = parsed_log("2021_broadcast_root_column");
  ASSERT_EQ(broadcast.rows.size(), 3U);
  EXPECT_EQ(broadcast.rows[0].root, 0);
  EXPECT_EQ(broadcast.rows[0].redop, "");
  EXPECT_EQ(broadcast.rows[0].sides[out_of_place].wrong, std::nullopt);

  const Output all_reduce = parsed_log("2021_allreduce_error_column");
  ASSERT_EQ(all_reduce.rows.size(), 3U);
  EXPECT_EQ(all_reduce.rows[0].root, std::nullopt);
  EXPECT_EQ(all_reduce.rows[0].redop, "sum");
  EXPECT_EQ(all_reduce.rows[0].sides[in_place].busbw, 50.90);
  // A deviation is no count.
  EXPECT_EQ(all_reduce.rows[0].sides[in_place].wrong, std::nullopt);
  EXPECT_EQ(all_reduce.rows[0].sides[in_place].max_delta, 1e-06);
  EXPECT_FALSE(all_reduce.first_wrong);

  const Output alltoall = parsed_log("2021_alltoall_blank_redop");
  EXPECT_EQ(sizes_of(alltoall), (std::vector<std::int64_t>{0, 0, 0, 16, 32, 64}));
  EXPECT_EQ(alltoall.rows[3].redop, "");
  EXPECT_EQ(alltoall.rows[3].sides[out_of_place].time_us, 88.25);

  const Output first = parsed_log("2017_milliseconds");
  ASSERT_EQ(first.rows.size(), 3U);
  EXPECT_DOUBLE_EQ(*first.rows[0].sides[out_of_place].time_us, 93);
  EXPECT_EQ(first.rows[0].redop, "sum");
  EXPECT_EQ(first.average->value, 23.8062);
}

TEST(OutputParser, NewerForms) {
  const Output newer = parsed_log("2026_version_banner");
  ASSERT_EQ(newer.rows.size(), 2U);
  EXPECT_EQ(newer.collective, "all_reduce");
  EXPECT_EQ(newer.nccl_tests_version, "2.18.3");
  EXPECT_EQ(newer.nccl_version, "2.28.7");
  const Output stamped = parsed_log("report_timestamps_15_tokens");
  expect_same_rows(stamped, newer);
  EXPECT_EQ(stamped.rows[1].timestamp, "2026-03-04 05:06:08");
  expect_same_rows(parsed_log("memory_report_footer"), newer);
  EXPECT_FALSE(newer.cpu_time);
  EXPECT_TRUE(parsed_log("cputime_header").cpu_time);
  EXPECT_EQ(parsed_log("sendrecv").collective, "sendrecv");
}

TEST(OutputParser, ATableWithoutHashes) {
  const Output output = parsed_log("no_hash_prefix");
  EXPECT_EQ(sizes_of(output), (std::vector<std::int64_t>{32, 1048576, 4194304}));
  EXPECT_EQ(output.devices.size(), 4U);
  EXPECT_EQ(output.devices[0].name, "NVIDIA A100-SXM4-40GB");
  EXPECT_TRUE(output.out_of_bounds->ok);
  EXPECT_EQ(output.average->value, 67.5657);
}

TEST(OutputParser, WrongCountsMayBeRounded) {
  const Output output = parsed_log("wrong_count_scientific");
  ASSERT_EQ(output.rows.size(), 1U);
  EXPECT_EQ(output.rows[0].sides[out_of_place].wrong, 268435000);
  ASSERT_TRUE(output.first_wrong);
  EXPECT_EQ(output.first_wrong->line, 16);
  EXPECT_FALSE(output.out_of_bounds->ok);
  EXPECT_EQ(output.out_of_bounds->count, "2");
}

TEST(OutputParser, NotAvailableIsNotZero) {
  const Output output = parsed_log("alltoall_inplace_na");
  ASSERT_EQ(output.rows.size(), 2U);
  EXPECT_EQ(output.rows[0].sides[out_of_place].wrong, 0);
  EXPECT_EQ(output.rows[0].sides[in_place].wrong, std::nullopt);
  EXPECT_EQ(output.rows[0].sides[in_place].busbw, 42.26);
}

TEST(OutputParser, AnAsteriskMarksAnError) {
  std::string text = log_text("rccl_text");
  EXPECT_FALSE(parsed_text(text).first_wrong);
  const std::size_t row = text.find("66.94      0");
  text.replace(row, 12, "66.94     0*");
  ASSERT_TRUE(parsed_text(text).first_wrong);
  EXPECT_TRUE(parsed_text(text).first_wrong->sides[out_of_place].marked);
}

TEST(OutputParser, ARowThatIsBrokenIsCountedNeverGuessed) {
  const Output output = parsed_log("warn_inside_row");
  EXPECT_EQ(sizes_of(output), (std::vector<std::int64_t>{1048576, 4194304}));
  EXPECT_EQ(output.malformed_rows, 1U);
  EXPECT_EQ(output.first_malformed_line, 19);
  EXPECT_FALSE(output.cut_row);
}

TEST(OutputParser, ACutRowIsDropped) {
  const Output output = parsed_log("truncated_mid_row");
  EXPECT_EQ(sizes_of(output), (std::vector<std::int64_t>{8, 1048576}));
  EXPECT_TRUE(output.cut_row);
  EXPECT_EQ(output.last_size, 1048576);
  EXPECT_FALSE(output.out_of_bounds);
  EXPECT_FALSE(output.average);
}

TEST(OutputParser, EveryCutOfALogIsReadWithoutInventingRows) {
  const std::string text = log_text("2024_baseline_16_ranks");
  const Output whole = parsed_text(text);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const Output cut = parsed_text(text.substr(0, length));
    ASSERT_LE(cut.rows.size(), whole.rows.size());
    for (std::size_t i = 0; i < cut.rows.size(); ++i) {
      ASSERT_EQ(cut.rows[i].sides[in_place].busbw, whole.rows[i].sides[in_place].busbw) << length;
    }
  }
}

TEST(OutputParser, AnAverageThatIsNoNumberIsAbsent) {
  const Output output = parsed_log("avg_nan_no_rows");
  EXPECT_TRUE(output.rows.empty());
  ASSERT_TRUE(output.average);
  EXPECT_EQ(output.average->value, std::nullopt);
}

TEST(OutputParser, TheProgramsOwnThreshold) {
  EXPECT_TRUE(parsed_log("min_bw_failed").average->failed);
  EXPECT_EQ(parsed_log("min_bw_failed").average->value, 105.412);
  EXPECT_TRUE(parsed_log("min_bw_failed").out_of_bounds->ok);
}

TEST(OutputParser, FailuresAreKeptWhole) {
  const Output output = parsed_log("multi_line_error");
  ASSERT_EQ(output.failures.size(), 2U);
  EXPECT_EQ(output.failures[0].line, 6);
  EXPECT_EQ(
      output.failures[0].text,
      "node001: Test NCCL failure common.cu:958 'internal error - please report this issue to the NCCL developers / "
      "Net : Connect to 10.0.0.2<41001> failed : No route to host");
  EXPECT_EQ(output.failures[1].text,
            "node002: Test NCCL failure common.cu:958 'remote process exited or there was a network error / '");
}

TEST(OutputParser, TheCauseStandsBeforeTheTrace) {
  const Output matrix = parsed_log("alltoallv_matrix_error");
  ASSERT_EQ(matrix.failures.size(), 1U);
  EXPECT_EQ(matrix.failures[0].line, 5);
  EXPECT_EQ(matrix.failures[0].text,
            "Invalid alltoallv traffic matrix column count in file matrix.txt row 3. Expected 8 columns, got 7.");
  const Output cuda = parsed_log("cuda_failure");
  ASSERT_EQ(cuda.failures.size(), 1U);
  EXPECT_EQ(cuda.failures[0].text, "node001: Test CUDA failure common.cu:963 'invalid device ordinal'");
}

TEST(OutputParser, DeviceLines) {
  const Output output = parsed_log("device_line_forms");
  ASSERT_EQ(output.devices.size(), 4U);
  EXPECT_EQ(output.devices[0].host, "node-a1.cluster.example");
  EXPECT_EQ(output.devices[1].name, "NVIDIA GB200");
  EXPECT_EQ(output.devices[2].host, "node3");
  EXPECT_EQ(output.devices[2].name, "Tesla T4");
  EXPECT_EQ(output.devices[3].name, "AMD Instinct MI300X");
  EXPECT_EQ(output.devices[3].device, 3);

  const Output cut = parsed_log("device_list_truncated");
  EXPECT_EQ(cut.devices.size(), 7U);
  EXPECT_TRUE(cut.device_list_cut);
}

TEST(OutputParser, OnlyTheLastAttemptOfARequeuedJobIsKept) {
  const Output output = parsed_log("requeue_append");
  EXPECT_EQ(output.attempts, 2);
  EXPECT_EQ(output.broken_off_by, "NODE FAILURE");
  EXPECT_EQ(output.tables, 1);
  EXPECT_EQ(sizes_of(output), (std::vector<std::int64_t>{8, 1048576, 1073741824}));
  ASSERT_EQ(output.devices.size(), 8U);
  EXPECT_EQ(output.devices[0].host, "node001");
}

TEST(OutputParser, ProcessesThatDoNotFindEachOtherAreSeveralTables) {
  const std::string one = log_text("single_size_chart");
  EXPECT_EQ(parsed_text(one).tables, 1);
  EXPECT_EQ(parsed_text(one + one).tables, 2);
  // Lines of both in turn.
  std::istringstream stream(one);
  std::string mixed;
  for (std::string line; std::getline(stream, line);) mixed += line + "\n" + line + "\n";
  EXPECT_EQ(parsed_text(mixed).tables, 2);
}

TEST(OutputParser, RepeatedSizesAreAllKept) {
  const Output cycles = parsed_log("run_cycles");
  ASSERT_EQ(cycles.rows.size(), 6U);
  EXPECT_EQ(cycles.rows[1].cycle, 1);
  EXPECT_EQ(cycles.rows[2].cycle, 2);
  EXPECT_EQ(cycles.rows[5].cycle, 3);
  EXPECT_EQ(parsed_log("gather_root_all").rows.size(), 4U);
  EXPECT_EQ(parsed_log("all_types_all_ops").rows.size(), 12U);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool memory_is_counted = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool memory_is_counted = false;
#else
constexpr bool memory_is_counted = true;
#endif
#else
constexpr bool memory_is_counted = true;
#endif

std::size_t peak_kibibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

Output parse_endless(const std::string& piece, std::size_t bytes) {
  RepeatedText buffer(piece, bytes);
  std::istream stream(&buffer);
  return parse_output(stream);
}

TEST(OutputParser, AHundredMegabytesOfRubbishNeedNoMemory) {
  constexpr std::size_t bytes = 100'000'000;
  std::string rubbish;
  std::uint32_t state = 1;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1664525U + 1013904223U;
    rubbish += static_cast<char>(state >> 24U);
  }
  std::string one_line = rubbish;
  std::replace(one_line.begin(), one_line.end(), '\n', 'x');
  const std::string header =
      "# nThread 1 nGpus 1 minBytes 8\n# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n";
  const std::string row = "8 2 float sum -1 1 1 1 0 1 1 1 0\n";
  std::string rows = header;
  for (int i = 0; i < 1000; ++i) rows += row;

  const std::size_t before = peak_kibibytes();
  EXPECT_TRUE(parse_endless(rubbish, bytes).rows.empty());
  EXPECT_TRUE(parse_endless(one_line, bytes).rows.empty());
  const Output output = parse_endless(rows, bytes / 10);
  EXPECT_EQ(output.rows.size(), most_rows);
  EXPECT_GT(output.row_count, 200'000U);
  // The rows that are kept take some, the text does not.
  if (!memory_is_counted) GTEST_SKIP() << "the address sanitizer keeps freed memory";
  EXPECT_LT(peak_kibibytes() - before, 40'000U);
}

TEST(OutputParser, Empty) {
  const Output output = parsed_text("");
  EXPECT_TRUE(output.rows.empty());
  EXPECT_EQ(output.tables, 0);
}

TEST(Text, Numbers) {
  EXPECT_EQ(whole_number("17179869184"), 17179869184);
  EXPECT_EQ(whole_number("2.68435e+08"), std::nullopt);
  EXPECT_EQ(whole_number("99999999999999999999"), std::nullopt);
  EXPECT_EQ(number("2.68435e+08"), 268435000);
  EXPECT_EQ(number("-nan"), std::nullopt);
  EXPECT_EQ(number("1e999"), std::nullopt);
  EXPECT_EQ(number("1x"), std::nullopt);
  EXPECT_EQ(number(""), std::nullopt);
  EXPECT_EQ(byte_size("32M"), 33554432);
  EXPECT_EQ(byte_size("1.5k"), 1536);
  EXPECT_EQ(byte_size("8"), 8);
  EXPECT_EQ(byte_size("M"), std::nullopt);
  EXPECT_EQ(byte_size("-8"), std::nullopt);
}

TEST(Text, HumanSizes) {
  EXPECT_EQ(human_size(0), "0B");
  EXPECT_EQ(human_size(1000), "1000B");
  EXPECT_EQ(human_size(1024), "1KB");
  EXPECT_EQ(human_size(1536), "1.5KB");
  EXPECT_EQ(human_size(2100), "2.1KB");
  EXPECT_EQ(human_size(2049), "2.0KB");
  EXPECT_EQ(human_size(33554432), "32MB");
  EXPECT_EQ(human_size(17179869184), "16GB");
}

}  // namespace
}  // namespace cloudai::nccl_test
