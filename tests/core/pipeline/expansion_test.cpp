#include "core/pipeline/expansion.hpp"

#include <gmock/gmock.h>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::pipeline {
namespace {

using testing::a_case;
using testing::a_hook;
using testing::a_scenario;
using ::testing::ElementsAre;

std::vector<std::string> ids(const std::vector<pipeline::Run>& runs) {
  std::vector<std::string> result;
  for (const pipeline::Run& run : runs) result.push_back(run.id);
  return result;
}

TEST(Expansion, IterationsFollowEachOtherCaseByCase) {
  const auto scenario = a_scenario({a_case("b", {}, 2), a_case("a"), a_case("c", {}, 0)});
  EXPECT_THAT(ids(expand(scenario)), ElementsAre("b/0", "b/1", "a/0", "c/0"));
}

TEST(Expansion, EveryRunIsWrapped) {
  auto scenario = a_scenario({a_case("a", {}, 2)});
  scenario.prologue = {a_hook("check"), a_hook("warm")};
  scenario.epilogue = {a_hook("clean")};
  for (const pipeline::Run& run : expand(scenario)) {
    std::vector<std::string> directories;
    for (const Stage& stage : run.stages) directories.push_back(stage.directory.string());
    EXPECT_THAT(directories, ElementsAre("prologue/check", "prologue/warm", ".", "epilogue/clean"));
  }
}

TEST(Expansion, ANameThatOccursTwiceGetsANumber) {
  auto scenario = a_scenario({a_case("a")});
  scenario.prologue = {a_hook("check"), a_hook("check"), a_hook("check")};
  scenario.epilogue = {a_hook("check")};
  std::vector<std::string> names;
  const auto runs = expand(scenario);
  for (const Stage& stage : runs.front().stages) names.push_back(stage.name);
  EXPECT_THAT(names, ElementsAre("check", "check.2", "check.3", "test_of_a", "check"));
}

TEST(Expansion, AHookWithoutANodeCountGetsTheNodesOfTheRun) {
  auto scenario = a_scenario({a_case("a")});
  scenario.cases[0].num_nodes = 4;
  scenario.prologue = {a_hook("all"), a_hook("two")};
  scenario.prologue[1].num_nodes = 2;
  const auto runs = expand(scenario);
  EXPECT_EQ(runs[0].stages[0].num_nodes, std::nullopt);
  EXPECT_EQ(runs[0].stages[1].num_nodes, 2);
}

TEST(Expansion, TheLimitOfTheJobIsTheSum) {
  auto scenario = a_scenario({a_case("a")});
  scenario.cases[0].time_limit = std::chrono::seconds(100);
  scenario.prologue = {a_hook("check", 20)};
  scenario.epilogue = {a_hook("clean", 3)};
  EXPECT_EQ(expand(scenario)[0].time_limit, std::chrono::seconds(123));
}

TEST(Expansion, AStageWithoutALimitLeavesTheJobUnlimited) {
  auto scenario = a_scenario({a_case("a")});
  scenario.prologue = {a_hook("check", 20)};
  const auto runs = expand(scenario);
  EXPECT_EQ(runs[0].time_limit, std::nullopt);
  EXPECT_EQ(runs[0].stages[0].time_limit, std::chrono::seconds(20));
}

TEST(Expansion, PredecessorsOfPredecessorsFollowTheNearest) {
  const auto scenario =
      a_scenario({a_case("a"), a_case("b", {"a"}), a_case("c", {"a"}), a_case("d", {"b", "c"}), a_case("e", {"d"})});
  const auto runs = expand(scenario);
  std::vector<std::string> ids;
  for (const Predecessor& predecessor : runs.back().predecessors) ids.push_back(predecessor.run_id);
  EXPECT_THAT(ids, ElementsAre("d/0", "b/0", "c/0", "a/0"));
}

TEST(Expansion, PredecessorsAreAllRunsOfTheCasesARunDependsOn) {
  const auto scenario = a_scenario({a_case("a", {}, 2), a_case("b", {"a", "left out"})});
  const auto runs = expand(scenario);
  EXPECT_TRUE(runs[0].predecessors.empty());
  ASSERT_EQ(runs[2].predecessors.size(), 2U);
  EXPECT_EQ(runs[2].predecessors[0].case_id, "a");
  EXPECT_EQ(runs[2].predecessors[0].run_id, "a/0");
  EXPECT_EQ(runs[2].predecessors[1].run_id, "a/1");
}

TEST(Expansion, ANumberNeverMakesTheNameOfAnotherHookTest) {
  auto scenario = a_scenario({a_case("a")});
  scenario.epilogue = {a_hook("x"), a_hook("x"), a_hook("x.2"), a_hook("x.2")};
  const auto stages = expand(scenario)[0].stages;
  ASSERT_EQ(stages.size(), 5U);
  EXPECT_EQ(stages[1].name, "x");
  EXPECT_EQ(stages[2].name, "x.3");
  EXPECT_EQ(stages[3].name, "x.2");
  EXPECT_EQ(stages[4].name, "x.2.2");
}

TEST(Expansion, OfPredecessorsOfPredecessorsTheNearestAreKept) {
  std::vector<config::Case> chain{a_case("0")};
  for (int i = 1; i < 100; ++i) chain.push_back(a_case(std::to_string(i), {std::to_string(i - 1)}));
  const auto scenario = a_scenario(std::move(chain));
  const auto runs = expand(scenario);
  EXPECT_EQ(runs[2].predecessors.size(), 2U);
  EXPECT_EQ(runs[99].predecessors.front().case_id, "98");
  EXPECT_LT(runs[99].predecessors.size(), 20U);
}

}  // namespace
}  // namespace cloudai::pipeline
