#include "modules/reporters/html/page.hpp"

#include <cmath>
#include <kainjow/mustache.hpp>
#include <utility>

#include "modules/reporters/html/chart.hpp"
#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/templates.hpp"

namespace cloudai::html {

namespace mustache = kainjow::mustache;
using mustache::data;
using results::RunSummary;
using results::StageOutcome;
using results::StageSummary;

namespace {

// An empty text is "no", so that a section of it is left out. It must be set all the same: a name that is not found is
// looked for further out, where it may be somebody else's.
data text(const std::string& value) {
  return value.empty() ? data(false) : data(value);
}

void set_list(mustache::object& object, const std::string& name, mustache::list list) {
  object["has_" + name] = !list.empty();
  object[name] = data(list);
}

std::string render(mustache::mustache& part, mustache::object values) {
  std::string result;
  part.render(data(values), [&](const std::string& piece) { result += piece; });
  return result;
}

mustache::mustache make_template(std::string_view source) {
  mustache::mustache part{std::string(source)};
  part.set_custom_escape([](const std::string& value) { return escape(value); });
  return part;
}

// A hash in hexadecimal digits, as Content-Security-Policy wants it.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string result;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : hex) {
    held = (held << 4U) | digit(c);
    bits += 4;
    if (bits < 6) continue;
    bits -= 6;
    result += letters[(held >> bits) & 63U];
  }
  if (bits > 0) result += letters[(held << (6 - bits)) & 63U];
  while (result.size() % 4 != 0) result += '=';
  return result;
}

class Facts {
 public:
  void add(const char* name, const std::string& value, const std::string& quiet = {}) {
    if (value.empty()) return;
    mustache::object fact;
    fact["name"] = name;
    fact["value"] = value;
    fact["quiet"] = text(quiet);
    list_.emplace_back(fact);
  }

  mustache::list list() { return std::move(list_); }

 private:
  mustache::list list_;
};

void set_status(mustache::object& object, const std::string& status) {
  const RunStatus known = to_status(status);
  object["status"] = std::string(name_of(known));
  object["word"] = word_of(known, status);
}

mustache::list links(const std::vector<FileLink>& files, const char* name) {
  mustache::list list;
  for (const FileLink& file : files) {
    mustache::object link;
    link[name] = file.name;
    link["href"] = text(file.href);
    list.emplace_back(link);
  }
  return list;
}

// Of the stages' time, as hook_share in summary.json: what the scheduler needs around them is nobody's share.
std::string percent(double share) {
  return std::to_string(std::lround(share * 100)) + " % of the stages' time";
}

mustache::list scenario_facts(const results::Header& header, const Overview& overview) {
  Facts facts;
  facts.add("System", header.system, header.scheduler);
  facts.add("Started", time_text(header.started));
  if (header.seconds) facts.add("Took", duration_text(*header.seconds));
  if (overview.hook_seconds() > 0) {
    facts.add("Prologues and epilogues", duration_text(overview.hook_seconds()),
              percent(overview.hook_seconds() / overview.stage_seconds()));
  }
  facts.add("Run by", header.user, header.host.empty() ? std::string() : "on " + header.host);
  return facts.list();
}

