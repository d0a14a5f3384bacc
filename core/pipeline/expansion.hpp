// From the cases of a scenario to the runs that are to be executed, each with its stages.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/model.hpp"

namespace cloudai::pipeline {

enum class StageKind { prologue, main, epilogue };

std::string_view to_string(StageKind kind);

// One test in its place within a run.
struct Stage {
  StageKind kind = StageKind::main;
  std::string name;  // of the test; a name that occurs twice in its place gets ".2", ".3", …
  const config::Test* test = nullptr;
  std::filesystem::path directory;                 // relative to the run's: "prologue/<name>", "." or "epilogue/<name>"
  std::optional<int> num_nodes;                    // of the run's nodes; absent: all of them
  std::optional<std::chrono::seconds> time_limit;  // absent: unlimited
  Json scheduler_options{};                        // of the case, or of the hook's: for the scheduler alone
};

// A run that another one starts after.
struct Predecessor {
  std::string case_id;
  std::string run_id;
};

// One execution of a case: case × iteration.
struct Run {
  std::string id;  // "Tests.1/0"; also its directory relative to the results directory
  const config::Case* test_case = nullptr;
  std::size_t case_index = 0;
  int iteration = 0;
  std::vector<Stage> stages;                       // prologues, main, epilogues
  std::optional<std::chrono::seconds> time_limit;  // sum over the stages; absent: a stage has none
  // All runs of the cases it starts after, and then of those that these start after.
  std::vector<Predecessor> predecessors;
};

// All runs, case by case in the file's order, iteration by iteration. Points into `scenario`, which must outlive the
// result.
std::vector<Run> expand(const config::Scenario& scenario);

}  // namespace cloudai::pipeline
