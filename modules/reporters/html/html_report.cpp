#include "modules/reporters/html/html_report.hpp"

#include <map>
#include <system_error>

#include "modules/reporters/html/curves.hpp"
#include "modules/reporters/html/format.hpp"
#include "modules/reporters/html/run_page.hpp"
#include "modules/reporters/html/scenario_page.hpp"
#include "modules/reporters/results/output_file.hpp"
#include "modules/reporters/results/paths.hpp"

namespace cloudai::html {

namespace fs = std::filesystem;
using results::RunSummary;
using results::StageOutcome;

namespace {

constexpr std::size_t few_runs = 3;        // so many are shown unfolded, whatever came of them
constexpr std::size_t most_unfolded = 10;  // runs with problems that are shown unfolded

// Reads the outcomes, one at a time: writes the runs' own pages and gathers what the scenario's page needs of them.
class RunPages {
 public:
  RunPages(const fs::path& results, const fs::path& directory, const results::Header& header, std::string scenario_page)
      : results_(results), directory_(directory), header_(header), scenario_page_(std::move(scenario_page)) {}

  void add(const RunSummary& run, std::size_t index) {
    if (run.outcome.empty()) return;
    std::vector<StageOutcome> stages;
    fs::path folder;
    try {
      stages = results::read_outcome(results_, run.outcome, {false, true});
      folder = results::path_inside(directory_, run.directory);
    } catch (const Error& error) {
      broken[index] = "Its measurements are not shown: " + error.message();
      return;
    }
    curves.add(run, stages);
    const std::string name = run_page_name(stages);
    if (name.empty()) return;
    write_page(run, stages, folder, name);
    pages[index] = (fs::path(run.directory) / name).lexically_normal().string();
    files.push_back(pages[index]);
  }

  Curves curves;
  std::map<std::size_t, std::string> broken;  // why a run's measurements are not there, by its index
  std::map<std::size_t, std::string> pages;   // path of a run's page, likewise
  std::vector<std::string> files;

 private:
  void write_page(const RunSummary& run, const std::vector<StageOutcome>& stages, const fs::path& folder,
                  const std::string& name) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(Status::failed, folder.string() + " cannot be made: " + error.message() + ".");
    const fs::path from_here = fs::path(scenario_page_).lexically_relative(fs::path(run.directory).lexically_normal());
    results::OutputFile page(folder);
    page.write(run_page(header_, run, stages, results_, Links(results_, folder), link(from_here.string())));
    page.commit(name);
  }

  const fs::path& results_;
  const fs::path& directory_;
  const results::Header& header_;
  std::string scenario_page_;
};

// Which rows are shown unfolded: those that need a look.
class Unfolding {
 public:
  explicit Unfolding(std::size_t runs) : all_(runs <= few_runs) {}

  bool next(const RunSummary& run) {
    if (all_) return true;
    const RunStatus status = to_status(run.status);
    if (status == RunStatus::passed || status == RunStatus::skipped || unfolded_ == most_unfolded) return false;
    ++unfolded_;
    return true;
  }

 private:
  bool all_;
  std::size_t unfolded_ = 0;
};

}  // namespace

std::vector<std::string> write_report(const fs::path& results, const fs::path& directory) {
  // Read thrice: each pass needs what the one before learned of all the runs, and memory must not grow with their
  // number.
  Overview overview;
  NodeFacts nodes;
  const results::Header header = results::read_summary(results, [&](const RunSummary& run, std::size_t) {
    overview.add(run);
    nodes.add(run);
  });
  const std::string name = results::file_name(header.scenario, 240) + ".html";

  RunPages pages(results, directory, header, name);
  results::read_summary(results, [&](const RunSummary& run, std::size_t index) { pages.add(run, index); });

  const std::string curves = pages.curves.markup();
  const Links links(results, directory);
  Unfolding unfolding(overview.runs());
  results::OutputFile page(directory);
  page.write(scenario_head(header, overview, curves, results, links));
  results::read_summary(results, [&](const RunSummary& run, std::size_t index) {
    const auto own_page = pages.pages.find(index);
    const auto broken = pages.broken.find(index);
    RowView view;
    view.number = index + 1;
    view.open = unfolding.next(run);
    if (own_page != pages.pages.end()) view.page = link(own_page->second);
    if (broken != pages.broken.end()) view.broken = broken->second;
    view.brief =
        overview.runs() > most_detailed_runs && !view.page.empty() && to_status(run.status) == RunStatus::passed;
    page.write(run_row(run, view, results, links));
  });
  page.write(scenario_foot(header, overview, nodes, !curves.empty()));
  page.commit(name);
  pages.files.insert(pages.files.begin(), name);
  return std::move(pages.files);
}

}  // namespace cloudai::html
