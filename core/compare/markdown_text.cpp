#include <algorithm>

#include "core/compare/text.hpp"
#include "core/compare/words.hpp"

namespace cloudai::compare {

namespace {

// A code span: no markup, link, mention or HTML in it has a meaning. Its fence is longer than any row of backticks in
// the text.
std::string code(const std::string& raw) {
  const std::string text = one_line(raw);
  if (text.find_first_not_of(' ') == text.npos) return {};
  std::size_t longest = 0;
  std::size_t length = 0;
  for (const char c : text) {
    length = c == '`' ? length + 1 : 0;
    longest = std::max(longest, length);
  }
  const std::string fence(longest + 1, '`');
  const char* space = longest > 0 ? " " : "";
  return fence + space + text + space + fence;
}

// A bar would end the cell even in a code span, unless a backslash stands before it.
std::string cell_text(const std::string& raw) {
  std::string cell;
  for (const char c : code(raw)) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string table_text(const ListedTable& table) {
  std::string text = "\n" + line(table.heading) + line(std::vector<std::string>(table.heading.size(), "---"));
  for (const ListedRow& row : table.rows) {
    std::vector<std::string> cells = row.cells;
    cells[0] = row.verdict == Verdict::regression ? "**" + cells[0] + "**" : cells[0];
    for (std::size_t i = 1; i < cells.size(); ++i) cells[i] = cell_text(cells[i]);
    text += line(cells);
  }
  if (table.left_out > 0) text += "\nAnd " + std::to_string(table.left_out) + " more.\n";
  return text;
}

}  // namespace

std::string markdown_text(const std::vector<Results>& results, const Tolerance& tolerance, const Listing& listing,
                          const Totals& totals) {
  std::string text = "**" + verdict_sentence(totals, results.front().name) + "**\n\n";
  for (const Results& each : results) {
    text += "- " + each.name + (&each == &results.front() ? " (baseline): " : ": ") + code(each.directory.string()) +
            ", " + code(results_text(each)) + "\n";
  }
  const ListedTable cases = listing.cases();
  if (!cases.rows.empty()) text += table_text(cases);
  if (!listing.reasons().empty()) text += "\n";
  for (const std::string& reason : listing.reasons()) text += "- " + code(reason) + "\n";
  const ListedTable metrics = listing.metrics();
  if (!metrics.rows.empty()) text += table_text(metrics);
  if (listing.has_spread()) {
    text += "\n(3: 1 to 9) after a value: it is the median of 3 measurements between 1 and 9.\n";
  }
  return text + "\nTests: " + tally_text(totals.cases) + ". Metrics: " + tally_text(totals.metrics) + ", tolerance " +
         code(tolerance_text(tolerance)) + ".\n";
}

}  // namespace cloudai::compare
