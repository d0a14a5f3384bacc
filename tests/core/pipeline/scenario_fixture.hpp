// Scenarios made by hand, for tests of what comes after configuration.
#pragma once

#include "core/config/model.hpp"

namespace cloudai::testing {

inline config::Test a_test(const std::string& name) {
  config::Test test;
  test.name = name;
  test.description = "about " + name;
  test.workload = "Sleep";
  test.cmd_args = {{"seconds", 0}};
  return test;
}

inline config::Case a_case(const std::string& id, const std::vector<std::string>& predecessors = {},
                           int iterations = 1) {
  config::Case test_case;
  test_case.id = id;
  test_case.test = a_test("test_of_" + id);
  test_case.iterations = iterations;
  for (const std::string& predecessor : predecessors) {
    test_case.dependencies.push_back({config::DependencyType::start_post_comp, predecessor, {}});
  }
  return test_case;
}

// The case with further dependencies: type → predecessor.
inline config::Case with(config::Case test_case,
                         const std::vector<std::pair<config::DependencyType, std::string>>& dependencies) {
  for (const auto& [type, id] : dependencies) test_case.dependencies.push_back({type, id, {}});
  return test_case;
}

inline config::HookTest a_hook(const std::string& name, std::optional<int> seconds = std::nullopt) {
  config::HookTest hook;
  hook.hook = name + "_hook";
  hook.test = a_test(name);
  if (seconds) hook.time_limit = std::chrono::seconds(*seconds);
  return hook;
}

inline config::Scenario a_scenario(std::vector<config::Case> cases) {
  config::Scenario scenario;
  scenario.name = "scenario";
  scenario.cases = std::move(cases);
  return scenario;
}

}  // namespace cloudai::testing
