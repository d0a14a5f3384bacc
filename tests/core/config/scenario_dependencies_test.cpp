#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/capabilities.hpp"
#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ScenarioDependencies : public fixture::ConfigTest {};

std::string with_dependency(const std::string& id, const std::string& on, const std::string& type = "start_post_comp") {
  return "[[Tests]]\nid = \"" + id + "\"\ntest_name = \"reduce\"\n[[Tests.dependencies]]\ntype = \"" + type +
         "\"\nid = \"" + on + "\"\n";
}

TEST_F(ScenarioDependencies, CyclesAreNamedFromEndToEnd) {
  EXPECT_FALSE(load_scenario("name = \"loop\"\n" + with_dependency("A", "C") + with_dependency("B", "A") +
                             with_dependency("C", "B") + with_dependency("D", "D")));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:2:1: error: these tests wait for each other and none could start: A -> C -> B -> A.",
                  "scenario.toml:23:1: error: test 'D' depends on itself: D -> D."));
}

TEST_F(ScenarioDependencies, DependenciesThatMeetAreNoCycle) {
  EXPECT_TRUE(load_scenario("name = \"diamond\"\n[[Tests]]\nid = \"A\"\ntest_name = \"reduce\"\n" +
                            with_dependency("B", "A") + with_dependency("C", "A") + with_dependency("D", "B") +
                            "[[Tests.dependencies]]\ntype = \"start_post_comp\"\nid = \"C\"\n"));
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(ScenarioDependencies, DependencyThatIsThereTwiceCountsOnce) {
  const auto configuration =
      load_scenario("name = \"s\"\n[[Tests]]\nid = \"A\"\ntest_name = \"reduce\"\n" + with_dependency("B", "A") +
                    "[[Tests.dependencies]]\ntype = \"start_post_comp\"\nid = \"A\"\n");
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->scenario.cases[1].dependencies.size(), 1U);
  EXPECT_THAT(problems, ElementsAre("scenario.toml:11:1: warning: the dependency on 'A' is there twice."));
}

TEST_F(ScenarioDependencies, LongChainsAreSearchedWithoutRecursion) {
  std::string scenario = "name = \"chain\"\n[[Tests]]\nid = \"0\"\ntest_name = \"reduce\"\n";
  for (int i = 1; i < 3000; ++i) scenario += with_dependency(std::to_string(i), std::to_string(i - 1));
  EXPECT_TRUE(load_scenario(scenario));
}

const std::string test_c = "[[Tests]]\nid = \"C\"\ntest_name = \"reduce\"\n";

TEST_F(ScenarioDependencies, EveryTypeOfDependencyIsReadAnyNumberOfThem) {
  const auto configuration = load_scenario("name = \"s\"\n" + with_dependency("A", "B", "start_post_init") +
                                           "[[Tests.dependencies]]\ntype = \"start_post_comp\"\nid = \"B\"\n" +
                                           "[[Tests.dependencies]]\ntype = \"end_post_comp\"\nid = \"C\"\n" +
                                           with_dependency("B", "C", "end_post_comp") + test_c);
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(configuration);
  const auto& dependencies = configuration->scenario.cases[0].dependencies;
  ASSERT_EQ(dependencies.size(), 3U);
  EXPECT_EQ(dependencies[0].type, DependencyType::start_post_init);
  EXPECT_EQ(dependencies[2].type, DependencyType::end_post_comp);
}

TEST_F(ScenarioDependencies, CyclesOfEveryTypeThatDelaysAStartAreErrors) {
  EXPECT_FALSE(load_scenario("name = \"loop\"\n" + with_dependency("A", "C", "start_post_init") +
                             with_dependency("B", "A") + with_dependency("C", "B", "start_post_init")));
  EXPECT_THAT(problems, ElementsAre("scenario.toml:2:1: error: these tests wait for each other and none could start: "
                                    "A -> C -> B -> A."));
}

TEST_F(ScenarioDependencies, AServerThatEndsWithItsClientIsNoCycle) {
  EXPECT_TRUE(load_scenario("name = \"s\"\n" + with_dependency("server", "client", "end_post_comp") +
                            with_dependency("client", "server", "start_post_init")));
  EXPECT_TRUE(load_scenario("name = \"s\"\n" + with_dependency("A", "B", "end_post_comp") +
                            with_dependency("B", "A", "end_post_comp")));
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(ScenarioDependencies, ATestThatEndsWithOneThatWaitsForItsEndIsAnError) {
  EXPECT_FALSE(load_scenario("name = \"s\"\n" + with_dependency("A", "C", "end_post_comp") + with_dependency("B", "A") +
                             with_dependency("C", "B", "start_post_init")));
  EXPECT_THAT(problems, ElementsAre("scenario.toml:5:1: error: test 'A' is to end when 'C' has completed, but 'C' "
                                    "starts only after 'A' has completed."));
}

TEST_F(ScenarioDependencies, EndingATestAloneBeforeItsEpilogueNeedsASchedulerThatCan) {
  files.write("hook/test/gather.toml", "name = \"quick\"\ndescription = \"x\"\ntest_template_name = \"Collective\"\n");
  files.write("hook/clean.toml", "name = \"clean\"\n[[Tests]]\nid = \"1\"\ntest_name = \"quick\"\n");
  paths.hook_dir = "hook";
  const std::string tests = with_dependency("A", "C", "end_post_comp") + test_c;
  EXPECT_TRUE(load_scenario("name = \"s\"\n" + tests));
  EXPECT_FALSE(load_scenario("name = \"s\"\nepilogue = \"clean\"\n" + tests));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:6:1: error: test 'A' ends with 'C' and has an epilogue that is to run "
                          "then, but scheduler 'standalone' can only end a job whole (it lacks the capability "
                          "'end_main')."));
}

TEST(EndingAMainStage, TakesASchedulerThatCanOrThatRunsItAsAJobOfItsOwn) {
  module::Provided scheduler;
  EXPECT_TRUE(needs_stage_jobs(scheduler));
  EXPECT_TRUE(can_end_main(scheduler));
  scheduler.capabilities = {"stages_in_one_allocation"};
  EXPECT_FALSE(needs_stage_jobs(scheduler));
  EXPECT_FALSE(can_end_main(scheduler));
  scheduler.capabilities = {"several_runs"};
  EXPECT_FALSE(needs_stage_jobs(scheduler));
  EXPECT_FALSE(can_end_main(scheduler));
  scheduler.capabilities = {"stages_in_one_allocation", "end_main"};
  EXPECT_TRUE(can_end_main(scheduler));
}

TEST_F(ScenarioDependencies, AChainOfEndsThatWaitsForItsOwnEndIsAnError) {
  EXPECT_FALSE(load_scenario("name = \"s\"\n" + with_dependency("A", "B", "end_post_comp") +
                             with_dependency("B", "C", "end_post_comp") + with_dependency("C", "A")));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:5:1: error: test 'A' is to end when 'B' has completed, but 'B' is to end with a "
                  "test that starts only after 'A' has completed."));
}

TEST_F(ScenarioDependencies, ATestThatStartsWhenItHasToEndIsAnError) {
  EXPECT_FALSE(load_scenario("name = \"s\"\n" + with_dependency("B", "C", "end_post_comp") +
                             "[[Tests.dependencies]]\ntype = \"start_post_comp\"\nid = \"C\"\n" + test_c));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:5:1: error: test 'B' is to end when 'C' has completed, but it starts "
                          "only after that, so it would never run."));
}

}  // namespace
}  // namespace cloudai::config
