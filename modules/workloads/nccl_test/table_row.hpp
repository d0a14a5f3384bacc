// The table: its header says what its rows hold.
#pragma once

#include <optional>
#include <vector>

#include "modules/workloads/nccl_test/output.hpp"
#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

enum class Column { size, count, type, redop, root, time, cpu_time, algbw, busbw, wrong, delta, date, clock, other };

struct TableHeader {
  std::vector<Column> columns;
  std::optional<std::size_t> redop;  // its place among the columns
  std::size_t first_side = 0;        // where the columns of the out-of-place half begin
  std::size_t side_columns = 0;      // how many each half has
  double microseconds = 1;           // of one unit of the time columns
};

// The header of a table, if these words (without a leading '#') are one.
std::optional<TableHeader> table_header(const Words& words);

bool has_column(const TableHeader& header, Column column);

// Whether the words begin as a row does: with a size and a count.
bool begins_as_row(const Words& words);

// Reads the row, if every word is what the header announces in its place; else `row` is left in an unknown state.
bool read_row(const TableHeader& header, const Words& words, Row& row);

}  // namespace cloudai::nccl_test
