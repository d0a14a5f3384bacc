// Whether the scheduler can do what a case and its workload ask for, by their manifests.
#pragma once

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

// Schedulers with this capability run jobs on any number of nodes, and let nodes be chosen.
inline constexpr std::string_view several_nodes = "several_nodes";

// Schedulers with this capability can end the main stage of a job alone, so that its epilogue still runs.
inline constexpr std::string_view end_main = "end_main";

// Schedulers with this capability run the stages of a run as one job.
inline constexpr std::string_view stages_in_one_allocation = "stages_in_one_allocation";

bool can(const module::Provided& scheduler, std::string_view capability);

// Whether the core has to run each stage of a run as a job of its own. A job of several runs holds their stages, too.
bool needs_stage_jobs(const module::Provided& scheduler);

// Whether the main stage of a run can be ended alone: by the scheduler, or as the job that it is.
bool can_end_main(const module::Provided& scheduler);

// `node` is the case in its file.
void check_nodes(const Case& value, const Node& node, const module::Provided& scheduler, Diagnostics& diagnostics);

// `position` is that of the case that runs the workload.
void check_needs(const module::Provided& workload, const module::Provided& scheduler, const Position& position,
                 Diagnostics& diagnostics);

// What a test that ends with another (end_post_comp) needs of the scheduler where the scenario has an epilogue.
void check_endings(const Scenario& scenario, const module::Provided& scheduler, Diagnostics& diagnostics);

}  // namespace cloudai::config
