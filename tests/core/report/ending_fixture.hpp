// How a scenario ended, made by hand.
#pragma once

#include "core/run/scenario_run.hpp"
#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::testing {

// One run for each status, in order, of cases "0", "1", ….
struct Finished {
  explicit Finished(const std::vector<run::Status>& statuses) {
    for (std::size_t i = 0; i < statuses.size(); ++i) configuration.scenario.cases.push_back(a_case(std::to_string(i)));
    configuration.scenario.name = "scenario";
    configuration.system.name = "cluster";
    configuration.system.scheduler = "standalone";
    runs = pipeline::expand(configuration.scenario);
    ending.started = Clock::time_point{std::chrono::seconds{1772366400}};
    ending.ended = ending.started + std::chrono::milliseconds{2500};
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      run::RunRecord record;
      record.run = &runs[i];
      record.status = statuses[i];
      if (statuses[i] != run::Status::passed)
        record.reason = {"code", "text of " + std::to_string(i), "", Json::array()};
      if (statuses[i] != run::Status::skipped) {
        record.started = ending.started;
        record.ended = ending.ended;
      }
      run::StageRecord stage;
      stage.name = runs[i].stages[0].name;
      stage.directory = runs[i].id;
      stage.status = statuses[i];
      record.stages.push_back(stage);
      ending.records.push_back(record);
    }
  }

  config::Configuration configuration;
  std::vector<pipeline::Run> runs;
  run::Ending ending;
};

}  // namespace cloudai::testing
