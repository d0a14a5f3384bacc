#include "core/report/reporters.hpp"

#include "core/support/log.hpp"

namespace cloudai::report {

namespace fs = std::filesystem;

namespace {

Result<std::vector<fs::path>> write_report(const std::string& name, const fs::path& results_directory,
                                           module::Loader& loader) {
  auto reporter = loader.reporter(name);
  if (!reporter) return tl::make_unexpected(reporter.error());
  const std::string directory = results_directory.string();
  auto reply = (*reporter)->write({{"schema", "cloudai.report_request/1"},
                                   {"kind", "scenario"},
                                   {"results", Json::array({{{"directory", directory}}})},
                                   {"options", Json::object()},
                                   {"directory", directory}});
  if (!reply) return tl::make_unexpected(reply.error());
  std::vector<fs::path> files;
  for (const Json& file : reply->value("files", Json::array())) {
    if (file.is_string()) files.push_back(results_directory / file.get<std::string>());
  }
  return files;
}

}  // namespace

std::vector<fs::path> write_reports(const fs::path& results_directory, const module::Catalogue& catalogue,
                                    module::Loader& loader) {
  std::vector<fs::path> all;
  for (const std::string& name : catalogue.names(module::reporter_interface)) {
    auto files = write_report(name, results_directory, loader);
    if (!files) {
      log::warn("Report '{}' could not be generated: {}", name, files.error().message);
      continue;
    }
    all.insert(all.end(), files->begin(), files->end());
  }
  return all;
}

}  // namespace cloudai::report
