// Lets the reporter modules write down the results of a scenario.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/model.hpp"
#include "core/module/catalogue.hpp"
#include "core/module/proxies.hpp"

namespace cloudai::report {

// What counts for each reporter of the catalogue, by name: the entry of the first list that has one for it, whole; a
// reporter that no list mentions is enabled and has its defaults.
std::vector<config::Report> reports_to_write(const std::vector<const std::vector<config::Report>*>& lists,
                                             const module::Catalogue& modules);

struct FailedReport {
  std::string name;
  std::string reason;  // a complete sentence
};

struct WrittenReports {
  std::vector<std::filesystem::path> files;  // absolute
  std::vector<FailedReport> failed;
};

// Calls every enabled reporter on `results_directory`, which is absolute and holds summary.json. One that fails is a
// warning in the log, and the others still run.
WrittenReports write_reports(const std::filesystem::path& results_directory, const std::vector<config::Report>& reports,
                             module::Loader& loader);

// Lets the reporter `name`, with its defaults, write down a comparison of these results directories (absolute; the
// first is the baseline) into `directory`. `comparison` is a file that holds the cloudai.comparison/1. Returns the
// files.
Result<std::vector<std::filesystem::path>> write_comparison(const std::string& name,
                                                            const std::vector<std::filesystem::path>& results,
                                                            const std::filesystem::path& comparison,
                                                            const std::filesystem::path& directory,
                                                            const module::Catalogue& modules, module::Loader& loader);

}  // namespace cloudai::report
