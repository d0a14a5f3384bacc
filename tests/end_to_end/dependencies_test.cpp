// Tests that start beside others, and tests that end with others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

using testing::HasSubstr;

std::string dependency(const std::string& type, const std::string& id) {
  return "[[Tests.dependencies]]\ntype = \"" + type + "\"\nid = \"" + id + "\"\n";
}

const std::string looks_often = "monitor_interval = 0.1\n";

// Waits for the marker of another test.
std::string wait_for(const std::string& marker) {
  return "until [[ -e \"$MARKS/" + marker + "\" ]]; do sleep 0.05; done";
}

int lines_of(const Workspace& workspace, const std::string& marker) {
  std::istringstream text(read(workspace.marker(marker)));
  int count = 0;
  for (std::string line; std::getline(text, line);) ++count;
  return count;
}

std::vector<Json> journal_of(const Workspace& workspace, const std::string& event) {
  std::istringstream text(read(workspace.results() / "journal.jsonl"));
  std::vector<Json> records;
  for (std::string line; std::getline(text, line);) {
    if (Json record = Json::parse(line); record.at("event") == event) records.push_back(std::move(record));
  }
  return records;
}

TEST(StartPostInit, RunsBesideItsPredecessorThoughOnlyOneMayRunAtATime) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.test("server", ": >\"$MARKS/server\"; " + wait_for("client"));
  workspace.test("client", wait_for("server") + "; echo once >>\"$MARKS/client\"");
  workspace.scenario(test_case("client", "client", dependency("start_post_init", "server")) +
                     test_case("server", "server"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(lines_of(workspace, "client"), 1);
}

TEST(StartPostInit, StartsOnceThoughThePredecessorWasNeverSeenRunning) {
  const Workspace workspace;
  // Nobody looks while the server runs; its end is told by the file it leaves.
  workspace.system("monitor_interval = 3600\n");
  workspace.test("server", "true");
  workspace.test("client", "echo once >>\"$MARKS/client\"");
  workspace.scenario(test_case("server", "server") +
                     test_case("client", "client", dependency("start_post_init", "server")));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(lines_of(workspace, "client"), 1);
}

TEST(StartPostInit, WaitsForTheMainTestOfItsPredecessorNotForItsPrologue) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.hook_test("check", ": >\"$MARKS/checking\"; " + wait_for("go"));
  workspace.hook("before", {"check"});
  workspace.test("server", wait_for("client"));
  workspace.test("client", ": >\"$MARKS/client\"");
  workspace.scenario("prologue = \"before\"\n" + test_case("server", "server") +
                     test_case("client", "client", dependency("start_post_init", "server")));
  const auto program = workspace.start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("checking"); })) << program->err();
  ASSERT_TRUE(eventually([&] { return !journal_of(workspace, "running").empty(); }));
  sleep_for(500ms);
  EXPECT_FALSE(std::filesystem::exists(workspace.results() / "client"));
  workspace.write("marks/go", "");
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
}

TEST(StartPostInit, IsSkippedWhenItsPredecessorFailed) {
  const Workspace workspace;
  workspace.system("monitor_interval = 3600\n");
  workspace.test("server", "exit 7");
  workspace.test("client", "true");
  workspace.scenario(test_case("server", "server") +
                     test_case("client", "client", dependency("start_post_init", "server")));
  const auto ended = workspace.run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const Json client = workspace.run_of("client/0");
  EXPECT_EQ(client.at("status"), "skipped");
  EXPECT_EQ(client.at("reason").at("code"), "dependency_failed");
  EXPECT_EQ(client.at("reason").at("text"), "dependency server failed");
}

TEST(EndPostComp, EndsAServerWithItsClientAndItsEpilogueStillRuns) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.hook_test("clean", ": >\"$MARKS/cleaned.$(basename \"$(dirname \"$CLOUDAI_RUN_DIR\")\")\"");
  workspace.hook("behind", {"clean"}, "5m");
  workspace.test("server", "echo serving; sleep 600 & sleep 600");
  workspace.test("client", "true");
  workspace.scenario("epilogue = \"behind\"\n" +
                     test_case("server", "server", "time_limit = \"9m\"\n" + dependency("end_post_comp", "client")) +
                     test_case("client", "client", dependency("start_post_init", "server")));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("Ending test server: test client, with which it ends, has ended."));
  const Json server = workspace.run_of("server/0");
  EXPECT_EQ(server.at("status"), "passed");
  EXPECT_EQ(server.at("ended_by"), "client");
  EXPECT_EQ(stage_of(server, "main").at("status"), "passed");
  EXPECT_EQ(stage_of(server, "epilogue").at("status"), "passed");
  EXPECT_FALSE(workspace.run_of("client/0").contains("ended_by"));
  EXPECT_TRUE(workspace.marked("cleaned.server"));
  EXPECT_EQ(read(workspace.results() / "server/0/stdout.txt"), "serving\n");
  const auto endings = journal_of(workspace, "ending");
  ASSERT_EQ(endings.size(), 1U);
  EXPECT_EQ(endings[0].at("run"), "server/0");
  EXPECT_EQ(endings[0].at("predecessor"), "client");
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

TEST(EndPostComp, ATestThatWaitsForTheEndedOneFollows) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.test("noise", "sleep 600");
  workspace.test("quick", "true");
  workspace.scenario(test_case("noise", "noise", dependency("end_post_comp", "test")) + test_case("test", "quick") +
                     test_case("after", "quick", after("noise")));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(workspace.run_of("after/0").at("status"), "passed");
}

