// Reports: what a run writes of them, and `generate-report`, which writes them again from what the run left behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

class Reports : public testing::Test {
 protected:
  Reports() {
    workspace.system();
    workspace.test("good", "true");
    workspace.scenario(test_case("Tests.1", "good"));
  }

  void run() {
    const auto ended = workspace.run({"--quiet"});
    ASSERT_EQ(ended.exit_status, 0) << ended.err;
    results = workspace.results();
  }

  // A reporter "failing" that takes an option "iters", and fails.
  Arguments with_failing_reporter(Arguments arguments) const {
    workspace.write("modules/failing_reporter.so",
                    read(build_directory() / "tests/fixtures/module/failing_reporter.so"));
    arguments.insert(arguments.end(), {"--module-path", (workspace.root() / "modules").string()});
    return arguments;
  }

  Ended generate(const Arguments& more = {}) const {
    Arguments arguments{"generate-report", "--result-dir", results.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return workspace.cloudai(arguments);
  }

  static constexpr const char* why_it_fails =
      "module 'test.failing_reporter' 1.0.0 failed in write(): The printer is on fire. Call somebody.";

  void remove_reports() const {
    for (const char* name : {"scenario.html", "scenario.csv", "scenario-metrics.csv"}) fs::remove(results / name);
  }
  bool has(const char* name) const { return fs::exists(results / name); }

  Workspace workspace;
  fs::path results;
};

TEST_F(Reports, ComeAgainFromADirectoryThatWasMoved) {
  run();
  const std::string csv = read(results / "scenario.csv");
  const std::string html = read(results / "scenario.html");
  const std::string summary = read(results / "summary.json");
  remove_reports();
  fs::rename(results, workspace.root() / "moved");
  results = workspace.root() / "moved";
  for (const char* name : {"system.toml", "scenario.toml", "tests"}) fs::remove_all(workspace.root() / name);

  const auto ended = generate();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  const std::string directory = results.string();
  EXPECT_EQ(ended.out, directory + "/scenario.csv\n" + directory + "/scenario-metrics.csv\n" + directory +
                           "/scenario.html\n" + directory + "/scenario-junit.xml\n" + directory + "/scenario.md\n");
  EXPECT_EQ(read(results / "scenario.csv"), csv);
  EXPECT_EQ(read(results / "scenario.html"), html);
  EXPECT_EQ(read(results / "summary.json"), summary);
}

TEST_F(Reports, AreThoseThatTheRunWroteOrThatAreNamed) {
  workspace.system("[reports.csv]\nenable = false\n");
  run();
  EXPECT_FALSE(has("scenario.csv"));
  remove_reports();
  EXPECT_EQ(generate().exit_status, 0);
  EXPECT_TRUE(has("scenario.html"));
  EXPECT_FALSE(has("scenario.csv"));
  remove_reports();
  EXPECT_EQ(generate({"--report", "csv"}).exit_status, 0);
  EXPECT_FALSE(has("scenario.html"));
  EXPECT_TRUE(has("scenario.csv"));
  remove_reports();
  EXPECT_EQ(generate({"--report", "csv", "--report", "html"}).exit_status, 0);
  EXPECT_TRUE(has("scenario.html") && has("scenario.csv"));
}

TEST_F(Reports, OfAnotherSystemFileCountFirst) {
  workspace.scenario(test_case("Tests.1", "good") + "[reports.html]\nenable = false\n");
  run();
  workspace.system("[reports.csv]\nenable = false\n[reports.html]\nenable = true\n");
  remove_reports();
  EXPECT_EQ(generate({"--system-config", (workspace.root() / "system.toml").string()}).exit_status, 0);
  EXPECT_TRUE(has("scenario.html"));
  EXPECT_FALSE(has("scenario.csv"));
  workspace.system("[reports.cvs]\n");
  const auto ended = generate({"--system-config", (workspace.root() / "system.toml").string()});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("system.toml:5:10: error: no module provides reporter 'cvs'. Did you mean 'csv'?"));
}

