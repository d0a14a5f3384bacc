// Results directories as the core leaves them, for the tests of reporters and for pictures of their reports.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::samples {

// Writes a file and the directories above it.
void write_file(const std::filesystem::path& file, const std::string& content);
std::string read_file(const std::filesystem::path& file);

// The outcome of a collective test of `rows` sizes, 8 bytes and up, with two tables' worth of everything a workload may
// say.
Outcome collective_outcome(const std::string& collective, int rows, double peak);

// A run that passed, as summary.json holds it: a prologue, the main stage and an epilogue.
Json passed_run(const std::string& test_case, const std::string& test, double peak);

// One of another status, with a reason.
Json unsuccessful_run(const std::string& test_case, const std::string& test, const std::string& status,
                      const Reason& reason);

// summary.json without runs, with the status "passed".
Json summary(const std::string& scenario);

// Counts the runs of a summary and sets its status by them.
void count_runs(Json& summary);

// outcome.json of a run whose stages have these outcomes.
Json run_outcome(const Json& run, const Outcome& outcome);

// Results with every file the summary names.
void write_results(const std::filesystem::path& directory, const Json& summary);

// Two collective tests wrapped by prologue and epilogue, both passed.
void write_passed(const std::filesystem::path& directory);

// One run of every status.
void write_mixed(const std::filesystem::path& directory);

// Markup, quotes, template tags, a line end and control characters.
std::string hostile_text();

// hostile_text() wherever a text may stand, and paths to somewhere else.
void write_hostile(const std::filesystem::path& directory);

// No run at all, yet "passed".
void write_empty(const std::filesystem::path& directory);

// `runs` runs with three stages of `metrics` metrics each, the first 60 of them with tables and plots. They share their
// outcome.json files, to be quick to write.
void write_many(const std::filesystem::path& directory, std::size_t runs, std::size_t metrics);

}  // namespace cloudai::samples