mustache::list problem_list(const Overview& overview) {
  mustache::list list;
  for (const Problem& problem : overview.problems()) {
    mustache::object item;
    item["status"] = std::string(name_of(problem.status));
    item["word"] = problem.word;
    item["number"] = std::to_string(problem.number);
    item["id"] = problem.id;
    item["test"] = problem.test;
    item["reason"] = problem.reason.empty() ? "No reason is recorded." : problem.reason;
    item["hint"] = text(problem.hint);
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

std::string head(const results::Header& header, const Overview& overview, std::size_t most_charted_runs) {
  static const std::string style_hash = base64_of_hex(style_sha256);
  auto part = make_template(head_template);
  const ShownVerdict verdict = verdict_of(header.status, overview);
  mustache::object values;
  values["style_hash"] = style_hash;
  values["style"] = std::string(style_sheet);
  values["scenario"] = header.scenario;
  values["verdict"] = std::string(name_of(verdict.status));
  values["verdict_word"] = verdict.word;
  values["sentence"] = verdict.sentence;
  values["caveat"] = text(verdict.caveat);
  values["has_runs"] = overview.runs() > 0;
  set_list(values, "counts", count_list(overview));
  set_list(values, "facts", scenario_facts(header, overview));
  set_list(values, "problems", problem_list(overview));
  const std::size_t left = overview.problem_count() - overview.problems().size();
  values["more_problems"] = text(left == 0 ? "" : "And " + std::to_string(left) + " more: see the runs below.");
  values["chart_note"] =
      text(overview.runs() <= most_charted_runs
               ? ""
               : "Charts are drawn for the first " + std::to_string(most_charted_runs) + " runs that have any.");
  return render(part, std::move(values));
}

namespace {

const StageOutcome* find_outcome(const RunView& view, const StageSummary& stage) {
  for (const StageOutcome& candidate : view.outcomes) {
    if (candidate.directory == stage.directory && candidate.kind == stage.kind) return &candidate;
  }
  return nullptr;
}

template <class Wanted>
mustache::list headline_list(const RunSummary& run, Wanted wanted) {
  mustache::list list;
  for (const results::HeadlineMetric& headline : run.headline) {
    if (!wanted(headline)) continue;
    mustache::object item;
    item["value"] = quantity_text(headline.metric.value, headline.metric.unit);
    item["name"] = headline.metric.name;
    item["labels"] = text(labels_text(headline.metric.labels));
    list.emplace_back(item);
  }
  return list;
}

std::string exit_text(const StageSummary& stage) {
  if (stage.signal) return "signal " + std::to_string(*stage.signal);
  return stage.exit_status ? std::to_string(*stage.exit_status) : std::string();
}

mustache::list stage_list(const RunSummary& run, const RunView& view) {
  mustache::list list;
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const StageSummary& stage = run.stages[i];
    const StageOutcome* outcome = find_outcome(view, stage);
    Reason reason = stage.reason.value_or(Reason{});
    if (!stage.reason && outcome != nullptr) reason = outcome->outcome.reason.value_or(Reason{});
    mustache::object item;
    set_status(item, stage.status);
    item["kind"] = stage.kind;
    item["name"] = stage.name;
    item["reason"] = text(reason.text);
    item["hint"] = text(reason.hint);
    item["time"] = stage.seconds ? duration_text(*stage.seconds) : std::string();
    item["exit"] = exit_text(stage);
    const auto is_its = [&](const results::HeadlineMetric& each) { return results::is_of_stage(each, stage); };
    set_list(item, "headline", headline_list(run, is_its));
    set_list(item, "files", links(view.stage_files.at(i), "name"));
    set_list(item, "evidence", links(view.stage_evidence.at(i), "where"));
    list.emplace_back(item);
  }
  return list;
}

mustache::list legend_list(const Chart& chart) {
  mustache::list list;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    mustache::object item;
    item["look"] = std::to_string(i % series_looks);
    item["name"] = chart.series[i].name;
    list.emplace_back(item);
  }
  return list;
}

data chart_data(const Plot& plot, const StageOutcome& stage) {
  const ChartResult result = make_chart(plot, stage.outcome.tables);
  mustache::object item;
  item["title"] = plot.title;
  item["stage"] = stage.kind + " " + stage.name;
  item["problem"] = text(result.problem);
  item["svg"] = result.chart ? draw(*result.chart) : std::string();
  set_list(item, "legend", result.chart ? legend_list(*result.chart) : mustache::list());
  const std::size_t left_out = result.chart ? result.chart->left_out : 0;
  item["note"] = text(left_out == 0 ? "" : count_text(left_out, "point") + " cannot be shown on these axes.");
  return item;
}

mustache::list chart_list(const RunView& view, bool of_main) {
  mustache::list list;
  for (const StageOutcome& stage : view.outcomes) {
    if ((stage.kind == "main") != of_main) continue;
    for (const Plot& plot : stage.outcome.plots) list.push_back(chart_data(plot, stage));
  }
  return list;
}

std::string attempts_text(const RunSummary& run) {
  if (run.attempts.size() < 2) return {};
  std::string result;
  for (const results::Attempt& attempt : run.attempts) {
    result += (result.empty() ? "" : ", ") + attempt.status;
    if (!attempt.job.empty()) result += " (job " + attempt.job + ")";
  }
  return std::to_string(run.attempts.size()) + ": " + result;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ", ") + part;
  return result;
}

