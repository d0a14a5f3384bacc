#include "modules/reporters/html/scenario_page.hpp"

#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/markup.hpp"
#include "modules/reporters/html/page_frame.hpp"
#include "modules/reporters/html/rerun.hpp"
#include "modules/reporters/html/stages.hpp"
#include "modules/reporters/html/templates.hpp"

namespace cloudai::html {

namespace {

mustache::list scenario_facts(const results::Header& header, const Overview& overview) {
  Facts facts;
  facts.add("System", header.system, header.scheduler);
  facts.add("Started", time_text(header.started));
  if (header.seconds) facts.add("Took", duration_text(*header.seconds));
  if (overview.hook_seconds() > 0) {
    facts.add("Prologues and epilogues", duration_text(overview.hook_seconds()),
              share_text(overview.hook_seconds() / overview.stage_seconds()));
  }
  facts.add("Run by", header.user, header.host.empty() ? std::string() : "on " + header.host);
  return facts.list();
}

mustache::list problem_list(const results::Header& header, const Overview& overview,
                            const std::filesystem::path& results, const Links& links) {
  mustache::list list;
  for (const Problem& problem : overview.problems()) {
    mustache::object item;
    item["status"] = std::string(name_of(problem.status));
    item["word"] = problem.word;
    item["number"] = std::to_string(problem.number);
    item["id"] = problem.id;
    item["test"] = problem.test;
    item["stage"] = text(problem.stage);
    item["reason"] = problem.reason.empty() ? "No reason is recorded." : problem.reason;
    item["hint"] = text(problem.hint);
    item["rerun"] = text(rerun_command(header.arguments, problem.test_case));
    set_list(item, "evidence", problem_evidence(problem, results, links));
    list.emplace_back(item);
  }
  return list;
}

mustache::list count_list(const Overview& overview) {
  mustache::list list;
  for (std::size_t i = 0; i < status_count; ++i) {
    const auto status = static_cast<RunStatus>(i);
    const Tally& tally = overview.tally(status);
    if (tally.count == 0) continue;
    mustache::object item;
    item["status"] = std::string(name_of(status));
    item["word"] = std::string(name_of(status));
    item["count"] = std::to_string(tally.count);
    item["first"] = std::to_string(tally.first);
    list.emplace_back(item);
  }
  return list;
}

}  // namespace

std::string scenario_head(const results::Header& header, const Overview& overview, const std::string& curves,
                          const std::filesystem::path& results, const Links& links) {
  auto part = make_template(scenario_head_template);
  const ShownVerdict verdict = verdict_of(header.status, overview);
  mustache::object values;
  values["scenario"] = header.scenario;
  values["verdict"] = std::string(name_of(verdict.status));
  values["verdict_word"] = verdict.word;
  values["sentence"] = verdict.sentence;
  values["caveat"] = text(verdict.caveat);
  values["has_runs"] = overview.runs() > 0;
  values["curves"] = text(curves);
  values["row_note"] =
      std::string(overview.runs() <= most_detailed_runs
                      ? "Open a line for its stages and files; a run's report has its tables and charts."
                      : "A run's report has its stages, tables and charts; open the line of one that "
                        "did not pass for its stages and files.");
  set_list(values, "counts", count_list(overview));
  set_list(values, "facts", scenario_facts(header, overview));
  set_list(values, "problems", problem_list(header, overview, results, links));
  const std::size_t left = overview.problem_count() - overview.problems().size();
  values["more_problems"] = text(left == 0 ? "" : "And " + std::to_string(left) + " more: see the runs below.");
  return page_start(verdict.word + ": " + header.scenario, !curves.empty()) + render(part, values);
}

std::string run_row(const results::RunSummary& run, const RowView& view, const std::filesystem::path& results,
                    const Links& links) {
  // Parsed once, since it is rendered ten thousand times; rendering changes it, hence one a thread.
  static thread_local auto part = make_template(run_row_template);
  const Reason reason = run.reason.value_or(Reason{});
  mustache::object values;
  set_status(values, run.status);
  values["number"] = std::to_string(view.number);
  values["id"] = run.id;
  values["test"] = run.test;
  values["description"] = text(run.description);
  values["reason"] = text(reason.text);
  values["hint"] = text(reason.hint);
  values["broken"] = text(view.broken);
  values["nodes"] = nodes_text(run);
  values["time"] = run.seconds ? duration_text(*run.seconds) : std::string();
  values["open"] = view.open;
  values["page"] = text(view.page);
  values["summary"] = run.stages.empty() ? "Details" : count_text(run.stages.size(), "stage");
  values["stage_table"] = mustache::partial([] { return std::string(stages_template); });
  set_list(values, "headline", main_headline(run));
  set_list(values, "files", link_list(run_files(run, links)));
  values["brief"] = view.brief;
  if (view.brief) return render(part, values);
  set_list(values, "facts", run_facts(run));
  set_stages(values, run, results, links);
  return render(part, values);
}

std::string scenario_foot(const results::Header& header, const Overview& overview, const NodeFacts& nodes,
                          bool with_charts) {
  auto part = make_template(scenario_foot_template);
  mustache::object values;
  values["has_runs"] = overview.runs() > 0;
  values["can_zoom"] = with_charts && has_chart_script();
  values["provenance"] = provenance_section(header, nodes);
  values["version"] = header.cloudai_version;
  values["ended"] = text(time_text(header.ended));
  return render(part, values) + page_end(with_charts);
}

}  // namespace cloudai::html
