#include "core/compare/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/compare/sample_results.hpp"

namespace cloudai::compare {
namespace {

using cloudai::testing::sample_metric;
using cloudai::testing::SampleResults;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ComparisonTest : public ::testing::Test {
 protected:
  std::vector<CaseComparison> compared(const std::vector<const SampleResults*>& samples) {
    results.clear();
    for (const SampleResults* sample : samples) results.push_back(sample->open(results_name(results.size())));
    std::vector<CaseComparison> cases;
    ending = compare(results, Tolerance(), [&](const CaseComparison& comparison) { cases.push_back(comparison); });
    return cases;
  }

  static Json bandwidth(double value) { return Json::array({sample_metric("busbw", value, "GB/s", "higher")}); }

  cloudai::testing::ScratchDirectory scratch;
  SampleResults before{scratch / "before"};
  SampleResults after{scratch / "after"};
  std::vector<Results> results;
  Ending ending;
};

TEST_F(ComparisonTest, PutsTheSameKeysSideBySide) {
  before.run("Tests.1", 0, "passed", bandwidth(400));
  after.run("Tests.1", 0, "passed", bandwidth(300));
  const auto cases = compared({&before, &after});
  ASSERT_EQ(cases.size(), 1U);
  ASSERT_EQ(cases[0].metrics.size(), 1U);
  const MetricComparison& metric = cases[0].metrics[0];
  EXPECT_EQ(metric.values[0]->median, 400);
  EXPECT_EQ(metric.values[1]->median, 300);
  EXPECT_FALSE(metric.changes[0]);
  EXPECT_EQ(metric.changes[1]->verdict, Verdict::regression);
  EXPECT_EQ(ending.totals.of_metrics(Verdict::regression), 1U);
  EXPECT_TRUE(ending.totals.has_regression());
}

TEST_F(ComparisonTest, APassThatIsNoneAnyMoreIsARegression) {
  for (const char* status : {"failed", "error", "skipped", "cancelled", "inconclusive", "unheard-of"}) {
    SampleResults good(scratch / "good");
    SampleResults bad(scratch / "bad");
    good.run("Tests.1", 0, "passed", {});
    bad.run("Tests.1", 0, status, {});
    EXPECT_EQ(compared({&good, &bad})[0].status_changes[1], Verdict::regression) << status;
    EXPECT_TRUE(ending.totals.has_regression()) << status;
    EXPECT_EQ(compared({&bad, &good})[0].status_changes[1], Verdict::improvement) << status;
    EXPECT_FALSE(ending.totals.has_regression()) << status;
  }
}

TEST_F(ComparisonTest, OfIterationsTheShareThatPassedCounts) {
  before.run("Tests.1", 0, "passed", {});
  after.run("Tests.1", 0, "passed", {}).run("Tests.1", 1, "passed", {});
  EXPECT_EQ(compared({&before, &after})[0].status_changes[1], Verdict::same);
  after.run("Tests.1", 2, "failed", {});
  EXPECT_EQ(compared({&before, &after})[0].status_changes[1], Verdict::regression);
  before.run("Tests.1", 1, "failed", {});
  EXPECT_EQ(compared({&before, &after})[0].status_changes[1], Verdict::improvement);
}

TEST_F(ComparisonTest, AnotherKindOfFailureIsAChange) {
  before.run("Tests.1", 0, "failed", {});
  after.run("Tests.1", 0, "error", {});
  EXPECT_EQ(compared({&before, &after})[0].status_changes[1], Verdict::changed);
  EXPECT_FALSE(ending.totals.has_regression());
}

TEST_F(ComparisonTest, NumbersOfRunsThatDidNotPassAreNotJudged) {
  before.run("Tests.1", 0, "passed", bandwidth(400));
  after.run("Tests.1", 0, "failed", bandwidth(10));
  const auto cases = compared({&before, &after});
  EXPECT_EQ(cases[0].metrics[0].changes[1]->verdict, Verdict::not_comparable);
  EXPECT_EQ(cases[0].metrics[0].changes[1]->note, "no run of B passed");
  EXPECT_EQ(cases[0].metrics[0].values[1]->median, 10);
  EXPECT_EQ(ending.totals.of_metrics(Verdict::regression), 0U);
  EXPECT_EQ(ending.totals.of_cases(Verdict::regression), 1U);
}

TEST_F(ComparisonTest, WhatIsMissingIsNamedOnEitherSide) {
  before.run("Tests.1", 0, "passed",
             Json::array({sample_metric("a", 1, "us", "lower"), sample_metric("b", 1, "us", "lower")}));
  before.run("Tests.2", 0, "passed", bandwidth(1));
  after.run("Tests.3", 0, "passed", bandwidth(1));
  after.run("Tests.1", 0, "passed",
            Json::array({sample_metric("c", 1, "us", "lower"), sample_metric("a", 1, "us", "lower")}));
  const auto cases = compared({&before, &after});
  ASSERT_EQ(cases.size(), 3U);
  ASSERT_EQ(cases[0].metrics.size(), 3U);
  EXPECT_EQ(cases[0].metrics[0].changes[1]->verdict, Verdict::same);
  EXPECT_EQ(cases[0].metrics[1].changes[1]->verdict, Verdict::missing);
  EXPECT_EQ(cases[0].metrics[2].changes[1]->verdict, Verdict::added);
  EXPECT_EQ(cases[1].status_changes[1], Verdict::missing);
  EXPECT_EQ(cases[2].status_changes[1], Verdict::added);
  // Of a test that one side does not have, the metrics are no further news.
  EXPECT_FALSE(cases[1].metrics[0].changes[1]);
  EXPECT_FALSE(ending.totals.has_regression());
}

TEST_F(ComparisonTest, APassThatMeasuresNothingAnyMoreIsARegression) {
  before.run("Tests.1", 0, "passed", bandwidth(400));
  after.run("Tests.1", 0, "passed", Json::array());
  auto cases = compared({&before, &after});
  EXPECT_FALSE(cases[0].sides[1]->measured);
  EXPECT_EQ(cases[0].status_changes[1], Verdict::regression);
  EXPECT_EQ(cases[0].metrics[0].changes[1]->verdict, Verdict::missing);
  EXPECT_TRUE(ending.totals.has_regression());
  EXPECT_EQ(ending.totals.sides[1].missing_metrics(), 1U);

  cases = compared({&after, &before});
  EXPECT_EQ(cases[0].status_changes[1], Verdict::same);
  EXPECT_EQ(cases[0].metrics[0].changes[1]->verdict, Verdict::added);
  EXPECT_FALSE(ending.totals.has_regression());
  EXPECT_FALSE(ending.totals.has_compared_nothing());
}

TEST_F(ComparisonTest, WhereNeitherPassedLostMeasurementsAreNamed) {
  before.run("Tests.1", 0, "failed", bandwidth(400));
  after.run("Tests.1", 0, "failed", Json::array());
  const auto cases = compared({&before, &after});
  EXPECT_EQ(cases[0].status_changes[1], Verdict::same);
  EXPECT_EQ(cases[0].metrics[0].changes[1]->verdict, Verdict::missing);
}

TEST_F(ComparisonTest, WhetherADamagedDocumentHeldAMetricIsUnknown) {
  before.run("Tests.1", 0, "passed", bandwidth(400));
  after.run("Tests.1", 0, "passed", bandwidth(400));
  std::ofstream(after.directory() / "Tests.1/0/outcome.json") << "[]";
  for (const auto& pair : {std::vector<const SampleResults*>{&before, &after}, {&after, &before}}) {
    const auto cases = compared(pair);
    EXPECT_EQ(cases[0].status_changes[1], Verdict::same);
    EXPECT_FALSE(cases[0].metrics[0].changes[1]);
    EXPECT_EQ(ending.problems.size(), 1U);
  }
}

TEST_F(ComparisonTest, WhereNoMetricCanBeComparedNothingIs) {
  before.run("Tests.1", 0, "passed", bandwidth(400));
  after.run("Tests.1", 0, "passed", Json::array({sample_metric("busbw", 400, "B", "higher")}));
  compared({&before, &after});
  EXPECT_FALSE(ending.totals.has_regression());
  EXPECT_TRUE(ending.totals.has_compared_nothing());

  // Among several, one such is enough.
  SampleResults good(scratch / "good");
  good.run("Tests.1", 0, "passed", bandwidth(400));
  compared({&before, &good, &after});
  EXPECT_FALSE(ending.totals.sides[1].is_incomparable());
  EXPECT_TRUE(ending.totals.sides[2].is_incomparable());
  EXPECT_TRUE(ending.totals.has_compared_nothing());

  // A metric of another name is not the one that the baseline has.
  SampleResults renamed(scratch / "renamed");
  renamed.run("Tests.1", 0, "passed", Json::array({sample_metric("algbw", 400, "GB/s", "higher")}));
  compared({&before, &renamed});
  EXPECT_TRUE(ending.totals.has_compared_nothing());
}

TEST_F(ComparisonTest, ATestThatIsBetterIsSomething) {
  before.run("Tests.1", 0, "failed", bandwidth(400));
  after.run("Tests.1", 0, "passed", bandwidth(400));
  compared({&before, &after});
  EXPECT_EQ(ending.totals.of_metrics(Verdict::not_comparable), 1U);
  EXPECT_FALSE(ending.totals.has_compared_nothing());
}

TEST_F(ComparisonTest, OfThreeEachIsComparedWithTheFirst) {
  SampleResults last(scratch / "last");
  before.run("Tests.1", 0, "passed", bandwidth(400));
  after.run("Tests.1", 0, "passed", bandwidth(300));
  last.run("Tests.1", 0, "passed", bandwidth(500)).run("Tests.9", 0, "passed", bandwidth(1));
  const auto cases = compared({&before, &after, &last});
  EXPECT_EQ(cases[0].metrics[0].changes[1]->verdict, Verdict::regression);
  EXPECT_EQ(cases[0].metrics[0].changes[2]->verdict, Verdict::improvement);
  EXPECT_EQ(cases[0].metrics[0].worst(), Verdict::regression);
  EXPECT_FALSE(cases[1].status_changes[1]);
  EXPECT_EQ(cases[1].status_changes[2], Verdict::added);
}

TEST_F(ComparisonTest, SayWhatCouldNotBeRead) {
  before.run("Tests.1", 0, "passed", bandwidth(400));
  after.run("Tests.1", 0, "passed", bandwidth(400));
  std::ofstream(after.directory() / "Tests.1/0/outcome.json") << "[]";
  compared({&before, &after});
  EXPECT_THAT(ending.problems, ElementsAre("'" + (after.directory() / "Tests.1/0/outcome.json").string() +
                                           "' is damaged: it does not hold a JSON object."));
}

TEST_F(ComparisonTest, WantsATestInCommon) {
  before.run("Tests.1", 0, "passed", {});
  after.run("Tests.2", 0, "passed", {});
  std::vector<Results> both{before.open("A"), after.open("B")};
  const auto checked = check_comparable(both);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::usage);
  EXPECT_EQ(checked.error().message,
            "Nothing can be compared: '" + before.directory().string() +
                "' (scenario 'nccl-test', its first test is 'Tests.1') and '" + after.directory().string() +
                "' (scenario 'nccl-test', its first test is 'Tests.2') have no test in common.");
  after.summary()["runs"] = Json::array();
  both[1] = after.open("B");
  EXPECT_THAT(check_comparable(both).error().message, ::testing::HasSubstr("(scenario 'nccl-test', no test)"));
  after.run("Tests.1", 0, "passed", {});
  both[1] = after.open("B");
  EXPECT_TRUE(check_comparable(both));
}

TEST_F(ComparisonTest, WantsDifferentDirectories) {
  before.run("Tests.1", 0, "passed", {});
  after.run("Tests.1", 0, "passed", {});
  std::filesystem::create_directory_symlink(before.directory(), scratch / "link");
  const auto checked =
      check_comparable({before.open("A"), after.open("B"), open_results(scratch / "link", "C").value()});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::usage);
  EXPECT_EQ(checked.error().message, "'" + (scratch / "link").string() + "' is given twice, as A and as C.");
}

}  // namespace
}  // namespace cloudai::compare
