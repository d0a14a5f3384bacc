// The Markdown file of one results directory, <scenario>.md, to be pasted into a ticket or a pull request: the verdict
// and the counts, what did not pass with its reason and evidence, the table of runs with their headline metrics, the
// facts of the first runs (a gate with its result is one), and for cases with several iterations how far those lie
// apart. GitHub takes 65536 characters in one comment, so that long lists are cut, with a word on how much is left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cloudai::markdown {

// Writes the report of the results in `results` into `directory` and returns its path relative to it. Throws
// Error(failed) where summary.json is missing or broken, or the file cannot be written.
std::vector<std::string> write_report(const std::filesystem::path& results, const std::filesystem::path& directory);

}  // namespace cloudai::markdown
