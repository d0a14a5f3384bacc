// Several results directories side by side, the first being the baseline: what became of every test and every metric.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/judgement.hpp"
#include "core/compare/results.hpp"

namespace cloudai::compare {

// A test in one results directory.
struct CaseSide {
  std::string test;
  std::map<std::string, std::size_t> statuses;  // how many of its runs ended how
  std::size_t runs = 0;
  std::size_t passed = 0;
  std::vector<Run> not_passed;
  bool measured = false;    // whether it has any metric
  bool unreadable = false;  // whether what it measured is in part unknown
};

struct MetricComparison {
  MetricKey key;
  Better better = Better::none;  // the baseline's, else the first other's that has it
  bool headline = false;
  std::vector<std::optional<Statistics>> values;  // one for each results directory
  std::vector<std::string> units;                 // likewise; empty where there is no value
  // One for each results directory; none for the baseline, where either has no such test, and where nobody knows
  // whether it was measured, a document being damaged.
  std::vector<std::optional<Change>> changes;

  Verdict worst() const;  // of all changes
};

struct CaseComparison {
  CaseKey key;
  std::vector<std::optional<CaseSide>> sides;  // one for each results directory; nothing where it has no such test
  std::vector<std::optional<Verdict>> status_changes;  // likewise; nothing for the baseline, and where neither has it
  std::vector<MetricComparison> metrics;

  Verdict worst_status() const;
};

using Tally = std::array<std::size_t, verdict_names.size()>;

struct Totals {
  // How one results directory differs from the baseline.
  struct Side {
    Tally cases{};
    Tally metrics{};

    std::size_t missing_cases() const { return cases[static_cast<std::size_t>(Verdict::missing)]; }
    std::size_t missing_metrics() const { return metrics[static_cast<std::size_t>(Verdict::missing)]; }
    // The baseline has metrics, none of which could be compared, and no test is better.
    bool is_incomparable() const;
  };

  Tally cases{};            // by worst_status()
  Tally metrics{};          // by worst()
  std::vector<Side> sides;  // one for each results directory; of nothing for the baseline

  std::size_t of_cases(Verdict verdict) const { return cases[static_cast<std::size_t>(verdict)]; }
  std::size_t of_metrics(Verdict verdict) const { return metrics[static_cast<std::size_t>(verdict)]; }
  bool has_regression() const { return of_cases(Verdict::regression) + of_metrics(Verdict::regression) > 0; }
  // Whether nothing can be said: no regression is known, and one of the directories is incomparable.
  bool has_compared_nothing() const;
};

// "Tests.1", "Tests.1 step 3".
std::string case_name(const CaseKey& key);

// `cases` and `measurements` have one entry for each of `results`: null where it has no such case.
CaseComparison compare_case(const CaseKey& key, const std::vector<Results>& results,
                            const std::vector<const Case*>& cases, const std::vector<Measurements>& measurements,
                            const Tolerance& tolerance);

// What of a comparison is known when it has ended.
struct Ending {
  Totals totals;
  std::map<std::string, std::size_t> metric_names;  // how many metrics have each name
  std::vector<std::string> problems;                // documents that could not be read, as sentences
};

// Reads and compares one case after the other, in the order of the baseline, then what only the others have, and hands
// each to `visit`. Only one case's measurements are in memory.
Ending compare(const std::vector<Results>& results, const Tolerance& tolerance,
               const std::function<void(const CaseComparison&)>& visit);

// An error of use where a results directory is given twice, or shares no case with the baseline.
Result<void> check_comparable(const std::vector<Results>& results);

}  // namespace cloudai::compare
