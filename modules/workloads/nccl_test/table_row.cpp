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
                                                   {"error", Column::delta},
                                                   {"res", Column::delta}}};

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
      case Column::delta:
        read_delta(cell);
        break;
      case Column::date:
        row_.timestamp = cell;
        break;
      case Column::clock:
        row_.timestamp += ' ';
        row_.timestamp += cell;
        break;
      case Column::other:
        break;
    }
    return true;
  }

  void skip_side() { ++side_; }

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

  void read_delta(std::string_view cell) {
    if (cell.back() == '*') {
      side().marked = true;
      cell.remove_suffix(1);
    }
    side().max_delta = number(cell);
    // The program compares it with a limit, and a comparison with "nan" never says that it is above.
    if (!side().max_delta && cell != "N/A") side().marked = true;
  }

  const TableHeader& header_;
  Row& row_;
  int side_ = -1;
};

// Some programs measure in place alone and leave the other half blank. A row that was torn apart has no such room.
bool has_blank_side(const TableHeader& header, const Words& words) {
  constexpr std::ptrdiff_t least_room = 30;
  if (header.first_side == 0 || words.size() + header.side_columns != header.columns.size()) return false;
  const std::string_view before = words[header.first_side - 1];
  return words[header.first_side].data() - (before.data() + before.size()) >= least_room;
}

}  // namespace

std::optional<TableHeader> table_header(const Words& words) {
  if (words.size() < 6) return std::nullopt;
  const std::string first = lower(words[0]);
  if (first != "size" && first != "bytes") return std::nullopt;
  TableHeader header;
  // The first release, the only one that says `bytes`, prints milliseconds.
  if (first == "bytes") header.microseconds = 1000;
  for (const std::string_view word : words) {
    const std::string name = lower(word);
    if (name == "timestamp") {
      header.columns.insert(header.columns.end(), {Column::date, Column::clock});
      continue;
    }
    const Column column = column_named(name);
    if (column == Column::redop) header.redop = header.columns.size();
    header.columns.push_back(column);
  }
  // Out of place and in place: a header that other output cut short would hide what stands in the rest of the rows.
  const auto columns = [&](Column column) { return std::count(header.columns.begin(), header.columns.end(), column); };
  if (columns(Column::algbw) != 2 || columns(Column::busbw) != 2) return std::nullopt;
  if (columns(Column::time) + columns(Column::cpu_time) != 2) return std::nullopt;
  if (columns(Column::wrong) + columns(Column::delta) != 2) return std::nullopt;
  const auto is_time = [](Column column) { return column == Column::time || column == Column::cpu_time; };
  const auto out_of_place_time = std::find_if(header.columns.begin(), header.columns.end(), is_time);
  header.first_side = static_cast<std::size_t>(out_of_place_time - header.columns.begin());
  header.side_columns =
      static_cast<std::size_t>(std::find_if(out_of_place_time + 1, header.columns.end(), is_time) - out_of_place_time);
  return header;
}

bool has_column(const TableHeader& header, Column column) {
  return std::find(header.columns.begin(), header.columns.end(), column) != header.columns.end();
}

bool begins_as_row(const Words& words) {
  return words.size() >= 2 && whole_number(words[0]) && whole_number(words[1]);
}

bool read_row(const TableHeader& header, const Words& words, Row& row) {
  const std::vector<Column>& columns = header.columns;
  const std::size_t blanks = has_blank_side(header, words) ? header.side_columns : 0;
  // Collectives without a reduction once left the cell of `redop` blank.
  const bool blank_redop = words.size() + 1 == columns.size() && header.redop;
  if (words.size() + (blank_redop ? 1 : blanks) != columns.size()) return false;
  row.redop.clear();
  row.root.reset();
  row.timestamp.clear();
  row.sides = {};
  CellReader cells(header, row);
  std::size_t word = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (blank_redop && i == *header.redop) continue;
    if (blanks > 0 && i == header.first_side) {
      cells.skip_side();
      i += blanks;
    }
    if (!cells.read(columns[i], words[word++])) return false;
  }
  return true;
}

}  // namespace cloudai::nccl_test
