// What commands print on stdout. A stdout that takes nothing is noticed once, at the end of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/json.hpp"

namespace cloudai::app {

using Row = std::vector<std::string>;

void print(std::string_view text);

// A path need not be UTF-8; a document must: other bytes are replaced.
void print_json(const Json& document);

// Columns as wide as their widest cell, two spaces apart; the first row is the heading, and no row is longer.
std::string table(const std::vector<Row>& rows);

// A text of a manifest on one line, a number as a text; empty if it is absent.
std::string one_line(const Json& object, const char* key);

}  // namespace cloudai::app
