// The page of a scenario, part by part, so that it can be written while the runs are read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "modules/reporters/html/links.hpp"
#include "modules/reporters/html/overview.hpp"
#include "modules/reporters/html/provenance.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

// Beyond so many runs, those that passed and have a page of their own are a line without stages: a browser would be
// slow to open a page of them all.
inline constexpr std::size_t most_detailed_runs = 100;

// What a run's row says besides its summary.
struct RowView {
  std::size_t number = 0;  // from 1
  bool open = false;       // shown unfolded
  bool brief = false;      // without its stages
  std::string page;        // link to the run's own page, or empty
  std::string broken;      // why there is none, where there should be one
};

// Verdict, counts, what went wrong with its evidence, the curves, and the start of the table of runs.
std::string scenario_head(const results::Header& header, const Overview& overview, const std::string& curves,
                          const std::filesystem::path& results, const Links& links);

std::string run_row(const results::RunSummary& run, const RowView& view, const std::filesystem::path& results,
                    const Links& links);

// Provenance, how to read the page, and the end.
std::string scenario_foot(const results::Header& header, const Overview& overview, const NodeFacts& nodes,
                          bool with_charts);

}  // namespace cloudai::html
