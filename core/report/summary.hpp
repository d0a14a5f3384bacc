// summary.json and inputs.json: the core's own account of a scenario.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/model.hpp"
#include "core/module/proxies.hpp"
#include "core/report/reporters.hpp"
#include "core/run/scenario_run.hpp"

namespace cloudai::report {

// The exit status of `cloudai run`: 128 + signal; else 3 when a run is in error; else 1 when one did not pass or none
// ran; else 0.
int exit_status(const run::Ending& ending);

// The whole scenario in one word: "passed", "failed", "error" or "cancelled".
std::string overall_status(const run::Ending& ending);

// How often each final status occurs, in the order of the enumeration; statuses that do not occur are left out.
std::vector<std::pair<run::Status, std::size_t>> count_by_status(const run::Ending& ending);

struct Provenance {
  std::vector<std::string> arguments;  // argv
  std::vector<module::LoadedModule> modules;
};

// Writes summary.json into `results_directory`. The form is cloudai.summary/1. Reporters read it, so it is first
// written without the reports that failed.
Result<void> write_summary(const std::filesystem::path& results_directory, const config::Configuration& configuration,
                           const run::Ending& ending, const Provenance& provenance,
                           const std::vector<FailedReport>& failed_reports = {});

// Writes a whole cloudai.summary/1, with its "runs", in the same form.
Result<void> write_summary_document(const std::filesystem::path& results_directory, Json summary);

// Parts of the summary: its status, exit status, signal and counts; and what stands for a reason and for modules.
void put_ending(Json& summary, const run::Ending& ending);
Json reason_document(const run::Reason& reason);
Json modules_document(const std::vector<module::LoadedModule>& modules);

// Writes inputs.json: system, scenario and tests as they were used. Values of secrets (by name) are replaced by
// "redacted".
Result<void> write_inputs(const std::filesystem::path& results_directory, const config::Configuration& configuration);

}  // namespace cloudai::report
