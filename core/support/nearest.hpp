// "Did you mean …?": the nearest of some valid names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cloudai {

// The candidate with the smallest Damerau-Levenshtein distance to `name` (case does not count), or nothing if even that
// is further away than a third of the longer one's length (at least 1).
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// ". Did you mean 'x'?" or "" when there is no near name.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace cloudai
