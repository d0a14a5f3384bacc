// What sinfo and scontrol say of a node, taken apart.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cloudai/documents/value.hpp"

namespace slurm {

enum class BaseState { unknown, down, idle, allocated, error, mixed, future };
constexpr std::array<std::string_view, 7> enum_names(BaseState) {
  return {"UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "ERROR", "MIXED", "FUTURE"};
}

// What stands beside the base state, by a word of its own or by a character after it.
enum class NodeFlag {
  completing,
  drain,
  fail,
  invalid,
  maintenance,
  not_responding,
  planned,
  powered_down,
  powering_down,
  power_down_requested,
  powering_up,
  reboot_issued,
  reboot_requested,
  reserved,
  blocked,
  counters_in_use,
  unrecognised  // a word Slurm did not have when this was written
};

struct NodeState {
  BaseState base = BaseState::unknown;
  std::vector<NodeFlag> flags;  // each once

  bool has(NodeFlag flag) const;
};

// Long, short, compound and marked forms: "idle", "drain*", "mix-", "IDLE+MAINTENANCE+RESERVED", "DOWN*+DRAIN". A word
// that is not known gives a node with the flag `unrecognised`, which no run gets.
NodeState parse_node_state(std::string_view text);

}  // namespace slurm
