#include "core/config/scenario_loader.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <system_error>
#include <utility>

#include "core/config/hooks.hpp"
#include "core/config/scenario_reader.hpp"
#include "core/config/test_library.hpp"
#include "core/config/toml_reader.hpp"

namespace cloudai::config {
namespace {

class Loader {
 public:
  Loader(const ScenarioPaths& paths, Workloads& workloads, const module::Provided* scheduler,
         const module::Catalogue& modules, Diagnostics& diagnostics)
      : paths_(paths), workloads_(workloads), scheduler_(scheduler), modules_(modules), diagnostics_(diagnostics) {
    if (!paths.tests_place.empty())
      main_tests_ = &libraries_.emplace_back(paths.test_files, paths.tests_place, workloads);
  }

  LoadedScenario load(const Environment& environment) {
    const std::optional<Node> root = read_toml(paths_.scenario, diagnostics_);
    if (!root) return {};
    use_file(paths_.scenario);
    const ScenarioContext context{workloads_, main_tests(), scheduler_, modules_};
    ScenarioReading reading = read_scenario(*root, paths_.scenario, context, diagnostics_);
    has_unknown_test_ = reading.has_unknown_test;
    Scenario& scenario = reading.scenario;
    HookFinder finder(hook_places(paths_.hook_dir, paths_.scenario, environment));
    scenario.prologue = hook_tests(reading.prologue, "prologue", finder);
    scenario.epilogue = hook_tests(reading.epilogue, "epilogue", finder);
    check_hook_nodes(scenario);
    return finish(std::move(scenario));
  }

  LoadedScenario load_hook() {
    const std::optional<Node> root = read_toml(paths_.scenario, diagnostics_);
    if (!root) return {};
    use_file(paths_.scenario);
    const ScenarioContext context{workloads_, hook_libraries(paths_.scenario), scheduler_, modules_};
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
    const std::filesystem::path directory = hook.parent_path() / "test";
    auto known = hook_tests_.find(directory);
    if (known == hook_tests_.end()) {
      TestLibrary* own = nullptr;
      if (std::error_code error; std::filesystem::is_directory(directory, error)) {
        own = &libraries_.emplace_back(toml_files(directory), directory.string(), workloads_);
      }
      known = hook_tests_.emplace(directory, own).first;
    }
    std::vector<TestLibrary*> libraries = main_tests();
    if (known->second != nullptr) libraries.insert(libraries.begin(), known->second);
    return libraries;
  }

  std::vector<HookTest> hook_tests(const std::vector<HookReference>& references, std::string_view role,
                                   HookFinder& finder) {
    std::vector<HookTest> tests;
    for (const HookReference& reference : references) {
      const HookFile* hook = finder.find(reference, role, diagnostics_);
      if (hook == nullptr) continue;
      use_file(hook->path);
      const ScenarioContext context{workloads_, hook_libraries(hook->path), scheduler_, modules_};
      ScenarioReading reading = read_hook_scenario(hook->root, hook->path, context, diagnostics_);
      has_unknown_test_ = has_unknown_test_ || reading.has_unknown_test;
      for (Case& value : reading.scenario.cases) {
        const auto nodes = value.num_nodes_explicit ? std::optional(value.num_nodes) : std::nullopt;
        tests.push_back({reference.name, std::move(value.test), nodes, value.time_limit});
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
    for (const TestLibrary& library : libraries_) {
      library.report(has_unknown_test_, diagnostics_);
      for (const TestFile& file : library.files()) {
        if (file.is_used) use_file(file.path);
      }
    }
    return {std::move(scenario), std::move(files_)};
  }

  const ScenarioPaths& paths_;
  Workloads& workloads_;
  const module::Provided* scheduler_;
  const module::Catalogue& modules_;
  Diagnostics& diagnostics_;
  std::deque<TestLibrary> libraries_;  // a deque: pointers into it stay good
  TestLibrary* main_tests_ = nullptr;
  std::map<std::filesystem::path, TestLibrary*> hook_tests_;  // by directory; null: there is none
  std::vector<std::filesystem::path> files_;
  bool has_unknown_test_ = false;
};

}  // namespace

LoadedScenario load_scenario(const ScenarioPaths& paths, Workloads& workloads, const module::Provided* scheduler,
                             const module::Catalogue& modules, const Environment& environment,
                             Diagnostics& diagnostics) {
  return Loader(paths, workloads, scheduler, modules, diagnostics).load(environment);
}

LoadedScenario load_hook_scenario(const ScenarioPaths& paths, Workloads& workloads, const module::Catalogue& modules,
                                  Diagnostics& diagnostics) {
  return Loader(paths, workloads, nullptr, modules, diagnostics).load_hook();
}

}  // namespace cloudai::config
