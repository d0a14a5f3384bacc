// cloudai.comparison/1 as reporters read it: what was compared, and its cases one at a time, since there may be ten
// thousand of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::results {

// In the order in which a person wants to hear of them.
enum class Change { regression, not_comparable, missing, improvement, changed, added, noise, same };
constexpr std::array<std::string_view, 8> enum_names(Change) {
  return {"regression", "not_comparable", "missing", "improvement", "changed", "added", "noise", "same"};
}

struct ComparedResults {
  std::string name;  // "A": the key of everything below that is said by results
  std::string directory;
  std::string scenario;
  std::string system;
  std::string started;
  std::string status;
};

struct ComparisonHeader {
  double tolerance = 0;                             // percent
  std::map<std::string, double> metric_tolerances;  // by the name of the metric
  std::vector<ComparedResults> results;             // the first is the baseline
  std::map<std::string, std::int64_t> case_counts;  // by the name of a Change
  std::map<std::string, std::int64_t> metric_counts;
  std::string verdict;
};

struct RunThatDidNotPass {
  std::string id;
  std::string status;
  std::string reason;
};

struct ComparedSide {
  std::string test;
  std::map<std::string, std::int64_t> statuses;
  std::vector<RunThatDidNotPass> not_passed;
};

struct ComparedValue {
  double median = 0;
  std::string unit;
  std::int64_t count = 0;
  std::optional<double> low;
  std::optional<double> high;
  bool passed = true;
};

struct MetricChange {
  Change verdict = Change::same;
  std::optional<double> percent;
  std::string note;
};

struct ComparedMetric {
  std::string name;
  std::string stage;
  std::map<std::string, std::string> labels;
  Better better = Better::none;
  std::map<std::string, ComparedValue> values;  // by the name of the results
  std::map<std::string, MetricChange> changes;

  Change worst() const;
};

struct ComparedCase {
  std::string id;
  std::int64_t step = 0;
  std::map<std::string, ComparedSide> results;
  std::map<std::string, MetricChange> changes;  // of the status
  std::vector<ComparedMetric> metrics;

  Change worst_status() const;
  std::string name() const;  // "Tests.1 step 3"
};

// Reads the document in `file` from its first to its last byte and calls `visit` for every case. Throws Error(failed)
// where it is missing or broken; some cases may have been visited by then.
ComparisonHeader read_comparison(const std::filesystem::path& file,
                                 const std::function<void(const ComparedCase&)>& visit);

}  // namespace cloudai::results
