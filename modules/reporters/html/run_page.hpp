// The page of one run: all its charts and tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "modules/reporters/html/links.hpp"
#include "modules/reporters/results/outcome.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

// cloudai_<table>_report.html, by the first table of the main test, or of its hooks where it has none. Empty where no
// stage has a table: such a run has no page of its own.
std::string run_page_name(const std::vector<results::StageOutcome>& stages);

// `scenario_page` is a link to the page of the scenario.
std::string run_page(const results::Header& header, const results::RunSummary& run,
                     const std::vector<results::StageOutcome>& stages, const std::filesystem::path& results,
                     const Links& links, const std::string& scenario_page);

}  // namespace cloudai::html
