// The page of one results directory, <scenario>.html.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace cloudai::html {

// Runs beyond this many with plots have no charts on the page, so that its size, and the memory to make it, stay
// bounded.
inline constexpr std::size_t most_charted_runs = 50;

// Writes the page of the results in `results` into `directory` and returns its name. A run whose outcome.json is
// missing or broken says so on the page. Throws Error(failed) where summary.json is missing or broken, or the page
// cannot be written.
std::vector<std::string> write_report(const std::filesystem::path& results, const std::filesystem::path& directory);

}  // namespace cloudai::html
