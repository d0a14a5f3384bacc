// Rows that are printed as each generation prints them come back equal.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

#include "tests/modules/workloads/nccl_test/logs.hpp"

namespace cloudai::nccl_test {
namespace {

template <class... Values>
std::string printed(const char* form, Values... values) {
  const int size = std::snprintf(nullptr, 0, form, values...);
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), form, values...);
  text.pop_back();
  return text;
}

// The programs print fewer decimals of longer times.
std::string printed_time(double microseconds) {
  if (microseconds >= 10000) return printed("%7.0f", microseconds);
  return printed(microseconds >= 100 ? "%7.1f" : "%7.2f", microseconds);
}

struct Generation {
  const char* name;
  std::string header;
  std::function<std::string(const Row&)> row;
  bool redop;
  bool root;
  bool wrong;
};

std::string beginning(const Row& row) {
  return printed("%12ld  %12ld  %8s", static_cast<long>(row.size), static_cast<long>(row.count), row.type.c_str());
}

std::string measured(const Side& side) {
  return printed("  %7s  %6.2f  %6.2f", printed_time(*side.time_us).c_str(), *side.algbw, *side.busbw);
}

std::string wrong_cell(const Side& side, int width) {
  return side.wrong ? printed("  %*g", width, *side.wrong) : printed("  %*s", width, "N/A");
}

std::string of_2017(const Row& row) {
  std::string text = printed("%12ld  %12ld  %6s  %6s", static_cast<long>(row.size), static_cast<long>(row.count),
                             row.type.c_str(), row.redop.c_str());
  for (const Side& side : row.sides) {
    text += printed("  %7.3f  %5.2f  %5.2f  %7.0e", *side.time_us / 1000, *side.algbw, *side.busbw, 1e-6);
  }
  return text;
}

std::string of_2021_with_redop(const Row& row) {
  std::string text = beginning(row) + printed("  %6s", row.redop.c_str());
  for (const Side& side : row.sides) text += measured(side) + "  1e-06";
  return text;
}

std::string of_2021_with_root(const Row& row) {
  std::string text = beginning(row) + printed("  %6ld", static_cast<long>(*row.root));
  for (const Side& side : row.sides) text += measured(side) + "    N/A";
  return text;
}

std::string of_2024(const Row& row) {
  std::string text = beginning(row) + printed("  %6s  %6ld", row.redop.c_str(), static_cast<long>(*row.root));
  for (const Side& side : row.sides) text += measured(side) + wrong_cell(side, 5);
  return text;
}

std::string of_2026(const Row& row) {
  std::string text = beginning(row) + printed("  %6s  %6ld", row.redop.c_str(), static_cast<long>(*row.root));
  for (const Side& side : row.sides) text += measured(side) + wrong_cell(side, 6);
  return text + "  2026-03-04 05:06:07";
}

// rccl-tests with the minimum and maximum of the times after them, columns nobody asked for.
std::string with_unknown_columns(const Row& row) {
  std::string text = beginning(row) + printed("  %6s  %6ld", row.redop.c_str(), static_cast<long>(*row.root));
  for (const Side& side : row.sides) text += measured(side) + wrong_cell(side, 5) + "  11.5  12.5  x";
  return text;
}

const std::vector<Generation>& generations() {
  static const std::vector<Generation> all{
      {"2017", "bytes N type op time algbw busbw res time algbw busbw res", of_2017, true, false, false},
      {"2021 with redop", "size count type redop time algbw busbw error time algbw busbw error", of_2021_with_redop,
       true, false, false},
      {"2021 with root", "size count type root time algbw busbw error time algbw busbw error", of_2021_with_root, false,
       true, false},
      {"2024", "size count type redop root time algbw busbw #wrong time algbw busbw #wrong", of_2024, true, true, true},
      {"2026", "size count type redop root time algbw busbw #wrong time algbw busbw #wrong timestamp", of_2026, true,
       true, true},
      {"with unknown columns",
       "size count type redop root time algbw busbw #wrong minlat maxlat note time algbw busbw #wrong minlat maxlat "
       "note",
       with_unknown_columns, true, true, true}};
  return all;
}

