#include "core/pipeline/job.hpp"

#include <gmock/gmock.h>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::pipeline {
namespace {

using std::chrono::seconds;
using testing::a_case;
using testing::a_scenario;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SharedJob : public ::testing::Test {
 protected:
  const Job& share() {
    runs_ = expand(scenario_);
    job_ = shared_job_of(runs_);
    return job_;
  }
  config::Case& test(std::size_t index) { return scenario_.cases[index]; }

  config::Scenario scenario_ = a_scenario({a_case("A"), a_case("B", {}, 2)});
  std::vector<pipeline::Run> runs_;
  Job job_;
};

TEST_F(SharedJob, AsksForTheNodesOfTheLargestWithoutThoseThatAnyExcludes) {
  test(0).num_nodes = 4;
  test(0).exclude_nodes = {"n1", "n2"};
  test(1).exclude_nodes = {"n2", "n3"};
  const Job& job = share();
  EXPECT_EQ(job.num_nodes, 4);
  EXPECT_THAT(job.exclude_nodes, ElementsAre("n1", "n2", "n3"));
  EXPECT_EQ(nodes_of(job.runs[0], job, 4), 4);
  EXPECT_EQ(nodes_of(job.runs[1], job, 4), 1);
}

TEST_F(SharedJob, OfNumbersOfAGroupAsksForTheLargest) {
  test(0).nodes = {"main:g:2"};
  test(1).nodes = {"main:g:4"};
  const Job& job = share();
  EXPECT_THAT(job.nodes, ElementsAre("main:g:4"));
  EXPECT_EQ(nodes_of(job.runs[0], job, 4), 2);
  EXPECT_EQ(nodes_of(job.runs[2], job, 4), 4);
  test(0).nodes = {"main:g:max_avail"};
  EXPECT_THAT(share().nodes, ElementsAre("main:g:max_avail"));
}

TEST_F(SharedJob, MayTurnOutTooSmall) {
  test(0).nodes = {"main:g:max_avail"};
  test(1).num_nodes = 3;
  const Job& job = share();
  EXPECT_EQ(nodes_of(job.runs[0], job, 2), 2);
  EXPECT_EQ(nodes_of(job.runs[1], job, 2), 3);
}

TEST_F(SharedJob, HasTheSumOfTheLimitsOrNone) {
  test(0).time_limit = seconds(10);
  EXPECT_EQ(time_limit_of(share()), std::nullopt);
  test(1).time_limit = seconds(20);
  EXPECT_EQ(time_limit_of(share()), seconds(50));
}

TEST_F(SharedJob, IsInTheResultsDirectoryAndAnyOtherInItsRuns) {
  EXPECT_EQ(share().directory_in("/results/s"), "/results/s");
  EXPECT_EQ(job_of(runs_[2]).directory_in("/results/s"), "/results/s/B/1");
}

TEST(OrderOfDependencies, PutsTestsAfterThoseTheyWaitForAndElseKeepsTheirOrder) {
  const auto order = [](std::vector<config::Case> cases) {
    const auto scenario = a_scenario(std::move(cases));
    std::vector<std::string> ids;
    for (const auto& run : in_order_of_dependencies(expand(scenario))) ids.push_back(run.id);
    return ids;
  };
  EXPECT_THAT(order({a_case("A"), a_case("B"), a_case("C")}), ElementsAre("A/0", "B/0", "C/0"));
  EXPECT_THAT(order({a_case("A", {"C"}), a_case("B"), a_case("C", {"D"}, 2), a_case("D")}),
              ElementsAre("B/0", "D/0", "C/0", "C/1", "A/0"));
  EXPECT_THAT(order({}), IsEmpty());
}

}  // namespace
}  // namespace cloudai::pipeline
