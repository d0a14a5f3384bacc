// What is run for a test, and what its command line asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/plan.hpp"
#include "cloudai/documents/workload.hpp"

namespace cloudai::nccl_test {

// The plan of a run. Throws Error(invalid_config) for a test this module cannot run as its author means it.
Plan plan_of(const RunRequest& run);

// The id under which the image is provisioned.
constexpr const char* image_item = "image";

// The largest size a command line asks for: defaults, units and steps are those of nccl-tests, and the last of several
// equal options wins. Nothing for a command line that asks for none or cannot be understood.
std::optional<std::int64_t> largest_requested_size(const std::vector<std::string>& argv);

// "all_reduce" of "/opt/bin/all_reduce_perf_mpi".
std::string collective_of(const std::string& program);

}  // namespace cloudai::nccl_test
