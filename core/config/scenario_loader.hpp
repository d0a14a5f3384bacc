// A scenario with everything it refers to: tests, hooks, and the hooks' tests.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/config/path_expansion.hpp"
#include "core/config/shared_files.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

struct ScenarioPaths {
  std::filesystem::path scenario;
  std::optional<std::filesystem::path> hook_dir;  // --hook-dir
  std::vector<std::filesystem::path> test_files;  // those the scenario's tests may come from
  std::string tests_place;                        // where they stand, for messages; empty: no place was given
};

struct LoadedScenario {
  Scenario scenario;                         // complete if there was no error
  std::vector<std::filesystem::path> files;  // the scenario's, then those of the tests and hooks it uses
};

// Loads one scenario. `scheduler` null: all is checked but what needs its capabilities.
LoadedScenario load_scenario(const ScenarioPaths& paths, SharedFiles& files, const module::Provided* scheduler,
                             const module::Catalogue& modules, const Environment& environment,
                             Diagnostics& diagnostics);

// Loads a hook scenario by itself: its tests come from test/ beside it first.
LoadedScenario load_hook_scenario(const ScenarioPaths& paths, SharedFiles& files, const module::Catalogue& modules,
                                  Diagnostics& diagnostics);

}  // namespace cloudai::config
