// outcome.json of a run as reporters read it, one at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::results {

struct StageOutcome {
  std::string kind;
  std::string name;
  std::string directory;  // relative to the results directory
  Outcome outcome;
};

// What a reader wants of it; what it does not want is never kept in memory.
struct OutcomeParts {
  bool metrics = true;
  bool tables = true;  // and plots
};

// Reads the outcome.json at `path`, relative to the results directory. Throws Error(failed) with one sentence where the
// file is missing, broken or outside of that directory.
std::vector<StageOutcome> read_outcome(const std::filesystem::path& results_directory, const std::string& path,
                                       OutcomeParts parts = {});

}  // namespace cloudai::results
