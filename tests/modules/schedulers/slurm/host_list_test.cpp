#include "host_list.hpp"

#include <gmock/gmock.h>

#include "cloudai/error.hpp"

namespace slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

std::string refusal(const std::string& expression) {
  try {
    return "no refusal, but " + std::to_string(expand_host_list(expression).size()) + " names";
  } catch (const cloudai::Error& error) {
    return error.message();
  }
}

TEST(ExpandHostList, UnderstandsWhatSlurmDoes) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"node001", {"node001"}},
      {"node1,node2", {"node1", "node2"}},
      {"node1, node2", {"node1", "node2"}},
      {"node[1-3]", {"node1", "node2", "node3"}},
      {"node[001-003,007]", {"node001", "node002", "node003", "node007"}},
      {"node-[10-12]", {"node-10", "node-11", "node-12"}},
      {"cn-m11-16", {"cn-m11-16"}},
      {"cn-m11-[16,18]", {"cn-m11-16", "cn-m11-18"}},
      {"nodeA,nodeB[001,003],nodeC", {"nodeA", "nodeB001", "nodeB003", "nodeC"}},
      {"ip-10-1-4-[240-241]", {"ip-10-1-4-240", "ip-10-1-4-241"}},
      {"host.example.org", {"host.example.org"}},
      {" node1 \n", {"node1"}},
  };
  for (const auto& [expression, names] : cases) {
    EXPECT_THAT(expand_host_list(expression), ElementsAreArray(names)) << expression;
  }
}

TEST(ExpandHostList, NumbersAreAsWideAsTheLowerBound) {
  EXPECT_THAT(expand_host_list("node[8-12]"), ElementsAre("node8", "node9", "node10", "node11", "node12"));
  EXPECT_THAT(expand_host_list("node[08-12]"), ElementsAre("node08", "node09", "node10", "node11", "node12"));
  EXPECT_THAT(expand_host_list("nid00[012-013,076-77]"), ElementsAre("nid00012", "nid00013", "nid00076", "nid00077"));
  EXPECT_THAT(expand_host_list("a[001-3]"), ElementsAre("a001", "a002", "a003"));
}

TEST(ExpandHostList, TakesSeveralBracketsAndSuffixes) {
  EXPECT_THAT(expand_host_list("foo-[10-11]-[01-02]"), ElementsAre("foo-10-01", "foo-10-02", "foo-11-01", "foo-11-02"));
  EXPECT_THAT(expand_host_list("rack[1-2]n[1-2]"), ElementsAre("rack1n1", "rack1n2", "rack2n1", "rack2n2"));
  EXPECT_THAT(expand_host_list("b2u[05,02]n3"), ElementsAre("b2u05n3", "b2u02n3"));
  EXPECT_THAT(expand_host_list("node[1-2]-ib0"), ElementsAre("node1-ib0", "node2-ib0"));
}

TEST(ExpandHostList, NamesEachHostOnceInTheListsOrder) {
  EXPECT_THAT(expand_host_list("node[1-2],node2"), ElementsAre("node1", "node2"));
  EXPECT_THAT(expand_host_list("b,a,b"), ElementsAre("b", "a"));
}

TEST(ExpandHostList, WhatSlurmPrintsForNoHostIsAnEmptyList) {
  for (const char* filler : {"", "  ", "(null)", "None assigned", "n/a"}) {
    EXPECT_THAT(expand_host_list(filler), IsEmpty()) << filler;
  }
}

TEST(ExpandHostList, RefusesAnythingElseWithItsPosition) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"node[3-1]", "the range '3-1' ends before it starts (at character 6)."},
      {"node[1,]", "a range is empty (at character 8)."},
      {"node[]", "a range is empty (at character 6)."},
      {"node[01", "a '[' is not closed (at character 5)."},
      {"node01]", "there is a ']' without a '[' (at character 7)."},
      {"node[01-foo]", "'01-foo' is neither a number nor two with a '-' (at character 6)."},
      {"node[1--2]", "'1--2' is neither a number nor two with a '-' (at character 6)."},
      {"node[[1-2]]", "'[1-2' is neither a number nor two with a '-' (at character 6)."},
      {"node[1-99999999]", "it names more than 65536 hosts (at character 6)."},
      {"a[1-999]b[1-999]", "it names more than 65536 hosts (at character 1)."},
      {"a[1-99999999999999999999]",
       "'1-99999999999999999999' is neither a number nor two with a '-' (at character 3)."},
      {"a,,b", "a name is empty (at character 3)."},
      {"a,", "a name is empty (at character 3)."},
      {"a b", "there is a blank inside a name (at character 3)."},
  };
  for (const auto& [expression, what] : cases) {
    EXPECT_EQ(refusal(expression), "'" + expression + "' is not a host list: " + what);
  }
}

TEST(CompressHostList, IsTheInverse) {
  std::vector<std::string> names;
  for (int i = 8; i <= 20; ++i) names.push_back("node" + std::to_string(i));
  EXPECT_EQ(compress_host_list(names), "node[8-20]");
  for (const char* expression : {"node[8-20]", "node[08-12]", "node[099-101]", "n[1,3,5-6]-ib0", "a,b,c1",
                                 "x[7,07,007]", "foo-10-[01-02],foo-11-[01-02]", "n[98-99,0100]", "login"}) {
    EXPECT_EQ(compress_host_list(expand_host_list(expression)), expression);
  }
  EXPECT_EQ(compress_host_list({"n2", "n1", "n2"}), "n[1-2]");
  EXPECT_EQ(compress_host_list({}), "");
}

TEST(HostLess, ComparesDigitsAsNumbers) {
  EXPECT_TRUE(host_less("node2", "node10"));
  EXPECT_FALSE(host_less("node10", "node2"));
  EXPECT_TRUE(host_less("rack1n10", "rack2n1"));
  EXPECT_TRUE(host_less("n", "n1"));
  EXPECT_FALSE(host_less("n1", "n1"));
  // The same number written in two ways is two names.
  EXPECT_NE(host_less("n01", "n1"), host_less("n1", "n01"));
}

}  // namespace
}  // namespace slurm
