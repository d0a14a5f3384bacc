// The least bus bandwidth that a test may demand, and what its plots show of it.
#pragma once

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/workload.hpp"
#include "modules/workloads/nccl_test/output.hpp"

namespace cloudai::nccl_test {

// Holds `outcome`, which passed so far, against `min_busbw`, if the test sets it: at one size, never on an average over
// sizes. Each placement, type, operation and root that was measured at that size must reach it; where the sweep was run
// in cycles, their mean. Reaching the limit exactly is enough. Where the size was not measured, nothing can be said:
// inconclusive. A fact tells what was compared.
void apply_bandwidth_limit(const StageRequest& stage, const Output& output, Outcome& outcome);

// Adds to the plots of bus bandwidth a line for `min_busbw`, less its tolerance, and one for the speed of light, if the
// test sets them.
void add_references(const StageRequest& stage, const Output& output, Outcome& outcome);

}  // namespace cloudai::nccl_test
