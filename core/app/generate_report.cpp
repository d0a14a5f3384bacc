// `cloudai generate-report`: the reports of a run once more, from its results directory alone.

#include <algorithm>
#include <optional>

#include "core/app/commands.hpp"
#include "core/app/complaints.hpp"
#include "core/app/module_isolation.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/app/output.hpp"
#include "core/app/reporter_names.hpp"
#include "core/config/config_file.hpp"
#include "core/config/path_expansion.hpp"
#include "core/config/system.hpp"
#include "core/report/earlier_results.hpp"
#include "core/report/recorded_reports.hpp"
#include "core/report/reevaluation.hpp"
#include "core/support/log.hpp"

namespace cloudai::app {
namespace {

using Reports = std::vector<config::Report>;

// What --system-config says of reports and modules; nothing, and every problem said, if the file is not good.
std::optional<config::System> system_given(const GenerateReportOptions& options, const module::Catalogue& catalogue) {
  if (!options.system_config) return config::System();
  config::Diagnostics diagnostics;
  config::System system;
  if (const auto root = config::read_config_file(*options.system_config, diagnostics)) {
    system =
        config::read_system(*root, *options.system_config, catalogue, config::process_environment, diagnostics).system;
  }
  say(diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return system;
}

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The recorded entries that count: the scenario's before the system's, and none that is given anew. With --report those
// that it names, switched on; the others do not matter.
Json record_that_counts(const report::EarlierResults& results, const Reports& given,
                        const std::vector<std::string>& named) {
  Json record = results.system_reports;
  record.update(results.scenario_reports);
  for (const config::Report& report : given) record.erase(report.name);
  if (named.empty()) return record;
  Json chosen = Json::object();
  for (const auto& [name, entry] : record.items()) {
    if (!is_in(named, name)) continue;
    chosen[name] = entry;
    if (entry.is_object()) chosen[name]["enable"] = true;
  }
  return chosen;
}

// What is to be written, and what cannot be any more.
report::RecordedReports select(const GenerateReportOptions& options, const report::EarlierResults& results,
                               const Reports& given, const module::Catalogue& catalogue) {
  report::RecordedReports recorded = report::recorded_reports(record_that_counts(results, given, options.reports),
                                                              results.directory / "inputs.json", catalogue);
  Reports reports = report::reports_to_write({&given, &recorded.reports}, catalogue);
  for (config::Report& report : reports) {
    if (!options.reports.empty()) report.enable = is_in(options.reports, report.name);
    for (const auto& failure : recorded.failed) report.enable = report.enable && failure.name != report.name;
  }
  recorded.reports = std::move(reports);
  return recorded;
}

// The exit status of the new verdicts, or why there are none.
Result<int> judge_anew(const std::filesystem::path& results_directory, module::Loader& loader) {
  const auto reevaluation = report::reevaluate(results_directory, loader);
  if (!reevaluation) return tl::make_unexpected(reevaluation.error());
  for (const auto& [run, before, now] : reevaluation->changed) log::info("{}: {}, was {}", run, now, before);
  log::info("{} run(s) judged anew, {} verdict(s) changed.", reevaluation->judged, reevaluation->changed.size());
  return reevaluation->exit_status;
}

// Says what is wrong with the runs; the reports are written nevertheless. Whether all is well.
bool runs_are_good(const std::filesystem::path& results_directory) {
  const report::Problems problems = report::problems_of_runs(results_directory);
  for (const std::string& problem : problems.first) log::error("{}", problem);
  if (problems.count > problems.first.size()) {
    log::error("There are {} more such problems.", problems.count - problems.first.size());
  }
  return problems.count == 0;
}

}  // namespace

int generate_report(const GlobalOptions& global, const GenerateReportOptions& options) {
  const auto opened = open_catalogue(global);
  if (!opened) return trouble;
  const module::Catalogue& catalogue = *opened;
  const bool names_are_good = are_reporters(options.reports, catalogue);
  const auto given = system_given(options, catalogue);
  const auto results = report::open_earlier_results(options.result_dir);
  if (!results) return fail(results.error());
  if (!names_are_good || !given) return usage;

  const report::RecordedReports selection = select(options, *results, given->reports, catalogue);
  for (const auto& [name, reason] : selection.failed) log::warn("Report '{}' could not be generated: {}", name, reason);
  module::Host host;
  module::Loader loader(catalogue, host, module_isolation(global, given->isolation));
  int status = success;
  if (options.reevaluate) {
    const auto verdict = judge_anew(results->directory, loader);
    if (!verdict) return fail(verdict.error());
    status = *verdict;
  }
  if (!runs_are_good(results->directory)) status = std::max<int>(status, trouble);
  const auto written = report::write_reports(results->directory, selection.reports, loader);
  for (const auto& file : written.files) {
    // Those of single runs may be thousands.
    if (file.parent_path() == results->directory) {
      print(file.string() + "\n");
    } else {
      log::debug("Generated report at {}", file.string());
    }
  }
  const bool none_wanted = std::none_of(selection.reports.begin(), selection.reports.end(),
                                        [](const config::Report& report) { return report.enable; });
  if (none_wanted && selection.failed.empty()) {
    log::warn(
        "No report was generated: every reporter is switched off, or there is none. --report NAME writes one "
        "nevertheless; 'cloudai list reports' shows what there is.");
  }
  return written.failed.empty() && selection.failed.empty() ? status : std::max<int>(status, trouble);
}

}  // namespace cloudai::app
