#include "tests/paths.hpp"

namespace tree {

std::string source_directory() {
  return CLOUDAI_SOURCE_DIR;
}

std::string build_directory() {
  return CLOUDAI_BUILD_DIR;
}

}  // namespace tree
