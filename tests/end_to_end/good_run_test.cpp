// Runs in which everything passes: what they do, in which order, what they say and what they leave.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Appends a line to the shared file "order".
std::string record(const std::string& line) {
  return "echo " + line + " >> \"$MARKS/order\"";
}

// Two dependent tests between a prologue and an epilogue.
void write_hooked_scenario(const Workspace& workspace) {
  workspace.system();
  workspace.hook_test("check", record("prologue"));
  workspace.hook("before", {"check"}, "30s");
  workspace.hook_test("clean", record("epilogue"));
  workspace.hook("behind", {"clean"}, "30s");
  workspace.test("first", record("first") + "; echo said by first; echo complained by first >&2");
  workspace.test("second", record("second"));
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("Tests.1", "first", "time_limit = \"1m\"\n") + test_case("Tests.2", "second") +
                     after("Tests.1"));
}

TEST(GoodRun, RunsEveryStageInOrder) {
  const Workspace workspace;
  write_hooked_scenario(workspace);
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(read(workspace.marker("order")), "prologue\nfirst\nepilogue\nprologue\nsecond\nepilogue\n");
}

TEST(GoodRun, AReporterCanBeSwitchedOffAndTheScenarioCountsBeforeTheSystem) {
  const Workspace workspace;
  workspace.system("[reports.csv]\nenable = false\n[reports.html]\nenable = false\n");
  workspace.test("first", "true");
  workspace.scenario(test_case("Tests.1", "first") + "[reports.html]\nenable = true\n");
  const auto ended = workspace.run();
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_TRUE(fs::exists(workspace.results() / "scenario.html"));
  EXPECT_FALSE(fs::exists(workspace.results() / "scenario.csv"));
}

TEST(GoodRun, LeavesTheFilesOfTheResultsLayout) {
  const Workspace workspace;
  write_hooked_scenario(workspace);
  ASSERT_EQ(workspace.run().exit_status, 0);
  const auto results = workspace.results();
  EXPECT_TRUE(std::regex_match(results.filename().string(), std::regex(R"(scenario_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d)")))
      << results;
  for (const auto* file : {"summary.json", "inputs.json", "journal.jsonl", "debug.log", "scenario.html"}) {
    EXPECT_GT(fs::file_size(results / file), 0U) << file;
  }
  for (const auto* run : {"Tests.1/0", "Tests.2/0"}) {
    for (const auto* stage : {".", "prologue/check", "epilogue/clean"}) {
      EXPECT_TRUE(fs::exists(results / run / stage / "stdout.txt")) << run << ' ' << stage;
      EXPECT_TRUE(fs::exists(results / run / stage / "stderr.txt")) << run << ' ' << stage;
    }
    EXPECT_TRUE(Json::accept(read(results / run / "outcome.json"))) << run;
  }
  EXPECT_EQ(read(results / "Tests.1/0/stdout.txt"), "said by first\n");
  EXPECT_EQ(read(results / "Tests.1/0/stderr.txt"), "complained by first\n");
}

TEST(GoodRun, SummaryTellsEachRunAndStage) {
  const Workspace workspace;
  write_hooked_scenario(workspace);
  ASSERT_EQ(workspace.run().exit_status, 0);
  const auto summary = workspace.summary();
  EXPECT_EQ(summary.at("schema"), "cloudai.summary/1");
  EXPECT_EQ(summary.at("status"), "passed");
  EXPECT_EQ(summary.at("exit_status"), 0);
  EXPECT_FALSE(summary.contains("signal"));
  EXPECT_EQ(summary.at("counts"), (Json{{"passed", 2}}));
  EXPECT_EQ(summary.at("system").at("scheduler"), "standalone");
  EXPECT_EQ(summary.at("scheduler_calls").at("submit"), 2);
  ASSERT_EQ(summary.at("runs").size(), 2U);
  for (const auto& module : summary.at("modules")) {
    EXPECT_EQ(module.at("sha256").get<std::string>().size(), 64U);
    EXPECT_TRUE(fs::exists(module.at("path").get<std::string>()));
  }

  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "passed");
  EXPECT_EQ(run.at("workload"), "BashCmd");
  EXPECT_EQ(run.at("directory"), "Tests.1/0");
  EXPECT_EQ(run.at("outcome"), "Tests.1/0/outcome.json");
  EXPECT_EQ(run.at("time_limit"), 120) << "the sum of the stages' limits";
  EXPECT_GE(run.at("seconds").get<double>(), 0.0);
  ASSERT_EQ(run.at("attempts").size(), 1U);
  ASSERT_EQ(run.at("stages").size(), 3U);
  const char* kinds[] = {"prologue", "main", "epilogue"};
  const char* names[] = {"check", "first", "clean"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& stage = run.at("stages").at(i);
    EXPECT_EQ(stage.at("kind"), kinds[i]);
    EXPECT_EQ(stage.at("name"), names[i]);
    EXPECT_EQ(stage.at("status"), "passed");
    EXPECT_EQ(stage.at("exit_status"), 0);
    EXPECT_TRUE(fs::exists(workspace.results() / stage.at("stdout").get<std::string>()));
  }
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("dependencies"),
            (Json{{{"type", "start_post_comp"}, {"case", "Tests.1"}}}));
}

