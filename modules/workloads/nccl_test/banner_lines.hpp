// Lines that the program prints before its tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "modules/workloads/nccl_test/output.hpp"

namespace cloudai::nccl_test {

// The sizes in "nThread 1 nGpus 1 minBytes 8 maxBytes 1024 step: 2(factor) …".
std::optional<Sweep> announced_sweep(std::string_view line);

struct DeviceLine {
  std::optional<Device> device;
  bool cut = false;  // the program ran out of room within the line
};

// "Rank  0 Group  0 Pid   4100 on    node001 device  0 [0x1b] NVIDIA H100 80GB HBM3"
DeviceLine device_line(std::string_view line);

// 22807 → "2.28.7", 12040 → "CUDA 12.4": the numbers by which programs know the versions of NCCL and the driver.
std::string nccl_version_text(std::int64_t code);
std::string driver_version_text(std::int64_t code);

}  // namespace cloudai::nccl_test
