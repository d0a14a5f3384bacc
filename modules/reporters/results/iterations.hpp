// The iterations of a case side by side: how far their measurements lie apart.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modules/reporters/results/summary.hpp"

namespace cloudai::results {

struct Spread {
  double least = 0;
  double median = 0;
  double mean = 0;
  double most = 0;
  std::optional<double> deviation;  // of a sample (n - 1); absent for a single value
};

// `values` is not empty.
Spread spread_of(std::vector<double> values);

// One metric in the iterations that passed; `values` has those of them that measured it.
struct RepeatedMetric {
  std::string stage;  // "kind/name"
  Metric metric;      // its value is that of the first iteration that measured it
  std::vector<double> values;
};

// A case with more than one iteration.
struct RepeatedCase {
  std::string test_case;
  std::string test;
  std::size_t iterations = 0;
  std::vector<std::string> not_passed;  // "Tests.1/2 failed"
  std::vector<RepeatedMetric> metrics;  // in the order they were first seen
};

// Is told of every run in the order of summary.json, which has the iterations of a case one after the other, and hands
// each case that has several over when it is complete. What a run that did not pass measured is left out: it may have
// measured anything.
class Iterations {
 public:
  explicit Iterations(std::function<void(const RepeatedCase&)> visit) : visit_(std::move(visit)) {}

  void begin(const RunSummary& run);
  // A measurement of the run that was begun last.
  void add(const std::string& stage, const Metric& metric);
  void end();  // after the last run

 private:
  std::function<void(const RepeatedCase&)> visit_;
  RepeatedCase current_;
  std::int64_t step_ = 0;
  bool passed_ = false;
  std::map<std::string, std::size_t> places_;  // in current_.metrics, by identity
};

}  // namespace cloudai::results
