// What lies in a directory, to see whether anything there was touched.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace cloudai::conformance {

// Path relative to the directory → type, size and time of the last change; links are not followed.
using TreeState = std::map<std::string, std::string>;

TreeState tree_state(const std::filesystem::path& directory);

// The first path that is in one of them only, or different; empty if there is none.
std::string first_difference(const TreeState& before, const TreeState& after);

}  // namespace cloudai::conformance
