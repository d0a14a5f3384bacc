#include "node_groups.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"
#include "host_list.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using cloudai::Status;

// "partition:group:4" or "partition:group:max_avail".
struct GroupRequest {
  std::string text;
  std::string partition;
  std::string group;
  std::optional<size_t> count;  // absent: max_avail
};

std::string in_quotes(std::string_view text) {
  return "'" + cloudai::one_line(text) + "'";
}

GroupRequest parse_group_request(const std::string& text) {
  const size_t first = text.find(':');
  const size_t second = text.find(':', first + 1);
  const bool has_three = second != std::string::npos && text.find(':', second + 1) == std::string::npos;
  GroupRequest request{text, text.substr(0, first), {}, {}};
  const std::string last = has_three ? text.substr(second + 1) : "";
  if (has_three) request.group = text.substr(first + 1, second - first - 1);
  if (last == "max_avail") return request;
  size_t count = 0;
  const auto [end, error] = std::from_chars(last.data(), last.data() + last.size(), count);
  if (error != std::errc{} || end != last.data() + last.size() || count == 0) {
    throw Error(Status::invalid_config,
                "The node specification " + in_quotes(text) +
                    " is not of the form partition:group:number or partition:group:max_avail.",
                "Write for example \"main:group_1:4\"; the number is at least 1.");
  }
  request.count = count;
  return request;
}

template <class Named>
std::string names_of(const std::vector<Named>& entries) {
  std::string text;
  for (const Named& entry : entries) text += (text.empty() ? "" : ", ") + in_quotes(entry.name);
  return text.empty() ? "none" : text;
}

