// Whether the dependencies of a scenario's cases make an order.
#pragma once

#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"

namespace cloudai::config {

// Errors: ids that are there twice, dependencies on ids that are not there or on the case itself, cases that wait for
// each other, and a case that ends with one that waits for its end.
void check_dependencies(const std::vector<Case>& cases, Diagnostics& diagnostics);

}  // namespace cloudai::config
