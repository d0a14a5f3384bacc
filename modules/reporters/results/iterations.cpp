#include "modules/reporters/results/iterations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cloudai::results {

namespace {

std::string identity(const std::string& stage, const Metric& metric) {
  std::string text = stage + '\n' + metric.name + '\n' + metric.unit;
  for (const auto& [name, value] : metric.labels) text += '\n' + name + '\n' + value;
  return text;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const auto count = static_cast<double>(values.size());
  Spread spread;
  spread.least = values.front();
  spread.most = values.back();
  spread.median = values.size() % 2 == 1 ? values[middle] : values[middle - 1] / 2 + values[middle] / 2;
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() > 1) {
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    spread.deviation = std::sqrt(squares / (count - 1));
  }
  return spread;
}

void Iterations::begin(const RunSummary& run) {
  if (run.test_case != current_.test_case || run.step != step_) {
    end();
    current_.test_case = run.test_case;
    current_.test = run.test;
    step_ = run.step;
  }
  ++current_.iterations;
  passed_ = run.status == "passed";
  if (!passed_) current_.not_passed.push_back(run.id + " " + run.status);
}

void Iterations::add(const std::string& stage, const Metric& metric) {
  if (!passed_ || !std::isfinite(metric.value)) return;
  const auto [place, is_new] = places_.emplace(identity(stage, metric), current_.metrics.size());
  if (is_new) current_.metrics.push_back({stage, metric, {}});
  current_.metrics[place->second].values.push_back(metric.value);
}

void Iterations::end() {
  if (current_.iterations > 1) visit_(current_);
  current_ = {};
  places_.clear();
}

}  // namespace cloudai::results
