#include "modules/reporters/html/curves.hpp"

#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

namespace {

std::size_t node_count(const results::RunSummary& run) {
  return run.nodes.empty() ? static_cast<std::size_t>(run.nodes_requested.value_or(0)) : run.nodes.size();
}

// Plots of several runs are the same if they show the same columns.
std::string identity(const Plot& plot) {
  Json parts = Json::array({plot.title, plot.table, plot.x, plot.y});
  return parts.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void Curves::add(const results::RunSummary& run, const std::vector<results::StageOutcome>& stages) {
  for (const results::StageOutcome& stage : stages) {
    if (stage.kind != "main" || stage.outcome.plots.empty()) continue;
    Set* const set = values_ < most_values ? set_of(run) : nullptr;
    if (set == nullptr) {
      ++left_out_;
    } else {
      add_plots(*set, stage.outcome);
    }
  }
}

Curves::Set* Curves::set_of(const results::RunSummary& run) {
  const auto [place, is_new] = places_.try_emplace({run.workload, run.test, node_count(run)}, sets_.size());
  if (is_new && sets_.size() == most_sets) {
    places_.erase(place);
    return nullptr;
  }
  if (is_new) sets_.push_back({run.test, node_count(run), 0, {}, {}});
  return &sets_[place->second];
}

void Curves::add_plots(Set& set, const Outcome& outcome) {
  ++set.runs;
  for (const Plot& plot : outcome.plots) {
    const auto [place, is_new] = set.places.try_emplace(identity(plot), set.charts.size());
    if (is_new) set.charts.emplace_back(plot);
    PlotChart& chart = set.charts[place->second];
    chart.add_references(plot.references);
    values_ -= chart.values();
    chart.add(outcome.tables);
    values_ += chart.values();
  }
}

std::string Curves::markup() const {
  std::string html;
  for (const Set& set : sets_) {
    std::string detail = count_text(set.runs, "run");
    if (set.nodes > 0) detail += " on " + count_text(set.nodes, "node");
    std::string figures;
    for (const PlotChart& each : set.charts) {
      if (const Chart chart = each.chart(); has_points(chart)) figures += figure(chart, detail);
    }
    if (figures.empty()) continue;
    html += "<section class=\"curves\">\n<h3>" + escape(set.test) + " <span class=\"quiet\">" + detail +
            "</span></h3>\n<div class=\"charts\">\n" + figures + "</div>\n</section>\n";
  }
  if (left_out_ > 0) {
    html += "<p class=\"quiet\">The curves of " + count_text(left_out_, "further run") +
            " are in the runs' own pages alone.</p>\n";
  }
  return html;
}

}  // namespace cloudai::html
