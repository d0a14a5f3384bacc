// A results directory that a run left behind, opened to write its reports again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "core/support/json.hpp"
#include "core/support/result.hpp"

namespace cloudai::report {

struct EarlierResults {
  std::filesystem::path directory;  // absolute, normal, without a slash at its end
  Json system_reports;              // as record_of() wrote them, or empty objects
  Json scenario_reports;
};

// What is no results directory is an error of use that says what the directory seems to be; a document that is missing
// or damaged an error that names it.
Result<EarlierResults> open_earlier_results(const std::filesystem::path& directory);

// The final status that a document names, if there is such a status.
std::optional<run::Status> status_named(const std::string& text);

// Sees the runs of a summary.json in their order, and says what is wrong with what it tells of each: a run needs an id
// of its own that is also its directory, inside the results directory, a final status, and its outcome in its place.
class RunCheck {
 public:
  explicit RunCheck(std::filesystem::path results_directory) : results_directory_(std::move(results_directory)) {}

  // What is wrong, to follow "it is damaged: "; nothing where all is well.
  std::optional<std::string> operator()(const Json& run);

 private:
  std::filesystem::path results_directory_;
  std::set<std::string> ids_;
  std::size_t count_ = 0;
};

struct Problems {
  std::vector<std::string> first;  // sentences that name the file; no more than twenty
  std::size_t count = 0;           // of all
};

// What is wrong with the runs of these results: with what the summary tells of them, and with their outcome.json files.
Problems problems_of_runs(const std::filesystem::path& results_directory);

}  // namespace cloudai::report
