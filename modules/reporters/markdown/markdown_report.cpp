#include "modules/reporters/markdown/markdown_report.hpp"

#include "modules/reporters/markdown/markdown_text.hpp"
#include "modules/reporters/results/evidence.hpp"
#include "modules/reporters/results/iterations.hpp"
#include "modules/reporters/results/metric_text.hpp"
#include "modules/reporters/results/outcome.hpp"
#include "modules/reporters/results/output_file.hpp"
#include "modules/reporters/results/paths.hpp"
#include "modules/reporters/results/status.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::markdown {

namespace fs = std::filesystem;
using results::RunSummary;
using results::StageSummary;

namespace {

// Together they stay below what GitHub takes, with texts of the usual length.
constexpr std::size_t most_reasons = 20;
constexpr std::size_t most_rows = 100;
constexpr std::size_t longest_text = 300;  // of a reason or hint

std::string shortened(const std::string& text) {
  if (text.size() <= longest_text) return text;
  std::size_t end = longest_text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? results::short_number(*seconds) + " s" : std::string();
}

// Lines of a list or table, of which only the first are kept.
class Lines {
 public:
  explicit Lines(std::size_t most) : most_(most) {}

  // `make` is called for the lines that are kept.
  template <class Make>
  void add(Make make) {
    if (count_++ < most_) text_ += make();
  }
  bool empty() const { return count_ == 0; }
  // "" or what tells of the rest.
  std::string text(const std::string& noun) const {
    if (count_ <= most_) return text_;
    return text_ + "\n… and " + std::to_string(count_ - most_) + " more " + noun + ".\n";
  }

 private:
  std::size_t most_;
  std::size_t count_ = 0;
  std::string text_;
};

std::string reason_lines(const Reason& reason, const fs::path& results, const std::string& indent) {
  std::string text;
  if (!reason.hint.empty()) text += indent + "- " + code(shortened(reason.hint)) + "\n";
  for (const Evidence& evidence : reason.evidence) {
    text += indent + "- " + code(results::place_of(evidence));
    const std::string line = results::line_of(results, evidence);
    text += line.empty() ? "\n" : ": " + code(line) + "\n";
  }
  return text;
}

// A stage that did not pass, unless its reason is the run's.
std::string stage_line(const StageSummary& stage, const RunSummary& run) {
  const bool says_the_same = stage.reason && run.reason && stage.reason->text == run.reason->text;
  if (stage.status == "passed" || says_the_same) return {};
  std::string text = "  - " + stage.kind + " " + code(stage.name) + ": " + results::upper_case(stage.status);
  return text + (stage.reason ? ": " + code(shortened(stage.reason->text)) : "") + "\n";
}

std::string status_text(const std::string& status) {
  for (const std::string_view known : results::statuses) {
    if (status == known) return "**" + results::upper_case(status) + "**";
  }
  return code(status);
}

std::string failure(const RunSummary& run, const fs::path& results) {
  const Reason reason = run.reason.value_or(Reason{{}, "no reason is known", {}, {}});
  std::string text = "- " + status_text(run.status) + " " + code(run.id) + " (" + code(run.test) + "): ";
  text += code(shortened(reason.text)) + "\n" + reason_lines(reason, results, "  ");
  for (const StageSummary& stage : run.stages) text += stage_line(stage, run);
  return text;
}

std::string headline_text(const RunSummary& run) {
  std::string text;
  for (const results::HeadlineMetric& each : run.headline) {
    if (!results::is_of_main(each)) continue;
    text += (text.empty() ? "" : "<br>") + table_code(results::name_with_labels(each.metric)) + " " +
            table_code(results::value_text(each.metric.value, each.metric.unit));
  }
  return text;
}

std::string node_count(const RunSummary& run) {
  if (!run.nodes.empty()) return std::to_string(run.nodes.size());
  return run.nodes_requested ? std::to_string(*run.nodes_requested) : std::string();
}

std::string run_row(const RunSummary& run) {
  return "| " + table_code(run.id) + " | " + table_code(run.test) + " | " + status_text(run.status) + " | " +
         seconds_text(run.seconds) + " | " + node_count(run) + " | " + headline_text(run) + " |\n";
}

// What the workload found out about the main stage: gates with their result, versions, oddities. Empty if it is not
// known.
std::string facts_line(const RunSummary& run, const fs::path& results) {
  std::vector<results::StageOutcome> stages;
  try {
    if (!run.outcome.empty()) stages = results::read_outcome(results, run.outcome, {false, false});
  } catch (const Error&) {
    return {};  // the runs are told of without it
  }
  std::string text;
  for (const results::StageOutcome& stage : stages) {
    if (stage.kind != "main") continue;
    for (const auto& [name, value] : stage.outcome.facts) {
      text += (text.empty() ? "" : "; ") + code(name) + " " + code(shortened(value));
    }
  }
  return text.empty() ? text : "- " + code(run.id) + ": " + text + "\n";
}

std::string iterations_row(const results::RepeatedCase& repeated, const results::RepeatedMetric& each) {
  const results::Spread spread = results::spread_of(each.values);
  const auto number = [](double value) { return results::short_number(value); };
  std::string unit = each.metric.unit == "1" ? "" : " " + table_code(each.metric.unit);
  return "| " + table_code(repeated.test_case) + " | " + table_code(results::name_with_labels(each.metric)) + unit +
         " | " + std::to_string(each.values.size()) + " of " + std::to_string(repeated.iterations) + " | " +
         number(spread.median) + " | " + number(spread.mean) + " | " + number(spread.least) + " | " +
         number(spread.most) + " | " + (spread.deviation ? number(*spread.deviation) : "") + " |\n";
}

// The parts that are filled while the runs go by.
class Report {
 public:
  explicit Report(const fs::path& results)
      : results_(results), repeated_([this](const results::RepeatedCase& repeated) { add_iterations(repeated); }) {}

