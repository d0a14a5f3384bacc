#include "core/app/progress.hpp"

#include <gtest/gtest.h>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::app {
namespace {

using std::chrono::seconds;

class ProgressTest : public ::testing::Test {
 protected:
  explicit ProgressTest(std::vector<config::Case> cases = {testing::a_case("a"), testing::a_case("b", {}, 2),
                                                           testing::a_case("c")})
      : scenario(testing::a_scenario(std::move(cases))), runs(pipeline::expand(scenario)), progress(runs) {}

  void finish(const std::string& run, const std::string& status) {
    progress.heed("finished", {{"run", run}, {"status", status}, {"reason", ""}});
  }

  config::Scenario scenario;
  std::vector<pipeline::Run> runs;
  Progress progress;
};

TEST_F(ProgressTest, BeginsWithEverythingWaiting) {
  EXPECT_EQ(progress.text(seconds(0)), "[00:00:00] 0 of 4 done, 4 waiting");
}

TEST_F(ProgressTest, FollowsTheEventsOfARun) {
  progress.heed("submitting", {{"run", "a/0"}, {"tag", "x"}});
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 0 of 4 done, 1 submitting, 3 waiting");
  progress.heed("submitted", {{"run", "a/0"}, {"job", "1"}});
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 0 of 4 done, 1 pending, 3 waiting");
  progress.heed("running", {{"run", "a/0"}});
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 0 of 4 done, 1 running, 3 waiting | a");
  progress.heed("ended", {{"run", "a/0"}});
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 0 of 4 done, 1 collecting, 3 waiting | a");
  finish("a/0", "passed");
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 1 of 4 done (1 passed), 3 waiting");
}

TEST_F(ProgressTest, OfRunsThatShareAJobNamesTheOneThatRuns) {
  const Json all = {"a/0", "b/0", "b/1", "c/0"};
  progress.heed("submitting", {{"runs", all}, {"tag", "x"}});
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 0 of 4 done, 4 submitting");
  progress.heed("submitted", {{"runs", all}, {"job", "1"}});
  progress.heed("running", {{"run", "a/0"}});
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 0 of 4 done, 1 running, 3 pending | a");
  progress.heed("ended", {{"run", "a/0"}});
  progress.heed("running", {{"run", "b/0"}});
  EXPECT_EQ(progress.text(seconds(1)), "[00:00:01] 0 of 4 done, 1 collecting, 1 running, 2 pending | b (1 of 2)");
}

TEST_F(ProgressTest, NamesWhatRunsInTheScenariosOrder) {
  for (const char* run : {"c/0", "b/1", "a/0"}) progress.heed("running", {{"run", run}});
  EXPECT_EQ(progress.text(seconds(90061)), "[1-01:01:01] 0 of 4 done, 3 running, 1 waiting | a, b (2 of 2), c");
}

TEST_F(ProgressTest, CountsEveryEnd) {
  finish("a/0", "passed");
  finish("b/0", "failed");
  finish("b/1", "skipped");
  finish("c/0", "cancelled");
  EXPECT_EQ(progress.text(seconds(5)), "[00:00:05] 4 of 4 done (1 passed, 1 failed, 1 skipped, 1 cancelled)");
}

TEST_F(ProgressTest, PassesOverWhatSaysNothingOfARun) {
  progress.heed("signal", {{"signal", 2}});
  progress.heed("running", {{"run", "nobody/0"}});
  progress.heed("cancelling", {{"run", "a/0"}});
  progress.heed("finished", {{"run", 3}, {"status", "passed"}});
  EXPECT_EQ(progress.text(seconds(0)), "[00:00:00] 0 of 4 done, 4 waiting");
}

}  // namespace
}  // namespace cloudai::app
