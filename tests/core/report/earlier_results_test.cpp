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

}  // namespace
}  // namespace cloudai::report
