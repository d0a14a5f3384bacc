// Tests and hooks that fail: what still runs, what is said, and what the summary and the exit status tell.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string mark(const std::string& name) {
  return "touch \"$MARKS/" + name + "\"";
}

// One test between a prologue and an epilogue, each of the given shell text.
void write_stages(const Workspace& workspace, const std::string& prologue, const std::string& main,
                  const std::string& epilogue) {
  workspace.system();
  workspace.hook_test("check", prologue);
  workspace.hook("before", {"check"});
  workspace.hook_test("clean", epilogue);
  workspace.hook("behind", {"clean"});
  workspace.test("work", main);
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" + test_case("Tests.1", "work"));
}

std::string code_of(const Json& run_or_stage) {
  return run_or_stage.at("reason").at("code");
}
std::string text_of(const Json& run_or_stage) {
  return run_or_stage.at("reason").at("text");
}

TEST(Failure, OfThePrologueSkipsMainAndEpilogue) {
  const Workspace workspace;
  write_stages(workspace, mark("prologue") + "; exit 3", mark("main"), mark("epilogue"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_TRUE(workspace.marked("prologue"));
  EXPECT_FALSE(workspace.marked("main"));
  EXPECT_FALSE(workspace.marked("epilogue"));

  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(code_of(run), "prologue_failed");
  EXPECT_EQ(stage_of(run, "prologue").at("status"), "failed");
  EXPECT_EQ(stage_of(run, "prologue").at("exit_status"), 3);
  for (const auto* kind : {"main", "epilogue"}) {
    EXPECT_EQ(stage_of(run, kind).at("status"), "skipped");
    EXPECT_EQ(code_of(stage_of(run, kind)), "prologue_failed");
    EXPECT_THAT(text_of(stage_of(run, kind)), HasSubstr("check"));
  }
  EXPECT_EQ(workspace.summary().at("status"), "failed");
  EXPECT_EQ(workspace.summary().at("exit_status"), 1);
}

TEST(Failure, OfThePrologueStopsTheHookTestsAfterIt) {
  const Workspace workspace;
  write_stages(workspace, "exit 1", mark("main"), mark("epilogue"));
  workspace.hook_test("later", mark("later"));
  workspace.hook("before", {"check", "later"});
  EXPECT_EQ(workspace.run().exit_status, 1);
  EXPECT_FALSE(workspace.marked("later"));
  EXPECT_FALSE(workspace.marked("main"));
}

TEST(Failure, OfMainStillRunsTheEpilogue) {
  const Workspace workspace;
  write_stages(workspace, mark("prologue"), "exit 7", mark("epilogue"));
  EXPECT_EQ(workspace.run().exit_status, 1);
  EXPECT_TRUE(workspace.marked("prologue"));
  EXPECT_TRUE(workspace.marked("epilogue"));

  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(code_of(run), "exit_status");
  EXPECT_THAT(text_of(run), HasSubstr("7"));
  EXPECT_EQ(stage_of(run, "prologue").at("status"), "passed");
  EXPECT_EQ(stage_of(run, "main").at("status"), "failed");
  EXPECT_EQ(stage_of(run, "main").at("exit_status"), 7);
  EXPECT_EQ(stage_of(run, "epilogue").at("status"), "passed");
}

TEST(Failure, OfTheEpilogueAfterAGoodMainFailsTheRun) {
  const Workspace workspace;
  write_stages(workspace, mark("prologue"), mark("main"), "exit 5");
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(code_of(run), "epilogue_failed");
  EXPECT_THAT(text_of(run), HasSubstr("clean"));
  EXPECT_EQ(stage_of(run, "main").at("status"), "passed");
  EXPECT_EQ(stage_of(run, "epilogue").at("status"), "failed");
}

TEST(Failure, OfMainAndEpilogueKeepsTheReasonOfMain) {
  const Workspace workspace;
  write_stages(workspace, "true", "exit 7", "exit 5");
  EXPECT_EQ(workspace.run().exit_status, 1);
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(code_of(run), "exit_status");
  EXPECT_THAT(text_of(run), HasSubstr("7"));
}

TEST(Failure, NamesTheFilesToReadAndTheCommandToRunItAgain) {
  const Workspace workspace;
  write_stages(workspace, "true", "echo no luck >&2; exit 1", "true");
  const auto ended = workspace.run();
  const auto said = ended.out + ended.err;
  EXPECT_THAT(said, HasSubstr((workspace.results() / "Tests.1/0/stderr.txt").string()));
  EXPECT_THAT(said, HasSubstr("cloudai run "));
  EXPECT_THAT(said, HasSubstr("--filter Tests.1"));
  EXPECT_THAT(ended.err, HasSubstr(" for test Tests.1 failed: "));
  EXPECT_THAT(ended.out, HasSubstr("FAILED"));
}

TEST(Failure, TheCommandToRunItAgainRunsJustThatTest) {
  const Workspace workspace;
  workspace.system();
  workspace.test("good", mark("good"));
  workspace.test("bad", "exit 1");
  workspace.scenario(test_case("Tests.1", "bad") + test_case("Tests.2", "good"));
  EXPECT_EQ(workspace.run({"--filter", "Tests.1"}).exit_status, 1);
  EXPECT_FALSE(workspace.marked("good"));
  EXPECT_EQ(workspace.summary().at("runs").size(), 1U);
}

TEST(Failure, OfACommandThatIsNotFoundSaysSo) {
  const Workspace workspace;
  write_stages(workspace, "true", "no_such_program_anywhere --flag", "true");
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(code_of(run), "command_not_found") << run.at("reason");
  EXPECT_EQ(stage_of(run, "main").at("exit_status"), 127);
}

TEST(Failure, OfAProgramKilledByASignalNamesIt) {
  const Workspace workspace;
  write_stages(workspace, "true", "kill -SEGV $$", mark("epilogue"));
  EXPECT_EQ(workspace.run().exit_status, 1);
  EXPECT_TRUE(workspace.marked("epilogue"));
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_THAT(text_of(run), testing::AnyOf(HasSubstr("SIGSEGV"), HasSubstr("signal 11"), HasSubstr("139")));
}

// Independent Tests.1, Tests.2 (fails) and Tests.3; Tests.4 depends on Tests.2.
void write_four_tests(const Workspace& workspace, const std::string& top = "") {
  workspace.system();
  workspace.test("good", "true");
  workspace.test("bad", "exit 1");
  workspace.scenario(top + test_case("Tests.1", "good") + test_case("Tests.2", "bad", "iterations = 2\n") +
                     test_case("Tests.3", "good") + test_case("Tests.4", "good") + after("Tests.2"));
}

TEST(Failure, StopsTheScenarioByDefault) {
  const Workspace workspace;
  write_four_tests(workspace);
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "failed");
  for (const auto* id : {"Tests.2/1", "Tests.3/0", "Tests.4/0"}) {
    EXPECT_EQ(workspace.run_of(id).at("status"), "skipped") << id;
    EXPECT_FALSE(fs::exists(workspace.results() / id / "stdout.txt")) << id;
  }
  EXPECT_EQ(code_of(workspace.run_of("Tests.3/0")), "scenario_stopped");
  EXPECT_THAT(text_of(workspace.run_of("Tests.3/0")), HasSubstr("Tests.2"));
  EXPECT_EQ(first_missing(ended.err, {" for test Tests.2 failed: ", "[INFO] Terminating all jobs...",
                                      "[INFO] All jobs have been killed."}),
            "")
      << ended.err;
  EXPECT_TRUE(fs::exists(workspace.results() / "scenario.html"));
}

TEST(Failure, CancelsWhatRunsBesideTheFailedTest) {
  const Workspace workspace;
  workspace.system("max_parallel = 2\n");
  workspace.test("long", mark("long") + "; sleep 300");
  workspace.test("bad", "until [ -e \"$MARKS/long\" ]; do sleep 0.02; done; exit 1");
  workspace.scenario(test_case("Tests.1", "long") + test_case("Tests.2", "bad"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "cancelled");
  EXPECT_EQ(code_of(workspace.run_of("Tests.1/0")), "cancelled");
  EXPECT_THAT(text_of(workspace.run_of("Tests.1/0")), HasSubstr("Tests.2"));
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "failed");
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));
}

