// --filter: some of a scenario's cases.
#pragma once

#include <string>
#include <vector>

#include "core/config/model.hpp"
#include "core/support/result.hpp"

namespace cloudai::app {

// Keeps the cases whose id matches one of the globs (as in a shell; an id without wildcards names just that case). A
// glob that matches nothing is an error. Dependencies on cases that are left out are dropped, and said in the log.
Result<void> filter_cases(config::Scenario& scenario, const std::vector<std::string>& globs);

}  // namespace cloudai::app
