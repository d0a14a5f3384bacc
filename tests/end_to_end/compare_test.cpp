// `cloudai compare` on what real runs left behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/end_to_end/workspace.hpp"
#include "tests/sdk/schema_check.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Tests that pass or fail, and measure nothing.
class Compare : public testing::Test {
 protected:
  Compare() {
    workspace.system();
    workspace.test("steady", "true");
    workspace.test("moody", "test ! -e $MARKS/fail");
    workspace.scenario(test_case("Tests.1", "steady") + test_case("Tests.2", "moody"));
  }

  // Runs the scenario and moves the results to `name` in the workspace.
  fs::path results(const std::string& name) const {
    workspace.run({"--quiet"});
    const fs::path moved = workspace.root() / name;
    fs::rename(workspace.results(), moved);
    return moved;
  }

  // The same results in another directory.
  fs::path copy_of(const fs::path& results) const {
    fs::path copy = results;
    copy += "-again";
    fs::copy(results, copy, fs::copy_options::recursive);
    return copy;
  }

  Ended compare(Arguments arguments) const {
    arguments.insert(arguments.begin(), "compare");
    return workspace.cloudai(arguments);
  }

  Workspace workspace;
};

TEST_F(Compare, ATestThatFailsNowIsARegression) {
  const fs::path before = results("before");
  workspace.write("marks/fail", "");
  const fs::path after = results("after");
  const auto ended = compare({before.string(), after.string()});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(first_missing(ended.out,
                          {"A  " + before.string() + "\n   scenario on system here, ", ", passed\nB  " + after.string(),
                           ", failed\n", "REGRESSION  Tests.2  passed, measured nothing  failed\n",
                           "\nB: Tests.2/0 failed: ", "\nTests: 1 regression, 1 same\nMetrics: none (tolerance 5 %)\n",
                           "REGRESSION: 1 test is worse than in A.\n"}),
            "")
      << ended.out;
  EXPECT_EQ(compare({after.string(), before.string()}).exit_status, 0);
}

TEST_F(Compare, TheSameIsNoRegression) {
  const fs::path before = results("before");
  const auto ended = compare({before.string(), copy_of(before).string()});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.out,
              EndsWith("No test has a worse status than in A; there was no metric that could be compared.\n"));
}

TEST_F(Compare, WhatIsMissingIsNamed) {
  const fs::path before = results("before");
  workspace.scenario(test_case("Tests.1", "steady") + test_case("Tests.3", "steady"));
  const fs::path after = results("after");
  const auto ended = compare({before.string(), after.string()});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("missing  Tests.2  passed, measured nothing  -\n"),
                               HasSubstr("added    Tests.3  -                         passed, measured nothing\n")));
}

TEST_F(Compare, WantsTwoResultsDirectories) {
  const fs::path before = results("before");
  auto ended = compare({before.string()});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.err, "[ERROR] A comparison needs at least two results directories, the baseline first; found only '" +
                           before.string() + "'.\n");
  ended = compare({});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("directories is required"));

  const fs::path none = workspace.root() / "none";
  const fs::path file = workspace.root() / "system.toml";
  ended = compare({none.string(), file.string(), workspace.root().string()});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err,
            "[ERROR] '" + none.string() + "' does not exist.\n[ERROR] '" + file.string() +
                "' is not a directory. Name the directory that a run left its results in.\n[ERROR] '" +
                workspace.root().string() +
                "' is not the results directory of a run: it has no summary.json. The newest one in it is '" +
                before.string() + "'.\n");
}

TEST_F(Compare, RefusesOneDirectoryTwice) {
  const fs::path before = results("before");
  const fs::path link = workspace.root() / "link";
  fs::create_directory_symlink(before, link);
  for (const fs::path& again : {before, link}) {
    const auto ended = compare({before.string(), again.string()});
    EXPECT_EQ(ended.exit_status, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "[ERROR] '" + again.string() +
                             "' is given twice, as A and as B. Name the results directories of different runs, the "
                             "baseline first.\n");
  }
}

TEST_F(Compare, RefusesSummariesThatCannotBeRead) {
  const fs::path before = results("before");
  const std::string summary = (before / "summary.json").string();
  const std::string whole = read(summary);
  workspace.write(summary, whole.substr(0, whole.size() / 2));
  auto ended = compare({before.string(), before.string()});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("[ERROR] '" + summary + "' is damaged: it ends in the middle of the document.\n"));
  workspace.write(summary, R"({"schema": "somebody.else/1"})");
  ended = compare({before.string(), before.string()});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err,
              HasSubstr("[ERROR] '" + summary + "' is damaged: its \"schema\" is not \"cloudai.summary/1\".\n"));
}

TEST_F(Compare, RefusesWhatHasNothingInCommon) {
  const fs::path before = results("before");
  workspace.scenario(test_case("Other.1", "steady"));
  const fs::path after = results("after");
  const auto ended = compare({before.string(), after.string()});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, "[ERROR] Nothing can be compared: '" + before.string() +
                           "' (scenario 'scenario', its first test is 'Tests.1') and '" + after.string() +
                           "' (scenario 'scenario', its first test is 'Other.1') have no test in common. Tests are "
                           "compared by the id that they have in the scenario.\n");
}

