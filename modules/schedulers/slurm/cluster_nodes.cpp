#include "cluster_nodes.hpp"

#include <algorithm>
#include <map>

#include "cloudai/error.hpp"
#include "host_list.hpp"

namespace slurm {
namespace {

// Calls `use` with each line of a text, without its end.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  while (true) {
    const size_t bar = line.find('|');
    std::string field(line.substr(0, bar));
    while (!field.empty() && field.back() == ' ') field.pop_back();
    fields.push_back(std::move(field));
    if (bar == std::string_view::npos) return fields;
    line.remove_prefix(bar + 1);
  }
}

// The value of " key=value " in a record on one line.
std::string value_of(std::string_view record, std::string_view key) {
  const std::string start = std::string(key) + "=";
  for (size_t at = record.find(start); at != std::string_view::npos; at = record.find(start, at + 1)) {
    if (at > 0 && record[at - 1] != ' ') continue;
    const std::string_view rest = record.substr(at + start.size());
    return std::string(rest.substr(0, rest.find(' ')));
  }
  return {};
}

// What the cluster prints is no configuration of the user's: a list that cannot be read has no nodes.
std::vector<std::string> printed_host_list(std::string_view text) {
  try {
    return expand_host_list(text);
  } catch (const cloudai::Error&) {
    return {};
  }
}

// A node is printed once for every partition it is in.
class SinfoReading {
 public:
  void add(std::string_view line) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() < 3) return;
    std::string partition = fields[0];
    while (!partition.empty() && partition.back() == '*') partition.pop_back();
    const std::vector<std::string> names = printed_host_list(fields.back());
    if (names.empty()) return;
    const NodeState state = parse_node_state(fields[1]);
    if (state.has(NodeFlag::unrecognised)) add_unknown(fields[1]);
    for (const std::string& name : names) add_node(name, state, partition);
  }

  ClusterNodes result() && { return std::move(result_); }

 private:
  void add_unknown(const std::string& word) {
    auto& unknown = result_.unknown_states;
    if (std::find(unknown.begin(), unknown.end(), word) == unknown.end()) unknown.push_back(word);
  }

  void add_node(const std::string& name, const NodeState& state, const std::string& partition) {
    const auto [entry, is_new] = index_.try_emplace(name, result_.nodes.size());
    if (is_new) result_.nodes.push_back({name, state, {}});
    auto& partitions = result_.nodes[entry->second].partitions;
    if (std::find(partitions.begin(), partitions.end(), partition) == partitions.end()) {
      partitions.push_back(partition);
    }
  }

  ClusterNodes result_;
  std::map<std::string, size_t> index_;
};

}  // namespace

ClusterNodes parse_sinfo(std::string_view output) {
  SinfoReading reading;
  for_each_line(output, [&](std::string_view line) { reading.add(line); });
  return std::move(reading).result();
}

std::vector<Reservation> parse_reservations(std::string_view output) {
  std::vector<Reservation> reservations;
  for_each_line(output, [&](std::string_view line) {
    const std::string name = value_of(line, "ReservationName");
    if (name.empty()) return;
    reservations.push_back({name, printed_host_list(value_of(line, "Nodes")), value_of(line, "State") == "ACTIVE"});
  });
  return reservations;
}

std::vector<ClusterNode> nodes_of_groups(const SystemOptions& options) {
  std::vector<ClusterNode> nodes;
  std::map<std::string, size_t> index;
  for (const Partition& partition : options.partitions) {
    for (const Group& group : partition.groups) {
      for (const std::string& name : group.nodes) {
        const auto [entry, is_new] = index.try_emplace(name, nodes.size());
        if (is_new) nodes.push_back({name, {BaseState::idle, {}}, {}});
        auto& partitions = nodes[entry->second].partitions;
        if (std::find(partitions.begin(), partitions.end(), partition.name) == partitions.end()) {
          partitions.push_back(partition.name);
        }
      }
    }
  }
  return nodes;
}

}  // namespace slurm
