#include "core/module/interface_table.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "cloudai/abi/reporter.h"
#include "cloudai/abi/scheduler.h"
#include "cloudai/abi/workload.h"

namespace cloudai::module {
namespace {

constexpr InterfaceMember workload_members[] = {
    {"requirements", offsetof(cloudai_workload_v1, requirements)},
    {"plan", offsetof(cloudai_workload_v1, plan)},
    {"evaluate", offsetof(cloudai_workload_v1, evaluate)},
};
constexpr InterfaceMember scheduler_members[] = {
    {"open", offsetof(cloudai_scheduler_v1, open)},         {"provision", offsetof(cloudai_scheduler_v1, provision)},
    {"allocate", offsetof(cloudai_scheduler_v1, allocate)}, {"render", offsetof(cloudai_scheduler_v1, render)},
    {"submit", offsetof(cloudai_scheduler_v1, submit)},     {"poll", offsetof(cloudai_scheduler_v1, poll)},
    {"cancel", offsetof(cloudai_scheduler_v1, cancel)},     {"collect", offsetof(cloudai_scheduler_v1, collect)},
    {"find", offsetof(cloudai_scheduler_v1, find)},         {"close", offsetof(cloudai_scheduler_v1, close)},
};
constexpr InterfaceMember reporter_members[] = {{"write", offsetof(cloudai_reporter_v1, write)}};

constexpr InterfaceTable tables[] = {
    {CLOUDAI_WORKLOAD_V1, sizeof(cloudai_workload_v1), workload_members},
    {CLOUDAI_SCHEDULER_V1, sizeof(cloudai_scheduler_v1), scheduler_members},
    {CLOUDAI_REPORTER_V1, sizeof(cloudai_reporter_v1), reporter_members},
};

cloudai_call member_of(const void* vtable, std::size_t offset) {
  cloudai_call function = nullptr;
  std::memcpy(&function, static_cast<const char*>(vtable) + offset, sizeof function);
  return function;
}

}  // namespace

const InterfaceTable* interface_table(std::string_view id) {
  for (const auto& table : tables) {
    if (table.id == id) return &table;
  }
  return nullptr;
}

std::optional<std::string> problem_of_vtable(const InterfaceTable& table, const void* vtable) {
  if (vtable == nullptr) return fmt::format("names {} in its manifest but does not have it.", table.id);
  std::uint32_t size = 0;
  std::memcpy(&size, vtable, sizeof size);
  if (size < table.size) {
    return fmt::format("has a {} of {} bytes, where {} are needed.", table.id, size, table.size);
  }
  for (const auto& member : table.members) {
    if (member_of(vtable, member.offset) == nullptr) {
      return fmt::format("has a null '{}' in its {}.", member.name, table.id);
    }
  }
  return std::nullopt;
}

cloudai_call call_of(const InterfaceTable& table, const void* vtable, std::string_view name) {
  if (name == "open" || name == "close") return nullptr;  // the two of another type
  for (const auto& member : table.members) {
    if (member.name == name) return member_of(vtable, member.offset);
  }
  return nullptr;
}

}  // namespace cloudai::module
