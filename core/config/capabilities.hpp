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

bool can(const module::Provided& scheduler, std::string_view capability);

// `node` is the case in its file.
void check_nodes(const Case& value, const Node& node, const module::Provided& scheduler, Diagnostics& diagnostics);

// `position` is that of the case that runs the workload.
void check_needs(const module::Provided& workload, const module::Provided& scheduler, const Position& position,
                 Diagnostics& diagnostics);

// What a test that ends with another (end_post_comp) needs of the scheduler where the scenario has an epilogue.
void check_endings(const Scenario& scenario, const module::Provided& scheduler, Diagnostics& diagnostics);

}  // namespace cloudai::config
