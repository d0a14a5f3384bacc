// What an output tells of the machine and the run besides measurements.
#pragma once

#include <map>
#include <string>

#include "modules/workloads/nccl_test/output.hpp"

namespace cloudai::nccl_test {

// "NVIDIA H100 80GB HBM3"; several, joined, where the ranks have different ones; empty if none is listed.
std::string gpu_type(const Output& output);

// The most devices one machine shows. Counted from the device numbers, since a process lists only those it uses.
std::int64_t devices_per_node(const Output& output);

std::map<std::string, std::string> facts_of(const Output& output, const std::string& collective);

}  // namespace cloudai::nccl_test
