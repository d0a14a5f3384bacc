// A results directory that a run left behind, opened to write its reports again.
#pragma once

#include <filesystem>

#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::report {

struct EarlierResults {
  std::filesystem::path directory;  // absolute
  Json system_reports;              // as record_of() wrote them, or empty objects
  Json scenario_reports;
};

// What is no results directory is an error of use that says what the directory seems to be; a document that is missing
// or damaged an error that names it.
Result<EarlierResults> open_earlier_results(const std::filesystem::path& directory);

// A document of a results directory less what is deeper than `depth`, which is checked and let go: a summary of ten
// thousand runs is large. One that is missing, damaged or of another schema is an error that names it.
Result<Json> read_results_document(const std::filesystem::path& path, const char* schema, int depth);

}  // namespace cloudai::report
