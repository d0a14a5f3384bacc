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

Result<std::vector<fs::path>> send(const std::string& reporter_name, Json request, const fs::path& directory,
                                   module::Loader& loader) {
  auto reporter = loader.reporter(reporter_name);
  if (!reporter) return tl::make_unexpected(reporter.error());
  request["directory"] = directory.string();
  auto reply = (*reporter)->write(std::move(request));
  if (!reply) return tl::make_unexpected(reply.error());
  std::vector<fs::path> files;
  for (const Json& file : reply->value("files", Json::array())) {
    if (file.is_string()) files.push_back(directory / file.get<std::string>());
  }
  return files;
}

Result<std::vector<fs::path>> write_report(const config::Report& report, const fs::path& results_directory,
                                           module::Loader& loader) {
  return send(report.name,
              {{"schema", "cloudai.report_request/1"},
               {"kind", "scenario"},
               {"results", Json::array({{{"directory", results_directory.string()}}})},
               {"options", report.options}},
              results_directory, loader);
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

Result<std::vector<fs::path>> write_comparison(const std::string& name, const std::vector<fs::path>& results,
                                               const fs::path& comparison, const fs::path& directory,
                                               const module::Catalogue& modules, module::Loader& loader) {
  const auto found = modules.find(module::reporter_interface, name);
  if (!found) return tl::make_unexpected(found.error());
  Json directories = Json::array();
  for (const fs::path& each : results) directories.push_back({{"directory", each.string()}});
  return send(name,
              {{"schema", "cloudai.report_request/1"},
               {"kind", "comparison"},
               {"results", std::move(directories)},
               {"comparison", comparison.string()},
               {"options", config::with_defaults(Json::object(), found->provided->config_schema)}},
              directory, loader);
}

}  // namespace cloudai::report
