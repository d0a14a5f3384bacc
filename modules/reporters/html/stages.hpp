// The stages of a run as a table: prologue, main test and epilogue, each with its result and its share of time.
#pragma once

#include <filesystem>
#include <string>

#include "modules/reporters/html/links.hpp"
#include "modules/reporters/html/markup.hpp"
#include "modules/reporters/html/overview.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

// For the template stages.mustache, under the name "stages".
void set_stages(mustache::object& object, const results::RunSummary& run, const std::filesystem::path& results,
                const Links& links);

// The headline metrics of the main stage.
mustache::list main_headline(const results::RunSummary& run);

// What is worth saying of a run besides its stages.
mustache::list run_facts(const results::RunSummary& run);

// "node017, node018"; of many, the first and how many there are; before it runs, how many it asks for.
std::string nodes_text(const results::RunSummary& run);

// What shows the problem: each piece's place, a link to it and the lines around it.
mustache::list problem_evidence(const Problem& problem, const std::filesystem::path& results, const Links& links);

mustache::list link_list(const std::vector<FileLink>& files);

// "21 % of the stages' time", as hook_share in summary.json: what the scheduler needs around them is nobody's share.
std::string share_text(double share);

}  // namespace cloudai::html
