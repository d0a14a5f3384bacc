// Whether one measurement is worse than another: numbers in, a verdict out.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cloudai::compare {

enum class Better { none, higher, lower };
inline constexpr std::array<std::string_view, 3> better_names = {"none", "higher", "lower"};

// What became of a metric, or of a test's status, compared with the baseline. In the order in which a person wants to
// hear of them.
enum class Verdict {
  regression,
  not_comparable,  // the numbers are not of the same thing, or not of a run that passed
  missing,         // the baseline has it and the other has not
  improvement,
  changed,  // beyond the tolerance, and neither direction is better
  added,    // the other has it and the baseline has not
  noise,    // beyond the tolerance, but within the spread of the baseline's repeated measurements
  same,     // within the tolerance, or no more than the last digit of the program's output
};
inline constexpr std::array<std::string_view, 8> verdict_names = {
    "regression", "not_comparable", "missing", "improvement", "changed", "added", "noise", "same"};
inline std::string_view to_string(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

// All values of one metric in one results directory: of several iterations, or of one run that measured it repeatedly.
struct Samples {
  std::string unit;
  Better better = Better::none;
  bool headline = false;
  double resolution = 0;  // a difference of no more says nothing
  std::vector<double> of_passed;
  std::vector<double> of_others;  // of runs that did not pass
  std::string conflict;           // why these are not values of one thing, or empty
};

// Of the runs that passed; only if there is none, of the others.
struct Statistics {
  double median = 0;
  double low = 0;
  double high = 0;
  std::size_t count = 0;
  bool passed = false;
};

// Nothing where there is no value.
std::optional<Statistics> statistics_of(const Samples& samples);

// In percent of the baseline.
struct Tolerance {
  double percent = 5;
  std::map<std::string, double> of_metric;  // by name, in place of `percent`

  double of(const std::string& metric) const;
};

struct Change {
  Verdict verdict = Verdict::same;
  std::optional<double> difference;  // other - baseline
  std::optional<double> percent;     // of the baseline; absent where that is zero
  std::string note;                  // of not_comparable: why, as half a sentence
};

// What became of a metric that at least one side has measured. A difference of exactly the tolerance is within it, and
// one of exactly the resolution says nothing. A difference is noise where the other's median lies between the lowest
// and the highest of several values of the baseline. `baseline_name` and `other_name` are for the note.
Change judge(const Samples* baseline, const Samples* other, double tolerance_percent, const std::string& baseline_name,
             const std::string& other_name);

}  // namespace cloudai::compare
