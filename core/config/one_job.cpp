#include "core/config/one_job.hpp"

#include <algorithm>
#include <memory>

#include "core/config/capabilities.hpp"
#include "core/config/node_count.hpp"

namespace cloudai::config {
namespace {

void check_dependencies(const Case& value, Diagnostics& diagnostics) {
  for (const Dependency& dependency : value.dependencies) {
    if (dependency.type == DependencyType::start_post_comp) continue;
    diagnostics.error(dependency.position,
                      "test '" + value.id + "' is to run beside '" + dependency.id + "' (" +
                          std::string(to_string(dependency.type)) +
                          "), but with --single-sbatch all tests are one job and run one after the other; only "
                          "start_post_comp is possible there.");
  }
}

std::string listed(const std::vector<std::string>& nodes) {
  std::string text;
  for (const std::string& expression : nodes) text += (text.empty() ? "\"" : ", \"") + expression + "\"";
  return text;
}

// "partition:group" of a list that asks for nodes of one group; else nothing.
std::string group_of(const std::vector<std::string>& nodes) {
  if (nodes.size() != 1) return {};
  const std::size_t colon = nodes.front().rfind(':');
  return colon == std::string::npos ? std::string() : nodes.front().substr(0, colon);
}

// Several numbers of nodes of one group are nodes that all of them may have.
bool are_compatible(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return one == other || (!group_of(one).empty() && group_of(one) == group_of(other));
}

void check_lists(const std::vector<Case>& cases, Diagnostics& diagnostics) {
  const auto first = std::find_if(cases.begin(), cases.end(), [](const Case& value) { return !value.nodes.empty(); });
  if (first == cases.end()) return;
  for (auto value = first + 1; value != cases.end(); ++value) {
    if (value->nodes.empty() || are_compatible(first->nodes, value->nodes)) continue;
    diagnostics.error(value->position, "test '" + value->id + "' is to run on " + listed(value->nodes) + " and test '" +
                                           first->id + "' on " + listed(first->nodes) +
                                           ", but with --single-sbatch all tests run on the same nodes.");
  }
}

void check_counts(const std::vector<Case>& cases, Diagnostics& diagnostics) {
  const Case* largest = nullptr;
  for (const Case& value : cases) {
    if (value.nodes.empty()) continue;
    const auto count = node_count(value.nodes);
    if (!count) return;  // only the scheduler can tell
    if (largest == nullptr || *count > *node_count(largest->nodes)) largest = &value;
  }
  if (largest == nullptr) return;
  const int most = *node_count(largest->nodes);
  for (const Case& value : cases) {
    if (!value.nodes.empty() || value.num_nodes <= most) continue;
    diagnostics.error(value.position, "test '" + value.id + "' asks for " + std::to_string(value.num_nodes) +
                                          " nodes, but with --single-sbatch all tests run on those of test '" +
                                          largest->id + "', " + listed(largest->nodes) + ", which are " +
                                          std::to_string(most) + ".");
  }
}

}  // namespace

void check_one_job(const Configuration& configuration, const module::Provided& scheduler, Diagnostics& diagnostics) {
  if (!can(scheduler, several_runs)) {
    const auto file = std::make_shared<const std::string>(configuration.system.file.string());
    diagnostics.error({file}, "--single-sbatch asks for one job of all tests, but scheduler '" + scheduler.name +
                                  "' can only run each test as a job of its own (it lacks the capability '" +
                                  std::string(several_runs) + "').");
    return;
  }
  for (const Case& value : configuration.scenario.cases) check_dependencies(value, diagnostics);
  check_lists(configuration.scenario.cases, diagnostics);
  check_counts(configuration.scenario.cases, diagnostics);
}

}  // namespace cloudai::config
