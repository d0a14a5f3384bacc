// A table of an outcome, whole.
#pragma once

#include <string>
#include <vector>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::html {

// Longer tables are cut; the page says so.
inline constexpr std::size_t most_table_rows = 2000;

// What is the same in every row and no plot is about stands once, above; cells that say that a point failed are marked.
std::string table_markup(const Table& table, const std::vector<Plot>& plots);

}  // namespace cloudai::html