TEST(GoodRun, SaysTheLinesUsersKnowInOrder) {
  const Workspace workspace;
  write_hooked_scenario(workspace);
  const auto ended = workspace.run();
  const auto results = workspace.results().string();
  EXPECT_EQ(first_missing(ended.err, {"[INFO] System Name: here",
                                      "[INFO] Scheduler: standalone",
                                      "[INFO] Test Scenario Name: scenario",
                                      "[INFO] Checking if",
                                      "[INFO] Initializing Runner [RUN] mode",
                                      "[INFO] Starting test scenario execution.",
                                      "Test Scenario: scenario",
                                      "Section Name: Tests.1",
                                      "Test Name: first",
                                      "Description: The test first",
                                      "No dependencies",
                                      "Section Name: Tests.2",
                                      "Test Name: second",
                                      "Start Post Comp: Tests.1",
                                      "[INFO] Starting test: Tests.1",
                                      "[INFO] Running test: Tests.1",
                                      "[INFO] Executing command for test Tests.1: ",
                                      "[INFO] Job completed: Tests.1 (iteration 1 of 1)",
                                      "[INFO] Starting test: Tests.2",
                                      "[INFO] Running test: Tests.2",
                                      "[INFO] Job completed: Tests.2 (iteration 1 of 1)",
                                      "[INFO] All test scenario results stored at: " + results}),
            "")
      << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("before"));
  EXPECT_THAT(ended.err, HasSubstr("behind"));
  EXPECT_THAT(ended.err, HasSubstr("[INFO] Generated scenario report at " + results + "/scenario.html"));
  const auto last_line = ended.err.substr(ended.err.rfind('\n', ended.err.size() - 2) + 1);
  EXPECT_THAT(last_line, HasSubstr(results + "/debug.log"));
}

TEST(GoodRun, PutsTheTableOnStdoutAndTheLogOnStderrWithoutColour) {
  const Workspace workspace;
  write_hooked_scenario(workspace);
  const auto ended = workspace.run();
  EXPECT_EQ(first_missing(ended.out, {"Tests.1", "PASSED", "Tests.2", "PASSED", "2 passed"}), "") << ended.out;
  EXPECT_THAT(ended.out, Not(HasSubstr("[INFO]")));
  EXPECT_THAT(ended.out + ended.err, Not(HasSubstr("\033")));
}

TEST(GoodRun, JournalTellsEveryStepAsOneLineOfJson) {
  const Workspace workspace;
  write_hooked_scenario(workspace);
  ASSERT_EQ(workspace.run().exit_status, 0);
  std::istringstream lines(read(workspace.results() / "journal.jsonl"));
  std::string events;
  for (std::string line; std::getline(lines, line);) {
    const auto entry = Json::parse(line);
    events += entry.at("event").get<std::string>() + " " + entry.value("run", "") + "\n";
  }
  EXPECT_EQ(
      first_missing(events, {"scenario_started", "submitting Tests.1/0", "submitted Tests.1/0", "finished Tests.1/0",
                             "submitting Tests.2/0", "submitted Tests.2/0", "finished Tests.2/0", "scenario_ended"}),
      "")
      << events;
}

