// The vtables of the module boundary as data: what each must hold before it is called, and its calls by name.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cloudai/abi/base.h"

namespace cloudai::module {

struct InterfaceMember {
  std::string_view name;
  std::size_t offset;
};

struct InterfaceTable {
  std::string_view id;
  std::size_t size;
  std::span<const InterfaceMember> members;
};

// Null for an id this core does not know.
const InterfaceTable* interface_table(std::string_view id);

// Why `vtable`, which a module gave for the interface, may not be used: too small, or a member is null. Completes a
// sentence: "has a null 'plan' in its cloudai.workload/1."
std::optional<std::string> problem_of_vtable(const InterfaceTable& table, const void* vtable);

// The call `name` of a checked vtable, or null if the interface has none of that name and type.
cloudai_call call_of(const InterfaceTable& table, const void* vtable, std::string_view name);

}  // namespace cloudai::module
