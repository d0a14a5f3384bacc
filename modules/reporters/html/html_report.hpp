// The pages of one results directory: <scenario>.html, and one in the folder of each run that has tables.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cloudai::html {

// Writes the pages of the results in `results` below `directory` and returns their names, the scenario's first. A run
// whose outcome.json is missing or broken says so on the scenario's page and has none of its own. Throws Error(failed)
// where summary.json is missing or broken, or a page cannot be written.
std::vector<std::string> write_report(const std::filesystem::path& results, const std::filesystem::path& directory);

}  // namespace cloudai::html