TEST(GoodRun, RunsIterationsOneAfterTheOther) {
  const Workspace workspace;
  workspace.system("max_parallel = 4\n");
  workspace.test("again", record("start") + "; sleep 0.05; " + record("end"));
  workspace.scenario(test_case("Tests.1", "again", "iterations = 3\n"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0);
  EXPECT_EQ(read(workspace.marker("order")), "start\nend\nstart\nend\nstart\nend\n");
  EXPECT_EQ(workspace.summary().at("counts"), (Json{{"passed", 3}}));
  EXPECT_EQ(workspace.run_of("Tests.1/2").at("iteration"), 2);
  EXPECT_EQ(first_missing(ended.err,
                          {"Job completed: Tests.1 (iteration 1 of 3)", "Job completed: Tests.1 (iteration 2 of 3)",
                           "Job completed: Tests.1 (iteration 3 of 3)"}),
            "");
}

TEST(GoodRun, StartsADependentAfterAllItsPredecessors) {
  const Workspace workspace;
  workspace.system("max_parallel = 3\n");
  workspace.test("quick", record("quick"));
  workspace.test("slow", "sleep 0.4; " + record("slow"));
  workspace.test("last", record("last"));
  workspace.scenario(test_case("c", "last") + after("a") + after("b") + after("d") + test_case("a", "quick") +
                     test_case("b", "slow", "iterations = 2\n") + test_case("d", "quick"));
  EXPECT_EQ(workspace.run().exit_status, 0);
  EXPECT_EQ(read(workspace.marker("order")), "quick\nquick\nslow\nslow\nlast\n");
}

// Waits until the file is there; fails if it is not within 20 s.
std::string wait_for(const std::string& name) {
  return "for i in $(seq 400); do [ -e \"$MARKS/" + name + "\" ] && exit 0; sleep 0.05; done; exit 1";
}

TEST(GoodRun, RunsAsManyAtOnceAsMaxParallelAllows) {
  const Workspace workspace;
  workspace.system();
  workspace.test("one", "touch \"$MARKS/one\"; " + wait_for("two"));
  workspace.test("two", "touch \"$MARKS/two\"; " + wait_for("one"));
  workspace.scenario(test_case("Tests.1", "one") + test_case("Tests.2", "two"));
  EXPECT_EQ(workspace.run({"--max-parallel", "2"}).exit_status, 0);
}

TEST(GoodRun, RunsOneAtATimeOnStandaloneUnlessToldOtherwise) {
  const Workspace workspace;
  workspace.system();
  workspace.test("alone", record("start") + "; sleep 0.1; " + record("end"));
  workspace.scenario(test_case("a", "alone") + test_case("b", "alone") + test_case("c", "alone"));
  EXPECT_EQ(workspace.run().exit_status, 0);
  EXPECT_EQ(read(workspace.marker("order")), "start\nend\nstart\nend\nstart\nend\n");
}

TEST(GoodRun, SeesAFinishedJobLongBeforeTheNextPoll) {
  const Workspace workspace;
  workspace.system("monitor_interval = 60\n");
  workspace.test("quick", "true");
  workspace.scenario(test_case("a", "quick") + test_case("b", "quick") + after("a") + test_case("c", "quick") +
                     after("b"));
  const auto program = workspace.start(workspace.command("run"));
  const auto ended = program->wait(20s);
  EXPECT_FALSE(ended.timed_out);
  EXPECT_EQ(ended.exit_status, 0);
}

TEST(GoodRun, WritesTwoRunsOfTheSameSecondIntoTwoDirectories) {
  const Workspace workspace;
  workspace.system();
  workspace.test("quick", "true");
  workspace.scenario(test_case("a", "quick"));
  const auto one = workspace.start(workspace.command("run"));
  const auto two = workspace.start(workspace.command("run"));
  EXPECT_EQ(one->wait().exit_status, 0);
  EXPECT_EQ(two->wait().exit_status, 0);
  EXPECT_EQ(workspace.all_results().size(), 2U);
}

TEST(GoodRun, KeepsAHostileScenarioNameInsideItsDirectoryAndEscaped) {
  const Workspace workspace;
  workspace.system();
  workspace.test("quick", "true");
  workspace.write("scenario.toml", "name = 'fp8 <final> & \"x\"'\n" + test_case("a", "quick"));
  EXPECT_EQ(workspace.run().exit_status, 0);
  for (const auto& entry : fs::directory_iterator(workspace.results())) {
    if (entry.path().extension() != ".html") continue;
    const auto page = read(entry.path());
    EXPECT_THAT(page, HasSubstr("&lt;final&gt; &amp;"));
    EXPECT_THAT(page, Not(HasSubstr("<final>")));
  }
}

}  // namespace
}  // namespace end_to_end
