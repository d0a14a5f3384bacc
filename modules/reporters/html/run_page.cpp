#include "modules/reporters/html/run_page.hpp"

#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/markup.hpp"
#include "modules/reporters/html/overview.hpp"
#include "modules/reporters/html/page_frame.hpp"
#include "modules/reporters/html/plot_chart.hpp"
#include "modules/reporters/html/provenance.hpp"
#include "modules/reporters/html/rerun.hpp"
#include "modules/reporters/html/stages.hpp"
#include "modules/reporters/html/tables.hpp"
#include "modules/reporters/html/templates.hpp"
#include "modules/reporters/results/paths.hpp"

namespace cloudai::html {

using results::RunSummary;
using results::StageOutcome;

namespace {

std::string no_chart(const std::string& title, const std::string& problem) {
  return "<figure>\n<figcaption><b>" + escape(title) + "</b></figcaption>\n<p class=\"empty\">" + escape(problem) +
         "</p>\n</figure>\n";
}

std::string charts_markup(const StageOutcome& stage) {
  std::string figures;
  for (const Plot& plot : stage.outcome.plots) {
    PlotChart gathered(plot);
    std::string problem = gathered.add(stage.outcome.tables);
    const Chart chart = gathered.chart();
    if (problem.empty() && !has_points(chart)) problem = "No point can be shown on these axes.";
    figures += problem.empty() ? figure(chart, stage.kind + " " + stage.name) : no_chart(plot.title, problem);
  }
  return figures.empty() ? figures : "<div class=\"charts\">\n" + figures + "</div>\n";
}

std::string tables_markup(const StageOutcome& stage) {
  std::string markup;
  for (const Table& table : stage.outcome.tables) markup += table_markup(table, stage.outcome.plots);
  return markup;
}

// Those of main first: it is what the run is about.
mustache::list measured_list(const std::vector<StageOutcome>& stages) {
  mustache::list list;
  for (const bool of_main : {true, false}) {
    for (const StageOutcome& stage : stages) {
      if ((stage.kind == "main") != of_main || (stage.outcome.tables.empty() && stage.outcome.facts.empty())) continue;
      Facts facts;
      for (const auto& [name, value] : stage.outcome.facts) facts.add(name, value);
      mustache::object item;
      item["kind"] = stage.kind;
      item["name"] = stage.name;
      item["number"] = std::to_string(list.size() + 1);
      item["charts"] = text(charts_markup(stage));
      item["tables"] = text(tables_markup(stage));
      set_list(item, "facts", facts.list());
      list.emplace_back(item);
    }
  }
  return list;
}

bool has_plots(const std::vector<StageOutcome>& stages) {
  for (const StageOutcome& stage : stages) {
    if (!stage.outcome.plots.empty()) return true;
  }
  return false;
}

}  // namespace

std::string run_page_name(const std::vector<StageOutcome>& stages) {
  const StageOutcome* named = nullptr;
  for (const StageOutcome& stage : stages) {
    if (stage.outcome.tables.empty()) continue;
    if (named == nullptr || (stage.kind == "main" && named->kind != "main")) named = &stage;
  }
  if (named == nullptr) return {};
  return "cloudai_" + results::file_name(named->outcome.tables.front().name, 200) + "_report.html";
}

std::string run_page(const results::Header& header, const RunSummary& run, const std::vector<StageOutcome>& stages,
                     const std::filesystem::path& results, const Links& links, const std::string& scenario_page) {
  static thread_local auto part = make_template(run_page_template);
  const RunStatus status = to_status(run.status);
  const Problem problem = problem_of(run, 0);
  NodeFacts nodes;
  nodes.add(run);
  mustache::object values;
  set_status(values, run.status);
  values["id"] = run.id;
  values["test"] = run.test;
  values["description"] = text(run.description);
  values["scenario"] = header.scenario;
  values["scenario_page"] = text(scenario_page);
  values["reason"] = text(problem.reason);
  values["hint"] = text(problem.hint);
  values["stage"] = text(problem.stage);
  values["rerun"] = text(rerun_command(header.arguments, run.test_case));
  values["nodes"] = text(nodes_text(run));
  values["time"] = text(run.seconds ? duration_text(*run.seconds) : std::string());
  values["is_good"] = status == RunStatus::passed;
  values["stage_table"] = mustache::partial([] { return std::string(stages_template); });
  values["provenance"] = provenance_section(header, nodes);
  values["version"] = header.cloudai_version;
  values["ended"] = text(time_text(run.ended));
  set_list(values, "evidence", problem_evidence(problem, results, links));
  set_list(values, "headline", main_headline(run));
  set_list(values, "facts", run_facts(run));
  set_list(values, "measured", measured_list(stages));
  set_stages(values, run, results, links);
  const bool with_charts = has_plots(stages);
  return page_start(word_of(status, run.status) + ": " + run.id, with_charts) + render(part, values) +
         page_end(with_charts);
}

}  // namespace cloudai::html
