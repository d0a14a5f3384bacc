#include "core/compare/document.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/core/compare/sample_results.hpp"

namespace cloudai::compare {
namespace {

using cloudai::testing::sample_metric;
using cloudai::testing::SampleResults;

TEST(ComparisonDocument, SaysWhatWasCompared) {
  const cloudai::testing::ScratchDirectory scratch;
  SampleResults before(scratch / "before");
  SampleResults after(scratch / "after");
  const Json labels = {{"size", "8"}};
  before.run("Tests.1", 0, "passed", Json::array({sample_metric("time", 10, "us", "lower", labels)}));
  before.run("Tests.1", 1, "passed", Json::array({sample_metric("time", 12, "us", "lower", labels)}));
  after.run("Tests.1", 0, "passed", Json::array({sample_metric("time", 22, "us", "lower", labels)}));
  after.run("Tests.2", 0, "failed", Json::array());
  const std::vector<Results> results{before.open("A"), after.open("B")};
  std::ostringstream out;
  const Tolerance tolerance{3, {{"time", 4}}};
  DocumentWriter writer(out, results, tolerance);
  writer.finish(compare(results, tolerance, [&](const CaseComparison& each) { writer.add(each); }).totals);

  const Json document = Json::parse(out.str());
  EXPECT_EQ(document.at("schema"), "cloudai.comparison/1");
  EXPECT_EQ(document.at("tolerance"), Json::parse(R"({"percent": 3.0, "metrics": {"time": 4.0}})"));
  EXPECT_EQ(document.at("results")[1].at("directory"), after.directory().string());
  EXPECT_EQ(document.at("verdict"), "regression");
  EXPECT_EQ(document.at("counts"), Json::parse(R"({"cases": {"added": 1, "same": 1}, "metrics": {"regression": 1}})"));
  EXPECT_EQ(document.at("cases")[0].at("metrics")[0], Json::parse(R"({
    "name": "time", "stage": "main", "labels": {"size": "8"}, "better": "lower",
    "values": {"A": {"median": 11.0, "unit": "us", "count": 2, "low": 10.0, "high": 12.0, "passed": true},
               "B": {"median": 22.0, "unit": "us", "count": 1, "passed": true}},
    "changes": {"B": {"verdict": "regression", "difference": 11.0, "percent": 100.0}}})"));
  EXPECT_EQ(document.at("cases")[1], Json::parse(R"({
    "case": "Tests.2", "step": 0,
    "results": {"B": {"test": "t", "runs": 1, "statuses": {"failed": 1},
                      "not_passed": [{"id": "Tests.2/0", "status": "failed", "reason": "exit status 1"}]}},
    "changes": {"B": {"verdict": "added"}}, "metrics": []})"));
}

TEST(ComparisonDocument, HasAVerdictOfItsOwnWhereNothingWasCompared) {
  const cloudai::testing::ScratchDirectory scratch;
  SampleResults before(scratch / "before");
  SampleResults after(scratch / "after");
  before.run("Tests.1", 0, "passed", Json::array({sample_metric("time", 10, "us", "lower")}));
  after.run("Tests.1", 0, "passed", Json::array({sample_metric("time", 10, "s", "lower")}));
  const std::vector<Results> results{before.open("A"), after.open("B")};
  std::ostringstream out;
  DocumentWriter writer(out, results, Tolerance());
  writer.finish(compare(results, Tolerance(), [&](const CaseComparison& each) { writer.add(each); }).totals);
  EXPECT_EQ(Json::parse(out.str()).at("verdict"), "nothing_compared");
}

}  // namespace
}  // namespace cloudai::compare