class Rows {
 public:
  Row next() {
    Row row;
    row.size = static_cast<std::int64_t>(random_() >> (random_() % 60 + 4));
    row.count = row.size / 4;
    row.type = pick({"float", "bfloat16", "f8e4m3", "int8"});
    row.redop = pick({"sum", "prod", "none", "mulsum"});
    row.root = static_cast<std::int64_t>(random_() % 1000) - 1;
    for (Side& side : row.sides) {
      side.time_us = read_back(printed_time(number(1e7)));
      side.algbw = read_back(printed("%.2f", number(1000)));
      side.busbw = read_back(printed("%.2f", number(1000)));
      if (random_() % 4 != 0) side.wrong = read_back(printed("%g", std::floor(number(1e10))));
    }
    return row;
  }

 private:
  double number(double most) {
    // As many small ones as large ones.
    const double exponent = std::uniform_real_distribution<double>(-2, std::log10(most))(random_);
    return std::pow(10, exponent);
  }
  std::string pick(const std::vector<std::string>& names) { return names[random_() % names.size()]; }
  static double read_back(const std::string& text) { return std::stod(text); }

  std::mt19937_64 random_{1};
};

void expect_equal(const Row& found, const Row& expected, const Generation& generation) {
  ASSERT_EQ(found.size, expected.size) << generation.name;
  ASSERT_EQ(found.count, expected.count);
  ASSERT_EQ(found.type, expected.type);
  ASSERT_EQ(found.redop, generation.redop ? expected.redop : "") << generation.name;
  ASSERT_EQ(found.root, generation.root ? expected.root : std::nullopt) << generation.name;
  for (std::size_t i = 0; i < 2; ++i) {
    const Side& side = found.sides[i];
    ASSERT_EQ(side.algbw, expected.sides[i].algbw) << generation.name;
    ASSERT_EQ(side.busbw, expected.sides[i].busbw) << generation.name;
    ASSERT_EQ(side.wrong, generation.wrong ? expected.sides[i].wrong : std::nullopt) << generation.name;
    // Milliseconds have three decimals.
    const double tolerance = std::string(generation.name) == "2017" ? 0.51 : 0;
    ASSERT_NEAR(*side.time_us, *expected.sides[i].time_us, tolerance) << generation.name;
  }
}

TEST(PrintedRows, ComeBackEqual) {
  for (const Generation& generation : generations()) {
    Rows rows;
    std::vector<Row> expected;
    std::string text = "#  " + generation.header + "\n";
    for (int i = 0; i < 3000; ++i) {
      expected.push_back(rows.next());
      text += generation.row(expected.back()) + "\n";
    }
    const Output output = parsed_text(text);
    ASSERT_EQ(output.malformed_rows, 0U) << generation.name << ", line " << output.first_malformed_line;
    ASSERT_EQ(output.rows.size(), expected.size()) << generation.name;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_equal(output.rows[i], expected[i], generation));
      ASSERT_EQ(output.rows[i].line, static_cast<int>(i) + 2);
    }
  }
}

TEST(PrintedRows, CutAnywhereAreNeverRowsOfOtherNumbers) {
  Rows rows;
  for (const Generation& generation : generations()) {
    const Row row = rows.next();
    const std::string line = generation.row(row);
    for (std::size_t length = 0; length < line.size(); ++length) {
      // Cut and gone on with something else, as another process's line would.
      const Output output = parsed_text("#  " + generation.header + "\n" + line.substr(0, length) + "\nother\n");
      if (output.rows.empty()) continue;
      // Only the last cell can be shorter without anybody noticing.
      ASSERT_EQ(output.rows[0].sides[out_of_place].busbw, row.sides[out_of_place].busbw) << generation.name;
      ASSERT_EQ(output.rows[0].sides[in_place].busbw, row.sides[in_place].busbw) << generation.name;
    }
  }
}

}  // namespace
}  // namespace cloudai::nccl_test
