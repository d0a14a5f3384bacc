#include <algorithm>

#include "core/compare/text.hpp"
#include "core/compare/words.hpp"
#include "core/support/text_width.hpp"

namespace cloudai::compare {

namespace {

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regression:
      return "\033[1;31m";
    case Verdict::improvement:
      return "\033[1;32m";
    case Verdict::not_comparable:
    case Verdict::missing:
    case Verdict::changed:
      return "\033[1;33m";
    default:
      return nullptr;
  }
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths, const char* colour) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - columns_of(cells[i]) + 2, ' ');
    text += (i == 0 && colour != nullptr ? colour + cells[i] + "\033[0m" : cells[i]) + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string table_text(ListedTable table, bool colour) {
  std::vector<std::size_t> widths(table.heading.size());
  const auto widen = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], columns_of(cells[i]));
  };
  widen(table.heading);
  for (ListedRow& row : table.rows) {
    for (std::string& cell : row.cells) cell = one_line(cell);
    widen(row.cells);
  }
  std::string text = "\n" + line(table.heading, widths, nullptr);
  for (const ListedRow& row : table.rows) text += line(row.cells, widths, colour ? colour_of(row.verdict) : nullptr);
  if (table.left_out > 0) text += "and " + std::to_string(table.left_out) + " more: see --all or --json\n";
  return text;
}

std::string coloured(const std::string& text, bool bad, bool colour) {
  if (!colour) return text;
  return (bad ? "\033[1;31m" : "\033[1;32m") + text + "\033[0m";
}

}  // namespace

std::string terminal_text(const std::vector<Results>& results, const Tolerance& tolerance, const Listing& listing,
                          const Totals& totals, bool colour) {
  std::string text;
  for (const Results& each : results) {
    text += each.name + "  " + one_line(each.directory.string()) + "\n" + std::string(each.name.size() + 2, ' ') +
            one_line(results_text(each)) + "\n";
  }
  const ListedTable cases = listing.cases();
  if (!cases.rows.empty()) text += table_text(cases, colour);
  if (!listing.reasons().empty()) text += "\n";
  for (const std::string& reason : listing.reasons()) text += one_line(reason) + "\n";
  const ListedTable metrics = listing.metrics();
  if (!metrics.rows.empty()) text += table_text(metrics, colour);
  if (listing.has_spread()) {
    text += "\n(3: 1 to 9) after a value: it is the median of 3 measurements between 1 and 9.\n";
  }
  text += "\nTests: " + tally_text(totals.cases) + "\nMetrics: " + tally_text(totals.metrics) + " (tolerance " +
          one_line(tolerance_text(tolerance)) + ")\n";
  const bool is_bad = totals.has_regression() || totals.has_compared_nothing();
  return text + coloured(verdict_sentence(totals, results.front().name), is_bad, colour) + "\n";
}

}  // namespace cloudai::compare
