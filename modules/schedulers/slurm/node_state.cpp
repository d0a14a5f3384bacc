#include "node_state.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace slurm {
namespace {

// What a word says of the base state and beside it. Words of sinfo's short form, of its long form, and of scontrol.
struct Word {
  std::string_view text;
  std::optional<BaseState> base;
  std::optional<NodeFlag> flag;
};

constexpr std::optional<BaseState> no_base;
constexpr std::optional<NodeFlag> no_flag;

constexpr std::array words{
    Word{"ALLOC", BaseState::allocated, no_flag},
    Word{"ALLOCATED", BaseState::allocated, no_flag},
    Word{"BLOCKED", no_base, NodeFlag::blocked},
    Word{"BOOT", no_base, NodeFlag::reboot_issued},
    Word{"CLOUD", no_base, no_flag},
    Word{"COMP", no_base, NodeFlag::completing},
    Word{"COMPLETING", no_base, NodeFlag::completing},
    Word{"DOWN", BaseState::down, no_flag},
    Word{"DRAIN", no_base, NodeFlag::drain},
    Word{"DRAINED", BaseState::idle, NodeFlag::drain},
    Word{"DRAINING", BaseState::allocated, NodeFlag::drain},
    Word{"DRNG", BaseState::allocated, NodeFlag::drain},
    Word{"DYNAMIC_FUTURE", no_base, no_flag},
    Word{"DYNAMIC_NORM", no_base, no_flag},
    Word{"ERROR", BaseState::error, no_flag},
    Word{"FAIL", no_base, NodeFlag::fail},
    Word{"FAILG", BaseState::allocated, NodeFlag::fail},
    Word{"FAILING", BaseState::allocated, NodeFlag::fail},
    Word{"FUTR", BaseState::future, no_flag},
    Word{"FUTURE", BaseState::future, no_flag},
    Word{"IDLE", BaseState::idle, no_flag},
    Word{"INVAL", no_base, NodeFlag::invalid},
    Word{"INVALID_REG", no_base, NodeFlag::invalid},
    Word{"MAINT", no_base, NodeFlag::maintenance},
    Word{"MAINTENANCE", no_base, NodeFlag::maintenance},
    Word{"MIX", BaseState::mixed, no_flag},
    Word{"MIXED", BaseState::mixed, no_flag},
    Word{"NOT_RESPONDING", no_base, NodeFlag::not_responding},
    Word{"NO_RESPOND", no_base, NodeFlag::not_responding},
    Word{"NPC", no_base, NodeFlag::counters_in_use},
    Word{"PERFCTRS", no_base, NodeFlag::counters_in_use},
    Word{"PLANNED", no_base, NodeFlag::planned},
    Word{"PLND", no_base, NodeFlag::planned},
    Word{"POWERED_DOWN", no_base, NodeFlag::powered_down},
    Word{"POWERING_DOWN", no_base, NodeFlag::powering_down},
    Word{"POWERING_UP", no_base, NodeFlag::powering_up},
    Word{"POWER_DOWN", no_base, NodeFlag::power_down_requested},
    Word{"POWER_UP", no_base, NodeFlag::powering_up},
    Word{"POW_DN", no_base, NodeFlag::powering_down},
    Word{"POW_UP", no_base, NodeFlag::powering_up},
    Word{"REBOOT", no_base, NodeFlag::reboot_requested},
    Word{"REBOOT_ISSUED", no_base, NodeFlag::reboot_issued},
    Word{"REBOOT_REQUESTED", no_base, NodeFlag::reboot_requested},
    Word{"RESERVED", no_base, NodeFlag::reserved},
    Word{"RESV", no_base, NodeFlag::reserved},
    Word{"UNK", BaseState::unknown, no_flag},
    Word{"UNKNOWN", BaseState::unknown, no_flag},
};

constexpr std::array<std::pair<char, NodeFlag>, 9> marks{{{'*', NodeFlag::not_responding},
                                                          {'~', NodeFlag::powered_down},
                                                          {'#', NodeFlag::powering_up},
                                                          {'!', NodeFlag::power_down_requested},
                                                          {'%', NodeFlag::powering_down},
                                                          {'$', NodeFlag::maintenance},
                                                          {'@', NodeFlag::reboot_requested},
                                                          {'^', NodeFlag::reboot_issued},
                                                          {'-', NodeFlag::planned}}};

// A node that only a flag is told of is idle beside it, but for flags that say it cannot be.
BaseState base_beside(const std::vector<NodeFlag>& flags) {
  const bool is_unknown = std::any_of(flags.begin(), flags.end(), [](NodeFlag flag) {
    return flag == NodeFlag::invalid || flag == NodeFlag::reboot_issued || flag == NodeFlag::unrecognised;
  });
  return flags.empty() || is_unknown ? BaseState::unknown : BaseState::idle;
}

class Reading {
 public:
  void add(std::string text) {
    for (auto mark = mark_of(text); mark; mark = mark_of(text)) {
      add(*mark);
      text.pop_back();
    }
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    const auto word = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.text == text; });
    if (word == words.end()) return add(NodeFlag::unrecognised);
    if (word->base) base_ = word->base;
    if (word->flag) add(*word->flag);
  }

  NodeState state() && {
    const BaseState base = base_.value_or(base_beside(flags_));
    return {base, std::move(flags_)};
  }

 private:
  static std::optional<NodeFlag> mark_of(const std::string& text) {
    const auto mark = std::find_if(marks.begin(), marks.end(),
                                   [&](const auto& m) { return !text.empty() && m.first == text.back(); });
    return mark == marks.end() ? std::nullopt : std::optional(mark->second);
  }

  void add(NodeFlag flag) {
    if (std::find(flags_.begin(), flags_.end(), flag) == flags_.end()) flags_.push_back(flag);
  }

  std::optional<BaseState> base_;
  std::vector<NodeFlag> flags_;
};

}  // namespace

bool NodeState::has(NodeFlag flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

NodeState parse_node_state(std::string_view text) {
  Reading reading;
  while (true) {
    const size_t plus = text.find('+');
    reading.add(std::string(text.substr(0, plus)));
    if (plus == std::string_view::npos) return std::move(reading).state();
    text.remove_prefix(plus + 1);
  }
}

}  // namespace slurm
