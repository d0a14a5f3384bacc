// What the dynamic loader of this machine says of a file: libraries and symbols that are not there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/support/result.hpp"

namespace cloudai::conformance {

// The loader resolves every symbol and runs no line of the file. Its own words, one entry a problem. A symbol that this
// program itself defines, as a sanitizer's is, is none.
Result<std::vector<std::string>> loader_problems(const std::filesystem::path& file);

}  // namespace cloudai::conformance
