#include "core/report/reporters.hpp"

#include "core/support/log.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;

namespace {

// What the user's files say of a reporter; one that they do not mention is enabled.
config::Report settings_of(const std::string& name, const config::Configuration& configuration) {
  for (const auto* reports : {&configuration.scenario.reports, &configuration.system.reports}) {
    for (const config::Report& report : *reports) {
      if (report.name == name) return report;
    }
  }
  return {name, true, Json::object()};
}

Result<std::vector<fs::path>> write_report(const std::string& name, const Json& options,
                                           const fs::path& results_directory, module::Loader& loader) {
  auto reporter = loader.reporter(name);
  if (!reporter) return tl::make_unexpected(reporter.error());
  const std::string directory = results_directory.string();
  auto reply = (*reporter)->write({{"schema", "cloudai.report_request/1"},
                                   {"kind", "scenario"},
                                   {"results", Json::array({{{"directory", directory}}})},
                                   {"options", options.is_null() ? Json::object() : options},
                                   {"directory", directory}});
  if (!reply) return tl::make_unexpected(reply.error());
  std::vector<fs::path> files;
  for (const Json& file : reply->value("files", Json::array())) {
    if (file.is_string()) files.push_back(results_directory / file.get<std::string>());
  }
  return files;
}

}  // namespace

std::vector<fs::path> write_reports(const fs::path& results_directory, const config::Configuration& configuration,
                                    const module::Catalogue& catalogue, module::Loader& loader) {
  std::vector<fs::path> all;
  for (const std::string& name : catalogue.names(module::reporter_interface)) {
    const config::Report settings = settings_of(name, configuration);
    if (!settings.enable) continue;
    auto files = write_report(name, settings.options, results_directory, loader);
    if (!files) {
      log::warn("Report '{}' could not be generated: {}", name, files.error().message);
      continue;
    }
    all.insert(all.end(), files->begin(), files->end());
  }
  return all;
}

}  // namespace cloudai::report
