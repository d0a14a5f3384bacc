#include "core/pipeline/expansion.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cloudai::pipeline {

namespace {

std::string run_id(const std::string& case_id, int iteration) {
  return case_id + "/" + std::to_string(iteration);
}

// A name for each hook test: its own, and with a number where that is taken. No number makes the name of another test.
std::vector<std::string> stage_names(const std::vector<config::HookTest>& hooks) {
  std::set<std::string> taken;
  for (const config::HookTest& hook : hooks) taken.insert(hook.test.name);
  std::set<std::string> given;
  std::vector<std::string> names;
  for (const config::HookTest& hook : hooks) {
    std::string name = hook.test.name;
    for (int number = 2; !given.insert(name).second; ++number) {
      const std::string numbered = hook.test.name + "." + std::to_string(number);
      if (!taken.contains(numbered)) name = numbered;
    }
    names.push_back(std::move(name));
  }
  return names;
}

void add_hook_stages(const std::vector<config::HookTest>& hooks, StageKind kind, std::vector<Stage>& stages) {
  const std::vector<std::string> names = stage_names(hooks);
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    const config::HookTest& hook = hooks[i];
    Stage stage;
    stage.kind = kind;
    stage.name = names[i];
    stage.test = &hook.test;
    stage.directory = std::filesystem::path(to_string(kind)) / stage.name;
    stage.num_nodes = hook.num_nodes;
    stage.time_limit = hook.time_limit;
    stage.scheduler_options = hook.scheduler_options;
    stages.push_back(std::move(stage));
  }
}

// A main test without a limit leaves the job unlimited; a hook without one adds nothing that could be counted, so it
// does too.
std::optional<std::chrono::seconds> sum_of_limits(const std::vector<Stage>& stages) {
  std::chrono::seconds sum{0};
  for (const Stage& stage : stages) {
    if (!stage.time_limit) return std::nullopt;
    sum += *stage.time_limit;
  }
  return sum;
}

int iterations_of(const config::Case& test_case) {
  return std::max(1, test_case.iterations);
}

std::vector<Predecessor> predecessors_of(const config::Case& test_case,
                                         const std::map<std::string, const config::Case*>& cases) {
  std::vector<const config::Case*> found{&test_case};  // itself, then those it starts after, level by level
  std::set<const config::Case*> known{&test_case};
  // Those it names itself, and of those before them the nearest: a chain of ten thousand has fifty million pairs.
  constexpr std::size_t most = 16;
  for (std::size_t i = 0; i < found.size() && (i == 0 || found.size() < most); ++i) {
    for (const config::Dependency& dependency : found[i]->dependencies) {
      const auto other = cases.find(dependency.id);
      // One that only ends the case may not even have started when it starts.
      if (other == cases.end() || dependency.type == config::DependencyType::end_post_comp) continue;
      if (known.insert(other->second).second) found.push_back(other->second);
    }
  }
  std::vector<Predecessor> predecessors;
  for (std::size_t i = 1; i < found.size(); ++i) {
    for (int iteration = 0; iteration < iterations_of(*found[i]); ++iteration) {
      predecessors.push_back({found[i]->id, run_id(found[i]->id, iteration)});
    }
  }
  return predecessors;
}

}  // namespace

std::string_view to_string(StageKind kind) {
  switch (kind) {
    case StageKind::prologue:
      return "prologue";
    case StageKind::main:
      return "main";
    case StageKind::epilogue:
      return "epilogue";
  }
  return "";
}

std::vector<Run> expand(const config::Scenario& scenario) {
  std::map<std::string, const config::Case*> cases;
  for (const config::Case& test_case : scenario.cases) cases[test_case.id] = &test_case;
  std::vector<Run> runs;
  for (std::size_t index = 0; index < scenario.cases.size(); ++index) {
    const config::Case& test_case = scenario.cases[index];
    Run run;
    run.test_case = &test_case;
    run.case_index = index;
    add_hook_stages(scenario.prologue, StageKind::prologue, run.stages);
    run.stages.push_back({StageKind::main, test_case.test.name, &test_case.test, ".", std::nullopt,
                          test_case.time_limit, test_case.scheduler_options});
    add_hook_stages(scenario.epilogue, StageKind::epilogue, run.stages);
    run.time_limit = sum_of_limits(run.stages);
    run.predecessors = predecessors_of(test_case, cases);
    for (run.iteration = 0; run.iteration < iterations_of(test_case); ++run.iteration) {
      run.id = run_id(test_case.id, run.iteration);
      runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace cloudai::pipeline
