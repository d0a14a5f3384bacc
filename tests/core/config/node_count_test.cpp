#include "core/config/node_count.hpp"

#include <gtest/gtest.h>

namespace cloudai::config {
namespace {

TEST(NodeCount, CountsNamesRangesAndGroups) {
  EXPECT_EQ(node_count({}), 0);
  EXPECT_EQ(node_count({"node001"}), 1);
  EXPECT_EQ(node_count({"a,b", "c"}), 3);
  EXPECT_EQ(node_count({"node1, node2"}), 2);
  EXPECT_EQ(node_count({"node[001-003,007]"}), 4);
  EXPECT_EQ(node_count({"rack[1-2]n[1-3]-ib0,x"}), 7);
  EXPECT_EQ(node_count({"cn-m11-16"}), 1);
  EXPECT_EQ(node_count({"batch:group_1:4", "x"}), 5);
}

TEST(NodeCount, LeavesTheRestToTheScheduler) {
  for (const char* text :
       {"batch:group_1:max_avail", "node[3-1]", "node[1,]", "node[]", "node[01", "node01]", "node[01-foo]",
        "node[1--2]", "node[[1-2]]", "", "a,,b", "node[1-99999999]", "n[1-99999][1-99999][1-99999]"}) {
    EXPECT_EQ(node_count({text}), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace cloudai::config
