#include "core/run/progression.hpp"

#include <gmock/gmock.h>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::run {
namespace {

using testing::a_case;
using testing::a_scenario;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A progression with names for numbers.
class Machine {
 public:
  Machine(std::vector<config::Case> cases, FailurePolicy policy, std::optional<int> max_parallel = std::nullopt)
      : scenario_(a_scenario(std::move(cases))),
        runs_(pipeline::expand(scenario_)),
        progression_(runs_, policy, max_parallel) {}

  std::vector<std::string> start() { return names(progression_.take_ready()); }

  // Ends a run and returns "id: reason" of what is skipped by that.
  std::vector<std::string> finish(const std::string& id, Status status = Status::passed) {
    return texts(progression_.finish(index(id), status));
  }
  std::vector<std::string> stop() { return texts(progression_.stop({"cancelled", "stopped", "", Json::array()})); }
  void put_back(const std::string& id) { progression_.put_back(index(id)); }
  const Progression& get() const { return progression_; }

 private:
  std::size_t index(const std::string& id) const {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i].id == id) return i;
    }
    throw std::out_of_range(id);
  }
  std::vector<std::string> names(const std::vector<std::size_t>& runs) const {
    std::vector<std::string> result;
    for (const std::size_t run : runs) result.push_back(runs_[run].id);
    return result;
  }
  std::vector<std::string> texts(const std::vector<Progression::Skipped>& skipped) const {
    std::vector<std::string> result;
    for (const auto& [run, reason] : skipped) result.push_back(runs_[run].id + ": " + reason.text);
    return result;
  }

  config::Scenario scenario_;
  std::vector<pipeline::Run> runs_;
  Progression progression_;
};

TEST(Progression, StartsWhatDependsOnNothingInTheFilesOrder) {
  Machine machine({a_case("c"), a_case("b", {"c"}), a_case("a")}, FailurePolicy::stop);
  EXPECT_THAT(machine.start(), ElementsAre("c/0", "a/0"));
  EXPECT_THAT(machine.start(), IsEmpty());
  EXPECT_EQ(machine.get().in_flight(), 2U);
}

TEST(Progression, WaitsForAllPredecessors) {
  Machine machine({a_case("a"), a_case("b"), a_case("c", {"a", "b"})}, FailurePolicy::stop);
  machine.start();
  machine.finish("a/0");
  EXPECT_THAT(machine.start(), IsEmpty());
  machine.finish("b/0");
  EXPECT_THAT(machine.start(), ElementsAre("c/0"));
  machine.finish("c/0");
  EXPECT_TRUE(machine.get().is_done());
}

TEST(Progression, APredecessorNamedTwiceCountsOnce) {
  Machine machine({a_case("a"), a_case("b", {"a", "a"})}, FailurePolicy::stop);
  machine.start();
  machine.finish("a/0");
  EXPECT_THAT(machine.start(), ElementsAre("b/0"));
}

TEST(Progression, IterationsRunOneAfterTheOtherAndDependentsWaitForTheLast) {
  Machine machine({a_case("a", {}, 2), a_case("b", {"a"})}, FailurePolicy::stop);
  EXPECT_THAT(machine.start(), ElementsAre("a/0"));
  machine.finish("a/0");
  EXPECT_THAT(machine.start(), ElementsAre("a/1"));
  machine.finish("a/1");
  EXPECT_THAT(machine.start(), ElementsAre("b/0"));
}

TEST(Progression, MaxParallelBoundsTheRunsInFlight) {
  Machine machine({a_case("a"), a_case("b"), a_case("c")}, FailurePolicy::stop, 2);
  EXPECT_THAT(machine.start(), ElementsAre("a/0", "b/0"));
  machine.finish("b/0");
  EXPECT_THAT(machine.start(), ElementsAre("c/0"));
}

TEST(Progression, ARunThatWasPutBackIsTakenAgainInItsPlace) {
  Machine machine({a_case("a"), a_case("b")}, FailurePolicy::stop, 1);
  machine.start();
  machine.put_back("a/0");
  EXPECT_EQ(machine.get().in_flight(), 0U);
  EXPECT_THAT(machine.start(), ElementsAre("a/0"));
}

