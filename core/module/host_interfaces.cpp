#include "core/module/host_interfaces.hpp"

#include <cstring>

#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"

namespace cloudai::module {
namespace {

constexpr HostMember process_members[] = {
    {"run", offsetof(cloudai_host_process_v1, run), HostMemberKind::call},
    {"spawn_detached", offsetof(cloudai_host_process_v1, spawn_detached), HostMemberKind::call},
    {"inspect", offsetof(cloudai_host_process_v1, inspect), HostMemberKind::call},
    {"terminate", offsetof(cloudai_host_process_v1, terminate), HostMemberKind::call},
};
constexpr HostMember counter_members[] = {
    {"count", offsetof(cloudai_host_counter_v1, count), HostMemberKind::notice},
};

constexpr HostInterface interfaces[] = {
    {CLOUDAI_HOST_PROCESS_V1, sizeof(cloudai_host_process_v1), process_members},
    {CLOUDAI_HOST_COUNTER_V1, sizeof(cloudai_host_counter_v1), counter_members},
};

template <class Function>
Function function_of(const cloudai_host& host, std::string_view interface_id, std::string_view name,
                     HostMemberKind kind) {
  Function function = nullptr;
  const void* vtable = host.get_interface(host.context, {interface_id.data(), interface_id.size()});
  if (vtable == nullptr) return function;
  for (const HostInterface& interface : interfaces) {
    if (interface.id != interface_id) continue;
    for (const HostMember& member : interface.members) {
      if (member.name != name || member.kind != kind) continue;
      std::memcpy(&function, static_cast<const char*>(vtable) + member.offset, sizeof function);
    }
  }
  return function;
}

}  // namespace

std::span<const HostInterface> host_interfaces() {
  return interfaces;
}

cloudai_call host_call(const cloudai_host& host, std::string_view interface_id, std::string_view function) {
  return function_of<cloudai_call>(host, interface_id, function, HostMemberKind::call);
}

HostNotice host_notice(const cloudai_host& host, std::string_view interface_id, std::string_view function) {
  return function_of<HostNotice>(host, interface_id, function, HostMemberKind::notice);
}

}  // namespace cloudai::module
