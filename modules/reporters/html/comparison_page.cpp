#include "modules/reporters/html/comparison_page.hpp"

#include <algorithm>
#include <array>

#include "modules/reporters/html/comparison_curves.hpp"
#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/page_frame.hpp"
#include "modules/reporters/results/comparison.hpp"
#include "modules/reporters/results/output_file.hpp"

namespace cloudai::html {

using results::Change;
using results::ComparedCase;
using results::ComparedMetric;
using results::ComparedSide;
using results::ComparedValue;
using results::ComparisonHeader;
using results::MetricChange;

namespace {

struct Wording {
  const char* word;
  const char* status;  // the class and the icon of the style sheet that it borrows
};

Wording wording_of(Change change) {
  constexpr std::array<Wording, enum_names(Change{}).size()> all = {{{"REGRESSION", "failed"},
                                                                     {"not compared", "error"},
                                                                     {"missing", "inconclusive"},
                                                                     {"better", "passed"},
                                                                     {"changed", "inconclusive"},
                                                                     {"added", "cancelled"},
                                                                     {"noise", "skipped"},
                                                                     {"same", "skipped"}}};
  return all.at(static_cast<std::size_t>(change));
}

std::string badge(Change change, const std::string& before = {}) {
  const Wording wording = wording_of(change);
  return std::string("<span class=\"badge ") + wording.status + "\">" + before + wording.word + "</span>";
}

std::string cell(const std::string& label, const std::string& markup, const char* kind = "") {
  return "<td data-label=\"" + escape(label) + "\" class=\"" + kind + "\">" + markup + "</td>";
}

std::string percent_text(double percent) {
  return (percent > 0 ? "+" : "") + number_text(percent) + " %";
}

std::string value_text(const ComparedMetric& metric, const std::string& results) {
  const auto found = metric.values.find(results);
  if (found == metric.values.end()) return "-";
  const ComparedValue& value = found->second;
  std::string text = quantity_text(value.median, value.unit);
  if (value.low && value.high) {
    text += " (" + std::to_string(value.count) + ": " + quantity_text(*value.low, value.unit) + " to " +
            quantity_text(*value.high, value.unit) + ")";
  }
  return escape(text) + (value.passed ? "" : " <span class=\"broken\">did not pass</span>");
}

std::string change_text(const MetricChange& change) {
  if (change.percent) return percent_text(*change.percent) + (change.note.empty() ? "" : ", " + change.note);
  if (!change.note.empty()) return change.note;
  return change.verdict == Change::missing || change.verdict == Change::added ? "" : "from zero";
}

std::string metric_name(const ComparedMetric& metric) {
  const std::string labels = labels_text(metric.labels);
  return (metric.stage == "main" ? "" : metric.stage + ": ") + metric.name + (labels.empty() ? "" : " " + labels);
}

std::string change_cell(const std::string& label, const std::map<std::string, MetricChange>& changes,
                        const std::string& results, bool with_numbers) {
  const auto found = changes.find(results);
  if (found == changes.end()) return cell(label, "-");
  return cell(label,
              badge(found->second.verdict) + (with_numbers ? " " + escape(change_text(found->second)) : std::string()));
}

std::string metric_row(const ComparisonHeader& header, const ComparedMetric& metric) {
  std::string row = "<tr><th scope=\"row\">" + escape(metric_name(metric)) + "</th>";
  for (std::size_t i = 0; i < header.results.size(); ++i) {
    const std::string& name = header.results[i].name;
    row += cell(name, value_text(metric, name));
    if (i > 0) row += change_cell("Change in " + name, metric.changes, name, true);
  }
  return row + "</tr>\n";
}

std::string heading(const ComparisonHeader& header, const char* first) {
  std::string row = std::string("<thead><tr><th scope=\"col\">") + first + "</th>";
  for (std::size_t i = 0; i < header.results.size(); ++i) {
    const std::string& name = escape(header.results[i].name);
    row += "<th scope=\"col\">" + name + "</th>";
    if (i > 0) row += "<th scope=\"col\">Change in " + name + "</th>";
  }
  return row + "</tr></thead>\n";
}

// The metrics that the baseline has are all missing: a pass that is a regression needs a reason.
bool has_measured_nothing(const ComparedCase& compared, const std::string& results) {
  const auto is_missing = [&](const ComparedMetric& metric) {
    const auto change = metric.changes.find(results);
    return change != metric.changes.end() && change->second.verdict == Change::missing;
  };
  return !compared.metrics.empty() && std::all_of(compared.metrics.begin(), compared.metrics.end(), is_missing);
}

std::string side_text(const ComparedCase& compared, const std::string& results) {
  const auto found = compared.results.find(results);
  if (found == compared.results.end()) return "-";
  std::string text;
  for (const auto& [word, count] : found->second.statuses) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + word;
  }
  if (!text.empty() && has_measured_nothing(compared, results)) text += ", measured nothing";
  std::string markup = escape(text.empty() ? "did not run" : text);
  std::size_t shown = 0;
  for (const auto& run : found->second.not_passed) {
    if (++shown > 5) break;
    if (!run.reason.empty()) markup += "<span class=\"reason line\">" + escape(run.id + ": " + run.reason) + "</span>";
  }
  return markup;
}

std::string case_row(const ComparisonHeader& header, const ComparedCase& compared) {
  std::string row = "<tr><th scope=\"row\" class=\"id\">" + escape(compared.name()) + "</th>";
  for (std::size_t i = 0; i < header.results.size(); ++i) {
    const std::string& name = header.results[i].name;
    row += cell(name, side_text(compared, name));
    if (i > 0) row += change_cell("Change in " + name, compared.changes, name, false);
  }
  return row + "</tr>\n";
}

std::string table(const ComparisonHeader& header, const char* first, const std::string& rows) {
  return "<div class=\"scroll\" tabindex=\"0\"><table class=\"plain\">\n" + heading(header, first) + "<tbody>\n" +
         rows + "</tbody>\n</table></div>\n";
}

// The part of one test: what got worse, its curves, and every metric.
class CaseParts {
 public:
  explicit CaseParts(const ComparisonHeader& header) : header_(&header) {}

