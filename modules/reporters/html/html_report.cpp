#include "modules/reporters/html/html_report.hpp"

#include <optional>
#include <system_error>

#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/page.hpp"
#include "modules/reporters/results/output_file.hpp"
#include "modules/reporters/results/paths.hpp"

namespace cloudai::html {

namespace fs = std::filesystem;
using results::RunSummary;
using results::StageOutcome;
using results::StageSummary;

namespace {

constexpr std::size_t few_runs = 3;        // so many are shown unfolded, whatever came of them
constexpr std::size_t most_unfolded = 10;  // runs with problems that are shown unfolded

// Makes links from the page to files of the results directory.
class Links {
 public:
  Links(const fs::path& results, const fs::path& directory)
      : results_(results),
        from_page_(
            fs::absolute(results).lexically_normal().lexically_relative(fs::absolute(directory).lexically_normal())) {}

  // A link to a path relative to the results directory, or nothing where it is not in there.
  std::string to(const fs::path& path) const {
    std::error_code ignored;
    if (path.empty() || !results::stays_inside(path) || !fs::exists(results_ / path, ignored)) return {};
    return link((from_page_ / path).lexically_normal().string());
  }

  void add(std::vector<FileLink>& list, const char* name, const std::string& path) const {
    if (std::string href = to(path); !href.empty()) list.push_back({name, std::move(href)});
  }

 private:
  fs::path results_;
  fs::path from_page_;
};

// The core's evidence is relative to the results directory, a workload's to its stage's.
FileLink evidence_link(const Evidence& evidence, const StageSummary& stage, const Links& links) {
  const std::string where = evidence.line ? evidence.path + ":" + std::to_string(*evidence.line) : evidence.path;
  std::string href = links.to(evidence.path);
  if (href.empty()) href = links.to(fs::path(stage.directory) / evidence.path);
  return {where, std::move(href)};
}

const Reason* reason_of(const StageSummary& stage, const std::vector<StageOutcome>& outcomes) {
  if (stage.reason && !stage.reason->evidence.empty()) return &*stage.reason;
  for (const StageOutcome& outcome : outcomes) {
    if (outcome.directory == stage.directory && outcome.kind == stage.kind && outcome.outcome.reason) {
      return &*outcome.outcome.reason;
    }
  }
  return nullptr;
}

void add_stage_links(const RunSummary& run, const Links& links, RunView& view) {
  for (const StageSummary& stage : run.stages) {
    std::vector<FileLink> files;
    links.add(files, "stdout", stage.standard_output);
    links.add(files, "stderr", stage.standard_error);
    links.add(files, "folder", stage.directory);
    view.stage_files.push_back(std::move(files));
    std::vector<FileLink> evidence;
    if (const Reason* reason = reason_of(stage, view.outcomes); reason != nullptr) {
      for (const Evidence& piece : reason->evidence) evidence.push_back(evidence_link(piece, stage, links));
    }
    view.stage_evidence.push_back(std::move(evidence));
  }
}

// Those of its main stage, whose folder is the run's.
std::vector<FileLink> run_links(const RunSummary& run, const RunView& view) {
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    if (run.stages[i].kind == "main") return view.stage_files[i];
  }
  return {};
}

// Writes the parts of the runs, one after the other.
class RunWriter {
 public:
  RunWriter(const fs::path& results, const fs::path& directory, std::size_t run_count, results::OutputFile& page)
      : results_(results), links_(results, directory), run_count_(run_count), page_(&page) {}

  void write(const RunSummary& run, std::size_t index) {
    RunView view;
    view.number = index + 1;
    view.open = is_open(run);
    read_outcomes(run, view);
    add_stage_links(run, links_, view);
    view.files = run_links(run, view);
    page_->write(run_part(run, view));
  }

 private:
  bool is_open(const RunSummary& run) {
    if (run_count_ <= few_runs) return true;
    const RunStatus status = to_status(run.status);
    if (status == RunStatus::passed || status == RunStatus::skipped || unfolded_ == most_unfolded) return false;
    ++unfolded_;
    return true;
  }

  void read_outcomes(const RunSummary& run, RunView& view) {
    if (run.outcome.empty()) return;
    const bool with_charts = charted_ < most_charted_runs;
    try {
      view.outcomes = results::read_outcome(results_, run.outcome, {false, with_charts});
    } catch (const Error& error) {
      view.broken = "Its measurements are not shown: " + error.message();
      return;
    }
    for (const StageOutcome& stage : view.outcomes) {
      if (stage.outcome.plots.empty()) continue;
      ++charted_;
      break;
    }
  }

  fs::path results_;
  Links links_;
  std::size_t run_count_;
  results::OutputFile* page_;
  std::size_t unfolded_ = 0;
  std::size_t charted_ = 0;
};

}  // namespace

std::vector<std::string> write_report(const fs::path& results, const fs::path& directory) {
  // Read twice, since the top of the page speaks of all the runs and memory must not grow with their number.
  Overview overview;
  const results::Header header =
      results::read_summary(results, [&](const RunSummary& run, std::size_t) { overview.add(run); });

  results::OutputFile page(directory);
  page.write(head(header, overview, most_charted_runs));
  RunWriter writer(results, directory, overview.runs(), page);
  results::read_summary(results, [&](const RunSummary& run, std::size_t index) { writer.write(run, index); });
  page.write(foot(header, overview));

  const std::string name = results::file_name(header.scenario, 240) + ".html";
  page.commit(name);
  return {name};
}

}  // namespace cloudai::html
