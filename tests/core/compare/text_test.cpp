// The comparison as a person reads it: on a terminal and in a ticket.
#include "core/compare/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compare/words.hpp"
#include "tests/core/compare/sample_results.hpp"

namespace cloudai::compare {
namespace {

using cloudai::testing::sample_metric;
using cloudai::testing::SampleResults;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class TextTest : public ::testing::Test {
 protected:
  void compare_all(bool everything = false) {
    results = {before.open("A"), after.open("B")};
    listing = std::make_unique<Listing>(results, everything);
    totals = compare(results, tolerance, [&](const CaseComparison& each) { listing->add(each); }).totals;
  }
  std::string terminal(bool colour = false) const {
    return terminal_text(results, tolerance, *listing, totals, colour);
  }
  std::string markdown() const { return markdown_text(results, tolerance, *listing, totals); }

  static Json busbw(double value, const std::string& size) {
    return sample_metric("busbw", value, "GB/s", "higher",
                         {{"collective", "all_reduce"}, {"placement", "in"}, {"root", "3"}, {"size", size}});
  }

  cloudai::testing::ScratchDirectory scratch;
  SampleResults before{scratch / "before"};
  SampleResults after{scratch / "after"};
  Tolerance tolerance;
  std::vector<Results> results;
  std::unique_ptr<Listing> listing;
  Totals totals;
};

TEST(Words, NameAMetric) {
  const MetricKey key{
      "main", "busbw", {{"collective", "all_reduce"}, {"placement", "in"}, {"root", "3"}, {"size", "1048576"}}};
  EXPECT_EQ(metric_text(key), "busbw all_reduce 1 MiB in root=3");
  EXPECT_EQ(metric_text({"prologue/check", "time", {{"size", "many"}}}), "prologue/check: time many");
}

TEST(Words, TellQuantities) {
  EXPECT_EQ(quantity_text(400, "GB/s"), "400 GB/s");
  EXPECT_EQ(quantity_text(12345.67, "us"), "12346 us");
  EXPECT_EQ(quantity_text(1536, "B"), "1.5 KiB");
  EXPECT_EQ(quantity_text(3, "1"), "3");
  EXPECT_EQ(value_text(Statistics{3, 1, 9, 4, true}, "us"), "3 us (4: 1 to 9)");
  EXPECT_EQ(value_text(std::nullopt, "us"), "-");
}

TEST_F(TextTest, RegressionsComeFirstAndTheGreatestOnTop) {
  before.run("Tests.1", 0, "passed", {busbw(100, "8"), busbw(100, "16"), busbw(100, "32"), busbw(100, "64")});
  after.run("Tests.1", 0, "passed", {busbw(120, "8"), busbw(90, "16"), busbw(50, "32"), busbw(101, "64")});
  compare_all();
  EXPECT_EQ(terminal(), "A  " + before.directory().string() +
                            "\n   nccl-test on system example, 2026-03-01T12:00:00.000Z, passed\nB  " +
                            after.directory().string() +
                            "\n   nccl-test on system example, 2026-03-01T12:00:00.000Z, passed\n\n"
                            "Result      Test     Metric                           A         B         Change\n"
                            "REGRESSION  Tests.1  busbw all_reduce 32 B in root=3  100 GB/s  50 GB/s   -50 %\n"
                            "REGRESSION  Tests.1  busbw all_reduce 16 B in root=3  100 GB/s  90 GB/s   -10 %\n"
                            "better      Tests.1  busbw all_reduce 8 B in root=3   100 GB/s  120 GB/s  +20 %\n\n"
                            "Tests: 1 same\nMetrics: 2 regressions, 1 better, 1 same (tolerance 5 %)\n"
                            "REGRESSION: 2 metrics are worse than in A.\n");
}

TEST_F(TextTest, EverythingIsShownOnDemand) {
  before.run("Tests.1", 0, "passed", {busbw(100, "8")});
  after.run("Tests.1", 0, "passed", {busbw(101, "8")});
  compare_all();
  EXPECT_THAT(terminal(), Not(HasSubstr("busbw")));
  EXPECT_THAT(
      terminal(),
      EndsWith("No regression: neither the status of a test nor one of the compared metrics (1) is worse than in "
               "A.\n"));
  compare_all(true);
  EXPECT_THAT(terminal(), HasSubstr("same    Tests.1  busbw all_reduce 8 B in root=3  100 GB/s  101 GB/s  +1 %\n"));
  EXPECT_THAT(terminal(), HasSubstr("same    Tests.1  passed  passed\n"));
}

TEST_F(TextTest, StatusesAreToldWithTheReason) {
  before.run("Tests.1", 0, "passed", {busbw(100, "8")}).run("Tests.2", 0, "passed", {});
  after.run("Tests.1", 0, "failed", {busbw(1, "8")}).run("Tests.1", 1, "passed", Json::array());
  compare_all();
  EXPECT_THAT(terminal(), HasSubstr("\nREGRESSION  Tests.1  passed                    1 of 2 passed, 1 failed\n"
                                    "missing     Tests.2  passed, measured nothing  -\n"));
  EXPECT_THAT(terminal(), HasSubstr("\nB: Tests.1/0 failed: exit status 1\n"));
  EXPECT_THAT(
      terminal(),
      HasSubstr("\nnot compared  Tests.1  busbw all_reduce 8 B in root=3  100 GB/s  1 GB/s  no run of B passed\n"));
  EXPECT_THAT(terminal(), EndsWith("REGRESSION: 1 test is worse than in A. 1 test of A is missing in B.\n"));
}

TEST_F(TextTest, LostMeasurementsAreARegression) {
  before.run("Tests.1", 0, "passed", {busbw(100, "8"), busbw(100, "16")});
  after.run("Tests.1", 0, "passed", Json::array());
  compare_all();
  EXPECT_THAT(terminal(), HasSubstr("\nREGRESSION  Tests.1  passed  passed, measured nothing\n"));
  EXPECT_THAT(terminal(),
              HasSubstr("\nmissing  Tests.1  busbw all_reduce 8 B in root=3   100 GB/s  -  missing in B\n"));
  EXPECT_THAT(terminal(), EndsWith("REGRESSION: 1 test is worse than in A. 2 metrics of A are missing in B.\n"));
}

TEST_F(TextTest, WhatIsMissingComesBeforeAnyGoodNews) {
  before.run("Tests.1", 0, "passed", {busbw(100, "8"), busbw(100, "16")});
  after.run("Tests.1", 0, "passed", {busbw(100, "8")});
  compare_all();
  EXPECT_THAT(terminal(), EndsWith("\n1 metric of A is missing in B. Of the rest, no regression: neither the status of "
                                   "a test nor one of the compared metrics (1) is worse than in A.\n"));
}

TEST_F(TextTest, NothingComparedIsNoGoodNews) {
  before.run("Tests.1", 0, "passed", {sample_metric("x", 1, "s", "lower")});
  after.run("Tests.1", 0, "passed", {sample_metric("x", 1, "us", "lower")});
  compare_all();
  EXPECT_THAT(terminal(true),
              EndsWith("\n\033[1;31mNo test has a worse status than in A; there was no metric that could be "
                       "compared.\033[0m\n"));
}

TEST(Words, NameThoseOfWhichNothingCouldBeCompared) {
  Totals totals;
  totals.sides.resize(3);
  totals.metrics[static_cast<std::size_t>(Verdict::not_comparable)] = 1;
  totals.sides[1].metrics[static_cast<std::size_t>(Verdict::same)] = 1;
  totals.sides[2].metrics[static_cast<std::size_t>(Verdict::not_comparable)] = 1;
  EXPECT_EQ(verdict_sentence(totals, "A"),
            "No test has a worse status than in A; there was no metric that could be compared in C.");
}

TEST_F(TextTest, ManyRowsAreCut) {
  Json good = Json::array();
  Json bad = Json::array();
  for (int i = 0; i < 100; ++i) {
    good.push_back(sample_metric("m" + std::to_string(i), 100, "us", "lower"));
    bad.push_back(sample_metric("m" + std::to_string(i), 200 + i, "us", "lower"));
  }
  before.run("Tests.1", 0, "passed", good);
  after.run("Tests.1", 0, "passed", bad);
  compare_all();
  EXPECT_THAT(terminal(), HasSubstr("REGRESSION  Tests.1  m99     100 us  299 us  +199 %\n"));
  EXPECT_THAT(terminal(), HasSubstr("  m80  "));
  EXPECT_THAT(terminal(), Not(HasSubstr("  m79  ")));
  EXPECT_THAT(terminal(), HasSubstr("and 80 more: see --all or --json\n"));
  compare_all(true);
  EXPECT_THAT(terminal(), HasSubstr("  m0  "));
}

TEST_F(TextTest, ColoursAreForTerminals) {
  before.run("Tests.1", 0, "passed", {busbw(100, "8")});
  after.run("Tests.1", 0, "passed", {busbw(50, "8")});
  compare_all();
  EXPECT_THAT(terminal(), Not(HasSubstr("\033")));
  EXPECT_THAT(terminal(true), HasSubstr("\033[1;31mREGRESSION\033[0m  Tests.1"));
}

TEST_F(TextTest, MarkdownHasTablesOfCodeSpans) {
  before.run("Tests.1", 0, "passed", {busbw(100, "8")});
  after.run("Tests.1", 0, "passed", {busbw(50, "8")});
  compare_all();
  EXPECT_THAT(markdown(), HasSubstr("**REGRESSION: 1 metric is worse than in A.**\n\n- A (baseline): `" +
                                    before.directory().string() + "`"));
  EXPECT_THAT(markdown(),
              HasSubstr("\n| Result | Test | Metric | A | B | Change |\n| --- | --- | --- | --- | --- | --- |\n"
                        "| **REGRESSION** | `Tests.1` | `busbw all_reduce 8 B in root=3` | `100 GB/s` | "
                        "`50 GB/s` | `-50 %` |\n"));
}

TEST_F(TextTest, HostileTextsStayText) {
  const std::string hostile = "a|b\n\033[2J`x``y` <script> @all\r\xe2\x80\xae\xff";
  const Json labels = {{"k\n", hostile}};
  before.run(hostile, 0, "passed", {sample_metric(hostile, 1, "us", "lower", labels)});
  after.run(hostile, 0, "failed", {sample_metric(hostile, 2, "us", "lower", labels)});
  after.summary()["runs"][0]["reason"]["text"] = hostile;
  after.summary()["scenario"]["name"] = hostile;
  for (SampleResults* each : {&before, &after}) {
    each->summary()["runs"][0]["outcome"] = "o.json";
    each->write(
        "o.json",
        {{"schema", "cloudai.run_outcome/1"},
         {"id", hostile + "/0"},
         {"stages",
          {cloudai::testing::sample_stage("r", "main", "t", {sample_metric(hostile, 2, "us", "lower", labels)})}}});
  }
  compare_all();
  const std::string shown = "a|b??[2J`x``y` <script> @all??";
  EXPECT_THAT(terminal(), HasSubstr("  " + shown));
  EXPECT_THAT(terminal(), Not(HasSubstr("\033")));
  EXPECT_THAT(terminal(), Not(HasSubstr("\r")));
  EXPECT_THAT(terminal(), Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_THAT(markdown(), HasSubstr("| ``` a\\|b??[2J`x``y` <script> @all??"));
  EXPECT_THAT(markdown(), HasSubstr("- ``` B: a|b??[2J`x``y` <script> @all??"));
  EXPECT_THAT(markdown(), Not(HasSubstr("\r")));
}

}  // namespace
}  // namespace cloudai::compare