  std::string next(const ComparedCase& compared) {
    std::vector<const ComparedMetric*> metrics;
    for (const ComparedMetric& metric : compared.metrics) {
      if (!metric.changes.empty()) metrics.push_back(&metric);
    }
    if (metrics.empty()) return {};
    std::stable_sort(metrics.begin(), metrics.end(),
                     [](const auto* a, const auto* b) { return a->worst() < b->worst(); });
    std::string markup = "<section class=\"curves\">\n<h3>" + escape(compared.name()) + "</h3>\n";
    markup += worse_table(metrics) + curves(compared) + whole_table(metrics);
    return markup + "</section>\n";
  }

  bool has_curves() const { return charted_ > 0; }
  std::size_t left_out() const { return left_out_; }

 private:
  std::string worse_table(const std::vector<const ComparedMetric*>& metrics) const {
    std::string rows;
    std::size_t count = 0;
    for (const ComparedMetric* metric : metrics) {
      if (metric->worst() != Change::regression || count == most_worse) break;
      rows += metric_row(*header_, *metric);
      ++count;
    }
    return rows.empty() ? rows : table(*header_, "Worse", rows);
  }

  std::string curves(const ComparedCase& compared) {
    if (charted_ == most_compared_curves) return {};
    std::string figures;
    for (const ComparedCurves& each : compared_curves(*header_, compared))
      figures += curves_markup(each, compared.name());
    if (figures.empty()) return {};
    ++charted_;
    return "<div class=\"charts\">\n" + figures + "</div>\n";
  }

  std::string whole_table(const std::vector<const ComparedMetric*>& metrics) {
    std::string rows;
    for (const ComparedMetric* metric : metrics) {
      if (rows_ == most_compared_rows) {
        ++left_out_;
        continue;
      }
      rows += metric_row(*header_, *metric);
      ++rows_;
    }
    if (rows.empty()) return {};
    return "<details><summary>" + count_text(metrics.size(), "metric") + "</summary>\n" +
           table(*header_, "Metric", rows) + "</details>\n";
  }

  static constexpr std::size_t most_worse = 20;

