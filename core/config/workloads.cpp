#include "core/config/workloads.hpp"

#include <utility>

namespace cloudai::config {
namespace {

Result<WorkloadOptions> look_up(const module::Catalogue& modules, const std::string& name) {
  const auto found = modules.find(module::workload_interface, name);
  if (!found) return tl::make_unexpected(found.error());
  Result<Schema> schema = Schema::compile(found->provided->config_schema);
  if (!schema) return trouble("workload '" + name + "': " + schema.error().message);
  return WorkloadOptions{found->provided, std::move(*schema)};
}

}  // namespace

std::string sentence_of(const Error& error) {
  return error.hint.empty() ? error.message : error.message + " " + error.hint;
}

const WorkloadOptions* Workloads::find(const std::string& name, const Position& position, Diagnostics& diagnostics) {
  auto known = known_.find(name);
  if (known == known_.end()) known = known_.emplace(name, look_up(modules_, name)).first;
  if (known->second) return &*known->second;
  diagnostics.error(position, sentence_of(known->second.error()), module_missing);
  return nullptr;
}

}  // namespace cloudai::config
