#include "cluster_nodes.hpp"

#include <gmock/gmock.h>

namespace slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NodeState, SeparatesTheBaseFromWhatStandsBesideIt) {
  struct Expected {
    const char* text;
    BaseState base;
    std::vector<NodeFlag> flags;
  };
  const std::vector<Expected> cases{
      {"idle", BaseState::idle, {}},
      {"mix-", BaseState::mixed, {NodeFlag::planned}},
      {"drain*", BaseState::idle, {NodeFlag::not_responding, NodeFlag::drain}},
      {"drng", BaseState::allocated, {NodeFlag::drain}},
      {"idle~", BaseState::idle, {NodeFlag::powered_down}},
      {"idle#", BaseState::idle, {NodeFlag::powering_up}},
      {"idle!", BaseState::idle, {NodeFlag::power_down_requested}},
      {"alloc%", BaseState::allocated, {NodeFlag::powering_down}},
      {"down$", BaseState::down, {NodeFlag::maintenance}},
      {"boot^", BaseState::unknown, {NodeFlag::reboot_issued}},
      {"idle@", BaseState::idle, {NodeFlag::reboot_requested}},
      {"maint", BaseState::idle, {NodeFlag::maintenance}},
      {"comp", BaseState::idle, {NodeFlag::completing}},
      {"inval", BaseState::unknown, {NodeFlag::invalid}},
      {"unk", BaseState::unknown, {}},
      {"IDLE+MAINTENANCE+RESERVED", BaseState::idle, {NodeFlag::maintenance, NodeFlag::reserved}},
      {"DOWN*+DRAIN", BaseState::down, {NodeFlag::not_responding, NodeFlag::drain}},
      {"IDLE+CLOUD+POWERED_DOWN", BaseState::idle, {NodeFlag::powered_down}},
      {"MIXED+PLANNED", BaseState::mixed, {NodeFlag::planned}},
      {"ALLOCATED+COMPLETING", BaseState::allocated, {NodeFlag::completing}},
      {"INVAL", BaseState::unknown, {NodeFlag::invalid}},
      {"glowing", BaseState::unknown, {NodeFlag::unrecognised}},
      {"IDLE+GLOWING", BaseState::idle, {NodeFlag::unrecognised}},
      {"", BaseState::unknown, {NodeFlag::unrecognised}},
  };
  for (const Expected& expected : cases) {
    const NodeState state = parse_node_state(expected.text);
    EXPECT_EQ(state.base, expected.base) << expected.text;
    EXPECT_EQ(state.flags, expected.flags) << expected.text;
  }
}

TEST(Sinfo, ANodeIsOneNodeInAllItsPartitions) {
  const ClusterNodes cluster = parse_sinfo(
      "batch*|idle|N/A|node[001-002]\n"
      "batch*|glow|N/A|node003\n"
      "debug |idle|N/A|node001\n"
      "debug|glow*|N/A|node004\n"
      "empty|n/a|N/A|\n"
      "short|idle\n"
      "odd|idle|node[1-\n"
      "other|mix|node005");
  std::vector<std::string> names;
  for (const ClusterNode& node : cluster.nodes) names.push_back(node.name);
  EXPECT_THAT(names, ElementsAre("node001", "node002", "node003", "node004", "node005"));
  EXPECT_THAT(cluster.nodes[0].partitions, ElementsAre("batch", "debug"));
  EXPECT_THAT(cluster.nodes[1].partitions, ElementsAre("batch"));
  EXPECT_EQ(cluster.nodes[4].state.base, BaseState::mixed);
  EXPECT_THAT(cluster.unknown_states, ElementsAre("glow", "glow*"));
}

TEST(Reservations, HaveTheirNodes) {
  const auto reservations = parse_reservations(
      "ReservationName=bench StartTime=2026-02-01T00:00:00 EndTime=2026-03-01T00:00:00 Duration=28-00:00:00 "
      "Nodes=node[001-004] NodeCnt=4 CoreCnt=896 Features=(null) PartitionName=batch Flags=SPEC_NODES Users=user1 "
      "Groups=(null) Accounts=(null) State=ACTIVE\n"
      "ReservationName=later Nodes=(null) NodeCnt=0 State=INACTIVE\n"
      "No reservations in the system\n");
  ASSERT_EQ(reservations.size(), 2);
  EXPECT_EQ(reservations[0].name, "bench");
  EXPECT_THAT(reservations[0].nodes, ElementsAre("node001", "node002", "node003", "node004"));
  EXPECT_TRUE(reservations[0].active);
  EXPECT_THAT(reservations[1].nodes, IsEmpty());
  EXPECT_FALSE(reservations[1].active);
}

TEST(NodesOfGroups, AreAllIdle) {
  SystemOptions options;
  options.partitions = {{"p", {{"g", {"n1", "n2"}}, {"h", {"n2"}}}}, {"q", {{"g", {"n2"}}}}};
  const auto nodes = nodes_of_groups(options);
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(nodes[1].name, "n2");
  EXPECT_EQ(nodes[1].state.base, BaseState::idle);
  EXPECT_THAT(nodes[1].partitions, ElementsAre("p", "q"));
}

}  // namespace
}  // namespace slurm