TEST_F(Reports, AllSwitchedOffIsSaid) {
  std::string all_off;
  for (const char* name : {"csv", "html", "junit", "markdown", "tarball"}) {
    all_off += "[reports." + std::string(name) + "]\nenable = false\n";
  }
  workspace.system(all_off);
  run();
  EXPECT_FALSE(has("scenario-junit.xml") || has("scenario.md"));
  const auto ended = generate();
  EXPECT_EQ(ended.exit_status, 0);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("[WARNING] No report was generated: every reporter is switched off"));
}

TEST_F(Reports, AnUnknownOneIsRefusedAndNothingWritten) {
  run();
  remove_reports();
  const auto ended = generate({"--report", "htlm", "--report", "junk", "--report", "csv"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("[ERROR] --report: no module provides reporter 'htlm'. Did you mean 'html'?"),
                               HasSubstr("[ERROR] --report: no module provides reporter 'junk'. Known reporters: csv, "
                                         "html, junit, markdown, tarball.")));
  EXPECT_FALSE(has("scenario.csv") || has("scenario.html"));
}

TEST_F(Reports, WantAResultsDirectory) {
  results = workspace.root() / "none";
  auto ended = generate();
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.err, "[ERROR] --result-dir: '" + results.string() + "' does not exist.\n");
  run();
  const std::string newest = results.string();
  results = workspace.output();
  ended = generate();
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.err,
            "[ERROR] --result-dir: '" + results.string() +
                "' is not the results directory of a run: it has no summary.json. The newest one in it is '" + newest +
                "'.\n");
  ended = workspace.cloudai({"generate-report"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("--result-dir is required"));
}

TEST_F(Reports, OfADryRunThereAreNone) {
  EXPECT_EQ(workspace.cloudai(workspace.command("dry-run")).exit_status, 0);
  results = workspace.results();
  const auto ended = generate();
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("it was written by a dry run, which measures nothing."));
}

TEST_F(Reports, OfDamagedResultsAreRefusedAndNothingWritten) {
  run();
  remove_reports();
  for (const char* name : {"summary.json", "inputs.json"}) {
    const fs::path file = results / name;
    const std::string whole = read(file);
    workspace.write(file, whole.substr(0, whole.size() / 2));
    const auto ended = generate();
    EXPECT_EQ(ended.exit_status, 3);
    EXPECT_EQ(ended.err, "[ERROR] '" + file.string() + "' is damaged: it ends in the middle of the document.\n");
    EXPECT_FALSE(has("scenario.csv") || has("scenario.html"));
    workspace.write(file, whole);
  }
}

TEST_F(Reports, OfDamagedRunsAreWrittenButNotWithoutComplaint) {
  run();
  const auto expect_complaint = [&](const fs::path& name, const std::string& content, const std::string& complaint) {
    const std::string whole = read(results / name);
    fs::remove(results / name);
    if (!content.empty()) workspace.write(results / name, content);
    remove_reports();
    const auto ended = generate({"--report", "csv"});
    EXPECT_EQ(ended.exit_status, 3) << content;
    EXPECT_THAT(ended.err, HasSubstr("[ERROR] " + complaint));
    workspace.write(results / name, whole);
  };
  const fs::path outcome = results / "Tests.1/0/outcome.json";
  expect_complaint("Tests.1/0/outcome.json", "", "cannot read '" + outcome.string() + "': No such file or directory.");
  EXPECT_TRUE(has("scenario.csv"));
  expect_complaint("Tests.1/0/outcome.json", "{",
                   "'" + outcome.string() + "' is damaged: it ends in the middle of the document.");
  EXPECT_TRUE(has("scenario.csv"));
  const std::string damaged = "'" + (results / "summary.json").string() + "' is damaged: ";
  Json summary = workspace.summary();
  summary["runs"][0]["status"] = "green";
  expect_complaint("summary.json", summary.dump(),
                   damaged + "run 'Tests.1/0' has the status 'green', which there is not.");
  summary = workspace.summary();
  summary["runs"].push_back(summary["runs"][0]);
  expect_complaint("summary.json", summary.dump(), damaged + "there are two of run 'Tests.1/0'.");
  summary = workspace.summary();
  summary["runs"][0]["directory"] = "../Tests.1/0";
  expect_complaint("summary.json", summary.dump(),
                   damaged + "run 'Tests.1/0' has the directory '../Tests.1/0', which is another.");
  summary["runs"] = nullptr;
  expect_complaint("summary.json", summary.dump(), damaged + "it has no list \"runs\".");
  summary.erase("runs");
  expect_complaint("summary.json", summary.dump(), damaged + "it has no list \"runs\".");
  EXPECT_EQ(generate().exit_status, 0);
}