  void add(const RunSummary& run) {
    counts_.add(run.status);
    rows_.add([&] { return run_row(run); });
    if (++runs_with_facts_ <= most_reasons) facts_ += facts_line(run, results_);
    if (run.status == "skipped") {
      skipped_.add([&] { return failure(run, results_); });
    } else if (run.status != "passed") {
      failures_.add([&] { return failure(run, results_); });
    }
    repeated_.begin(run);
    for (const results::HeadlineMetric& each : run.headline) {
      if (results::is_of_main(each)) repeated_.add(each.stage, each.metric);
    }
  }

  std::string text(const results::Header& header) {
    repeated_.end();
    const results::ShownStatus shown = counts_.shown(header.status);
    std::string text = "# " + code(header.scenario) + ": " + status_text(shown.status) + "\n\n" + counts_.text();
    if (header.seconds) text += "; " + seconds_text(header.seconds);
    text += "; started " + code(header.started) + " on " + code(header.system) + " (" + code(header.scheduler) + ")";
    text += ", cloudai " + code(header.cloudai_version) + "\n";
    if (!shown.caveat.empty()) text += "\n" + shown.caveat + "\n";
    if (!header.reevaluated.empty()) text += "\nThe verdicts were judged anew at " + code(header.reevaluated) + ".\n";
    if (!failures_.empty()) text += "\n## What did not pass\n\n" + failures_.text("runs");
    if (!skipped_.empty()) text += "\n## What was skipped\n\n" + skipped_.text("runs");
    if (!rows_.empty()) {
      text += "\n## Runs\n\n| Run | Test | Status | Time | Nodes | Measured |\n|---|---|---|--:|--:|---|\n" +
              rows_.text("runs");
    }
    if (!facts_.empty()) text += "\n## Facts\n\n" + facts_;
    if (!iterations_.empty()) {
      text +=
          "\n## Iterations\n\nOf those that passed.\n\n"
          "| Case | Metric | Values | Median | Mean | Least | Most | Deviation |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|\n" +
          iterations_.text("metrics");
    }
    return text;
  }

 private:
  void add_iterations(const results::RepeatedCase& repeated) {
    for (const results::RepeatedMetric& each : repeated.metrics) {
      iterations_.add([&] { return iterations_row(repeated, each); });
    }
  }

  const fs::path& results_;
  results::StatusCounts counts_;
  Lines failures_{most_reasons};
  Lines skipped_{most_reasons};
  Lines rows_{most_rows};
  Lines iterations_{most_rows};
  std::size_t runs_with_facts_ = 0;
  std::string facts_;
  results::Iterations repeated_;
};

}  // namespace

std::vector<std::string> write_report(const fs::path& results, const fs::path& directory) {
  Report report(results);
  const results::Header header =
      results::read_summary(results, [&](const RunSummary& run, std::size_t) { report.add(run); });
  results::OutputFile file(directory);
  file.write(report.text(header));
  const std::string name = results::file_name(header.scenario, 240) + ".md";
  file.commit(name);
  return {name};
}

}  // namespace cloudai::markdown
