// From the paths on the command line to a checked Configuration.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config {

struct Paths {
  std::filesystem::path system_config;
  std::filesystem::path test_scenario;
  std::optional<std::filesystem::path> tests_dir;
  std::optional<std::filesystem::path> hook_dir;    // --hook-dir
  std::optional<std::filesystem::path> output_dir;  // --output-dir, replaces output_path
};

// Reads and checks the system, the tests, the hooks and the scenario; options of workloads and of the scheduler against
// the schemas in the manifests of `modules`. Every problem of every file goes into `diagnostics`; the result is absent
// if and only if one of them is an error. Runs no module code, no command, and needs no network.
std::optional<Configuration> load(const Paths& paths, const module::Catalogue& modules, Diagnostics& diagnostics);

}  // namespace cloudai::config
