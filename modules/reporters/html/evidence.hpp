// The lines of a file that show why something failed.
#pragma once

#include <filesystem>
#include <string>

#include "cloudai/documents/outcome.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

// Where a piece of evidence is, relative to the results directory: the core's is relative to that already, a workload's
// to its stage's directory. Empty where neither is there.
std::string evidence_path(const std::filesystem::path& results, const Evidence& evidence,
                          const std::string& stage_directory);

// "stdout.txt:31".
std::string place_of(const Evidence& evidence);

// The line that is evidence, numbered and with its neighbours. Empty where it names no line, the file is not a regular
// one, or the line is too far down to look for.
std::string excerpt(const std::filesystem::path& results, const std::string& path, const Evidence& evidence);

}  // namespace cloudai::html
