// Whether the dependencies of a scenario's cases make an order.
#pragma once

#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"

namespace cloudai::config {

// Ids that are there twice, dependencies on ids that are not there or on the case itself, and cycles are errors.
void check_dependencies(const std::vector<Case>& cases, Diagnostics& diagnostics);

}  // namespace cloudai::config
