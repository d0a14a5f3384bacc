// What a person at the terminal reads at the end of a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/report/reporters.hpp"
#include "core/run/scenario_run.hpp"

namespace cloudai::report {

// The table of runs (test, status, time, reason), and below it for each run that did not pass the files to read and the
// command that runs just that test again. `colour` for a terminal; `rerun` is the command line up to the case's id.
std::string result_table(const run::Ending& ending, const std::filesystem::path& results_directory, bool colour,
                         const std::string& rerun);

// What stands below it for the reports that could not be written; empty if there are none.
std::string failed_reports_text(const std::vector<FailedReport>& failed);

// A word as one argument of a POSIX shell.
std::string shell_quoted(const std::string& word);

}  // namespace cloudai::report