TEST(Failure, WithKeepGoingSkipsOnlyWhatDependsOnIt) {
  const Workspace workspace;
  write_four_tests(workspace);
  const auto ended = workspace.run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "failed");
  EXPECT_EQ(workspace.run_of("Tests.3/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("Tests.4/0").at("status"), "skipped");
  EXPECT_EQ(code_of(workspace.run_of("Tests.4/0")), "dependency_failed");
  EXPECT_THAT(text_of(workspace.run_of("Tests.4/0")), HasSubstr("Tests.2"));
  EXPECT_THAT(ended.err, Not(HasSubstr("Terminating all jobs...")));
  EXPECT_TRUE(fs::exists(workspace.results() / "scenario.html"));
}

TEST(Failure, WithoutJobStatusCheckDoesNotStopTheScenario) {
  const Workspace workspace;
  write_four_tests(workspace, "job_status_check = false\n");
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "failed");
  EXPECT_EQ(workspace.run_of("Tests.2/1").at("status"), "failed");
  EXPECT_EQ(workspace.run_of("Tests.3/0").at("status"), "passed");
  EXPECT_THAT(ended.err, HasSubstr(" for test Tests.2 failed: "));
  EXPECT_THAT(ended.err, Not(HasSubstr("Terminating all jobs...")));
}

