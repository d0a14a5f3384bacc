#include "core/report/earlier_results.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/core/scratch_directory.hpp"

namespace cloudai::report {
namespace {

namespace fs = std::filesystem;

class EarlierResultsTest : public ::testing::Test {
 protected:
  EarlierResultsTest() {
    write("summary.json", R"({"schema": "cloudai.summary/1", "runs": [{"id": "a/0"}]})");
    write("inputs.json", R"({"schema": "cloudai.inputs/1", "system": {"reports": {"csv": {"enable": false}}},
                             "scenario": {}})");
  }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(scratch / name, std::ios::binary) << content;
  }

  // "hint" behind the message, as the terminal shows it.
  Error refused(const fs::path& directory) const {
    const auto opened = open_earlier_results(directory);
    return opened ? Error{} : opened.error();
  }
  Error refused() const { return refused(scratch.path()); }
  std::string path(const std::string& name) const { return "'" + (scratch / name).string() + "'"; }
  std::string option() const { return "--result-dir: '" + scratch.path().string() + "' "; }

  testing::ScratchDirectory scratch;
};

TEST_F(EarlierResultsTest, HaveTheRecordOfReports) {
  const auto results = open_earlier_results(scratch.path());
  ASSERT_TRUE(results);
  EXPECT_EQ(results->directory, scratch.path());
  EXPECT_EQ(results->system_reports, Json::parse(R"({"csv": {"enable": false}})"));
  EXPECT_EQ(results->scenario_reports, Json::object());
}

TEST_F(EarlierResultsTest, TheDirectoryIsNamedInOneWay) {
  const fs::path before = fs::current_path();
  for (const char* given : {"", "/", "//", "/."}) {
    const std::string path = scratch.path().string() + given;
    const auto results = open_earlier_results(path);
    ASSERT_TRUE(results) << path;
    EXPECT_EQ(results->directory.string(), scratch.path().string());
  }
  fs::current_path(scratch.path());
  for (const char* given : {".", "./", "./."}) {
    const auto results = open_earlier_results(given);
    EXPECT_EQ(results ? results->directory.string() : "", scratch.path().string());
  }
  fs::current_path(before);
}

TEST_F(EarlierResultsTest, WhatIsNoDirectoryIsWrongUse) {
  EXPECT_EQ(refused(scratch / "none").message, "--result-dir: " + path("none") + " does not exist.");
  EXPECT_EQ(refused(scratch / "summary.json").message,
            "--result-dir: " + path("summary.json") + " is not a directory.");
  EXPECT_EQ(refused(scratch / "none").kind, ErrorKind::usage);
}

TEST_F(EarlierResultsTest, ADirectoryWithoutSummaryIsToldForWhatItIs) {
  fs::remove(scratch / "summary.json");
  EXPECT_EQ(refused().message, option() + "has no summary.json: it was written by a dry run, which measures nothing.");
  write("journal.jsonl", "");
  EXPECT_EQ(refused().message,
            option() + "has no summary.json: its run has not ended, or was killed before it could write one.");
  fs::remove(scratch / "journal.jsonl");
  fs::remove(scratch / "inputs.json");
  EXPECT_EQ(refused().message, option() + "is not the results directory of a run: it has no summary.json.");
  EXPECT_EQ(refused().hint, "");
}

