#include "core/run/scenario_run.hpp"

#include "core/run/scenario_loop.hpp"

namespace cloudai::run {

Ending run_scenario(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs, const RunPolicy& policy,
                    module::Host& host, Journal& journal) {
  auto loop = std::make_unique<ScenarioLoop>(surroundings, runs, policy, host, journal);
  Ending ending = loop->execute();
  // Its threads would be waited for; one of them does not come back.
  if (ending.has_stuck_call) (void)loop.release();
  return ending;
}

}  // namespace cloudai::run
