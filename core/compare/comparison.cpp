#include "core/compare/comparison.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <system_error>

namespace cloudai::compare {

namespace {

CaseSide side_of(const Case& test_case, const Measurements& measurements) {
  CaseSide side;
  side.test = test_case.test;
  side.measured = !measurements.metrics.empty();
  side.unreadable = !measurements.problems.empty();
  for (const Run& run : test_case.runs) {
    ++side.runs;
    ++side.statuses[run.status];
    if (run.status == "passed") {
      ++side.passed;
    } else {
      side.not_passed.push_back(run);
    }
  }
  return side;
}

// A pass without the numbers that it had is none to rely on.
bool has_lost_its_measurements(const CaseSide& baseline, const CaseSide& other) {
  return baseline.passed > 0 && other.passed > 0 && baseline.measured && !other.measured && !other.unreadable;
}

// Fewer passes are a regression, in proportion: the number of iterations may differ.
std::optional<Verdict> status_change(const std::optional<CaseSide>& baseline, const std::optional<CaseSide>& other) {
  if (!baseline && !other) return std::nullopt;
  if (!baseline) return Verdict::added;
  if (!other) return Verdict::missing;
  if (has_lost_its_measurements(*baseline, *other)) return Verdict::regression;
  const std::size_t before = baseline->passed * other->runs;
  const std::size_t after = other->passed * baseline->runs;
  if (before != after) return before > after ? Verdict::regression : Verdict::improvement;
  const auto same_word = [](const auto& a, const auto& b) { return a.first == b.first; };
  const bool same_words = std::equal(baseline->statuses.begin(), baseline->statuses.end(), other->statuses.begin(),
                                     other->statuses.end(), same_word);
  return same_words ? Verdict::same : Verdict::changed;
}

// The keys of all sides, each once, in the order in which they are met.
std::vector<MetricKey> keys_of(const std::vector<Measurements>& measurements) {
  std::vector<MetricKey> keys;
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    for (const Metric& metric : measurements[i].metrics) {
      const bool seen = std::any_of(measurements.begin(), std::next(measurements.begin(), std::ptrdiff_t(i)),
                                    [&](const Measurements& before) { return before.find(metric.key) != nullptr; });
      if (!seen) keys.push_back(metric.key);
    }
  }
  return keys;
}

MetricComparison compare_metric(MetricKey key, const std::vector<Results>& results,
                                const std::vector<const Case*>& cases, const std::vector<Measurements>& measurements,
                                const Tolerance& tolerance) {
  MetricComparison comparison;
  comparison.values.resize(results.size());
  comparison.units.resize(results.size());
  comparison.changes.resize(results.size());
  bool is_first = true;
  const Samples* baseline = measurements[0].find(key);
  const auto is_unknown = [&](std::size_t i, const Samples* samples) {
    return cases[i] == nullptr || (samples == nullptr && !measurements[i].problems.empty());
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Samples* samples = measurements[i].find(key);
    if (samples != nullptr) {
      if (is_first) comparison.better = samples->better;
      is_first = false;
      comparison.values[i] = statistics_of(*samples);
      comparison.units[i] = samples->unit;
      comparison.headline = comparison.headline || samples->headline;
    }
    if (i == 0 || (samples == nullptr && baseline == nullptr)) continue;
    if (is_unknown(0, baseline) || is_unknown(i, samples)) continue;
    comparison.changes[i] = judge(baseline, samples, tolerance.of(key.name), results[0].name, results[i].name);
  }
  comparison.key = std::move(key);
  return comparison;
}

template <class Verdicts>
Verdict worst_of(const Verdicts& verdicts) {
  Verdict worst = Verdict::same;
  for (const auto& each : verdicts) {
    if (each) worst = std::min(worst, *each);
  }
  return worst;
}

std::vector<CaseKey> keys_of(const std::vector<Results>& results) {
  std::vector<CaseKey> keys;
  std::set<CaseKey> seen;
  for (const Results& each : results) {
    for (const Case& test_case : each.cases) {
      if (seen.insert(test_case.key).second) keys.push_back(test_case.key);
    }
  }
  return keys;
}

using CasesByKey = std::map<CaseKey, const Case*>;

std::vector<CasesByKey> cases_by_key(const std::vector<Results>& results) {
  std::vector<CasesByKey> all(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const Case& test_case : results[i].cases) all[i][test_case.key] = &test_case;
  }
  return all;
}

void count(const CaseComparison& comparison, Totals& totals) {
  const auto add = [](Tally& tally, Verdict verdict) { ++tally[static_cast<std::size_t>(verdict)]; };
  add(totals.cases, comparison.worst_status());
  for (std::size_t i = 0; i < totals.sides.size(); ++i) {
    if (const auto& change = comparison.status_changes[i]) add(totals.sides[i].cases, *change);
  }
  for (const MetricComparison& metric : comparison.metrics) {
    bool has_change = false;
    for (std::size_t i = 0; i < totals.sides.size(); ++i) {
      const auto& change = metric.changes[i];
      if (change) add(totals.sides[i].metrics, change->verdict);
      has_change = has_change || change;
    }
    if (has_change) add(totals.metrics, metric.worst());
  }
}

