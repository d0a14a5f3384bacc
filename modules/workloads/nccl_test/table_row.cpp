#include "modules/workloads/nccl_test/table_row.hpp"

#include <algorithm>
#include <cctype>

#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

struct ColumnName {
  std::string_view name;
  Column column;
};

// `error` and `res` of old versions are the largest deviation found, not a number of wrong elements.
constexpr std::array<ColumnName, 15> column_names{{{"size", Column::size},
                                                   {"bytes", Column::size},
                                                   {"count", Column::count},
                                                   {"n", Column::count},
                                                   {"type", Column::type},
                                                   {"redop", Column::redop},
                                                   {"op", Column::redop},
                                                   {"root", Column::root},
                                                   {"time", Column::time},
                                                   {"cputime", Column::cpu_time},
                                                   {"algbw", Column::algbw},
                                                   {"busbw", Column::busbw},
                                                   {"#wrong", Column::wrong},
                                                   {"error", Column::other},
                                                   {"res", Column::other}}};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

Column column_named(const std::string& name) {
  const auto* const found = std::find_if(column_names.begin(), column_names.end(),
                                         [&](const ColumnName& entry) { return entry.name == name; });
  return found == column_names.end() ? Column::other : found->column;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
}

// Reads one cell into the row; false if it is not what its column holds.
class CellReader {
 public:
  CellReader(const TableHeader& header, Row& row) : header_(header), row_(row) {}

  bool read(Column column, std::string_view cell) {
    switch (column) {
      case Column::size:
        return read_count(cell, row_.size);
      case Column::count:
        return read_count(cell, row_.count);
      case Column::type:
        row_.type = cell;
        return is_word(cell);
      case Column::redop:
        row_.redop = cell;
        return is_word(cell);
      case Column::root:
        row_.root = whole_number(cell);
        return row_.root.has_value();
      case Column::time:
      case Column::cpu_time:
        ++side_;
        return read_time(cell);
      case Column::algbw:
        return read_number(cell, side().algbw);
      case Column::busbw:
        return read_number(cell, side().busbw);
      case Column::wrong:
        return read_wrong(cell);
      case Column::other:
        if (side_ >= 0 && cell.back() == '*') side().marked = true;
        break;
    }
    return true;
  }

 private:
  Side& side() { return row_.sides[static_cast<std::size_t>(std::clamp(side_, 0, 1))]; }

  static bool read_count(std::string_view cell, std::int64_t& value) {
    const auto parsed = whole_number(cell);
    if (!parsed || *parsed < 0) return false;
    value = *parsed;
    return true;
  }

  // A division by a time of zero prints "inf" or "nan": the place is filled, yet there is no value.
  bool read_number(std::string_view cell, std::optional<double>& value) {
    value = number(cell);
    if (value) return true;
    side().no_number = true;
    const std::string text = lower(cell);
    return text == "inf" || text == "nan" || text == "-nan";
  }

  bool read_time(std::string_view cell) {
    if (!read_number(cell, side().time_us)) return false;
    if (side().time_us) *side().time_us *= header_.microseconds;
    return true;
  }

  bool read_wrong(std::string_view cell) {
    if (cell == "N/A") {
      side().unchecked = true;
      return true;
    }
    if (cell.back() == '*') {
      side().marked = true;
      cell.remove_suffix(1);
    }
    side().wrong = number(cell);
    return side().wrong.has_value();
  }

  const TableHeader& header_;
  Row& row_;
  int side_ = -1;
};

}  // namespace

std::optional<TableHeader> table_header(const std::vector<std::string_view>& words) {
  if (words.size() < 6) return std::nullopt;
  const std::string first = lower(words[0]);
  if (first != "size" && first != "bytes") return std::nullopt;
  TableHeader header;
  // The first release, the only one that says `bytes`, prints milliseconds.
  if (first == "bytes") header.microseconds = 1000;
  for (const std::string_view word : words) {
    const std::string name = lower(word);
    header.columns.push_back(column_named(name));
    if (name == "timestamp") header.columns.push_back(Column::other);  // date and time of day
  }
  const auto has = [&](Column column) {
    return std::find(header.columns.begin(), header.columns.end(), column) != header.columns.end();
  };
  if (!has(Column::algbw) || !has(Column::busbw) || !(has(Column::time) || has(Column::cpu_time))) return std::nullopt;
  return header;
}

bool begins_as_row(const std::vector<std::string_view>& words) {
  return words.size() >= 2 && whole_number(words[0]) && whole_number(words[1]);
}

std::optional<Row> table_row(const TableHeader& header, const std::vector<std::string_view>& words) {
  std::vector<Column> columns = header.columns;
  // Collectives without a reduction once left the cell of `redop` blank.
  if (words.size() + 1 == columns.size()) {
    const auto redop = std::find(columns.begin(), columns.end(), Column::redop);
    if (redop != columns.end()) columns.erase(redop);
  }
  if (words.size() != columns.size()) return std::nullopt;
  Row row;
  CellReader cells(header, row);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!cells.read(columns[i], words[i])) return std::nullopt;
  }
  return row;
}

}  // namespace cloudai::nccl_test
