#include "core/module/host_interfaces.hpp"

#include "cloudai/abi/host_process.h"

namespace cloudai::module {
namespace {

constexpr InterfaceMember process_members[] = {
    {"run", offsetof(cloudai_host_process_v1, run)},
    {"spawn_detached", offsetof(cloudai_host_process_v1, spawn_detached)},
    {"inspect", offsetof(cloudai_host_process_v1, inspect)},
    {"terminate", offsetof(cloudai_host_process_v1, terminate)},
};

constexpr InterfaceTable tables[] = {
    {CLOUDAI_HOST_PROCESS_V1, sizeof(cloudai_host_process_v1), process_members},
};

}  // namespace

std::span<const InterfaceTable> host_interfaces() {
  return tables;
}

}  // namespace cloudai::module
