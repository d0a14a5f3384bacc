#include "core/module/isolation.hpp"

#include <system_error>

namespace cloudai::module {

std::optional<Isolation> isolation_named(std::string_view text) {
  if (text == "in-process") return Isolation::in_process;
  if (text == "process") return Isolation::process;
  return std::nullopt;
}

Isolation isolation_of(const IsolationPolicy& policy, const ModuleFile& file, const std::string& provided_name) {
  if (policy.all) return *policy.all;
  if (const auto named = policy.by_name.find(provided_name); named != policy.by_name.end()) return named->second;
  if (policy.built_in.empty()) return Isolation::in_process;
  std::error_code failed;
  const bool is_built_in = std::filesystem::equivalent(file.directory, policy.built_in, failed) && !failed;
  return is_built_in ? Isolation::in_process : Isolation::process;
}

}  // namespace cloudai::module
