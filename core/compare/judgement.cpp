#include "core/compare/judgement.hpp"

#include <algorithm>
#include <cmath>

namespace cloudai::compare {

namespace {

double median_of(std::vector<double> values) {
  const std::size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle), values.end());
  const double upper = values[middle];
  if (values.size() % 2 == 1) return upper;
  const double lower = *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle));
  return lower / 2 + upper / 2;
}

bool is_within_spread(double value, const Statistics& repeated) {
  return repeated.count > 1 && repeated.low <= value && value <= repeated.high;
}

// The greatest difference that is none. 95 is 5 percent less than 100, although 0.95 × 100 need not be 95 in binary.
double tolerated_difference(double baseline, double tolerance_percent, double resolution) {
  constexpr double rounding = 1 + 1e-9;
  return std::max(std::abs(baseline) * (tolerance_percent / 100), resolution) * rounding;
}

std::string conflict_between(const Samples& baseline, const Samples& other, const std::string& baseline_name,
                             const std::string& other_name) {
  if (!baseline.conflict.empty()) return baseline.conflict + " in " + baseline_name;
  if (!other.conflict.empty()) return other.conflict + " in " + other_name;
  if (baseline.unit != other.unit) {
    return "in " + baseline.unit + " in " + baseline_name + ", in " + other.unit + " in " + other_name;
  }
  if (baseline.better == other.better) return {};
  const auto word = [](Better better) { return std::string(better_names[static_cast<std::size_t>(better)]); };
  return "better is " + word(baseline.better) + " in " + baseline_name + ", " + word(other.better) + " in " +
         other_name;
}

std::string not_passed_note(const Statistics& baseline, const Statistics& other, const std::string& baseline_name,
                            const std::string& other_name) {
  if (baseline.passed && other.passed) return {};
  if (!baseline.passed && !other.passed) return "no run of either passed";
  return "no run of " + (baseline.passed ? other_name : baseline_name) + " passed";
}

Verdict verdict_of(const Statistics& baseline, const Statistics& other, Better better, double tolerated) {
  const double difference = other.median - baseline.median;
  if (std::abs(difference) <= tolerated) return Verdict::same;
  // Only what the baseline itself has measured excuses: a later run that is unsteady is no better for it.
  if (is_within_spread(other.median, baseline)) return Verdict::noise;
  if (better == Better::none) return Verdict::changed;
  return (difference > 0) == (better == Better::higher) ? Verdict::improvement : Verdict::regression;
}

}  // namespace

std::optional<Statistics> statistics_of(const Samples& samples) {
  const bool passed = !samples.of_passed.empty();
  const std::vector<double>& values = passed ? samples.of_passed : samples.of_others;
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return Statistics{median_of(values), *low, *high, values.size(), passed};
}

double Tolerance::of(const std::string& metric) const {
  const auto found = of_metric.find(metric);
  return found == of_metric.end() ? percent : found->second;
}

Change judge(const Samples* baseline, const Samples* other, double tolerance_percent, const std::string& baseline_name,
             const std::string& other_name) {
  const auto before = baseline != nullptr ? statistics_of(*baseline) : std::nullopt;
  const auto after = other != nullptr ? statistics_of(*other) : std::nullopt;
  if (!before) return {Verdict::added, {}, {}, {}};
  if (!after) return {Verdict::missing, {}, {}, {}};
  if (std::string note = conflict_between(*baseline, *other, baseline_name, other_name); !note.empty()) {
    return {Verdict::not_comparable, {}, {}, std::move(note)};
  }
  Change change;
  const double difference = after->median - before->median;
  const double percent = difference / std::abs(before->median) * 100;
  if (std::isfinite(difference)) change.difference = difference;
  if (std::isfinite(percent)) {
    change.percent = percent;
  } else if (difference == 0) {
    change.percent = 0;
  }
  change.note = not_passed_note(*before, *after, baseline_name, other_name);
  if (!change.note.empty()) {
    change.verdict = Verdict::not_comparable;
    return change;
  }
  const double tolerated =
      tolerated_difference(before->median, tolerance_percent, std::max(baseline->resolution, other->resolution));
  change.verdict = verdict_of(*before, *after, baseline->better, tolerated);
  return change;
}

}  // namespace cloudai::compare
