#include "core/compare/listing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/compare/words.hpp"

namespace cloudai::compare {

namespace {

constexpr std::size_t most_reasons = 20;

double size_of(const MetricComparison& metric) {
  double size = 0;
  for (const auto& change : metric.changes) {
    if (!change || change->verdict != metric.worst()) continue;
    // A change from zero is greater than any percentage.
    const double of_change =
        change->difference && !change->percent ? std::numeric_limits<double>::infinity() : change->percent.value_or(0);
    size = std::max(size, std::abs(of_change));
  }
  return size;
}

bool is_plain_pass(const CaseComparison& comparison) {
  if (comparison.worst_status() != Verdict::same) return false;
  return std::all_of(comparison.sides.begin(), comparison.sides.end(),
                     [](const auto& side) { return side && side->passed == side->runs && side->runs > 0; });
}

// A test that is another one by now is the first thing to know about a difference.
std::string test_note(const CaseComparison& comparison, const std::vector<Results>& results) {
  std::string text;
  const CaseSide* first = nullptr;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& side = comparison.sides[i];
    if (!side) continue;
    if (first == nullptr) first = &*side;
    if (side->test != first->test) text += (text.empty() ? "" : ", ") + results[i].name + " ran " + side->test;
  }
  return text.empty() || first == nullptr ? text : first->test + "; " + text;
}

}  // namespace

void Listing::add(const CaseComparison& comparison) {
  add_case(comparison);
  add_reasons(comparison);
  const std::string test = case_name(comparison.key);
  for (const MetricComparison& metric : comparison.metrics) add_metric(test, metric);
}

void Listing::add_case(const CaseComparison& comparison) {
  std::string note = test_note(comparison, *results_);
  if (!everything_ && is_plain_pass(comparison) && note.empty()) return;
  std::vector<std::string> cells = {word_of(comparison.worst_status()), case_name(comparison.key)};
  for (std::size_t i = 0; i < results_->size(); ++i) {
    const auto& side = comparison.sides[i];
    cells.push_back(side_text(side) +
                    (side && side->passed > 0 && !side->measured && !side->unreadable ? ", measured nothing" : ""));
  }
  cells.push_back(std::move(note));
  put(cases_, comparison.worst_status(), {0, std::move(cells)});
}

void Listing::add_reasons(const CaseComparison& comparison) {
  for (std::size_t i = 0; i < results_->size(); ++i) {
    if (!comparison.sides[i]) continue;
    for (const Run& run : comparison.sides[i]->not_passed) {
      if (reasons_.size() == most_reasons && !everything_) return;
      reasons_.push_back((*results_)[i].name + ": " + run.id + " " + run.status +
                         (run.reason.empty() ? "." : ": " + run.reason));
    }
  }
}

void Listing::add_metric(const std::string& test, const MetricComparison& metric) {
  const Verdict worst = metric.worst();
  const bool compared =
      std::any_of(metric.changes.begin(), metric.changes.end(), [](const auto& change) { return change.has_value(); });
  if (!compared || (worst == Verdict::same && !metric.headline && !everything_)) return;
  std::vector<std::string> cells = {word_of(worst), test, metric_text(metric.key)};
  for (std::size_t i = 0; i < results_->size(); ++i) {
    cells.push_back(value_text(metric.values[i], metric.units[i]));
    has_spread_ = has_spread_ || (metric.values[i] && metric.values[i]->count > 1);
    if (i == 0) continue;
    const auto& change = metric.changes[i];
    std::string text = change ? change_text(*change, results_->front(), (*results_)[i]) : "-";
    if (change && results_->size() > 2 && change->percent) text += " " + word_of(change->verdict);
    cells.push_back(std::move(text));
  }
  put(metrics_, worst, {size_of(metric), std::move(cells)});
}

void Listing::put(Buckets& buckets, Verdict verdict, Ranked row) const {
  Bucket& bucket = buckets[static_cast<std::size_t>(verdict)];
  ++bucket.count;
  bucket.rows.push_back(std::move(row));
  if (everything_ || bucket.rows.size() < 2 * most_rows) return;
  std::stable_sort(bucket.rows.begin(), bucket.rows.end(),
                   [](const Ranked& a, const Ranked& b) { return a.size > b.size; });
  bucket.rows.resize(most_rows);
}

void Listing::fill(ListedTable& table, const Buckets& buckets) const {
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    std::vector<Ranked> rows = buckets[i].rows;
    // What is the same keeps the scenario's order: there is nothing to rank.
    if (static_cast<Verdict>(i) != Verdict::same) {
      std::stable_sort(rows.begin(), rows.end(), [](const Ranked& a, const Ranked& b) { return a.size > b.size; });
    }
    if (!everything_ && rows.size() > most_rows) rows.resize(most_rows);
    for (Ranked& row : rows) table.rows.push_back({static_cast<Verdict>(i), std::move(row.cells)});
    table.left_out += buckets[i].count - rows.size();
  }
}

ListedTable Listing::cases() const {
  ListedTable table{{"Result", "Test"}, {}, 0};
  for (const Results& each : *results_) table.heading.push_back(each.name);
  table.heading.emplace_back("Note");
  fill(table, cases_);
  return table;
}

ListedTable Listing::metrics() const {
  ListedTable table{{"Result", "Test", "Metric"}, {}, 0};
  for (std::size_t i = 0; i < results_->size(); ++i) {
    table.heading.push_back((*results_)[i].name);
    if (i > 0) table.heading.push_back(results_->size() > 2 ? "Change in " + (*results_)[i].name : "Change");
  }
  fill(table, metrics_);
  return table;
}

}  // namespace cloudai::compare
