#include "core/config/load.hpp"

#include <system_error>
#include <utility>

#include "core/config/config_file.hpp"
#include "core/config/file_kind.hpp"
#include "core/config/path_expansion.hpp"
#include "core/config/scenario_loader.hpp"
#include "core/config/system.hpp"
#include "core/config/test_library.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {
namespace {

bool check_directory(const std::optional<std::filesystem::path>& path, const char* option, Diagnostics& diagnostics) {
  std::error_code error;
  if (!path || std::filesystem::is_directory(*path, error)) return true;
  const bool exists = std::filesystem::exists(*path, error);
  diagnostics.error(
      {}, std::string(option) + ": " + path->string() + (exists ? " is not a directory." : " does not exist."));
  return false;
}

}  // namespace

std::optional<Configuration> load(const Paths& paths, const module::Catalogue& modules, Diagnostics& diagnostics) {
  Configuration configuration;
  SystemReading system;
  if (const std::optional<Node> root = read_config_file(paths.system_config, diagnostics)) {
    if (!is_of_other_kind(*root, FileKind::system, diagnostics)) {
      system = read_system(*root, paths.system_config, modules, process_environment, diagnostics);
    }
  }
  configuration.system = std::move(system.system);
  if (paths.output_dir) {
    std::error_code error;
    configuration.system.output_path = std::filesystem::absolute(*paths.output_dir, error).lexically_normal();
    if (error) diagnostics.error({}, "--output-dir: the working directory cannot be found: " + error.message() + ".");
  }

  ScenarioPaths scenario{paths.test_scenario, paths.hook_dir, {}, {}};
  check_directory(paths.hook_dir, "--hook-dir", diagnostics);
  if (paths.tests_dir) {
    if (check_directory(paths.tests_dir, "--tests-dir", diagnostics))
      scenario.test_files = config_files(*paths.tests_dir);
    scenario.tests_place = paths.tests_dir->string();
  }
  Workloads workloads(modules);
  SharedFiles files(workloads);
  LoadedScenario loaded = load_scenario(scenario, files, system.scheduler, modules, process_environment, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  configuration.scenario = std::move(loaded.scenario);
  configuration.files = {paths.system_config};
  configuration.files.insert(configuration.files.end(), loaded.files.begin(), loaded.files.end());
  return configuration;
}

}  // namespace cloudai::config
