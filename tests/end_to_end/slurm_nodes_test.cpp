// Which nodes of a real Slurm a run gets.

#include <algorithm>

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

class SlurmNodes : public SlurmTest {
 protected:
  // The system file with a group of all the nodes.
  void system_with_group(const std::string& more = "") const {
    system(more);
    auto text = read(workspace.root() / "system.toml");
    workspace.write("system.toml", text + "[[partitions.groups]]\nname = \"all\"\nnodes = [\"n[1-4]\"]\n");
  }

  std::vector<std::string> nodes_of(const std::string& id) const {
    std::vector<std::string> names;
    const auto run = workspace.run_of(id);
    for (const auto& node : run.at("nodes").at("actual")) names.push_back(node.at("name"));
    return names;
  }
};

using Names = std::vector<std::string>;

TEST_F(SlurmNodes, OfAGroupAreNeverGivenToTwoRunsAtOnce) {
  system_with_group("max_parallel = 3\n");
  // The first two run at the same time, or neither ends.
  const auto meets = [](const std::string& own, const std::string& other) {
    return "touch \"$MARKS/" + own + "\"; for i in $(seq 1200); do [ -e \"$MARKS/" + other +
           "\" ] && exit 0; sleep 0.1; done; exit 1";
  };
  workspace.test("one", meets("one", "two"));
  workspace.test("two", meets("two", "one"));
  workspace.test("three", "true");
  workspace.scenario(test_case("one", "one", "nodes = [\"main:all:2\"]\n") +
                     test_case("two", "two", "nodes = [\"main:all:2\"]\n") +
                     test_case("three", "three", "nodes = [\"main:all:3\"]\n"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  auto nodes = nodes_of("one/0");
  const auto others = nodes_of("two/0");
  nodes.insert(nodes.end(), others.begin(), others.end());
  std::sort(nodes.begin(), nodes.end());
  EXPECT_EQ(nodes, (Names{"n1", "n2", "n3", "n4"}));
  EXPECT_EQ(nodes_of("three/0").size(), 3U);
}

TEST_F(SlurmNodes, ThatAreDrainedOrExcludedAreLeftOut) {
  system_with_group("max_parallel = 1\n");
  cluster->ask({"scontrol", "update", "nodename=n2", "state=drain", "reason=test"});
  workspace.test("work", "true");
  workspace.scenario(test_case("available", "work", "nodes = [\"main:all:max_avail\"]\n") +
                     test_case("excluded", "work", "num_nodes = 2\nexclude_nodes = [\"n[3-3]\"]\n") +
                     test_case("named", "work", "nodes = [\"n[3-4]\"]\n"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(nodes_of("available/0"), (Names{"n1", "n3", "n4"}));
  EXPECT_EQ(nodes_of("excluded/0"), (Names{"n1", "n4"}));
  EXPECT_EQ(nodes_of("named/0"), (Names{"n3", "n4"}));
}

}  // namespace
}  // namespace end_to_end