TEST_F(Reports, AreListedHoweverTheDirectoryIsNamed) {
  run();
  const std::string expected = (results / "scenario.html").string() + "\n";
  for (const std::string& given : {results.string() + "/", results.string() + "/.", results.string() + "//"}) {
    EXPECT_EQ(workspace.cloudai({"generate-report", "--result-dir", given, "--report", "html"}).out, expected);
  }
  const auto here = workspace.start({"generate-report", "--result-dir", ".", "--report", "html"}, {}, results);
  EXPECT_EQ(here->wait(60s).out, expected);
}

TEST_F(Reports, OneThatFailsIsNamedAndTheOthersAreWritten) {
  const auto ended = workspace.cloudai(with_failing_reporter(workspace.command("run")));
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  results = workspace.results();
  EXPECT_TRUE(has("scenario.html") && has("scenario.csv"));
  EXPECT_THAT(ended.err, HasSubstr(std::string("[WARNING] Report 'failing' could not be generated: ") + why_it_fails));
  EXPECT_THAT(ended.out,
              EndsWith(std::string("\n1 passed\n\nReport failing could not be generated: ") + why_it_fails + "\n"));
  const Json failed = workspace.summary().at("failed_reports");
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].at("name"), "failing");
  EXPECT_EQ(failed[0].at("reason"), why_it_fails);
}

TEST_F(Reports, OneThatFailsAgainIsTrouble) {
  run();
  remove_reports();
  const auto ended = workspace.cloudai(with_failing_reporter({"generate-report", "--result-dir", results.string()}));
  EXPECT_EQ(ended.exit_status, 3);
  EXPECT_THAT(ended.err, HasSubstr(std::string("[WARNING] Report 'failing' could not be generated: ") + why_it_fails));
  EXPECT_TRUE(has("scenario.html") && has("scenario.csv"));
}

TEST_F(Reports, OneThatCannotBeUsedAnyMoreIsNamedAndTheOthersAreWritten) {
  workspace.scenario(test_case("Tests.1", "good") + "[reports.failing]\niters = 7\n");
  EXPECT_EQ(workspace.cloudai(with_failing_reporter(workspace.command("run"))).exit_status, 0);
  results = workspace.results();
  remove_reports();
  const auto without_it = generate();
  EXPECT_EQ(without_it.exit_status, 3);
  EXPECT_THAT(without_it.err, HasSubstr("[WARNING] Report 'failing' could not be generated: " + results.string() +
                                        "/inputs.json: error: no module provides reporter 'failing'."));
  EXPECT_TRUE(has("scenario.html") && has("scenario.csv"));
  EXPECT_EQ(generate({"--report", "csv"}).exit_status, 0);
}

TEST_F(Reports, AWrongOptionIsAConfigurationErrorWithTheValidOnes) {
  workspace.scenario(test_case("Tests.1", "good") +
                     "[reports.failing]\nitres = 7\nform = 1\n[reports.csv]\nenabel = 1\n");
  const auto ended = workspace.cloudai(with_failing_reporter(workspace.command("run")));
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(
      ended.err,
      AllOf(HasSubstr("scenario.toml:6:1: error: unknown option 'itres' of reporter failing. Did you mean 'iters'?"),
            HasSubstr("scenario.toml:7:1: error: unknown option 'form' of reporter failing. It may be one of "
                      "'iters', 'enable'."),
            HasSubstr("scenario.toml:9:1: error: unknown option 'enabel' of reporter csv. Did you mean 'enable'?")));
  EXPECT_TRUE(workspace.all_results().empty());
}

}  // namespace
}  // namespace end_to_end
