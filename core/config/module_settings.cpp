#include "core/config/module_settings.hpp"

#include <algorithm>
#include <vector>

#include "core/config/test.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::config {
namespace {

std::vector<std::string> provided_names(const module::Catalogue& modules) {
  std::vector<std::string> all;
  for (const auto interface_id :
       {module::scheduler_interface, module::workload_interface, module::reporter_interface}) {
    const auto names = modules.names(interface_id);
    all.insert(all.end(), names.begin(), names.end());
  }
  return all;
}

}  // namespace

std::map<std::string, module::Isolation> read_isolation(const Node& table, const module::Catalogue& modules,
                                                        Diagnostics& diagnostics) {
  const std::vector<std::string> known = provided_names(modules);
  std::map<std::string, module::Isolation> result;
  const auto* entries = std::get_if<Table>(&table.value);
  if (entries == nullptr) return result;
  for (const Entry& entry : *entries) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      const std::string suggestion = did_you_mean(entry.key, known);
      diagnostics.error(entry.key_position,
                        "no module provides a scheduler, workload or reporter '" + entry.key + "'" +
                            (suggestion.empty() ? "." : suggestion),
                        module_missing);
      continue;
    }
    if (const auto isolation = module::isolation_named(text_of(entry.node, "isolation"))) {
      result[entry.key] = *isolation;
    }
  }
  return result;
}

}  // namespace cloudai::config
