// What an output of nccl-tests says, whatever the form it was printed in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "modules/workloads/nccl_test/sweep.hpp"

namespace cloudai::nccl_test {

// One half of a row. Absent: not printed, not a number, or N/A.
struct Side {
  std::optional<double> time_us;
  std::optional<double> algbw;      // GB/s
  std::optional<double> busbw;      // GB/s
  std::optional<double> wrong;      // elements; some programs print it rounded (2.68435e+08)
  std::optional<double> max_delta;  // largest deviation, which versions before 2022 print instead; no count
  bool no_number = false;           // a time or bandwidth is printed as inf or nan
  bool unchecked = false;           // the count of wrong elements is printed as N/A
  bool marked = false;              // a column carries the asterisk with which rccl-tests marks errors
};

constexpr std::size_t out_of_place = 0;
constexpr std::size_t in_place = 1;
constexpr std::array<const char*, 2> placement_names{"out-of-place", "in-place"};

struct Row {
  int line = 0;   // 0: the form of the output has no lines
  int cycle = 1;  // a sweep that is run again starts over with its smallest size
  std::int64_t size = 0;
  std::int64_t count = 0;
  std::string type;
  std::string redop;  // empty: the program prints none
  std::optional<std::int64_t> root;
  std::array<Side, 2> sides;
  std::string timestamp;
};

struct Device {
  std::int64_t rank = 0;
  std::int64_t group = 0;  // ranks may be split into groups that communicate within themselves
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

// A line worth quoting.
struct Remark {
  int line = 0;
  std::string text;
};

// What is measured in some rows, and where it first is.
struct Combination {
  std::string type;
  std::string redop;
  int line = 0;
};

struct Output {
  std::string format;      // "json 3", "json lines", "2017"; empty: the text of 2018 and later
  std::string collective;  // "all_reduce", from the start line newer versions print; else empty
  int collective_line = 0;
  std::string nccl_version;
  std::string nccl_tests_version;
  std::string driver_version;

  std::optional<Sweep> sweep;  // the sizes the program says it will measure
  std::vector<Device> devices;
  bool device_list_cut = false;  // the program ran out of room for it: there are more
  bool cpu_time = false;         // the time columns hold CPU time, which is another quantity

  // Tables found: more than one means that processes that should have worked together did not. An attempt that the
  // scheduler broke off and started again is not counted, and nothing of it is kept but its failures.
  int tables = 0;
  int footers = 0;
  int attempts = 1;
  std::string broken_off_by;  // "NODE FAILURE": what ended the attempt before

  std::vector<Row> rows;                  // the first of them, up to most_rows
  std::vector<Combination> combinations;  // of all rows, up to most_combinations
  std::size_t row_count = 0;              // all of them
  std::int64_t largest_size = -1;
  std::int64_t last_size = -1;
  double busbw_sum = 0;
  std::size_t busbw_count = 0;
  double largest_busbw = 0;
  std::optional<Row> first_wrong;       // a row with wrong data
  std::optional<Row> first_unchecked;   // a row whose data nobody checked
  std::optional<Row> first_impossible;  // a row without a time, or with a time or bandwidth that no measurement gives

  std::size_t malformed_rows = 0;
  int first_malformed_line = 0;
  bool cut_row = false;  // the text ends inside a row

  bool damaged_document = false;  // JSON that ends in the middle, or goes on as something else

  std::optional<OutOfBounds> out_of_bounds;
  std::optional<AverageBandwidth> average;
  std::vector<Remark> failures;  // lines in which the program says that it failed, the first few
  std::size_t warnings = 0;      // NCCL's, and lines that a launcher tagged as stderr
  std::optional<Remark> first_warning;
  std::vector<std::pair<std::string, std::string>> further_facts;  // "key : value" after the table, the first few

  // Where the log says that less was measured than was asked for, or empty.
  std::string reduction_note;
};

constexpr std::size_t most_rows = 20000;
constexpr std::size_t most_combinations = 256;

// Takes a row into account. Its cycle is set here.
void add_row(Output& output, Row& row);

// The machines in the list of devices.
std::size_t host_count(const Output& output);

// Whether the average the program printed is that of the rows that were read: then none of them was lost.
bool average_fits_rows(const Output& output);

}  // namespace cloudai::nccl_test