  const ComparisonHeader* header_;
  std::size_t charted_ = 0;
  std::size_t rows_ = 0;
  std::size_t left_out_ = 0;
};

std::int64_t count_of(const std::map<std::string, std::int64_t>& counts, const char* name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

std::string counts_markup(const std::map<std::string, std::int64_t>& counts) {
  std::string badges;
  for (std::size_t i = 0; i < enum_names(Change{}).size(); ++i) {
    const auto found = counts.find(std::string(enum_names(Change{}).at(i)));
    if (found == counts.end()) continue;
    badges += "<li>" + badge(static_cast<Change>(i), std::to_string(found->second) + " ") + "</li>";
  }
  return badges.empty() ? "<li>none</li>" : badges;
}

std::string results_table(const ComparisonHeader& header) {
  std::string rows;
  for (const auto& each : header.results) {
    rows += "<tr><th scope=\"row\">" + escape(each.name) + (&each == &header.results.front() ? ", baseline" : "") +
            "</th>" + cell("Scenario", escape(each.scenario)) + cell("System", escape(each.system)) +
            cell("Started", escape(time_text(each.started))) + cell("Status", escape(each.status)) +
            cell("Directory", escape(each.directory), "path") + "</tr>\n";
  }
  return "<table class=\"plain card\">\n<thead><tr><th scope=\"col\">Results</th><th scope=\"col\">Scenario</th><th "
         "scope=\"col\">System</th><th scope=\"col\">Started</th><th scope=\"col\">Status</th><th "
         "scope=\"col\">Directory</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody>\n</table>\n";
}

std::string tolerance_text(const ComparisonHeader& header) {
  std::string text = number_text(header.tolerance) + " %";
  for (const auto& [name, percent] : header.metric_tolerances) text += ", " + name + " " + number_text(percent) + " %";
  return text;
}

Wording banner_of(const ComparisonHeader& header) {
  if (header.verdict == "no_regression") return {"NO REGRESSION", "passed"};
  if (header.verdict == "nothing_compared") return {"NOTHING COMPARED", "inconclusive"};
  return {"REGRESSION", "failed"};
}

// " 3 metrics are missing."; nothing where nothing is.
std::string missing_sentence(const ComparisonHeader& header) {
  const std::int64_t tests = count_of(header.case_counts, "missing");
  const std::int64_t metrics = count_of(header.metric_counts, "missing");
  if (tests <= 0 && metrics <= 0) return {};
  std::string what = tests > 0 ? count_text(static_cast<std::size_t>(tests), "test") : "";
  if (metrics > 0) what += (what.empty() ? "" : " and ") + count_text(static_cast<std::size_t>(metrics), "metric");
  return " Missing: " + what + ".";
}

std::string head(const ComparisonHeader& header) {
  const std::string word = banner_of(header).word;
  const std::string status = banner_of(header).status;
  const auto counted = [](std::int64_t count, const char* noun) {
    return count_text(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)), noun);
  };
  const std::string sentence = counted(count_of(header.case_counts, "regression"), "test") + " and " +
                               counted(count_of(header.metric_counts, "regression"), "metric") +
                               " got worse, compared with " + header.results.front().name + "." +
                               missing_sentence(header);
  return "<a class=\"skip-link\" href=\"#metrics\">Skip to the metrics</a>\n<header class=\"verdict " + status +
         "\">\n<p class=\"verdict-word\"><svg class=\"icon\" aria-hidden=\"true\"><use href=\"#icon-" + status +
         "\"></use></svg><strong>" + word +
         "</strong></p>\n<div class=\"verdict-text\">\n<h1>Comparison of results</h1>\n<p>" + escape(sentence) +
         "</p>\n</div>\n</header>\n<main>\n<section aria-labelledby=\"results\">\n<h2 id=\"results\">Results</h2>\n" +
         results_table(header) + "<p class=\"quiet\">Tolerance: " + escape(tolerance_text(header)) +
         ". Of several measurements the median is compared; a difference within the spread of the baseline is noise. "
         "Numbers of runs that did not pass are shown and not compared.</p>\n</section>\n";
}

}  // namespace

std::vector<std::string> write_comparison(const std::filesystem::path& comparison,
                                          const std::filesystem::path& directory) {
  // Read twice: the top of the page needs what stands at the end of the document.
  const ComparisonHeader header = results::read_comparison(comparison, [](const ComparedCase&) {});
  if (header.results.size() < 2) {
    throw Error(Status::failed, "'" + comparison.string() + "' compares fewer than two results.");
  }
  results::OutputFile page(directory);
  page.write(page_start(std::string(banner_of(header).word) + ": comparison", true) + head(header));
  std::string rows;
  std::size_t cases = 0;
  results::read_comparison(comparison, [&](const ComparedCase& compared) {
    if (++cases <= most_compared_rows) rows += case_row(header, compared);
  });
  page.write("<section aria-labelledby=\"tests\">\n<h2 id=\"tests\">Tests</h2>\n<ul class=\"counts\">" +
             counts_markup(header.case_counts) + "</ul>\n" + table(header, "Test", rows));
  if (cases > most_compared_rows) {
    page.write("<p class=\"quiet\">And " + count_text(cases - most_compared_rows, "further test") + ".</p>\n");
  }
  page.write(
      "</section>\n<section aria-labelledby=\"metrics\">\n<h2 id=\"metrics\">Metrics</h2>\n<ul class=\"counts\">" +
      counts_markup(header.metric_counts) + "</ul>\n");
  CaseParts parts(header);
  results::read_comparison(comparison, [&](const ComparedCase& compared) { page.write(parts.next(compared)); });
  if (parts.left_out() > 0) {
    page.write("<p class=\"quiet\">" + count_text(parts.left_out(), "further metric") +
               " are in the JSON of the comparison alone.</p>\n");
  }
  page.write("</section>\n</main>\n" + page_end(true));
  page.commit("comparison.html");
  return {"comparison.html"};
}

}  // namespace cloudai::html
