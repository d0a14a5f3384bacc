// What is run for a test.
#pragma once

#include "cloudai/documents/plan.hpp"
#include "cloudai/documents/workload.hpp"

namespace cloudai::nccl_test {

// The plan of a run. Throws Error(invalid_config) for a test this module cannot run as its author means it.
Plan plan_of(const RunRequest& run);

// The id under which the image is provisioned.
constexpr const char* image_item = "image";

}  // namespace cloudai::nccl_test