template <class Named>
const Named* find_named(const std::vector<Named>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Named& e) { return e.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

const Group& group_of(const GroupRequest& request, const SystemOptions& options) {
  const Partition* partition = find_named(options.partitions, request.partition);
  if (partition == nullptr) {
    throw Error(Status::invalid_config,
                "Partition " + in_quotes(request.partition) + " of the node specification " + in_quotes(request.text) +
                    " is not found.",
                "The partitions of the system file are: " + names_of(options.partitions) + ".");
  }
  const Group* group = find_named(partition->groups, request.group);
  if (group == nullptr) {
    throw Error(
        Status::invalid_config,
        "Group " + in_quotes(request.group) + " is not found in partition " + in_quotes(request.partition) + ".",
        "Its groups in the system file are: " + names_of(partition->groups) + ".");
  }
  return *group;
}

// How soon a node can be had: the first is taken first.
enum class Standing { idle, completing, allocated, unusable };

const Reservation* reservation_of(const std::string& node, const std::vector<Reservation>& reservations) {
  const auto found = std::find_if(reservations.begin(), reservations.end(), [&](const Reservation& r) {
    return r.active && std::find(r.nodes.begin(), r.nodes.end(), node) != r.nodes.end();
  });
  return found == reservations.end() ? nullptr : &*found;
}

struct Judged {
  Standing standing = Standing::unusable;
  std::string why;          // it is unusable
  std::string reservation;  // which would make it usable
};

bool is_reserved(const NodeState& state) {
  return state.has(NodeFlag::reserved) || state.has(NodeFlag::maintenance);
}

// The first thing that keeps a node from being used, other than that it is busy or reserved; empty if nothing does.
std::string trouble_of(const NodeState& state) {
  constexpr std::array<std::pair<NodeFlag, const char*>, 13> troubles{
      {{NodeFlag::unrecognised, "in a state this version does not know"},
       {NodeFlag::not_responding, "not responding"},
       {NodeFlag::drain, "drained"},
       {NodeFlag::fail, "failing"},
       {NodeFlag::invalid, "invalid"},
       {NodeFlag::powered_down, "powered down"},
       {NodeFlag::powering_down, "powering down"},
       {NodeFlag::power_down_requested, "powering down"},
       {NodeFlag::powering_up, "powering up"},
       {NodeFlag::reboot_issued, "rebooting"},
       {NodeFlag::reboot_requested, "about to reboot"},
       {NodeFlag::blocked, "blocked"},
       {NodeFlag::counters_in_use, "in use by another job's counters"}}};
  for (const auto& [flag, text] : troubles) {
    if (state.has(flag)) return text;
  }
  switch (state.base) {
    case BaseState::idle:
    case BaseState::allocated:
    case BaseState::mixed:
      return {};
    case BaseState::down:
      return "down";
    default:
      return "in state " + std::string(cloudai::to_string(state.base));
  }
}

Judged judge(const ClusterNode& node, const std::vector<Reservation>& reservations, const std::string& requested) {
  if (const std::string trouble = trouble_of(node.state); !trouble.empty()) return {Standing::unusable, trouble, {}};
  if (is_reserved(node.state)) {
    const Reservation* reservation = reservation_of(node.name, reservations);
    if (reservation == nullptr) return {Standing::unusable, "reserved", {}};
    if (reservation->name != requested) {
      return {Standing::unusable, "reserved by " + in_quotes(reservation->name), reservation->name};
    }
  }
  if (node.state.has(NodeFlag::completing)) return {Standing::completing, {}, {}};
  const bool is_free = node.state.base == BaseState::idle && !node.state.has(NodeFlag::planned);
  return {is_free ? Standing::idle : Standing::allocated, {}, {}};
}

// The nodes of one group as a request finds them.
struct Supply {
  std::array<std::vector<std::string>, 3> by_standing;  // idle, completing, allocated
  std::vector<std::string> in_use;                      // by runs of ours
  std::vector<std::string> unusable;                    // "node003 (down)"
  std::string reservation;                              // one that would make more usable

  std::vector<std::string> best(size_t standings) const {
    std::vector<std::string> nodes;
    for (size_t i = 0; i < standings; ++i) nodes.insert(nodes.end(), by_standing[i].begin(), by_standing[i].end());
    return nodes;
  }
};

class Choice {
 public:
  Choice(const cloudai::AllocateRequest& request, const SystemOptions& options, const ClusterView& cluster)
      : options_(options), cluster_(cluster), reservation_(requested_reservation(options)) {
    for (const ClusterNode& node : cluster.nodes) nodes_[node.name] = &node;
    for (const std::string& list : request.nodes.exclude) {
      for (std::string& name : expand_host_list(list)) excluded_.insert(std::move(name));
    }
    taken_.insert(request.taken.begin(), request.taken.end());
  }

  cloudai::Allocation choose(const std::vector<std::string>& specifications) {
    // The nodes that are named are not to be chosen for a group as well, whichever stands first.
    for (const std::string& text : specifications) {
      if (text.find(':') == std::string::npos) add(expand_host_list(text));
    }
    for (const std::string& text : specifications) {
      if (text.find(':') != std::string::npos) add_group(parse_group_request(text));
    }
    if (!wait_.empty()) return {{}, wait_};
    if (chosen_.empty()) refuse_empty(specifications);
    std::sort(chosen_.begin(), chosen_.end(), host_less);
    return {chosen_, {}};
  }

 private:
  void add(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (excluded_.count(name) == 0 && is_chosen_.insert(name).second) chosen_.push_back(name);
    }
  }

  void add_group(const GroupRequest& request) {
    const Supply supply = supply_of(group_of(request, options_));
    // max_avail is what is there now, so it has no use for nodes that others work on.
    std::vector<std::string> nodes = supply.best(request.count ? 3 : 2);
    const size_t needed = request.count.value_or(1);
    if (nodes.size() >= needed) {
      if (request.count) nodes.resize(needed);
      add(nodes);
    } else if (nodes.size() + supply.in_use.size() >= needed) {
      wait_ = "Group " + in_quotes(request.group) + " of partition " + in_quotes(request.partition) + ": " +
              std::to_string(needed) + " asked for, " + std::to_string(nodes.size()) + " free, " +
              std::to_string(supply.in_use.size()) + " in use by other runs (" + compress_host_list(supply.in_use) +
              ").";
    } else {
      refuse_group(request, supply, nodes.size() + supply.in_use.size());
    }
  }

  Supply supply_of(const Group& group) const {
    Supply supply;
    for (const std::string& name : group.nodes) {
      if (excluded_.count(name) != 0 || is_chosen_.count(name) != 0) continue;
      const auto known = nodes_.find(name);
      const Judged judged = known == nodes_.end() ? Judged{Standing::unusable, "not known to Slurm", {}}
                                                  : judge(*known->second, cluster_.reservations, reservation_);
      if (judged.standing == Standing::unusable) {
        supply.unusable.push_back(name + " (" + judged.why + ")");
        if (supply.reservation.empty()) supply.reservation = judged.reservation;
      } else if (taken_.count(name) != 0) {
        supply.in_use.push_back(name);
      } else {
        supply.by_standing[static_cast<size_t>(judged.standing)].push_back(name);
      }
    }
    return supply;
  }

  [[noreturn]] static void refuse_group(const GroupRequest& request, const Supply& supply, size_t usable) {
    const std::string count =
        request.count == 1 ? "1 node is" : std::to_string(request.count.value_or(0)) + " nodes are";
    const std::string asked = request.count ? count : "At least one node is";
    std::string message = asked + " asked for with " + in_quotes(request.text) + ", but the group has " +
                          std::to_string(usable) + (request.count ? " that can be used." : " that is free.");
    if (!supply.unusable.empty()) {
      constexpr size_t most_shown = 8;
      message += " Not usable:";
      for (size_t i = 0; i < std::min(supply.unusable.size(), most_shown); ++i) {
        message += (i == 0 ? " " : ", ") + supply.unusable[i];
      }
      const bool has_more = supply.unusable.size() > most_shown;
      message += has_more ? " and " + std::to_string(supply.unusable.size() - most_shown) + " more." : ".";
    }
    std::string hint = "Ask for fewer nodes, or see 'sinfo -R' for why nodes are out of use.";
    if (!supply.reservation.empty()) {
      hint = "For the nodes of the reservation " + in_quotes(supply.reservation) +
             ", set extra_srun_args = \"--reservation " + supply.reservation + "\" in the system file.";
    }
    throw Error(Status::invalid_config, message, hint);
  }

  [[noreturn]] void refuse_empty(const std::vector<std::string>& specifications) const {
    std::string asked;
    for (const std::string& text : specifications) asked += (asked.empty() ? "" : ", ") + in_quotes(text);
    const std::string why = excluded_.empty() ? "" : " after taking out exclude_nodes";
    throw Error(Status::invalid_config, "The nodes " + asked + " are no node at all" + why + ".",
                "Name at least one node; no run is started on nodes of Slurm's choice instead.");
  }

  const SystemOptions& options_;
  const ClusterView& cluster_;
  std::string reservation_;
  std::map<std::string, const ClusterNode*> nodes_;
  std::set<std::string> excluded_;
  std::set<std::string> taken_;
  std::set<std::string> is_chosen_;
  std::vector<std::string> chosen_;
  std::string wait_;
};

}  // namespace

bool names_a_group(const cloudai::NodeRequest& request) {
  return std::any_of(request.names.begin(), request.names.end(),
                     [](const std::string& text) { return text.find(':') != std::string::npos; });
}

bool needs_reservations(const std::vector<ClusterNode>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const ClusterNode& node) { return is_reserved(node.state); });
}

cloudai::Allocation choose_nodes(const cloudai::AllocateRequest& request, const SystemOptions& options,
                                 const ClusterView& cluster) {
  if (request.nodes.names.empty()) return {};
  return Choice(request, options, cluster).choose(request.nodes.names);
}

}  // namespace slurm
