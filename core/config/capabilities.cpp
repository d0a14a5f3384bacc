#include "core/config/capabilities.hpp"

#include <algorithm>
#include <string>

#include "core/config/one_job.hpp"

namespace cloudai::config {

bool can(const module::Provided& scheduler, std::string_view capability) {
  const auto& capabilities = scheduler.capabilities;
  return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

bool needs_stage_jobs(const module::Provided& scheduler) {
  return !can(scheduler, stages_in_one_allocation) && !can(scheduler, several_runs);
}

bool can_end_main(const module::Provided& scheduler) {
  return can(scheduler, end_main) || needs_stage_jobs(scheduler);
}

void check_nodes(const Case& value, const Node& node, const module::Provided& scheduler, Diagnostics& diagnostics) {
  if (can(scheduler, several_nodes)) return;
  const std::string subject = "scheduler '" + scheduler.name + "' runs on one node; ";
  if (value.num_nodes_explicit && value.num_nodes > 1) {
    diagnostics.error(position_of(node, "/num_nodes"),
                      subject + "num_nodes is " + std::to_string(value.num_nodes) + ".");
  }
  for (const char* key : {"nodes", "exclude_nodes"}) {
    if (node.find(key) != nullptr) {
      diagnostics.error(position_of(node, std::string("/") + key),
                        subject + "'" + key + "' has nothing to choose from.");
    }
  }
}

void check_needs(const module::Provided& workload, const module::Provided& scheduler, const Position& position,
                 Diagnostics& diagnostics) {
  for (const std::string& need : workload.needs) {
    if (can(scheduler, need)) continue;
    diagnostics.error(position, "workload '" + workload.name + "' needs a scheduler with '" + need +
                                    "', which scheduler '" + scheduler.name + "' does not offer.");
  }
}

void check_endings(const Scenario& scenario, const module::Provided& scheduler, Diagnostics& diagnostics) {
  if (scenario.epilogue.empty() || can_end_main(scheduler)) return;
  for (const Case& value : scenario.cases) {
    for (const Dependency& dependency : value.dependencies) {
      if (dependency.type != DependencyType::end_post_comp) continue;
      diagnostics.error(dependency.position,
                        "test '" + value.id + "' ends with '" + dependency.id +
                            "' and has an epilogue that is to run " + "then, but scheduler '" + scheduler.name +
                            "' can only end a job whole (it lacks the capability '" + std::string(end_main) + "').");
    }
  }
}

}  // namespace cloudai::config
