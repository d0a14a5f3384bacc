#include "node_groups.hpp"

#include <gmock/gmock.h>

#include "cloudai/error.hpp"

namespace slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class NodeGroupsTest : public ::testing::Test {
 protected:
  NodeGroupsTest() {
    options_.partitions = {{"batch", {{"g", {"node001", "node002", "node003", "node004"}}, {"none", {}}}}};
    sinfo("batch*|idle|node[001-004]\n");
  }

  void sinfo(const std::string& output) { cluster_.nodes = parse_sinfo(output).nodes; }

  cloudai::Allocation choose(std::vector<std::string> names, std::vector<std::string> taken = {},
                             std::vector<std::string> exclude = {}) const {
    return choose_nodes({{1, std::move(names), std::move(exclude)}, std::move(taken)}, options_, cluster_);
  }

  std::string refusal(std::vector<std::string> names, std::vector<std::string> taken = {},
                      std::vector<std::string> exclude = {}) const {
    try {
      const auto allocation = choose(std::move(names), std::move(taken), std::move(exclude));
      return "no refusal, but " + std::to_string(allocation.nodes.size()) + " nodes; " + allocation.wait;
    } catch (const cloudai::Error& error) {
      hint_ = error.hint();
      return error.message();
    }
  }

  SystemOptions options_;
  ClusterView cluster_;
  mutable std::string hint_;
};

TEST_F(NodeGroupsTest, WithoutNamesTheChoiceIsSlurms) {
  EXPECT_THAT(choose({}).nodes, IsEmpty());
  EXPECT_EQ(choose({}).wait, "");
}

TEST_F(NodeGroupsTest, HostListsAreTakenInAscendingOrderWithoutTheExcluded) {
  EXPECT_THAT(choose({"node[10,9]", "node2", "node9"}).nodes, ElementsAre("node2", "node9", "node10"));
  EXPECT_THAT(choose({"node[1-4]"}, {"node1"}, {"node[2-3]"}).nodes, ElementsAre("node1", "node4"));
  EXPECT_EQ(refusal({"node1"}, {}, {"node[1-2]"}),
            "The nodes 'node1' are no node at all after taking out exclude_nodes.");
  EXPECT_EQ(refusal({"node[3-1]"}),
            "'node[3-1]' is not a host list: the range '3-1' ends before it starts (at character 6).");
}

TEST_F(NodeGroupsTest, ConcurrentRunsGetDisjointNodesOrWait) {
  const auto first = choose({"batch:g:2"});
  EXPECT_THAT(first.nodes, ElementsAre("node001", "node002"));
  auto taken = first.nodes;
  const auto second = choose({"batch:g:2"}, taken);
  EXPECT_THAT(second.nodes, ElementsAre("node003", "node004"));
  taken.insert(taken.end(), second.nodes.begin(), second.nodes.end());
  const auto third = choose({"batch:g:1"}, taken);
  EXPECT_THAT(third.nodes, IsEmpty());
  EXPECT_EQ(third.wait, "Group 'g' of partition 'batch': 1 asked for, 0 free, 4 in use by other runs (node[001-004]).");
  // Released at the end of the first.
  EXPECT_THAT(choose({"batch:g:1"}, second.nodes).nodes, ElementsAre("node001"));
}

TEST_F(NodeGroupsTest, TheBestStateIsTakenFirst) {
  sinfo("batch*|alloc|node001\nbatch*|comp|node002\nbatch*|mix|node003\nbatch*|idle|node004\n");
  EXPECT_THAT(choose({"batch:g:1"}).nodes, ElementsAre("node004"));
  EXPECT_THAT(choose({"batch:g:2"}).nodes, ElementsAre("node002", "node004"));
  EXPECT_THAT(choose({"batch:g:3"}).nodes, ElementsAre("node001", "node002", "node004"));
  EXPECT_THAT(choose({"batch:g:max_avail"}).nodes, ElementsAre("node002", "node004"));
}

TEST_F(NodeGroupsTest, NodesOutOfUseAreNamedWhereTheyAreMissed) {
  sinfo("batch*|drain|node001\nbatch*|down*|node002\nbatch*|idle|node004\n");
  EXPECT_EQ(
      refusal({"batch:g:2"}),
      "2 nodes are asked for with 'batch:g:2', but the group has 1 that can be used. Not usable: node001 (drained), "
      "node002 (not responding), node003 (not known to Slurm).");
  EXPECT_EQ(hint_, "Ask for fewer nodes, or see 'sinfo -R' for why nodes are out of use.");
  EXPECT_EQ(refusal({"batch:none:max_avail"}),
            "At least one node is asked for with 'batch:none:max_avail', but the group has 0 that is free.");
}

