#include "core/report/reporters.hpp"

#include "core/config/defaults.hpp"
#include "core/config/workloads.hpp"
#include "core/support/log.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;

namespace {

const config::Report* entry_of(const std::string& name, const std::vector<const std::vector<config::Report>*>& lists) {
  for (const auto* reports : lists) {
    for (const config::Report& report : *reports) {
      if (report.name == name) return &report;
    }
  }
  return nullptr;
}

Result<std::vector<fs::path>> write_report(const config::Report& report, const fs::path& results_directory,
                                           module::Loader& loader) {
  auto reporter = loader.reporter(report.name);
  if (!reporter) return tl::make_unexpected(reporter.error());
  const std::string directory = results_directory.string();
  auto reply = (*reporter)->write({{"schema", "cloudai.report_request/1"},
                                   {"kind", "scenario"},
                                   {"results", Json::array({{{"directory", directory}}})},
                                   {"options", report.options},
                                   {"directory", directory}});
  if (!reply) return tl::make_unexpected(reply.error());
  std::vector<fs::path> files;
  for (const Json& file : reply->value("files", Json::array())) {
    if (file.is_string()) files.push_back(results_directory / file.get<std::string>());
  }
  return files;
}

}  // namespace

std::vector<config::Report> reports_to_write(const std::vector<const std::vector<config::Report>*>& lists,
                                             const module::Catalogue& modules) {
  std::vector<config::Report> reports;
  for (const std::string& name : modules.names(module::reporter_interface)) {
    if (const config::Report* entry = entry_of(name, lists)) {
      reports.push_back(*entry);
    } else if (const auto found = modules.find(module::reporter_interface, name)) {
      reports.push_back({name, true, config::with_defaults(Json::object(), found->provided->config_schema)});
    }
  }
  return reports;
}

WrittenReports write_reports(const fs::path& results_directory, const std::vector<config::Report>& reports,
                             module::Loader& loader) {
  WrittenReports written;
  for (const config::Report& report : reports) {
    if (!report.enable) continue;
    const auto files = write_report(report, results_directory, loader);
    if (files) {
      written.files.insert(written.files.end(), files->begin(), files->end());
      continue;
    }
    const std::string reason = config::sentence_of(files.error());
    log::warn("Report '{}' could not be generated: {}", report.name, reason);
    written.failed.push_back({report.name, reason});
  }
  return written;
}

}  // namespace cloudai::report
