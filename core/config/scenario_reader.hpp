// A scenario file and its cases; hooks are resolved elsewhere (hooks.hpp), since a hook is a scenario, too.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/config/test_library.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {

// What a scenario is read against.
struct ScenarioContext {
  Workloads& workloads;
  std::vector<TestLibrary*> tests;              // the first that has a name wins
  const module::Provided* scheduler = nullptr;  // null: what needs its capabilities is not checked
  const module::Catalogue& modules;
};

// The name of a hook and where it stands.
struct HookReference {
  std::string name;
  Position position;
};

struct ScenarioReading {
  Scenario scenario;  // as much of it as could be read; without the hooks' tests
  std::vector<HookReference> prologue;
  std::vector<HookReference> epilogue;
  bool has_unknown_test = false;  // a test_name that no library has
};

// `root` is the whole file.
ScenarioReading read_scenario(const Node& root, const std::filesystem::path& file, const ScenarioContext& context,
                              Diagnostics& diagnostics);

// Likewise for a hook: what has no meaning there is refused, or ignored with a warning.
ScenarioReading read_hook_scenario(const Node& root, const std::filesystem::path& file, const ScenarioContext& context,
                                   Diagnostics& diagnostics);

}  // namespace cloudai::config
