// The page of a comparison, comparison.html.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace cloudai::html {

// The page stays of bounded size: so many tests have curves, and so many metrics a row each.
inline constexpr std::size_t most_compared_curves = 40;
inline constexpr std::size_t most_compared_rows = 10'000;

// Writes the page of the cloudai.comparison/1 in the file `comparison` into `directory` and returns its name. Throws
// Error(failed) where the document is missing or broken, or the page cannot be written.
std::vector<std::string> write_comparison(const std::filesystem::path& comparison,
                                          const std::filesystem::path& directory);

}  // namespace cloudai::html