// A time limit in each stage. The limits are short, the work long: the clock decides nothing else.

TEST(TimeLimit, OfThePrologueIsEnforced) {
  const Workspace workspace;
  write_stages(workspace, "sleep 300", mark("main"), mark("epilogue"));
  workspace.hook("before", {"check"}, "1s");
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(code_of(run), "prologue_failed");
  EXPECT_EQ(code_of(stage_of(run, "prologue")), "time_limit");
  EXPECT_FALSE(workspace.marked("main"));
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));
}

TEST(TimeLimit, OfMainIsEnforcedAndTheEpilogueStillRuns) {
  const Workspace workspace;
  write_stages(workspace, "true", "sleep 300 & sleep 300", mark("epilogue"));
  workspace.scenario("epilogue = \"behind\"\n" + test_case("Tests.1", "work", "time_limit = \"1s\"\n"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(code_of(run), "time_limit");
  EXPECT_EQ(code_of(stage_of(run, "main")), "time_limit");
  EXPECT_EQ(stage_of(run, "epilogue").at("status"), "passed");
  EXPECT_TRUE(workspace.marked("epilogue"));
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));
}

TEST(TimeLimit, OfTheEpilogueIsEnforced) {
  const Workspace workspace;
  write_stages(workspace, "true", "true", "sleep 300");
  workspace.hook("behind", {"clean"}, "1s");
  EXPECT_EQ(workspace.run().exit_status, 1);
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(code_of(run), "epilogue_failed");
  EXPECT_EQ(code_of(stage_of(run, "epilogue")), "time_limit");
  EXPECT_EQ(stage_of(run, "main").at("status"), "passed");
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));
}

TEST(TimeLimit, EndsAProgramThatIgnoresSigterm) {
  const Workspace workspace;
  write_stages(workspace, "true", "trap '' TERM; while true; do sleep 0.1; done", mark("epilogue"));
  workspace.scenario("epilogue = \"behind\"\n" + test_case("Tests.1", "work", "time_limit = \"1s\"\n"));
  EXPECT_EQ(workspace.run().exit_status, 1);
  EXPECT_EQ(code_of(workspace.run_of("Tests.1/0")), "time_limit");
  EXPECT_TRUE(workspace.marked("epilogue"));
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));
}

TEST(TimeLimit, EndsWhatTheProgramStartedInTheBackground) {
  const Workspace workspace;
  write_stages(workspace, "true", "(trap '' TERM; while true; do sleep 0.1; done) & sleep 300", mark("epilogue"));
  workspace.scenario("epilogue = \"behind\"\n" + test_case("Tests.1", "work", "time_limit = \"1s\"\n"));
  EXPECT_EQ(workspace.run().exit_status, 1);
  EXPECT_EQ(code_of(workspace.run_of("Tests.1/0")), "time_limit");
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));
}

}  // namespace
}  // namespace end_to_end
