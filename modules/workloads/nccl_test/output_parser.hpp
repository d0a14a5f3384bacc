// Reads what nccl-tests (and programs that print like it) wrote to stdout.
//
// Columns are found by the names in the table's header, never by their number, since both changed over the years. What
// is not understood is never guessed: a row that does not fit the header is counted as malformed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cloudai::nccl_test {

// One half of a row. Absent: not printed, not a number, or N/A.
struct Side {
  std::optional<double> time_us;
  std::optional<double> algbw;  // GB/s
  std::optional<double> busbw;  // GB/s
  std::optional<double> wrong;  // elements; some programs print it rounded (2.68435e+08)
  bool no_number = false;       // a time or bandwidth is printed as inf or nan
  bool unchecked = false;       // the count of wrong elements is printed as N/A
  bool marked = false;          // a column carries the asterisk with which rccl-tests marks errors
};

constexpr std::size_t out_of_place = 0;
constexpr std::size_t in_place = 1;
constexpr std::array<const char*, 2> placement_names{"out-of-place", "in-place"};

struct Row {
  int line = 0;
  std::int64_t size = 0;
  std::int64_t count = 0;
  std::string type;
  std::string redop;  // empty: the program prints none
  std::optional<std::int64_t> root;
  std::array<Side, 2> sides;
};

struct Device {
  std::int64_t rank = 0;
  std::string host;
  std::int64_t device = 0;
  std::string name;
};

struct OutOfBounds {
  int line = 0;
  std::string count;
  bool ok = false;
};

struct AverageBandwidth {
  int line = 0;
  std::optional<double> value;
  bool failed = false;  // the program itself compared it with a least value
};

// A line in which the program says that it failed.
struct Failure {
  int line = 0;
  std::string text;
};

struct Output {
  std::string collective;  // "all_reduce", from the start line newer versions print; else empty
  std::string nccl_version;
  std::string nccl_tests_version;

  std::vector<Device> devices;
  bool device_list_cut = false;  // the program ran out of room for it: there are more
  bool cpu_time = false;         // the time columns hold CPU time, which is another quantity

  // Tables found: more than one means that processes that should have worked together did not. An attempt that the
  // scheduler broke off and started again is not counted, and nothing of it is kept but its failures.
  int tables = 0;
  int footers = 0;
  int attempts = 1;

  std::vector<Row> rows;      // the first of them, up to most_rows
  std::size_t row_count = 0;  // all of them
  std::int64_t largest_size = -1;
  std::int64_t last_size = -1;
  std::optional<Row> first_wrong;       // a row with wrong data
  std::optional<Row> first_unchecked;   // a row whose data nobody checked
  std::optional<Row> first_impossible;  // a row without a time, or with a time or bandwidth that no measurement gives

  std::size_t malformed_rows = 0;
  int first_malformed_line = 0;
  bool cut_row = false;  // the text ends inside a row

  std::optional<OutOfBounds> out_of_bounds;
  std::optional<AverageBandwidth> average;
  std::vector<Failure> failures;  // the first few

  // Where the log says that less was measured than was asked for, or empty.
  std::string reduction_note;
};

constexpr std::size_t most_rows = 20000;

// Reads a stream of any length and content with a bounded amount of memory.
Output parse_output(std::istream& stream);

// "[1,0]<stdout>:" and RFC 3339 times, which launchers and log collectors put before each line, ANSI sequences,
// carriage returns and other control characters are no part of a line. Returns nothing for a line tagged as stderr.
std::optional<std::string> cleaned_line(std::string_view raw);

}  // namespace cloudai::nccl_test
