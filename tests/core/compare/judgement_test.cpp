#include "core/compare/judgement.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cloudai::compare {
namespace {

Samples bandwidth(std::vector<double> values) {
  return {"GB/s", Better::higher, false, 0, std::move(values), {}, {}};
}

Samples latency(std::vector<double> values) {
  return {"us", Better::lower, false, 0, std::move(values), {}, {}};
}

Change judged(const Samples& baseline, const Samples& other, double tolerance = 5) {
  return judge(&baseline, &other, tolerance, "A", "B");
}

Verdict verdict(const Samples& baseline, const Samples& other, double tolerance = 5) {
  return judged(baseline, other, tolerance).verdict;
}

TEST(Statistics, AreMedianAndSpread) {
  const auto odd = statistics_of(bandwidth({3, 1, 9}));
  EXPECT_EQ(odd->median, 3);
  EXPECT_EQ(odd->low, 1);
  EXPECT_EQ(odd->high, 9);
  EXPECT_EQ(odd->count, 3U);
  EXPECT_TRUE(odd->passed);
  EXPECT_EQ(statistics_of(bandwidth({100, 102}))->median, 101);
  EXPECT_EQ(statistics_of(bandwidth({7}))->median, 7);
  EXPECT_FALSE(statistics_of(bandwidth({})));
}

TEST(Statistics, AreOfRunsThatPassedWhereThereIsOne) {
  Samples samples = bandwidth({100, 102});
  samples.of_others = {1};
  EXPECT_EQ(statistics_of(samples)->low, 100);
  samples.of_passed.clear();
  EXPECT_EQ(statistics_of(samples)->median, 1);
  EXPECT_FALSE(statistics_of(samples)->passed);
}

TEST(Judgement, KnowsWhichDirectionIsBetter) {
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({90})), Verdict::regression);
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({110})), Verdict::improvement);
  EXPECT_EQ(verdict(latency({100}), latency({90})), Verdict::improvement);
  EXPECT_EQ(verdict(latency({100}), latency({110})), Verdict::regression);
  Samples neither = bandwidth({100});
  neither.better = Better::none;
  Samples other = neither;
  other.of_passed = {50};
  EXPECT_EQ(verdict(neither, other), Verdict::changed);
}

TEST(Judgement, TellsDifferenceAndPercent) {
  const Change change = judged(bandwidth({400}), bandwidth({350}));
  EXPECT_DOUBLE_EQ(change.difference.value(), -50);
  EXPECT_DOUBLE_EQ(change.percent.value(), -12.5);
  EXPECT_DOUBLE_EQ(judged(bandwidth({-100}), bandwidth({-90})).percent.value(), 10);
}

TEST(Judgement, ADifferenceOfTheToleranceIsWithinIt) {
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({95})), Verdict::same);
  EXPECT_EQ(verdict(bandwidth({0.3}), bandwidth({0.285})), Verdict::same);
  EXPECT_EQ(verdict(latency({0.3}), latency({0.315})), Verdict::same);
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({94.99})), Verdict::regression);
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({105.01})), Verdict::improvement);
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({100}), 0), Verdict::same);
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({99.9999}), 0), Verdict::regression);
}

TEST(Judgement, OfAMetricMayHaveAToleranceOfItsOwn) {
  const Tolerance tolerance{5, {{"time", 20}}};
  EXPECT_EQ(tolerance.of("time"), 20);
  EXPECT_EQ(tolerance.of("busbw"), 5);
}

TEST(Judgement, FromZeroThereIsNoPercentage) {
  const Change change = judged(latency({0}), latency({3}));
  EXPECT_EQ(change.verdict, Verdict::regression);
  EXPECT_EQ(change.difference, 3);
  EXPECT_FALSE(change.percent);
  EXPECT_EQ(verdict(bandwidth({0}), bandwidth({3})), Verdict::improvement);
  const Change same = judged(bandwidth({0}), bandwidth({0}), 0);
  EXPECT_EQ(same.verdict, Verdict::same);
  EXPECT_EQ(same.percent, 0);
}