TEST_F(EarlierResultsTest, TheDirectoryOfManyRunsNamesTheNewest) {
  const testing::ScratchDirectory above;
  for (const char* name : {"s_1", "s_2", "s_3"}) {
    fs::create_directory(above / name);
    std::ofstream(above / name / "summary.json") << "{}";
  }
  fs::last_write_time(above / "s_2/summary.json", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(refused(above.path()).hint, "The newest one in it is '" + (above / "s_2").string() + "'.");
}

TEST_F(EarlierResultsTest, DamagedDocumentsAreNamedWithThePlace) {
  write("summary.json", R"({"schema": "cloudai.summary/1", "runs": [)");
  EXPECT_EQ(refused().message, path("summary.json") + " is damaged: it ends in the middle of the document.");
  EXPECT_EQ(refused().kind, ErrorKind::trouble);
  write("summary.json", "{\"schema\": \"cloudai.summary/1\",\n \"runs\": oops}");
  EXPECT_EQ(refused().message, path("summary.json") + " is damaged: it is not valid JSON from line 2, column 10 on.");
  write("summary.json", "");
  EXPECT_EQ(refused().message, path("summary.json") + " is damaged: it ends in the middle of the document.");
  write("summary.json", "[]");
  EXPECT_EQ(refused().message, path("summary.json") + " is damaged: it does not hold a JSON object.");
  write("summary.json", R"({"schema": "other/1"})");
  EXPECT_EQ(refused().message, path("summary.json") + R"( is damaged: its "schema" is not "cloudai.summary/1".)");
  write("summary.json", R"({"schema": 1e999})");
  EXPECT_EQ(refused().message, path("summary.json") + " is damaged: it holds a number that is too large.");
}

TEST_F(EarlierResultsTest, DamagedInputsAreNoInputs) {
  write("inputs.json", R"({"schema": "cloudai.inputs/1", "system": [], "scenario": {"reports": 3}})");
  EXPECT_TRUE(open_earlier_results(scratch.path()));
  write("inputs.json", "{");
  EXPECT_EQ(refused().message, path("inputs.json") + " is damaged: it ends in the middle of the document.");
  fs::remove(scratch / "inputs.json");
  EXPECT_EQ(refused().message, "cannot read " + path("inputs.json") + ": No such file or directory.");
}

TEST_F(EarlierResultsTest, AFifoIsNotWaitedFor) {
  fs::remove(scratch / "inputs.json");
  ASSERT_EQ(::mkfifo((scratch / "inputs.json").c_str(), 0600), 0);
  EXPECT_EQ(refused().message, "cannot read " + path("inputs.json") + ": it is not a regular file.");
}

// Results of runs "A/0" and "B/0" with their outcomes.
class ProblemsOfRunsTest : public ::testing::Test {
 protected:
  ProblemsOfRunsTest() {
    for (const std::string id : {"A/0", "B/0"}) {
      fs::create_directories(scratch / id);
      write(id + "/outcome.json", {{"schema", "cloudai.run_outcome/1"}, {"id", id}, {"stages", Json::array({1})}});
      runs.push_back({{"id", id}, {"directory", id}, {"status", "passed"}, {"outcome", id + "/outcome.json"}});
    }
  }

  void write(const std::string& name, const Json& document) const { std::ofstream(scratch / name) << document.dump(); }
  Problems problems(const Json& summary) const {
    write("summary.json", summary);
    return problems_of_runs(scratch.path());
  }
  std::vector<std::string> problems() const {
    return problems({{"schema", "cloudai.summary/1"}, {"runs", runs}, {"other", {{"runs", 1}}}}).first;
  }
  std::string damaged(const std::string& name, const std::string& how) const {
    return "'" + (scratch / name).string() + "' is damaged: " + how + ".";
  }

  testing::ScratchDirectory scratch;
  Json runs = Json::array();
};

TEST_F(ProblemsOfRunsTest, GoodResultsHaveNone) {
  EXPECT_EQ(problems(), std::vector<std::string>());
  runs[1] = {{"id", "B/0"}, {"directory", "B/0"}, {"status", "skipped"}};
  EXPECT_EQ(problems(), std::vector<std::string>());
}

TEST_F(ProblemsOfRunsTest, ASummaryWithoutAListOfRunsIsDamaged) {
  const std::vector<std::string> expected{damaged("summary.json", "it has no list \"runs\"")};
  EXPECT_EQ(problems(Json{{"schema", "cloudai.summary/1"}}).first, expected);
  for (const Json& wrong : {Json(nullptr), Json(3), Json("runs"), Json{{"a", {{"id", "A/0"}}}}}) {
    const Problems found = problems({{"schema", "cloudai.summary/1"}, {"runs", wrong}});
    EXPECT_EQ(found.first, expected);
    EXPECT_EQ(found.count, 1U);
  }
}

TEST_F(ProblemsOfRunsTest, EveryWrongRunIsNamed) {
  runs.push_back(7);
  runs.push_back(Json::array({Json::object()}));
  runs.push_back(Json::object());
  runs.push_back(runs[0]);
  runs.push_back({{"id", "../C/0"}, {"directory", "../C/0"}, {"status", "skipped"}});
  runs.push_back({{"id", "C/0"}, {"directory", "../C/0"}, {"status", "skipped"}});
  runs.push_back({{"id", "D/0"}, {"directory", "D/0"}, {"status", "green"}});
  runs.push_back({{"id", "E/0"}, {"directory", "E/0"}, {"status", "passed"}});
  runs.push_back({{"id", "F/0"}, {"directory", "F/0"}, {"status", "error"}, {"outcome", nullptr}});
  const std::vector<std::string> expected{
      damaged("summary.json", "run 3 is no object"),
      damaged("summary.json", "run 4 is no object"),
      damaged("summary.json", "run 5 has no id"),
      damaged("summary.json", "there are two of run 'A/0'"),
      damaged("summary.json", "the directory of run '../C/0' leaves the results directory"),
      damaged("summary.json", "run 'C/0' has the directory '../C/0', which is another"),
      damaged("summary.json", "run 'D/0' has the status 'green', which there is not"),
      damaged("summary.json", "run 'E/0' is passed, but has no outcome"),
      damaged("summary.json", "the outcome of run 'F/0' is not 'F/0/outcome.json'")};
  EXPECT_EQ(problems(), expected);
}

TEST_F(ProblemsOfRunsTest, EveryWrongOutcomeIsNamed) {
  fs::remove(scratch / "A/0/outcome.json");
  write("B/0/outcome.json", 7);
  EXPECT_EQ(problems(), (std::vector<std::string>{
                            "cannot read '" + (scratch / "A/0/outcome.json").string() + "': No such file or directory.",
                            damaged("B/0/outcome.json", "it does not hold a JSON object")}));
  write("A/0/outcome.json", {{"schema", "cloudai.run_outcome/1"}, {"id", "B/0"}, {"stages", Json::array()}});
  write("B/0/outcome.json", {{"schema", "cloudai.run_outcome/1"}, {"id", "B/0"}});
  EXPECT_EQ(problems(),
            (std::vector<std::string>{damaged("A/0/outcome.json", "its \"id\" is 'B/0', so it is of another run"),
                                      damaged("B/0/outcome.json", "it has no list \"stages\"")}));
}

TEST_F(ProblemsOfRunsTest, NoMoreThanTwentyAreNamedButAllCounted) {
  for (int i = 0; i < 100; ++i) runs.push_back(i);
  const Problems found = problems({{"schema", "cloudai.summary/1"}, {"runs", runs}});
  EXPECT_EQ(found.first.size(), 20U);
  EXPECT_EQ(found.count, 100U);
}

}  // namespace
}  // namespace cloudai::report
