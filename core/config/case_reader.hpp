// One entry [[Tests]] of a scenario.
#pragma once

#include <optional>

#include "core/config/scenario_reader.hpp"

namespace cloudai::config {

struct CaseReading {
  Case value;
  bool has_test = false;  // whether `value.test` could be read
  bool has_unknown_test = false;
};

// `node` has been checked against the schema of a case. Everything is read that can be.
CaseReading read_case(const Node& node, const ScenarioContext& context, Diagnostics& diagnostics);

}  // namespace cloudai::config
