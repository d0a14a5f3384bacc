// Stopping a run from outside: in each stage, by each signal, with jobs that do not want to go.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <ostream>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Tells that it runs, then runs on, with a process in the background as well.
const std::string hang = "touch \"$MARKS/hangs\"; sleep 300 & sleep 300";

struct Stop {
  const char* stage;
  int signal;
};

std::ostream& operator<<(std::ostream& stream, const Stop& stop) {
  return stream << stop.stage << ' ' << stop.signal;
}

std::string name_of(const testing::TestParamInfo<Stop>& info) {
  const std::map<int, std::string> names{
      {SIGINT, "Sigint"}, {SIGTERM, "Sigterm"}, {SIGHUP, "Sighup"}, {SIGQUIT, "Sigquit"}};
  return names.at(info.param.signal) + "_in_" + info.param.stage;
}

// A scenario whose `stage` hangs, and a second test that must not start. With or without time limits, since a limit
// puts a process more between the job and its command.
void write_hanging(const Workspace& workspace, const std::string& stage, const std::string& how, bool with_limits) {
  const std::string limit = with_limits ? "5m" : "";
  workspace.system();
  workspace.hook_test("check", stage == "prologue" ? how : "true");
  workspace.hook("before", {"check"}, limit);
  workspace.hook_test("clean", stage == "epilogue" ? how : "true");
  workspace.hook("behind", {"clean"}, limit);
  workspace.test("work", stage == "main" ? how : "true");
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("Tests.1", "work", with_limits ? "time_limit = \"5m\"\n" : "") +
                     test_case("Tests.2", "work"));
}

class Signal : public testing::TestWithParam<Stop> {};

TEST_P(Signal, CancelsEverythingAndWritesTheSummary) {
  const auto [stage, signal] = GetParam();
  const Workspace workspace;
  write_hanging(workspace, stage, hang, signal == SIGTERM);
  const auto program = workspace.start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs"); })) << program->err();
  ASSERT_FALSE(workspace.processes(program->pid()).empty());

  program->send(signal);
  const auto ended = program->wait(10s);
  EXPECT_FALSE(ended.timed_out);
  EXPECT_EQ(ended.exit_status, 128 + signal) << ended.err;
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));

  const auto summary = workspace.summary();
  EXPECT_EQ(summary.at("status"), "cancelled");
  EXPECT_EQ(summary.at("signal"), signal);
  EXPECT_EQ(summary.at("exit_status"), 128 + signal);
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "cancelled");
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("reason").at("code"), "cancelled");
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "skipped");
  EXPECT_FALSE(fs::exists(workspace.results() / "Tests.2/0/stdout.txt"));
  EXPECT_EQ(first_missing(ended.err, {"Terminating all jobs...", "All jobs have been killed."}), "") << ended.err;
  EXPECT_TRUE(fs::exists(workspace.results() / "scenario.html"));
}

INSTANTIATE_TEST_SUITE_P(EachStage, Signal,
                         testing::Values(Stop{"prologue", SIGINT}, Stop{"prologue", SIGTERM}, Stop{"main", SIGINT},
                                         Stop{"main", SIGTERM}, Stop{"main", SIGHUP}, Stop{"main", SIGQUIT},
                                         Stop{"epilogue", SIGINT}, Stop{"epilogue", SIGTERM}),
                         name_of);

const std::string stubborn = "trap '' TERM INT; touch \"$MARKS/hangs\"; while true; do sleep 0.1; done";

class StubbornJob : public testing::TestWithParam<bool> {};

TEST_P(StubbornJob, IsKilledThoughItIgnoresSigterm) {
  const Workspace workspace;
  write_hanging(workspace, "main", stubborn, GetParam());
  const auto program = workspace.start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs"); })) << program->err();
  program->send(SIGINT);
  const auto ended = program->wait(20s);
  EXPECT_FALSE(ended.timed_out);
  EXPECT_EQ(ended.exit_status, 130) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "cancelled");
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }, 2s));
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutTimeLimit, StubbornJob, testing::Bool());

TEST(SecondSignal, KillsTheJobsAndLeavesAtOnce) {
  const Workspace workspace;
  write_hanging(workspace, "main", stubborn, false);
  const auto program = workspace.start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs"); })) << program->err();
  program->send(SIGINT);
  ASSERT_TRUE(eventually([&] { return program->err().find("Terminating all jobs...") != std::string::npos; }))
      << program->err();
  sleep_for(700ms);  // what comes within half a second counts as one signal
  program->send(SIGINT);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 130) << ended.err;
  // It did not wait for the job, which takes seconds to be killed.
  EXPECT_FALSE(fs::exists(workspace.results() / "summary.json"));
  EXPECT_THAT(ended.err, HasSubstr("Leaving at once; 1 local job(s) were killed.\n"));
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

// As timeout(1) does it: to the process, then to its group.
TEST(TwoSignalsAtOnce, AreOne) {
  const Workspace workspace;
  write_hanging(workspace, "main", "touch \"$MARKS/hangs\"; sleep 600", false);
  const auto program = workspace.start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs"); })) << program->err();
  program->send(SIGTERM);
  program->send(SIGTERM);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 143) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "cancelled");
  EXPECT_THAT(ended.err, Not(HasSubstr("Leaving at once")));
}

TEST(SignalBeforeTheRun, EndsTheProgramWithItsNumberAndASentence) {
  const Workspace workspace;
  workspace.system();
  // A module that never comes back from being loaded.
  fs::create_directory(workspace.root() / "modules");
  fs::copy_file(build_directory() / "tests/fixtures/module/endless_constructor.so",
                workspace.root() / "modules/endless_constructor.so");
  workspace.write("tests/work.toml", "name = \"work\"\ndescription = \"x\"\ntest_template_name = \"Fixture\"\n");
  workspace.scenario(test_case("Tests.1", "work"));
  Arguments arguments = workspace.command("run");
  arguments.insert(arguments.begin(), {"--module-path", (workspace.root() / "modules").string()});
  const auto program = workspace.start(arguments);
  ASSERT_TRUE(eventually([&] { return program->err().find("Checking if workloads") != std::string::npos; }))
      << program->err();
  program->send(SIGTERM);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 128 + SIGTERM) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("[ERROR] Stopped by a signal while no test was running.\n"));
}

TEST(Nohup, ASighupThatWasIgnoredStaysIgnored) {
  const Workspace workspace;
  workspace.system();
  workspace.test("work", ": >\"$MARKS/runs\"; until [[ -e $MARKS/go ]]; do sleep 0.05; done");
  workspace.scenario(test_case("Tests.1", "work"));
  Arguments command{"/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh", (build_directory() / "bin/cloudai").string()};
  for (const std::string& argument : workspace.command("run")) command.push_back(argument);
  Program program({command, workspace.root(), {{"MARKS", (workspace.root() / "marks").string()}}},
                  workspace.root() / "scratch");
  ASSERT_TRUE(eventually([&] { return workspace.marked("runs"); })) << program.err();
  program.send(SIGHUP);
  workspace.write("marks/go", "");
  EXPECT_EQ(program.wait().exit_status, 0) << program.err();
}

}  // namespace
}  // namespace end_to_end
