// Where the tests find the tree and what was built from it.
#pragma once

#include <string>

namespace tree {

// Absolute, without a slash at the end. Both are known to one translation unit alone, so that the compiler's cache
// serves every clone of the tree.
std::string source_directory();
std::string build_directory();

}  // namespace tree
