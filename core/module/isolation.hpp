// Where a module runs: in the core's process or in a child of its own.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/module/catalogue.hpp"

namespace cloudai::module {

enum class Isolation { in_process, process };

// "in-process" or "process", as in the system file.
std::optional<Isolation> isolation_named(std::string_view text);

struct IsolationPolicy {
  // Modules found here run in the core's process, all others in children. Empty: all run in the core's process.
  std::filesystem::path built_in;
  std::map<std::string, Isolation> by_name;  // for a provided name, whatever its directory
  std::optional<Isolation> all;              // for tests: stronger than the rest
  // The program that is started for a child.
  std::filesystem::path executable = "/proc/self/exe";
};

Isolation isolation_of(const IsolationPolicy& policy, const ModuleFile& file, const std::string& provided_name);

}  // namespace cloudai::module
