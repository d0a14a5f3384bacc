// Paths of output files, in which Slurm replaces %j and the like.
#pragma once

#include <string>

namespace slurm {

// The path as Slurm must be told it: each '%' twice.
inline std::string output_pattern(const std::string& path) {
  std::string pattern;
  for (const char c : path) pattern.append(c == '%' ? 2 : 1, c);
  return pattern;
}

}  // namespace slurm