TEST_F(Compare, RefusesOptionsThatMeanNothing) {
  const std::string before = results("before").string();
  const std::string again = copy_of(before).string();
  for (const char* tolerance : {"much", "5%", "inf", "busbw=", "busbw=-1"}) {
    const auto ended = compare({before, again, std::string("--tolerance=") + tolerance});
    EXPECT_EQ(ended.exit_status, 2) << tolerance;
    EXPECT_EQ(ended.err, std::string("[ERROR] --tolerance: found '") + tolerance +
                             "', expected a number of percent such as 5, or METRIC=PERCENT such as busbw=3.\n");
  }
  auto ended = compare({before, again, "--tolerance", "busbw=3"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.err, "[ERROR] --tolerance: the results have no metric 'busbw'; they have no metrics at all.\n");
  EXPECT_EQ(ended.out, "");
  ended = compare({before, again, "--report", "htlm"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("[ERROR] --report: no module provides reporter 'htlm'. Did you mean 'html'?"));
  EXPECT_EQ(compare({before, again, "--json", "--markdown"}).exit_status, 2);
}

TEST_F(Compare, AReporterThatCannotIsNamed) {
  const std::string before = results("before").string();
  const std::string again = copy_of(before).string();
  const auto ended = compare({before, again, "--report", "csv", "--output-dir", (workspace.root() / "out").string()});
  EXPECT_EQ(ended.exit_status, 3);
  EXPECT_THAT(ended.err, HasSubstr("[ERROR] Report 'csv' could not be generated: "));
  EXPECT_THAT(ended.out, HasSubstr("No test has a worse status than in A"));
}

TEST_F(Compare, AMeasurementThatCannotBeReadIsTrouble) {
  const fs::path before = results("before");
  const fs::path outcome = before / "Tests.1/0/outcome.json";
  const fs::path again = copy_of(before);
  workspace.write(outcome, "[]");
  const auto ended = compare({before.string(), again.string()});
  EXPECT_EQ(ended.exit_status, 3);
  EXPECT_THAT(ended.err,
              HasSubstr("[ERROR] '" + outcome.string() +
                        "' is damaged: it does not hold a JSON object. Its measurements are not compared.\n"));
  EXPECT_THAT(ended.out, HasSubstr("Tests: 2 same\n"));
}

// Collectives measured with MPI on the CPUs of this machine, twice.
class CompareCollectives : public Compare {
 protected:
  CompareCollectives() {
    workspace.system("ntasks_per_node = 2\n");
    workspace.write("tests/collective.toml",
                    "name = \"collective\"\ndescription = \"\"\ntest_template_name = \"NcclTest\"\n[cmd_args]\n"
                    "subtest_name = \"all_reduce_perf_mpi\"\nngpus = 1\nminbytes = \"1K\"\nmaxbytes = \"1M\"\n"
                    "stepfactor = 4\niters = 2\nwarmup_iters = 1\n");
    workspace.scenario(test_case("Tests.1", "collective", "iterations = 2\n"));
  }

  // The one metric of this name and size, in place.
  static Json metric_of(const Json& document, const std::string& name, const std::string& size) {
    for (const auto& metric : document.at("cases")[0].at("metrics")) {
      const auto& labels = metric.at("labels");
      if (metric.at("name") == name && labels.at("size") == size && labels.at("placement") == "in") return metric;
    }
    return {};
  }

  // The results once more, with a thousandth of every bus bandwidth at this size: less than any iteration measured.
  fs::path with_a_thousandth_of_the_bandwidth(const fs::path& from, const std::string& size) const {
    const fs::path to = workspace.root() / "slower";
    fs::copy(from, to, fs::copy_options::recursive);
    for (const char* run : {"Tests.1/0", "Tests.1/1"}) {
      Json outcome = Json::parse(read(to / run / "outcome.json"));
      for (auto& metric : outcome["stages"][0]["outcome"]["metrics"]) {
        if (metric["name"] == "busbw" && metric["labels"]["size"] == size) {
          metric["value"] = metric["value"].get<double>() / 1000;
        }
      }
      workspace.write(to / run / "outcome.json", outcome.dump());
    }
    return to;
  }
};

// Every metric of every run, changed by `change`, in a copy of the results.
template <class Change>
void change_metrics(const fs::path& results, Change change) {
  for (const char* run : {"Tests.1/0", "Tests.1/1"}) {
    const fs::path file = results / run / "outcome.json";
    Json outcome = Json::parse(read(file));
    change(outcome["stages"][0]["outcome"]["metrics"]);
    std::ofstream(file) << outcome;
  }
}

TEST_F(CompareCollectives, APassWithoutItsMeasurementsIsARegression) {
  const fs::path before = results("before");
  const fs::path after = copy_of(before);
  change_metrics(after, [](Json& metrics) { metrics = Json::array(); });
  const std::string out = (workspace.root() / "out").string();
  const auto ended = compare({before.string(), after.string(), "--report", "html", "--output-dir", out});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("REGRESSION  Tests.1  passed (2 runs)  passed (2 runs), measured nothing\n"));
  EXPECT_THAT(ended.out, EndsWith("REGRESSION: 1 test is worse than in A. 36 metrics of A are missing in B.\n"));
  EXPECT_THAT(read(out + "/comparison.html"),
              AllOf(HasSubstr("compared with A. Missing: 36 metrics."), HasSubstr("2 passed, measured nothing"),
                    HasSubstr("<span class=\"badge failed\">REGRESSION</span>")));
}

TEST_F(CompareCollectives, WhereAllUnitsDifferNothingIsCompared) {
  const fs::path before = results("before");
  const fs::path after = copy_of(before);
  change_metrics(after, [](Json& metrics) {
    for (auto& metric : metrics) metric["unit"] = "1";
  });
  const std::string out = (workspace.root() / "out").string();
  auto ended = compare({before.string(), after.string(), "--report", "html", "--output-dir", out});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_THAT(ended.out,
              EndsWith("No test has a worse status than in A; there was no metric that could be compared.\n"));
  EXPECT_THAT(read(out + "/comparison.html"),
              AllOf(HasSubstr("<strong>NOTHING COMPARED</strong>"), HasSubstr("class=\"verdict inconclusive\""),
                    Not(HasSubstr("NO REGRESSION"))));
  ended = compare({before.string(), after.string(), "--json"});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(Json::parse(ended.out).at("verdict"), "nothing_compared");
  EXPECT_THAT(cloudai::testing::schema_violations("comparison", cloudai::Json::parse(ended.out)), IsEmpty());
}

TEST_F(CompareCollectives, OfTwoRunsEveryMetricHasAPartner) {
  const fs::path before = results("before");
  const fs::path after = results("after");
  const auto ended = compare({before.string(), after.string(), "--json", "--tolerance", "1000000000"});
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  EXPECT_THAT(cloudai::testing::schema_violations("comparison", cloudai::Json::parse(ended.out)), IsEmpty());
  const Json document = Json::parse(ended.out);
  EXPECT_EQ(document.at("verdict"), "no_regression");
  const auto& metrics = document.at("cases")[0].at("metrics");
  EXPECT_EQ(metrics.size(), 36U);  // 6 sizes, in two placements, three quantities each
  for (const auto& metric : metrics) {
    EXPECT_EQ(metric.at("values").at("A").at("count"), 2) << metric;
    EXPECT_EQ(metric.at("values").at("B").at("count"), 2) << metric;
    EXPECT_EQ(metric.at("changes").at("B").at("verdict"), "same") << metric;
  }
  const Json outcome = Json::parse(read(after / "Tests.1/1/outcome.json"));
  const Json value = metric_of(document, "time", "1048576").at("values").at("B");
  EXPECT_THAT(outcome.dump(), AllOf(HasSubstr("\"time\""), HasSubstr("\"resolution\"")));
  EXPECT_LE(value.at("low"), value.at("median"));
  EXPECT_GE(value.at("high"), value.at("median"));
  const auto plain = compare({before.string(), after.string()});
  EXPECT_EQ(plain.exit_status, plain.out.find("REGRESSION: ") == std::string::npos ? 0 : 1) << plain.out;
}

TEST_F(CompareCollectives, ASlowerOneIsFoundAndDrawn) {
  const fs::path before = results("before");
  const fs::path slower = with_a_thousandth_of_the_bandwidth(before, "1048576");
  const fs::path out = workspace.root() / "out";
  const auto ended =
      compare({before.string(), slower.string(), "--report", "html", "--output-dir", out.string(), "--markdown"});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("**REGRESSION: 2 metrics are worse than in A.**\n"));
  EXPECT_THAT(ended.out, HasSubstr("| **REGRESSION** | `Tests.1` | `busbw all_reduce 1 MiB in` | "));
  EXPECT_THAT(ended.err, HasSubstr("[INFO] Generated comparison report at " + (out / "comparison.html").string()));
  const std::string page = read(out / "comparison.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<strong>REGRESSION</strong>"), HasSubstr("B in place"),
                          HasSubstr("<svg class=\"chart\"")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("src=\"")), Not(HasSubstr("href=\"h"))));

  fs::rename(before, workspace.root() / "moved");
  const auto relative =
      workspace.cloudai({"compare", "moved", "slower", "--tolerance", "1000000000"}, {}, workspace.root());
  EXPECT_EQ(relative.exit_status, 0) << relative.out;
  const auto misspelt =
      workspace.cloudai({"compare", "moved", "slower", "--tolerance", "busbv=3"}, {}, workspace.root());
  EXPECT_EQ(misspelt.exit_status, 2);
  EXPECT_EQ(misspelt.err, "[ERROR] --tolerance: the results have no metric 'busbv'. Did you mean 'busbw'?\n");
}

}  // namespace
}  // namespace end_to_end
