// The interfaces that the host offers, as data: what crosses to a module in a child process, and back.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "cloudai/abi/host.h"

namespace cloudai::module {

// The type of a member. The host's context is the first argument of all.
enum class HostMemberKind {
  call,    // cloudai_call
  notice,  // HostNotice: no answer, and it does not block
};
using HostNotice = void (*)(void* context, cloudai_str text);

struct HostMember {
  std::string_view name;
  std::size_t offset;
  HostMemberKind kind;
};

struct HostInterface {
  std::string_view id;
  std::size_t size;
  std::span<const HostMember> members;
};

// An interface of the host that is in this list is offered to modules in child processes, too.
std::span<const HostInterface> host_interfaces();

// The functions of `host` by name; null if it has none of that name and type.
cloudai_call host_call(const cloudai_host& host, std::string_view interface_id, std::string_view function);
HostNotice host_notice(const cloudai_host& host, std::string_view interface_id, std::string_view function);

}  // namespace cloudai::module