// Two names of one directory are found, too.
Result<void> check_different(const std::vector<Results>& results) {
  for (std::size_t i = 1; i < results.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::error_code ignored;
      if (!std::filesystem::equivalent(results[j].directory, results[i].directory, ignored)) continue;
      return usage_error("'" + results[i].directory.string() + "' is given twice, as " + results[j].name + " and as " +
                             results[i].name + ".",
                         "Name the results directories of different runs, the baseline first.");
    }
  }
  return {};
}

}  // namespace

Verdict MetricComparison::worst() const {
  Verdict worst = Verdict::same;
  for (const auto& change : changes) {
    if (change) worst = std::min(worst, change->verdict);
  }
  return worst;
}

Verdict CaseComparison::worst_status() const {
  return worst_of(status_changes);
}

bool Totals::Side::is_incomparable() const {
  const auto number_of = [](const Tally& tally, Verdict verdict) { return tally[static_cast<std::size_t>(verdict)]; };
  const std::size_t of_baseline_alone =
      number_of(metrics, Verdict::not_comparable) + number_of(metrics, Verdict::missing);
  const std::size_t all = std::accumulate(metrics.begin(), metrics.end(), std::size_t{0});
  const std::size_t compared = all - of_baseline_alone - number_of(metrics, Verdict::added);
  return of_baseline_alone > 0 && compared == 0 && number_of(cases, Verdict::improvement) == 0;
}

bool Totals::has_compared_nothing() const {
  return !has_regression() &&
         std::any_of(sides.begin(), sides.end(), [](const Side& side) { return side.is_incomparable(); });
}

std::string case_name(const CaseKey& key) {
  return key.step == 0 ? key.id : key.id + " step " + std::to_string(key.step);
}

CaseComparison compare_case(const CaseKey& key, const std::vector<Results>& results,
                            const std::vector<const Case*>& cases, const std::vector<Measurements>& measurements,
                            const Tolerance& tolerance) {
  CaseComparison comparison{key, {}, {}, {}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    comparison.sides.push_back(cases[i] != nullptr ? std::optional(side_of(*cases[i], measurements[i])) : std::nullopt);
    comparison.status_changes.push_back(i == 0 ? std::nullopt
                                               : status_change(comparison.sides.front(), comparison.sides.back()));
  }
  for (MetricKey& metric : keys_of(measurements)) {
    comparison.metrics.push_back(compare_metric(std::move(metric), results, cases, measurements, tolerance));
  }
  return comparison;
}

Ending compare(const std::vector<Results>& results, const Tolerance& tolerance,
               const std::function<void(const CaseComparison&)>& visit) {
  Ending ending;
  ending.totals.sides.resize(results.size());
  const std::vector<CasesByKey> all = cases_by_key(results);
  for (const CaseKey& key : keys_of(results)) {
    std::vector<const Case*> cases;
    std::vector<Measurements> measurements;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto found = all[i].find(key);
      cases.push_back(found == all[i].end() ? nullptr : found->second);
      measurements.push_back(cases.back() != nullptr ? read_measurements(results[i].directory, *cases.back())
                                                     : Measurements());
      auto& problems = measurements.back().problems;
      std::move(problems.begin(), problems.end(), std::back_inserter(ending.problems));
    }
    const CaseComparison comparison = compare_case(key, results, cases, measurements, tolerance);
    count(comparison, ending.totals);
    for (const MetricComparison& metric : comparison.metrics) ++ending.metric_names[metric.key.name];
    visit(comparison);
  }
  return ending;
}

Result<void> check_comparable(const std::vector<Results>& results) {
  if (auto different = check_different(results); !different) return different;
  const std::vector<CasesByKey> all = cases_by_key(results);
  for (std::size_t i = 1; i < results.size(); ++i) {
    const bool shares = std::any_of(all[i].begin(), all[i].end(),
                                    [&](const auto& test_case) { return all[0].count(test_case.first) > 0; });
    if (shares) continue;
    const auto described = [](const Results& each) {
      return "'" + each.directory.string() + "' (scenario '" + each.scenario + "', " +
             (each.cases.empty() ? "no test" : "its first test is '" + case_name(each.cases.front().key) + "'") + ")";
    };
    return usage_error("Nothing can be compared: " + described(results[0]) + " and " + described(results[i]) +
                           " have no test in common.",
                       "Tests are compared by the id that they have in the scenario.");
  }
  return {};
}

}  // namespace cloudai::compare
