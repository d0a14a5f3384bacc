#include "core/run/progression.hpp"

#include <gmock/gmock.h>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::run {
namespace {

using config::DependencyType::end_post_comp;
using config::DependencyType::start_post_comp;
using config::DependencyType::start_post_init;
using testing::a_case;
using testing::a_scenario;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::with;

// A progression with names for numbers.
class Machine {
 public:
  Machine(std::vector<config::Case> cases, FailurePolicy policy, std::optional<int> max_parallel = std::nullopt)
      : scenario_(a_scenario(std::move(cases))),
        runs_(pipeline::expand(scenario_)),
        progression_(runs_, policy, max_parallel) {}

  std::vector<std::string> start() { return names(progression_.take_ready()); }

  // Ends a run and returns "id: reason" of what is skipped by that, then "id ends with predecessor" of what must end.
  std::vector<std::string> finish(const std::string& id, Status status = Status::passed) {
    const auto next = progression_.finish(index(id), status);
    std::vector<std::string> result = texts(next.skipped);
    for (const auto& [run, predecessor, predecessor_ran] : next.ended) {
      result.push_back(runs_[run].id + " ends with " + predecessor + (predecessor_ran ? "" : ", which never ran"));
    }
    return result;
  }
  void running(const std::string& id) { progression_.running(index(id)); }
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
  EXPECT_THAT(machine.finish("a/0", Status::error), ElementsAre("c/0: dependency a ended in an error"));
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

TEST(StartPostInit, StartsOnceWhenThePredecessorIsSeenRunning) {
  Machine machine({a_case("server"), with(a_case("client"), {{start_post_init, "server"}})}, FailurePolicy::stop);
  EXPECT_THAT(machine.start(), ElementsAre("server/0"));
  EXPECT_THAT(machine.start(), IsEmpty());
  machine.running("server/0");
  machine.running("server/0");
  EXPECT_THAT(machine.start(), ElementsAre("client/0"));
  machine.finish("client/0");
  machine.running("server/0");
  EXPECT_THAT(machine.start(), IsEmpty());
  EXPECT_THAT(machine.finish("server/0"), IsEmpty());
  EXPECT_THAT(machine.start(), IsEmpty());
  EXPECT_TRUE(machine.get().is_done());
}

TEST(StartPostInit, StartsWhenThePredecessorEndedUnseen) {
  Machine machine({a_case("server", {}, 2), with(a_case("client"), {{start_post_init, "server"}})},
                  FailurePolicy::stop);
  machine.start();
  machine.finish("server/0");
  EXPECT_THAT(machine.start(), ElementsAre("server/1", "client/0"));
  machine.running("server/1");
  EXPECT_THAT(machine.start(), IsEmpty());
}

TEST(StartPostInit, IsSkippedWhenThePredecessorFailedUnseen) {
  Machine machine({a_case("server"), with(a_case("client"), {{start_post_init, "server"}}), a_case("next", {"client"})},
                  FailurePolicy::keep_going);
  machine.start();
  EXPECT_THAT(machine.finish("server/0", Status::failed),
              ElementsAre("client/0: dependency server failed", "next/0: dependency client was skipped"));
  EXPECT_TRUE(machine.get().is_done());
}

TEST(StartPostInit, GoesOnWhenThePredecessorFailsLater) {
  Machine machine({a_case("server"), with(a_case("client"), {{start_post_init, "server"}})}, FailurePolicy::keep_going);
  machine.start();
  machine.running("server/0");
  machine.start();
  EXPECT_THAT(machine.finish("server/0", Status::failed), IsEmpty());
  machine.finish("client/0");
  EXPECT_TRUE(machine.get().is_done());
}

TEST(StartPostInit, NeedsNoPlaceButTakesOne) {
  Machine machine({a_case("server"), a_case("other"), with(a_case("client"), {{start_post_init, "server"}})},
                  FailurePolicy::stop, 1);
  EXPECT_THAT(machine.start(), ElementsAre("server/0"));
  machine.running("server/0");
  EXPECT_THAT(machine.start(), ElementsAre("client/0"));
  machine.finish("server/0");
  EXPECT_THAT(machine.start(), IsEmpty());
  machine.finish("client/0");
  EXPECT_THAT(machine.start(), ElementsAre("other/0"));
}

TEST(StartPostInit, WaitsForAllOfAMixture) {
  Machine machine({a_case("a"), a_case("b"), a_case("c"),
                   with(a_case("d"), {{start_post_init, "a"}, {start_post_init, "b"}, {start_post_comp, "c"}})},
                  FailurePolicy::stop);
  machine.start();
  machine.running("a/0");
  machine.finish("c/0");
  EXPECT_THAT(machine.start(), IsEmpty());
  machine.running("b/0");
  EXPECT_THAT(machine.start(), ElementsAre("d/0"));
}

TEST(StartPostInit, BothKindsOnOnePredecessorBothCount) {
  Machine machine({a_case("a"), with(a_case("b"), {{start_post_init, "a"}, {start_post_comp, "a"}})},
                  FailurePolicy::stop);
  machine.start();
  machine.running("a/0");
  EXPECT_THAT(machine.start(), IsEmpty());
  machine.finish("a/0");
  EXPECT_THAT(machine.start(), ElementsAre("b/0"));
}

TEST(EndPostComp, EndsWhatRunsWhenThePredecessorHasCompleted) {
  Machine machine({with(a_case("noise"), {{end_post_comp, "test"}}), a_case("test", {}, 2)}, FailurePolicy::stop);
  EXPECT_THAT(machine.start(), ElementsAre("noise/0", "test/0"));
  EXPECT_THAT(machine.finish("test/0"), IsEmpty());
  machine.start();
  EXPECT_THAT(machine.finish("test/1"), ElementsAre("noise/0 ends with test"));
  EXPECT_FALSE(machine.get().is_done());
  EXPECT_THAT(machine.finish("noise/0"), IsEmpty());
  EXPECT_TRUE(machine.get().is_done());
}

TEST(EndPostComp, TheFirstOfSeveralEndsItAndItEndsOnce) {
  Machine machine({with(a_case("noise"), {{end_post_comp, "a"}, {end_post_comp, "b"}}), a_case("a"), a_case("b")},
                  FailurePolicy::stop);
  machine.start();
  EXPECT_THAT(machine.finish("b/0"), ElementsAre("noise/0 ends with b"));
  EXPECT_THAT(machine.finish("a/0"), IsEmpty());
}

TEST(EndPostComp, AFailureOfThePredecessorEndsItToo) {
  Machine machine({with(a_case("noise"), {{end_post_comp, "test"}}), a_case("test")}, FailurePolicy::keep_going);
  machine.start();
  EXPECT_THAT(machine.finish("test/0", Status::failed), ElementsAre("noise/0 ends with test"));
}

TEST(EndPostComp, ASkippedPredecessorEndsItToo) {
  Machine machine({with(a_case("noise"), {{end_post_comp, "test"}}), a_case("check"), a_case("test", {"check"})},
                  FailurePolicy::keep_going);
  machine.start();
  EXPECT_THAT(machine.finish("check/0", Status::failed),
              ElementsAre("test/0: dependency check failed", "noise/0 ends with test, which never ran"));
}

TEST(EndPostComp, WhatHasEndedByItselfIsLeftAlone) {
  Machine machine({with(a_case("noise"), {{end_post_comp, "test"}}), a_case("test")}, FailurePolicy::stop);
  machine.start();
  machine.finish("noise/0");
  EXPECT_THAT(machine.finish("test/0"), IsEmpty());
  EXPECT_TRUE(machine.get().is_done());
}

TEST(EndPostComp, WhatHasNotStartedByThenIsSkipped) {
  Machine machine({a_case("test"), a_case("slow"), with(a_case("noise", {"slow"}), {{end_post_comp, "test"}})},
                  FailurePolicy::stop);
  machine.start();
  EXPECT_THAT(machine.finish("test/0"),
              ElementsAre("noise/0: test test, with which it ends, had ended before it started"));
  machine.finish("slow/0");
  EXPECT_THAT(machine.start(), IsEmpty());
  EXPECT_TRUE(machine.get().is_done());
}

TEST(EndPostComp, WhatHasNotStartedWhenThePredecessorFailedIsSkippedForThat) {
  Machine machine({a_case("test"), a_case("slow"), with(a_case("noise", {"slow"}), {{end_post_comp, "test"}})},
                  FailurePolicy::keep_going);
  machine.start();
  EXPECT_THAT(machine.finish("test/0", Status::failed), ElementsAre("noise/0: dependency test failed"));
}

TEST(EndPostComp, TheIterationsLeftAreSkippedAndWhatFollowsStarts) {
  Machine machine({a_case("test"), with(a_case("noise", {}, 3), {{end_post_comp, "test"}}), a_case("after", {"noise"})},
                  FailurePolicy::stop);
  machine.start();
  machine.finish("noise/0");
  machine.start();
  EXPECT_THAT(machine.finish("test/0"),
              ElementsAre("noise/2: test test, with which it ends, has ended", "noise/1 ends with test"));
  EXPECT_THAT(machine.finish("noise/1"), IsEmpty());
  EXPECT_THAT(machine.start(), ElementsAre("after/0"));
}

TEST(EndPostComp, BetweenTwoIterationsItIsOverAtOnce) {
  Machine machine({a_case("test"), with(a_case("noise", {}, 2), {{end_post_comp, "test"}}), a_case("after", {"noise"})},
                  FailurePolicy::stop);
  machine.start();
  machine.finish("noise/0");
  EXPECT_THAT(machine.finish("test/0"), ElementsAre("noise/1: test test, with which it ends, has ended"));
  EXPECT_THAT(machine.start(), ElementsAre("after/0"));
}

TEST(EndPostComp, OneThatHadToEndBeforeItsMainTestStartedIsNoFailureButSkipped) {
  Machine machine({a_case("test"), with(a_case("noise"), {{end_post_comp, "test"}}), a_case("after", {"noise"})},
                  FailurePolicy::stop);
  machine.start();
  machine.finish("test/0");
  EXPECT_THAT(machine.finish("noise/0", Status::skipped), ElementsAre("after/0: dependency noise was skipped"));
  EXPECT_FALSE(machine.get().is_stopped());
  EXPECT_TRUE(machine.get().is_done());
}

TEST(EndPostComp, NeverWaitsForAPlace) {
  Machine machine({a_case("test"), a_case("other"), with(a_case("noise"), {{end_post_comp, "test"}})},
                  FailurePolicy::stop, 1);
  EXPECT_THAT(machine.start(), ElementsAre("test/0", "noise/0"));
}

TEST(EndPostComp, WhatItEndsWithMayUseItsPlace) {
  Machine machine({with(a_case("noise"), {{end_post_comp, "test"}}), a_case("other"), a_case("first"), a_case("second"),
                   a_case("test", {"first", "second"})},
                  FailurePolicy::stop, 1);
  // One at a time, and only what the end of the noise waits for.
  EXPECT_THAT(machine.start(), ElementsAre("noise/0", "first/0"));
  machine.finish("first/0");
  EXPECT_THAT(machine.start(), ElementsAre("second/0"));
  machine.finish("second/0");
  EXPECT_THAT(machine.start(), ElementsAre("test/0"));
  EXPECT_THAT(machine.finish("test/0"), ElementsAre("noise/0 ends with test"));
  EXPECT_THAT(machine.start(), IsEmpty());
  machine.finish("noise/0");
  EXPECT_THAT(machine.start(), ElementsAre("other/0"));
}

TEST(EndPostComp, AServerAndItsClientTakeTheOnlyPlaceTogether) {
  Machine machine({with(a_case("server"), {{end_post_comp, "client"}}), a_case("other"),
                   with(a_case("client"), {{start_post_init, "server"}})},
                  FailurePolicy::stop, 1);
  EXPECT_THAT(machine.start(), ElementsAre("server/0"));
  machine.running("server/0");
  EXPECT_THAT(machine.start(), ElementsAre("client/0"));
  EXPECT_THAT(machine.finish("client/0"), ElementsAre("server/0 ends with client"));
  EXPECT_THAT(machine.start(), IsEmpty());
  machine.finish("server/0");
  EXPECT_THAT(machine.start(), ElementsAre("other/0"));
}

TEST(EndPostComp, ARunThatWasPutBackIsSkippedLikeOneThatNeverStarted) {
  Machine machine({a_case("test"), with(a_case("noise"), {{end_post_comp, "test"}})}, FailurePolicy::stop);
  machine.start();
  machine.put_back("noise/0");
  EXPECT_THAT(machine.finish("test/0"),
              ElementsAre("noise/0: test test, with which it ends, had ended before it started"));
  EXPECT_TRUE(machine.get().is_done());
}

TEST(Progression, WhatEndsWithACaseThatNeverRunsIsTold) {
  Machine machine({a_case("first"), with(a_case("probe"), {{start_post_comp, "first"}}),
                   with(a_case("load"), {{end_post_comp, "probe"}})},
                  FailurePolicy::keep_going);
  EXPECT_THAT(machine.start(), ElementsAre("first/0", "load/0"));
  EXPECT_THAT(machine.finish("first/0", Status::inconclusive),
              ElementsAre("probe/0: dependency first was inconclusive", "load/0 ends with probe, which never ran"));
}

}  // namespace
}  // namespace cloudai::run