TEST_F(NodeGroupsTest, OnlyIdleNodesWithoutAMarkAreFree) {
  options_.partitions[0].groups[0].nodes = {"node001", "node015", "node016", "node019", "node027", "cloud1"};
  sinfo(
      "batch*|idle|node001\nbatch*|boot^|node015\nbatch*|idle@|node016\nbatch*|plnd|node019\nbatch*|blocked|node027\n"
      "batch*|idle~|cloud1\n");
  EXPECT_THAT(choose({"batch:g:max_avail"}).nodes, ElementsAre("node001"));
}

TEST_F(NodeGroupsTest, MaxAvailWaitsOnlyWhereOthersOfOursHaveAll) {
  EXPECT_THAT(choose({"batch:g:max_avail"}, {"node002"}).nodes, ElementsAre("node001", "node003", "node004"));
  EXPECT_NE(choose({"batch:g:max_avail"}, {"node001", "node002", "node003", "node004"}).wait, "");
}

TEST_F(NodeGroupsTest, ReservedNodesAreForWhoHasTheReservation) {
  sinfo("batch*|resv|node[001-003]\nbatch*|maint|node004\n");
  EXPECT_TRUE(needs_reservations(cluster_.nodes));
  cluster_.reservations = parse_reservations(
      "ReservationName=bench Nodes=node[001-003] State=ACTIVE\nReservationName=upkeep Nodes=node004 State=ACTIVE\n");
  EXPECT_EQ(
      refusal({"batch:g:1"}),
      "1 node is asked for with 'batch:g:1', but the group has 0 that can be used. Not usable: node001 (reserved by "
      "'bench'), node002 (reserved by 'bench'), node003 (reserved by 'bench'), node004 (reserved by 'upkeep').");
  EXPECT_EQ(
      hint_,
      "For the nodes of the reservation 'bench', set extra_srun_args = \"--reservation bench\" in the system file.");
  options_.extra_srun_args = "--reservation bench";
  EXPECT_THAT(choose({"batch:g:3"}).nodes, ElementsAre("node001", "node002", "node003"));
  EXPECT_THAT(choose({"batch:g:max_avail"}).nodes, ElementsAre("node001", "node002", "node003"));
  options_.extra_srun_args.clear();
  options_.extra_sbatch_args = {"--reservation=upkeep"};
  EXPECT_THAT(choose({"batch:g:1"}).nodes, ElementsAre("node004"));
}

TEST_F(NodeGroupsTest, AnInactiveReservationDoesNotHelp) {
  sinfo("batch*|resv|node[001-004]\n");
  cluster_.reservations = parse_reservations("ReservationName=bench Nodes=node[001-004] State=INACTIVE\n");
  options_.extra_srun_args = "--reservation=bench";
  EXPECT_NE(refusal({"batch:g:1"}).find("node001 (reserved)"), std::string::npos);
}

TEST_F(NodeGroupsTest, NamedNodesAndExcludedOnesAreNotChosenForAGroup) {
  EXPECT_THAT(choose({"batch:g:2", "node001"}).nodes, ElementsAre("node001", "node002", "node003"));
  EXPECT_THAT(choose({"batch:g:2"}, {}, {"node[001-002]"}).nodes, ElementsAre("node003", "node004"));
  EXPECT_THAT(choose({"batch:g:2", "batch:g:2"}).nodes, ElementsAre("node001", "node002", "node003", "node004"));
}

TEST_F(NodeGroupsTest, UnknownNamesAndFormsAreRefusedWithWhatThereIs) {
  EXPECT_EQ(refusal({"p:g:1"}), "Partition 'p' of the node specification 'p:g:1' is not found.");
  EXPECT_EQ(hint_, "The partitions of the system file are: 'batch'.");
  EXPECT_EQ(refusal({"batch:h:1"}), "Group 'h' is not found in partition 'batch'.");
  EXPECT_EQ(hint_, "Its groups in the system file are: 'g', 'none'.");
  for (const char* text :
       {"batch:g", "batch:g:", "batch:g:0", "batch:g:-1", "batch:g:x", "batch:g:1:2", ":", "batch:g:2x"}) {
    EXPECT_EQ(refusal({text}), "The node specification '" + std::string(text) +
                                   "' is not of the form partition:group:number or partition:group:max_avail.");
  }
}

TEST(NamesAGroup, IsTrueForOneAmongNames) {
  EXPECT_TRUE(names_a_group({1, {"n1", "p:g:2"}, {}}));
  EXPECT_FALSE(names_a_group({1, {"n1"}, {}}));
}

}  // namespace
}  // namespace slurm
