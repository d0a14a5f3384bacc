// Where a reason points to, for people: the place, and what stands there.
#pragma once

#include <filesystem>
#include <string>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::results {

// "Tests.1/0/stdout.txt:31", or the path alone where the evidence names no line.
std::string place_of(const Evidence& evidence);

// The line the evidence names, without its end and at most 200 bytes of it; empty if it names none, if there is no such
// line within the first 64 MiB of the file, or if the path leads out of the results directory.
std::string line_of(const std::filesystem::path& results_directory, const Evidence& evidence);

}  // namespace cloudai::results
