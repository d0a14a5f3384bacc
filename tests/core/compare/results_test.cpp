#include "core/compare/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/compare/sample_results.hpp"

namespace cloudai::compare {
namespace {

namespace fs = std::filesystem;
using cloudai::testing::sample_metric;
using cloudai::testing::sample_stage;
using cloudai::testing::SampleResults;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ResultsTest : public ::testing::Test {
 protected:
  Measurements read() const {
    const Results results = sample.open("A");
    return read_measurements(results.directory, results.cases.front());
  }

  cloudai::testing::ScratchDirectory scratch;
  SampleResults sample{scratch / "results"};
};

TEST_F(ResultsTest, HaveNamesLikeColumnsOfASheet) {
  EXPECT_EQ(results_name(0), "A");
  EXPECT_EQ(results_name(25), "Z");
  EXPECT_EQ(results_name(26), "AA");
  EXPECT_EQ(results_name(53), "BB");
}

TEST_F(ResultsTest, GroupIterationsAndKeepSteps) {
  sample.run("Tests.1", 0, "passed", {}).run("Tests.2", 0, "failed", {}).run("Tests.1", 1, "passed", {});
  sample.run("Tests.2", 0, "passed", {});
  sample.summary()["runs"][3]["step"] = 2;
  const Results results = sample.open("A");
  ASSERT_EQ(results.cases.size(), 3U);
  EXPECT_EQ(results.cases[0].key.id, "Tests.1");
  EXPECT_EQ(results.cases[0].runs.size(), 2U);
  EXPECT_EQ(results.cases[1].runs[0].reason, "exit status 1");
  EXPECT_EQ(results.cases[2].key.step, 2);
  EXPECT_EQ(results.scenario, "nccl-test");
}

TEST_F(ResultsTest, AnIterationThatWasNotNeededIsNone) {
  sample.run("Tests.1", 0, "passed", {}).run("Tests.1", 1, "skipped", {});
  sample.summary()["runs"][1]["reason"]["code"] = "dependency_ended";
  EXPECT_EQ(sample.open("A").cases[0].runs.size(), 1U);
}

TEST_F(ResultsTest, MetricsAreToldApartByStageNameAndLabels) {
  const Json metrics = {sample_metric("busbw", 1, "GB/s", "higher", {{"size", "8"}}),
                        sample_metric("busbw", 2, "GB/s", "higher", {{"size", "16"}}),
                        sample_metric("time", 3, "us", "lower", {{"size", "8"}})};
  sample.run_of_stages(
      "Tests.1", 0, "passed",
      {sample_stage("Tests.1/0", "prologue", "check", metrics),
       sample_stage("Tests.1/0", "prologue", "check.2", metrics), sample_stage("Tests.1/0", "main", "t", metrics)});
  const Measurements measurements = read();
  EXPECT_EQ(measurements.metrics.size(), 9U);
  EXPECT_EQ(measurements.metrics[0].key.stage, "prologue/check");
  EXPECT_EQ(measurements.metrics[3].key.stage, "prologue/check.2");
  const Samples* found = measurements.find({"main", "busbw", {{"size", "16"}}});
  ASSERT_NE(found, nullptr);
  EXPECT_THAT(found->of_passed, ElementsAre(2));
  EXPECT_EQ(found->unit, "GB/s");
  EXPECT_EQ(found->better, Better::higher);
}

TEST_F(ResultsTest, WhatIsNoNumberIsAbsent) {
  Json odd = Json::array({sample_metric("a", 1, "us", "lower"), sample_metric("b", 1, "us", "lower"),
                          sample_metric("c", 1, "us", "lower"), 3, nullptr, "x"});
  odd[0]["value"] = nullptr;
  odd[1]["value"] = "NaN";
  odd[2].erase("value");
  sample.run("Tests.1", 0, "passed", odd);
  const Measurements measurements = read();
  EXPECT_THAT(measurements.metrics, IsEmpty());
  EXPECT_THAT(measurements.problems, IsEmpty());
}

TEST_F(ResultsTest, OfRepeatsOneFailedAndOneWithoutNumberTheOthersCount) {
  Json none = Json::array({sample_metric("busbw", 1, "GB/s", "higher")});
  none[0]["value"] = "nan";
  sample.run("Tests.1", 0, "passed", Json::array({sample_metric("busbw", 100, "GB/s", "higher")}));
  sample.run("Tests.1", 1, "failed", Json::array());
  sample.run("Tests.1", 2, "passed", none);
  sample.run("Tests.1", 3, "passed", Json::array({sample_metric("busbw", 102, "GB/s", "higher")}));
  const auto statistics = statistics_of(read().metrics.at(0).samples);
  EXPECT_EQ(statistics->count, 2U);
  EXPECT_EQ(statistics->median, 101);
  EXPECT_EQ(statistics->low, 100);
  EXPECT_EQ(statistics->high, 102);
}

TEST_F(ResultsTest, IterationsOfDifferentUnitsAreAConflict) {
  sample.run("Tests.1", 0, "passed", Json::array({sample_metric("x", 1, "s", "lower")}));
  sample.run("Tests.1", 1, "passed", Json::array({sample_metric("x", 1000, "us", "lower")}));
  EXPECT_EQ(read().metrics.at(0).samples.conflict, "in s and in us");
}

TEST_F(ResultsTest, ADocumentThatCannotBeReadIsNamed) {
  sample.run("Tests.1", 0, "passed", Json::array());
  const fs::path outcome = sample.directory() / "Tests.1/0/outcome.json";
  std::ofstream(outcome) << "{";
  EXPECT_THAT(read().problems,
              ElementsAre("'" + outcome.string() + "' is damaged: it ends in the middle of the document."));
  fs::remove(outcome);
  EXPECT_THAT(read().problems, ElementsAre("cannot read '" + outcome.string() + "': No such file or directory."));
}

TEST_F(ResultsTest, NothingOutsideIsRead) {
  const fs::path outside = scratch / "outside.json";
  std::ofstream(outside) << R"({"schema": "cloudai.run_outcome/1", "stages": []})";
  sample.run("Tests.1", 0, "passed", Json::array());
  fs::create_symlink(outside, sample.directory() / "link.json");
  const std::string place = "leaves the results directory '" + sample.directory().string() + "'.";
  for (const std::string& path : {std::string("../outside.json"), outside.string(), std::string("link.json")}) {
    sample.summary()["runs"][0]["outcome"] = path;
    EXPECT_THAT(read().problems, ElementsAre("Tests.1/0: the path '" + path + "' " + place));
  }
}

TEST_F(ResultsTest, ASummaryThatIsNoneIsWrongUse) {
  sample.open("A");
  const fs::path summary = sample.directory() / "summary.json";
  const auto message = [&] {
    const auto opened = open_results(sample.directory(), "A");
    return opened ? std::string() : (opened.error().kind == ErrorKind::usage ? "" : "kind ") + opened.error().message;
  };
  std::ofstream(summary) << R"({"schema": "other/1"})";
  EXPECT_EQ(message(), "'" + summary.string() + "' is damaged: its \"schema\" is not \"cloudai.summary/1\".");
  std::ofstream(summary) << "{\"runs\": [";
  EXPECT_EQ(message(), "'" + summary.string() + "' is damaged: it ends in the middle of the document.");
  fs::remove(summary);
  EXPECT_EQ(message(),
            "'" + sample.directory().string() + "' is not the results directory of a run: it has no summary.json.");
}

TEST_F(ResultsTest, RunsThatAreNoObjectsDoNoHarm) {
  sample.summary()["runs"] = Json::array({1, "x", Json::array(), Json::object()});
  EXPECT_EQ(sample.open("A").cases.size(), 1U);
}

}  // namespace
}  // namespace cloudai::compare
