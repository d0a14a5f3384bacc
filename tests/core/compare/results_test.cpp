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

TEST_F(ResultsTest, AnOutcomeThatNoRunWritesIsDamaged) {
  const Json metric = sample_metric("a", 1, "us", "lower");
  sample.run("Tests.1", 0, "passed", Json::array({metric, metric}));
  const fs::path file = sample.directory() / "Tests.1/0/outcome.json";
  Json whole;
  std::ifstream(file) >> whole;
  const auto flaw_with = [&](const std::string& pointer, const Json& value) {
    Json document = whole;
    document[Json::json_pointer(pointer)] = value;
    std::ofstream(file) << document;
    const Measurements measurements = read();
    EXPECT_THAT(measurements.metrics, IsEmpty()) << pointer;
    const std::string start = "'" + file.string() + "' is damaged: ";
    if (measurements.problems.size() != 1 || measurements.problems[0].rfind(start, 0) != 0) return std::string();
    return measurements.problems[0].substr(start.size());
  };
  EXPECT_EQ(flaw_with("/id", "Tests.1/1"), "its \"id\" is 'Tests.1/1' in place of 'Tests.1/0'.");
  EXPECT_EQ(flaw_with("/stages", nullptr), "it has no list \"stages\".");
  EXPECT_EQ(flaw_with("/stages", Json::object()), "it has no list \"stages\".");
  EXPECT_EQ(flaw_with("/stages/0", 3), "stage 1 is no object.");
  EXPECT_EQ(flaw_with("/stages/0/kind", 3), "stage 1 has no text \"kind\".");
  EXPECT_EQ(flaw_with("/stages/0/outcome", Json::array()), "stage 1 has no object \"outcome\".");
  EXPECT_EQ(flaw_with("/stages/0/outcome/verdict", "failed"),
            "the verdict of stage 1 is 'failed', although the run passed.");
  const std::string metrics = "/stages/0/outcome/metrics";
  EXPECT_EQ(flaw_with(metrics, Json::object()), "the \"metrics\" of stage 1 are no list.");
  EXPECT_EQ(flaw_with(metrics + "/1", nullptr), "metric 2 of stage 1 is no object.");
  EXPECT_EQ(flaw_with(metrics + "/1/name", 1), "metric 2 of stage 1 has no text \"name\".");
  EXPECT_EQ(flaw_with(metrics + "/1/value", "NaN"), "metric 2 of stage 1 has no number \"value\".");
  EXPECT_EQ(flaw_with(metrics + "/1/value", nullptr), "metric 2 of stage 1 has no number \"value\".");
  EXPECT_EQ(flaw_with(metrics + "/0/unit", 1), "metric 1 of stage 1 has no text \"unit\".");
  EXPECT_EQ(flaw_with(metrics + "/0/better", "more"),
            "metric 1 of stage 1 has a \"better\" that is neither \"higher\", \"lower\" nor \"none\".");
  EXPECT_EQ(flaw_with(metrics + "/0/labels", Json::array()),
            "metric 1 of stage 1 has \"labels\" that are no object of texts.");
  for (const Json& resolution : {Json(-1), Json("1"), Json(nullptr)}) {
    EXPECT_EQ(flaw_with(metrics + "/0/resolution", resolution),
              "metric 1 of stage 1 has a \"resolution\" that is no number from 0 on.");
  }
}

TEST_F(ResultsTest, OfARunThatDidNotPassTheVerdictsAreItsOwn) {
  Json stage = sample_stage("Tests.1/0", "main", "t", Json::array({sample_metric("a", 1, "us", "lower")}));
  stage["outcome"]["verdict"] = "failed";
  stage["outcome"]["metrics"][0].erase("better");
  stage["outcome"]["metrics"][0].erase("labels");
  sample.run_of_stages("Tests.1", 0, "failed", Json::array({stage}));
  const Measurements measurements = read();
  EXPECT_THAT(measurements.problems, IsEmpty());
  EXPECT_EQ(measurements.metrics.size(), 1U);
}

TEST_F(ResultsTest, APassWithoutOutcomeIsDamage) {
  sample.run("Tests.1", 0, "passed", {}).run("Tests.1", 1, "skipped", {});
  for (Json& run : sample.summary()["runs"]) run.erase("outcome");
  EXPECT_THAT(read().problems, ElementsAre("'" + (sample.directory() / "summary.json").string() +
                                           "' is damaged: run 'Tests.1/0' passed and has no \"outcome\"."));
}

TEST_F(ResultsTest, ADocumentThatIsTooDeepIsDamaged) {
  sample.run("Tests.1", 0, "passed", Json::array({sample_metric("a", 1, "us", "lower")}));
  const fs::path outcome = sample.directory() / "Tests.1/0/outcome.json";
  const auto write = [](const fs::path& file, const char* schema, const std::string& rest, std::size_t levels) {
    std::ofstream(file) << "{\"schema\": \"" << schema << "\", " << rest << "\"deep\": " << std::string(levels - 1, '[')
                        << std::string(levels - 1, ']') << "}";
  };
  const std::string good = "\"id\": \"Tests.1/0\", \"stages\": [], ";
  const std::string too_deep = "' is damaged: it is nested deeper than 64 levels.";
  write(outcome, "cloudai.run_outcome/1", good, 64);
  EXPECT_THAT(read().problems, IsEmpty());
  for (const std::size_t levels : {std::size_t{65}, std::size_t{1'000'000}}) {
    write(outcome, "cloudai.run_outcome/1", good, levels);
    EXPECT_THAT(read().problems, ElementsAre("'" + outcome.string() + too_deep));
  }
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  std::ofstream(outcome) << objects;
  EXPECT_THAT(read().problems, ElementsAre("'" + outcome.string() + too_deep));

  const fs::path summary = sample.directory() / "summary.json";
  write(summary, "cloudai.summary/1", "", 1'000'000);
  EXPECT_EQ(open_results(sample.directory(), "A").error().message, "'" + summary.string() + too_deep);
}

TEST_F(ResultsTest, OfRepeatsOneFailedAndOneWithoutNumberTheOthersCount) {
  Json none = Json::array({sample_metric("busbw", 1, "GB/s", "higher")});
  none[0]["value"] = "nan";
  sample.run("Tests.1", 0, "passed", Json::array({sample_metric("busbw", 100, "GB/s", "higher")}));
  sample.run("Tests.1", 1, "failed", Json::array());
  sample.run("Tests.1", 2, "passed", none);
  sample.run("Tests.1", 3, "passed", Json::array({sample_metric("busbw", 102, "GB/s", "higher")}));
  const Measurements measurements = read();
  EXPECT_EQ(measurements.problems.size(), 1U);
  const auto statistics = statistics_of(measurements.metrics.at(0).samples);
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