mustache::list run_facts(const RunSummary& run, const RunView& view) {
  Facts facts;
  facts.add("Workload", run.workload);
  facts.add("Job", run.job);
  facts.add("Depends on", joined(run.dependencies));
  facts.add("Started", time_text(run.started));
  facts.add("Ended", time_text(run.ended));
  if (run.hook_share && *run.hook_share > 0) facts.add("Prologue and epilogue", percent(*run.hook_share));
  facts.add("Attempts", attempts_text(run));
  for (const StageOutcome& stage : view.outcomes) {
    if (stage.kind != "main") continue;
    for (const auto& [name, value] : stage.outcome.facts) facts.add(name.c_str(), value);
  }
  return facts.list();
}

std::string nodes_text(const RunSummary& run) {
  constexpr std::size_t most = 8;
  if (run.nodes.empty()) {
    return run.nodes_requested ? count_text(static_cast<std::size_t>(*run.nodes_requested), "node") : std::string();
  }
  if (run.nodes.size() <= most) return joined(run.nodes);
  const std::vector<std::string> first(run.nodes.begin(), run.nodes.begin() + most);
  return std::to_string(run.nodes.size()) + " nodes: " + joined(first) + ", …";
}

}  // namespace

std::string run_part(const RunSummary& run, const RunView& view) {
  // Parsed once, since it is rendered ten thousand times; rendering changes it, hence one a thread.
  static thread_local auto part = make_template(run_template);
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
  set_list(values, "headline", headline_list(run, results::is_of_main));
  set_list(values, "files", links(view.files, "name"));
  set_list(values, "facts", run_facts(run, view));
  set_list(values, "stages", stage_list(run, view));
  mustache::list charts = chart_list(view, true);
  mustache::list hook_charts = chart_list(view, false);
  values["summary"] = run.stages.empty() ? "Details" : count_text(run.stages.size(), "stage");
  values["chart_count"] = text(charts.empty() ? "" : count_text(charts.size(), "chart"));
  values["hook_chart_count"] = count_text(hook_charts.size(), "chart");
  values["chart"] = mustache::partial([] { return std::string(chart_template); });
  set_list(values, "charts", std::move(charts));
  set_list(values, "hook_charts", std::move(hook_charts));
  return render(part, std::move(values));
}

std::string foot(const results::Header& header, const Overview& overview) {
  auto part = make_template(foot_template);
  mustache::list modules;
  for (const results::ModuleUsed& used : header.modules) {
    mustache::object item;
    item["id"] = used.id;
    item["version"] = used.version;
    item["sha256"] = used.sha256;
    item["path"] = used.path;
    modules.emplace_back(item);
  }
  mustache::list files;
  for (const results::FileRead& file : header.files) {
    mustache::object item;
    item["path"] = file.path;
    item["sha256"] = file.sha256;
    files.emplace_back(item);
  }
  std::string command;
  for (const std::string& argument : header.arguments) command += (command.empty() ? "" : " ") + argument;
  mustache::object values;
  values["has_runs"] = overview.runs() > 0;
  values["made_with"] = "cloudai " + header.cloudai_version + ", " + count_text(modules.size(), "module") + ", " +
                        count_text(files.size(), "configuration file");
  set_list(values, "modules", std::move(modules));
  set_list(values, "files", std::move(files));
  values["command"] = text(command);
  values["version"] = header.cloudai_version;
  values["ended"] = text(time_text(header.ended));
  return render(part, std::move(values));
}

}  // namespace cloudai::html
