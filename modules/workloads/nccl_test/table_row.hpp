// The table: its header says what its rows hold.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "modules/workloads/nccl_test/output_parser.hpp"

namespace cloudai::nccl_test {

enum class Column { size, count, type, redop, root, time, cpu_time, algbw, busbw, wrong, other };

struct TableHeader {
  std::vector<Column> columns;
  double microseconds = 1;  // of one unit of the time columns
};

// The header of a table, if these words (without a leading '#') are one.
std::optional<TableHeader> table_header(const std::vector<std::string_view>& words);

// Whether the words begin as a row does: with a size and a count.
bool begins_as_row(const std::vector<std::string_view>& words);

// The row, if every word is what the header announces in its place.
std::optional<Row> table_row(const TableHeader& header, const std::vector<std::string_view>& words);

}  // namespace cloudai::nccl_test