TEST(Progression, AFailureStopsTheScenario) {
  Machine machine({a_case("a", {}, 2), a_case("b"), a_case("c", {"b"})}, FailurePolicy::stop);
  machine.start();
  EXPECT_THAT(machine.finish("a/0", Status::failed),
              ElementsAre("a/1: scenario stopped after test a failed", "c/0: scenario stopped after test a failed"));
  EXPECT_TRUE(machine.get().is_stopped());
  EXPECT_THAT(machine.start(), IsEmpty());
  EXPECT_FALSE(machine.get().is_done());
  machine.finish("b/0", Status::cancelled);
  EXPECT_TRUE(machine.get().is_done());
}

TEST(Progression, KeepGoingSkipsOnlyWhatDependsOnTheFailure) {
  Machine machine({a_case("1"), a_case("2"), a_case("3"), a_case("4", {"2"}), a_case("5", {"4"})},
                  FailurePolicy::keep_going, 1);
  machine.start();
  machine.finish("1/0");
  machine.start();
  EXPECT_THAT(machine.finish("2/0", Status::failed),
              ElementsAre("4/0: dependency 2 failed", "5/0: dependency 4 was skipped"));
  EXPECT_THAT(machine.start(), ElementsAre("3/0"));
  machine.finish("3/0");
  EXPECT_TRUE(machine.get().is_done());
}

TEST(Progression, KeepGoingStillRunsTheOtherIterations) {
  Machine machine({a_case("a", {}, 2), a_case("b", {"a"})}, FailurePolicy::keep_going);
  machine.start();
  EXPECT_THAT(machine.finish("a/0", Status::failed), IsEmpty());
  EXPECT_THAT(machine.start(), ElementsAre("a/1"));
  EXPECT_THAT(machine.finish("a/1"), ElementsAre("b/0: dependency a failed"));
  EXPECT_TRUE(machine.get().is_done());
}

TEST(Progression, WithoutStatusCheckDependentsOfAFailureStart) {
  Machine machine({a_case("a"), a_case("b", {"a"})}, FailurePolicy::ignore);
  machine.start();
  EXPECT_THAT(machine.finish("a/0", Status::failed), IsEmpty());
  EXPECT_THAT(machine.start(), ElementsAre("b/0"));
}

TEST(Progression, ADependentOfTwoFailuresIsSkippedOnce) {
  Machine machine({a_case("a"), a_case("b"), a_case("c", {"a", "b"})}, FailurePolicy::keep_going);
  machine.start();
  EXPECT_THAT(machine.finish("a/0", Status::error), ElementsAre("c/0: dependency a failed"));
  EXPECT_THAT(machine.finish("b/0", Status::failed), IsEmpty());
  EXPECT_TRUE(machine.get().is_done());
}

TEST(Progression, StopSkipsEverythingThatWaits) {
  Machine machine({a_case("a"), a_case("b", {"a"})}, FailurePolicy::stop);
  machine.start();
  EXPECT_THAT(machine.stop(), ElementsAre("b/0: stopped"));
  EXPECT_THAT(machine.finish("a/0"), IsEmpty());
  EXPECT_THAT(machine.start(), IsEmpty());
  EXPECT_TRUE(machine.get().is_done());
}

TEST(Progression, AFilteredPredecessorIsNotWaitedFor) {
  Machine machine({a_case("b", {"gone"})}, FailurePolicy::stop);
  EXPECT_THAT(machine.start(), ElementsAre("b/0"));
}

TEST(Progression, ALongChainOfSkippedTestsDoesNotRecurse) {
  std::vector<config::Case> chain{a_case("0")};
  constexpr int length = 20000;
  for (int i = 1; i < length; ++i) chain.push_back(a_case(std::to_string(i), {std::to_string(i - 1)}));
  Machine machine(std::move(chain), FailurePolicy::keep_going);
  machine.start();
  EXPECT_EQ(machine.finish("0/0", Status::failed).size(), static_cast<std::size_t>(length - 1));
  EXPECT_TRUE(machine.get().is_done());
}

}  // namespace
}  // namespace cloudai::run
