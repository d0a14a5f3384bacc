// The scenario as text: what `run` and `dry-run` are about to do.
#pragma once

#include <string>

#include "core/config/model.hpp"

namespace cloudai::app {

// "Test Scenario: …", then for each case its section, test, description and dependencies; prologue and epilogue at the
// end.
std::string scenario_text(const config::Scenario& scenario);

}  // namespace cloudai::app
