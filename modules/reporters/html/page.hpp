// The page, part by part, from its templates. Every text is escaped here.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "modules/reporters/html/overview.hpp"
#include "modules/reporters/results/outcome.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

struct FileLink {
  std::string name;
  std::string href;  // empty: there is no such file, and the name stands alone
};

// What a run's part shows besides its summary.
struct RunView {
  std::size_t number = 0;  // from 1
  bool open = false;       // shown unfolded
  std::vector<FileLink> files;
  std::vector<results::StageOutcome> outcomes;
  std::string broken;                                 // why the outcomes are not there, or empty
  std::vector<std::vector<FileLink>> stage_files;     // one for each stage of the summary
  std::vector<std::vector<FileLink>> stage_evidence;  // likewise
};

std::string head(const results::Header& header, const Overview& overview, std::size_t most_charted_runs);
std::string run_part(const results::RunSummary& run, const RunView& view);
std::string foot(const results::Header& header, const Overview& overview);

}  // namespace cloudai::html
