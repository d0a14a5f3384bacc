// Lets the reporter modules write down the results of a scenario.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/config/model.hpp"
#include "core/module/catalogue.hpp"
#include "core/module/proxies.hpp"

namespace cloudai::report {

// Calls every reporter of the catalogue that the configuration does not switch off on `results_directory`, which holds
// summary.json. An entry [reports.<name>] of the scenario counts before the system's. A reporter that fails is a
// warning with its reason in the log, and the others still run. Returns the files that were written, absolute.
std::vector<std::filesystem::path> write_reports(const std::filesystem::path& results_directory,
                                                 const config::Configuration& configuration,
                                                 const module::Catalogue& catalogue, module::Loader& loader);

}  // namespace cloudai::report
