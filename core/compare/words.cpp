#include "core/compare/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "core/support/text_width.hpp"

namespace cloudai::compare {

namespace {

std::string formatted(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

// Four significant digits, and never fewer than the whole part unless that is endless.
std::string number_text(double value) {
  const double size = std::abs(value);
  return formatted(size >= 1e4 && size < 1e15 ? "%.0f" : "%.4g", value);
}

std::string bytes_text(double value) {
  constexpr std::array<const char*, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; std::abs(value) >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return number_text(value) + " " + units.at(unit);
}

std::string label_text(const std::string& name, const std::string& value) {
  if (name == "collective" || name == "placement") return value;
  if (name != "size") return name + "=" + value;
  char* end = nullptr;
  const double bytes = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == '\0' && std::isfinite(bytes) ? bytes_text(bytes) : value;
}

std::string percent_text(double percent) {
  return formatted(std::abs(percent) >= 1000 ? "%.0f" : "%.3g", percent) + " %";
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// "1 test and 3 metrics".
std::string tests_and_metrics(std::size_t tests, std::size_t metrics) {
  std::string what = tests > 0 ? counted(tests, "test") : "";
  if (metrics == 0) return what;
  return what + (what.empty() ? "" : " and ") + counted(metrics, "metric");
}

// "3 metrics of A are missing in B. "; nothing where nothing is.
std::string missing_sentences(const Totals& totals, const std::string& baseline_name) {
  std::string text;
  for (std::size_t i = 1; i < totals.sides.size(); ++i) {
    const std::size_t tests = totals.sides[i].missing_cases();
    const std::size_t metrics = totals.sides[i].missing_metrics();
    if (tests + metrics == 0) continue;
    text += tests_and_metrics(tests, metrics) + " of " + baseline_name + (tests + metrics == 1 ? " is" : " are") +
            " missing in " + results_name(i) + ". ";
  }
  return text;
}

// Where several were compared with the baseline: those of which nothing could be, " in B, C".
std::string incomparable_names(const Totals& totals) {
  if (totals.sides.size() <= 2) return {};
  std::string text;
  for (std::size_t i = 1; i < totals.sides.size(); ++i) {
    if (totals.sides[i].is_incomparable()) text += (text.empty() ? " in " : ", ") + results_name(i);
  }
  return text;
}

}  // namespace

std::string one_line(const std::string& text) {
  // U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
  constexpr std::array<std::string_view, 12> marks = {"\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xaa",
                                                      "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad", "\xe2\x80\xae",
                                                      "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};
  std::string line = fit_columns(text, std::numeric_limits<std::size_t>::max() / 2);
  for (const std::string_view mark : marks) {
    for (std::size_t at = line.find(mark); at != line.npos; at = line.find(mark, at))
      line.replace(at, mark.size(), "?");
  }
  return line;
}

std::string metric_text(const MetricKey& key) {
  std::string text = (key.stage == "main" ? "" : key.stage + ": ") + key.name;
  constexpr std::array<const char*, 3> first = {"collective", "size", "placement"};
  for (const char* name : first) {
    if (const auto label = key.labels.find(name); label != key.labels.end()) {
      text += " " + label_text(label->first, label->second);
    }
  }
  for (const auto& [name, value] : key.labels) {
    if (std::find(first.begin(), first.end(), name) == first.end()) text += " " + label_text(name, value);
  }
  return text;
}

std::string quantity_text(double value, const std::string& unit) {
  if (unit == "B") return bytes_text(value);
  return unit == "1" || unit.empty() ? number_text(value) : number_text(value) + " " + unit;
}

std::string value_text(const std::optional<Statistics>& value, const std::string& unit) {
  if (!value) return "-";
  std::string median = quantity_text(value->median, unit);
  if (value->count == 1) return median;
  const bool in_bytes = unit == "B";
  const auto bound = [&](double number) { return in_bytes ? bytes_text(number) : number_text(number); };
  return median + " (" + std::to_string(value->count) + ": " + bound(value->low) + " to " + bound(value->high) + ")";
}

std::string change_text(const Change& change, const Results& baseline, const Results& other) {
  switch (change.verdict) {
    case Verdict::missing:
      return "missing in " + other.name;
    case Verdict::added:
      return "only in " + other.name + ", not in " + baseline.name;
    case Verdict::not_comparable:
      return change.note;
    default:
      return change.percent ? (*change.percent > 0 ? "+" : "") + percent_text(*change.percent) : "from zero";
  }
}

std::string side_text(const std::optional<CaseSide>& side) {
  if (!side) return "-";
  if (side->runs == 0) return "did not run";
  if (side->statuses.size() == 1) {
    const std::string& word = side->statuses.begin()->first;
    return side->runs == 1 ? word : word + " (" + std::to_string(side->runs) + " runs)";
  }
  std::string text = std::to_string(side->passed) + " of " + std::to_string(side->runs) + " passed";
  for (const auto& [word, count] : side->statuses) {
    if (word != "passed") text += ", " + std::to_string(count) + " " + word;
  }
  return text;
}

std::string word_of(Verdict verdict) {
  constexpr std::array<const char*, verdict_names.size()> words = {"REGRESSION", "not compared", "missing", "better",
                                                                   "changed",    "added",        "noise",   "same"};
  return words.at(static_cast<std::size_t>(verdict));
}

std::string tally_text(const Tally& tally) {
  std::string text;
  for (std::size_t i = 0; i < tally.size(); ++i) {
    if (tally[i] == 0) continue;
    const auto verdict = static_cast<Verdict>(i);
    const std::string part = verdict == Verdict::regression ? counted(tally[i], "regression")
                                                            : std::to_string(tally[i]) + " " + word_of(verdict);
    text += (text.empty() ? "" : ", ") + part;
  }
  return text.empty() ? "none" : text;
}

std::string verdict_sentence(const Totals& totals, const std::string& baseline_name) {
  const std::size_t tests = totals.of_cases(Verdict::regression);
  const std::size_t metrics = totals.of_metrics(Verdict::regression);
  std::string missing = missing_sentences(totals, baseline_name);
  if (tests + metrics > 0) {
    if (!missing.empty()) missing = " " + missing.substr(0, missing.size() - 1);
    return "REGRESSION: " + tests_and_metrics(tests, metrics) + (tests + metrics == 1 ? " is" : " are") +
           " worse than in " + baseline_name + "." + missing;
  }
  const std::size_t compared = totals.of_metrics(Verdict::improvement) + totals.of_metrics(Verdict::changed) +
                               totals.of_metrics(Verdict::noise) + totals.of_metrics(Verdict::same);
  if (compared == 0 || totals.has_compared_nothing()) {
    return missing + "No test has a worse status than in " + baseline_name +
           "; there was no metric that could be compared" + incomparable_names(totals) + ".";
  }
  return missing + (missing.empty() ? "No" : "Of the rest, no") +
         " regression: neither the status of a test nor one of the compared metrics (" + std::to_string(compared) +
         ") is worse than in " + baseline_name + ".";
}

std::string tolerance_text(const Tolerance& tolerance) {
  std::string text = percent_text(tolerance.percent);
  for (const auto& [name, percent] : tolerance.of_metric) text += ", " + name + " " + percent_text(percent);
  return text;
}

std::string results_text(const Results& results) {
  std::string text = results.scenario + " on system " + results.system;
  for (const std::string& part : {results.started, results.status}) text += part.empty() ? "" : ", " + part;
  return text;
}

}  // namespace cloudai::compare