TEST(Judgement, TheLastPrintedDigitSaysNothing) {
  Samples before = bandwidth({0.01});
  before.resolution = 0.01;
  Samples after = before;
  after.of_passed = {0};
  EXPECT_EQ(verdict(before, after), Verdict::same);
  EXPECT_EQ(verdict(after, before), Verdict::same);
  after.of_passed = {0.03};
  EXPECT_EQ(verdict(before, after), Verdict::improvement);
}

TEST(Judgement, ADifferenceWithinTheSpreadIsNoise) {
  EXPECT_EQ(verdict(bandwidth({100, 85, 101}), bandwidth({90})), Verdict::noise);
  EXPECT_EQ(verdict(bandwidth({100, 90}), bandwidth({85})), Verdict::regression);
  EXPECT_EQ(verdict(bandwidth({100, 101, 99}), bandwidth({90, 91, 89})), Verdict::regression);
  EXPECT_EQ(verdict(latency({100, 120, 99}), latency({119, 121, 118})), Verdict::noise);
}

TEST(Judgement, OnlyTheSpreadOfTheBaselineExcuses) {
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({90, 101, 89})), Verdict::regression);
  EXPECT_EQ(verdict(bandwidth({100, 101, 99}), bandwidth({50, 52, 100})), Verdict::regression);
  EXPECT_EQ(verdict(latency({100, 101, 99}), latency({100, 180, 190})), Verdict::regression);
  EXPECT_EQ(verdict(bandwidth({100, 101, 99}), bandwidth({100, 150, 160})), Verdict::improvement);
}

TEST(Judgement, AnOutlierOnTheFarSideDoesNotExcuse) {
  EXPECT_EQ(verdict(bandwidth({100, 150, 101}), bandwidth({80, 81, 82})), Verdict::regression);
}

TEST(Judgement, WithoutRepetitionThereIsNoNoise) {
  EXPECT_EQ(verdict(bandwidth({100}), bandwidth({94})), Verdict::regression);
}

TEST(Judgement, WhatOnlyOneSideHasIsNamed) {
  const Samples some = bandwidth({1});
  const Samples none = bandwidth({});
  EXPECT_EQ(judge(&some, nullptr, 5, "A", "B").verdict, Verdict::missing);
  EXPECT_EQ(judge(&some, &none, 5, "A", "B").verdict, Verdict::missing);
  EXPECT_EQ(judge(nullptr, &some, 5, "A", "B").verdict, Verdict::added);
}

TEST(Judgement, OtherUnitsAreNotCompared) {
  const Change change = judged(bandwidth({100}), latency({100}));
  EXPECT_EQ(change.verdict, Verdict::not_comparable);
  EXPECT_EQ(change.note, "in GB/s in A, in us in B");
  EXPECT_FALSE(change.percent);
  Samples reversed = bandwidth({100});
  reversed.better = Better::lower;
  EXPECT_EQ(judged(bandwidth({100}), reversed).note, "better is higher in A, lower in B");
  Samples mixed = bandwidth({100});
  mixed.conflict = "in GB/s and in us";
  EXPECT_EQ(judged(bandwidth({100}), mixed).note, "in GB/s and in us in B");
}

TEST(Judgement, OfRunsThatDidNotPassIsNoVerdict) {
  Samples failed = bandwidth({});
  failed.of_others = {1};
  const Change change = judged(bandwidth({100}), failed);
  EXPECT_EQ(change.verdict, Verdict::not_comparable);
  EXPECT_EQ(change.note, "no run of B passed");
  EXPECT_DOUBLE_EQ(change.percent.value(), -99);
  EXPECT_EQ(judged(failed, bandwidth({100})).note, "no run of A passed");
  EXPECT_EQ(judged(failed, failed).note, "no run of either passed");
}

TEST(Judgement, OfEndlessDifferencesHasNoNumber) {
  const double huge = std::numeric_limits<double>::max();
  const Change change = judged(bandwidth({-huge}), bandwidth({huge}));
  EXPECT_EQ(change.verdict, Verdict::improvement);
  EXPECT_FALSE(change.difference);
  EXPECT_FALSE(change.percent);
}

}  // namespace
}  // namespace cloudai::compare
