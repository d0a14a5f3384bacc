#include "core/config/scenario_loader.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/config/capabilities.hpp"
#include "core/config/config_file.hpp"
#include "core/config/file_kind.hpp"
#include "core/config/hooks.hpp"
#include "core/config/scenario_reader.hpp"
#include "core/config/test_library.hpp"

namespace cloudai::config {
namespace {

class Loader {
 public:
  Loader(const ScenarioPaths& paths, SharedFiles& shared, const module::Provided* scheduler,
         const module::Catalogue& modules, Diagnostics& diagnostics)
      : paths_(paths), shared_(shared), scheduler_(scheduler), modules_(modules), diagnostics_(diagnostics) {
    shared.begin_scenario();
    if (!paths.tests_place.empty()) {
      main_tests_ = &shared.tests(paths.tests_place, paths.test_files);
      libraries_.push_back(main_tests_);
    }
  }

  LoadedScenario load(const Environment& environment) {
    const std::optional<Node> root = read_config_file(paths_.scenario, diagnostics_);
    if (!root || is_of_other_kind(*root, FileKind::scenario, diagnostics_)) return {};
    use_file(paths_.scenario);
    const ScenarioContext context{shared_.workloads(), main_tests(), scheduler_, modules_};
    ScenarioReading reading = read_scenario(*root, paths_.scenario, context, diagnostics_);
    has_unknown_test_ = reading.has_unknown_test;
    Scenario& scenario = reading.scenario;
    if (!reading.prologue.empty() || !reading.epilogue.empty()) {
      HookFinder& finder = shared_.hooks(hook_places(paths_.hook_dir, paths_.scenario, environment));
      scenario.prologue = hook_tests(reading.prologue, "prologue", finder);
      scenario.epilogue = hook_tests(reading.epilogue, "epilogue", finder);
      check_hook_nodes(scenario);
    }
    if (scheduler_ != nullptr) check_endings(scenario, *scheduler_, diagnostics_);
    return finish(std::move(scenario));
  }

  LoadedScenario load_hook() {
    const std::optional<Node> root = read_config_file(paths_.scenario, diagnostics_);
    if (!root || is_of_other_kind(*root, FileKind::scenario, diagnostics_)) return {};
    use_file(paths_.scenario);
    const ScenarioContext context{shared_.workloads(), hook_libraries(paths_.scenario), scheduler_, modules_};
    ScenarioReading reading = read_hook_scenario(*root, paths_.scenario, context, diagnostics_);
    has_unknown_test_ = reading.has_unknown_test;
    return finish(std::move(reading.scenario));
  }

 private:
  std::vector<TestLibrary*> main_tests() const {
    return main_tests_ != nullptr ? std::vector<TestLibrary*>{main_tests_} : std::vector<TestLibrary*>{};
  }

  // The tests beside a hook first, then the scenario's.
  std::vector<TestLibrary*> hook_libraries(const std::filesystem::path& hook) {
    std::vector<TestLibrary*> libraries = main_tests();
    if (TestLibrary* own = shared_.hook_tests(hook.parent_path() / "test")) {
      libraries.insert(libraries.begin(), own);
      if (std::find(libraries_.begin(), libraries_.end(), own) == libraries_.end()) libraries_.push_back(own);
    }
    return libraries;
  }

  std::vector<HookTest> hook_tests(const std::vector<HookReference>& references, std::string_view role,
                                   HookFinder& finder) {
    std::vector<HookTest> tests;
    for (const HookReference& reference : references) {
      const HookFile* hook = finder.find(reference, role, diagnostics_);
      if (hook == nullptr) continue;
      use_file(hook->path);
      const ScenarioContext context{shared_.workloads(), hook_libraries(hook->path), scheduler_, modules_};
      ScenarioReading reading = read_hook_scenario(hook->root, hook->path, context, diagnostics_);
      has_unknown_test_ = has_unknown_test_ || reading.has_unknown_test;
      for (Case& value : reading.scenario.cases) {
        const auto nodes = value.num_nodes_explicit ? std::optional(value.num_nodes) : std::nullopt;
        tests.push_back({reference.name, std::move(value.test), nodes, value.time_limit, value.scheduler_options});
      }
    }
    return tests;
  }

  void check_hook_nodes(const Scenario& scenario) {
    for (const Case& value : scenario.cases) {
      for (const auto* hooks : {&scenario.prologue, &scenario.epilogue}) {
        for (const HookTest& hook : *hooks) {
          // Without a count of its own, only the scheduler can tell how many nodes a case's list names.
          const bool is_known = (value.nodes.empty() || value.num_nodes > 1) && !hook.test.name.empty();
          if (!hook.num_nodes || !is_known || *hook.num_nodes <= value.num_nodes) continue;
          diagnostics_.error(value.position, "test '" + value.id + "' runs on " + nodes(value.num_nodes) +
                                                 ", but test '" + hook.test.name + "' of its hook '" + hook.hook +
                                                 "' wants " + nodes(*hook.num_nodes) + ".");
        }
      }
    }
  }

  static std::string nodes(int count) { return std::to_string(count) + (count == 1 ? " node" : " nodes"); }

  void use_file(const std::filesystem::path& path) {
    if (std::find(files_.begin(), files_.end(), path) == files_.end()) files_.push_back(path);
  }

  LoadedScenario finish(Scenario scenario) {
    for (const TestLibrary* library : libraries_) {
      library->report(has_unknown_test_, diagnostics_);
      for (const TestFile& file : library->files()) {
        if (file.is_used) use_file(file.path);
      }
    }
    return {std::move(scenario), std::move(files_)};
  }

  const ScenarioPaths& paths_;
  SharedFiles& shared_;
  const module::Provided* scheduler_;
  const module::Catalogue& modules_;
  Diagnostics& diagnostics_;
  std::vector<TestLibrary*> libraries_;  // those this scenario may use
  TestLibrary* main_tests_ = nullptr;
  std::vector<std::filesystem::path> files_;
  bool has_unknown_test_ = false;
};

}  // namespace

LoadedScenario load_scenario(const ScenarioPaths& paths, SharedFiles& files, const module::Provided* scheduler,
                             const module::Catalogue& modules, const Environment& environment,
                             Diagnostics& diagnostics) {
  return Loader(paths, files, scheduler, modules, diagnostics).load(environment);
}

LoadedScenario load_hook_scenario(const ScenarioPaths& paths, SharedFiles& files, const module::Catalogue& modules,
                                  Diagnostics& diagnostics) {
  return Loader(paths, files, nullptr, modules, diagnostics).load_hook();
}

}  // namespace cloudai::config
