// A comparison as text for people.
#pragma once

#include <string>
#include <vector>

#include "core/compare/comparison.hpp"
#include "core/compare/listing.hpp"

namespace cloudai::compare {

// For a terminal; nothing in it can move the cursor.
std::string terminal_text(const std::vector<Results>& results, const Tolerance& tolerance, const Listing& listing,
                          const Totals& totals, bool colour);

// For a ticket or a pull request. Whatever comes from results stands in code spans, where nothing has a meaning.
std::string markdown_text(const std::vector<Results>& results, const Tolerance& tolerance, const Listing& listing,
                          const Totals& totals);

}  // namespace cloudai::compare
