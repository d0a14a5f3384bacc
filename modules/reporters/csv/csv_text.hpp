// Lines of a CSV file.
//
// Comma, double quotes as in RFC 4180, UTF-8 without a mark at the start, and LF at the end of a line, as awk, cut and
// pandas want it. Spreadsheets run a cell that starts with = + - or @ (or a line's end) as a formula, and names in
// results come from users and programs: such a text gets an apostrophe before it, unless it is a plain number such as
// "-1".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cloudai/documents/value.hpp"

namespace cloudai::csv {

// A cell that holds `text`, quoted where it must be.
std::string text_cell(std::string_view text);

// A cell that holds a JSON value: a number as it stands in the document, nothing for null.
std::string json_cell(const Json& value);

std::string number_cell(double value);

// Cells joined into one line with its end.
std::string line(const std::vector<std::string>& cells);

}  // namespace cloudai::csv
