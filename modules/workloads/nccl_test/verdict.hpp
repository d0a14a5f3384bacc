// Whether a stage of nccl-tests is good: the exit status alone does not say.
#pragma once

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/workload.hpp"

namespace cloudai::nccl_test {

// A pass needs all of: nothing against it from scheduler and exit status, no failure the program reports, both end
// markers, at least one row, no wrong element, every requested size, and the planned ranks on the planned nodes.
Outcome evaluated(const StageRequest& stage);

}  // namespace cloudai::nccl_test