TEST(EndPostComp, TheFirstOfSeveralThatEndsCounts) {
  const Workspace workspace;
  workspace.system(looks_often + "max_parallel = 4\n");
  workspace.test("noise", "sleep 600; :");
  workspace.test("quick", "true");
  workspace.test("waiting", wait_for("go"));
  workspace.test("last", ": >\"$MARKS/go\"");
  workspace.scenario(
      test_case("noise", "noise", dependency("end_post_comp", "slow") + dependency("end_post_comp", "fast")) +
      test_case("slow", "waiting") + test_case("fast", "quick") + test_case("last", "last", after("noise")));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(workspace.run_of("noise/0").at("ended_by"), "fast");
}

TEST(EndPostComp, WhatItMeasuredIsJudgedAsEver) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.test("quick", "true");
  workspace.write("tests/collective.toml",
                  "name = \"collective\"\ndescription = \"x\"\ntest_template_name = \"NcclTest\"\n[cmd_args]\n"
                  "subtest_name = \"all_reduce_perf_mpi\"\niters = 1000000\nminbytes = \"1M\"\nmaxbytes = \"1G\"\n");
  workspace.scenario(test_case("collective", "collective", dependency("end_post_comp", "test")) +
                     test_case("test", "quick", dependency("start_post_init", "collective")));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const Json run = workspace.run_of("collective/0");
  EXPECT_EQ(run.at("status"), "failed") << run;
  EXPECT_EQ(run.at("ended_by"), "test");
  EXPECT_NE(run.at("reason").at("code"), "signal");
}

TEST(EndPostComp, ATestThatCouldNotStartInTimeIsSkippedAndThatIsNoSuccess) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.test("quick", ": >\"$MARKS/quick\"");
  workspace.test("slow", wait_for("go"));
  workspace.test("noise", "sleep 600");
  workspace.scenario(test_case("test", "quick") + test_case("slow", "slow") +
                     test_case("noise", "noise", after("slow") + dependency("end_post_comp", "test")));
  const auto program = workspace.start(workspace.command("run", {"--max-parallel", "2"}));
  ASSERT_TRUE(eventually([&] { return workspace.marked("quick"); })) << program->err();
  ASSERT_TRUE(eventually([&] { return !journal_of(workspace, "finished").empty(); })) << program->err();
  workspace.write("marks/go", "");
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("slow/0").at("status"), "passed");
  const Json noise = workspace.run_of("noise/0");
  EXPECT_EQ(noise.at("status"), "skipped");
  EXPECT_EQ(noise.at("reason").at("code"), "dependency_ended");
  EXPECT_EQ(noise.at("reason").at("text"), "test test, with which it ends, had ended before it started");
}

TEST(EndPostComp, TheIterationsLeftAreNotMissing) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.test("noise", ": >\"$MARKS/noise\"; sleep 600");
  workspace.test("test", wait_for("noise"));
  workspace.scenario(test_case("noise", "noise", "iterations = 3\n" + dependency("end_post_comp", "test")) +
                     test_case("test", "test"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(workspace.run_of("noise/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("noise/1").at("status"), "skipped");
  EXPECT_EQ(workspace.run_of("noise/2").at("reason").at("text"), "test test, with which it ends, has ended");
}

TEST(EndPostComp, AFailureOfThePredecessorEndsItAsWell) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.test("noise", ": >\"$MARKS/noise\"; sleep 600");
  workspace.test("test", wait_for("noise") + "; exit 3");
  workspace.scenario(test_case("noise", "noise", dependency("end_post_comp", "test")) + test_case("test", "test"));
  const auto ended = workspace.run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("noise/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("test/0").at("status"), "failed");
}

// A load that ended because its partner never ran has shown nothing.
TEST(EndPostComp, ATestWhosePartnerNeverRanHasNotPassed) {
  const Workspace workspace;
  workspace.system(looks_often + "max_parallel = 2\n");
  workspace.test("bad", wait_for("load") + "; exit 3");
  workspace.test("probe", "true");
  workspace.test("load", ": >\"$MARKS/load\"; sleep 600");
  workspace.scenario(test_case("bad", "bad") + test_case("probe", "probe", dependency("start_post_comp", "bad")) +
                     test_case("load", "load", dependency("end_post_comp", "probe")));
  const auto ended = workspace.run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const Json load = workspace.run_of("load/0");
  EXPECT_EQ(load.at("status"), "skipped");
  EXPECT_EQ(load.at("reason").at("code"), "dependency_failed");
  EXPECT_EQ(load.at("reason").at("text"), "test probe, with which it ends, never ran");
  EXPECT_EQ(load.at("ended_by"), "probe");
}

TEST(EndPostComp, ATestThatFailedBeforeItWasAskedToEndHasFailed) {
  const Workspace workspace;
  workspace.system(looks_often);
  workspace.hook_test("clean",
                      "[[ $CLOUDAI_RUN_DIR != */server/* ]] || { : >\"$MARKS/cleaning\"; " + wait_for("go") + "; }");
  workspace.hook("after", {"clean"});
  workspace.test("server", "exit 3");
  workspace.test("client", wait_for("cleaning"));
  workspace.scenario("epilogue = \"after\"\n" + test_case("server", "server", dependency("end_post_comp", "client")) +
                     test_case("client", "client", dependency("start_post_init", "server")));
  const auto program = workspace.start(workspace.command("run", {"--keep-going", "--max-parallel", "2"}));
  ASSERT_TRUE(eventually([&] { return workspace.marked("cleaning"); })) << program->err();
  ASSERT_TRUE(eventually([&] { return !journal_of(workspace, "ending").empty(); })) << program->err();
  workspace.write("marks/go", "");
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("server/0").at("status"), "failed");
  EXPECT_EQ(workspace.run_of("client/0").at("status"), "passed");
}

}  // namespace
}  // namespace end_to_end
