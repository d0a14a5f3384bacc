// Hooks on a scheduler that runs each stage of a run as a job of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <regex>
#include <sstream>

#include "tests/end_to_end/workspace.hpp"
#include "tests/sdk/schema_check.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

std::string record(const std::string& line) {
  return "echo " + line + " >> \"$MARKS/order\"";
}

std::string wait_for(const std::string& mark) {
  return "until [[ -e $MARKS/" + mark + " ]]; do sleep 0.05; done";
}

class StageJobs : public testing::Test {
 protected:
  void system(const std::string& more = "") const {
    workspace.write("system.toml", "name = \"here\"\nscheduler = \"one_stage\"\ninstall_path = \"" +
                                       (workspace.root() / "install").string() + "\"\noutput_path = \"" +
                                       workspace.output().string() + "\"\n" + more);
  }

  // One test between a prologue and an epilogue, each of the given shell text.
  void write_stages(const std::string& prologue, const std::string& main, const std::string& epilogue,
                    const std::string& case_text = "") const {
    workspace.hook_test("check", prologue);
    workspace.hook("before", {"check"}, "5m");
    workspace.hook_test("clean", epilogue);
    workspace.hook("behind", {"clean"}, "5m");
    workspace.test("work", main);
    workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" + test_case("Tests.1", "work", case_text));
  }

  Arguments command(const std::string& subcommand, Arguments more = {}) const {
    more.insert(more.end(), {"--module-path", (build_directory() / "tests/fixtures/one_stage").string()});
    return workspace.command(subcommand, more);
  }
  Ended run(const Arguments& more = {}) const { return workspace.cloudai(command("run", more)); }

  std::vector<Json> journal(const std::string& event) const {
    std::vector<Json> records;
    std::istringstream text(read(workspace.results() / "journal.jsonl"));
    for (std::string line; std::getline(text, line);) {
      const Json record = Json::parse(line);
      if (record.at("event") == event) records.push_back(record);
    }
    return records;
  }

  std::string order() const { return read(workspace.marker("order")); }
  std::string status(const std::string& kind) const {
    return stage_of(workspace.run_of("Tests.1/0"), kind).at("status").get<std::string>();
  }

  Workspace workspace;
};

TEST_F(StageJobs, RunOneAfterTheOther) {
  system();
  write_stages(record("prologue"), record("main") + "; echo said", record("epilogue"), "time_limit = \"5m\"\n");
  const auto ended = run();
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(order(), "prologue\nmain\nepilogue\n");

  const Json run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "passed");
  EXPECT_TRUE(std::regex_match(run.at("job").get<std::string>(), std::regex("[a-z0-9]{13}"))) << run;
  EXPECT_EQ(run.at("nodes").at("actual").at(0).at("name"), "here");
  EXPECT_GT(run.at("hook_share").get<double>(), 0.0);
  EXPECT_FALSE(run.contains("warnings")) << run;
  const char* jobs[] = {"job-1", "job-2", "job-3"};
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& stage = run.at("stages").at(i);
    EXPECT_EQ(stage.at("status"), "passed");
    EXPECT_EQ(stage.at("job"), jobs[i]);
    EXPECT_EQ(stage.at("exit_status"), 0);
    EXPECT_GE(stage.at("seconds").get<double>(), 0.0);
    EXPECT_TRUE(fs::exists(workspace.results() / stage.at("stdout").get<std::string>()));
  }
  EXPECT_EQ(read(workspace.results() / "Tests.1/0/stdout.txt"), "said\n");
  EXPECT_THAT(cloudai::testing::schema_violations("summary", cloudai::Json::parse(workspace.summary().dump())),
              IsEmpty());
  const std::string kept = read(workspace.results() / "Tests.1/0/stage-jobs.json");
  EXPECT_THAT(cloudai::testing::schema_violations("stage_jobs", cloudai::Json::parse(kept)), IsEmpty());

  const auto submitting = journal("stage_submitting");
  const auto submitted = journal("stage_submitted");
  ASSERT_EQ(submitting.size(), 3U);
  ASSERT_EQ(submitted.size(), 3U);
  EXPECT_EQ(submitting[1].at("stage"), "main/work");
  EXPECT_EQ(submitting[1].at("run"), "Tests.1/0");
  EXPECT_EQ(submitted[2].at("job"), "job-3");
}

TEST_F(StageJobs, ATestWithoutHooksIsAJobAsEver) {
  system();
  workspace.test("work", "true");
  workspace.scenario(test_case("Tests.1", "work"));
  ASSERT_EQ(run().exit_status, 0);
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("job"), "job-1");
  EXPECT_FALSE(fs::exists(workspace.results() / "Tests.1/0/stage-jobs.json"));
  EXPECT_THAT(journal("stage_submitted"), IsEmpty());
}

TEST_F(StageJobs, AFailedPrologueSkipsMainAndEpilogue) {
  system();
  write_stages(record("prologue") + "; exit 3", record("main"), record("epilogue"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(order(), "prologue\n");
  const Json run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(run.at("reason").at("code"), "prologue_failed");
  EXPECT_EQ(run.at("reason").at("text"), "prologue check failed: exit status 3");
  EXPECT_EQ(status("main"), "skipped");
  EXPECT_EQ(status("epilogue"), "skipped");
}

TEST_F(StageJobs, TheEpilogueRunsAfterAFailedTest) {
  system();
  write_stages(record("prologue"), record("main") + "; exit 4", record("epilogue"));
  EXPECT_EQ(run().exit_status, 1);
  EXPECT_EQ(order(), "prologue\nmain\nepilogue\n");
  EXPECT_EQ(status("main"), "failed");
  EXPECT_EQ(status("epilogue"), "passed");
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("reason").at("text"), "exit status 4");
}

TEST_F(StageJobs, EachStageHasItsOwnLimit) {
  system();
  write_stages(record("prologue"), record("main") + "; sleep 300", record("epilogue"), "time_limit = \"1s\"\n");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(order(), "prologue\nmain\nepilogue\n");
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("reason").at("code"), "time_limit");
  EXPECT_EQ(status("epilogue"), "passed");
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

TEST_F(StageJobs, EveryIterationIsWrapped) {
  system("max_parallel = 1\n");
  write_stages(record("prologue"), record("main"), record("epilogue"), "iterations = 2\n");
  ASSERT_EQ(run().exit_status, 0);
  EXPECT_EQ(order(), "prologue\nmain\nepilogue\nprologue\nmain\nepilogue\n");
  EXPECT_EQ(journal("stage_submitted").size(), 6U);
}

TEST_F(StageJobs, HooksKnowTheDirectoryOfTheirRun) {
  system();
  write_stages(": >\"$CLOUDAI_RUN_DIR/from_check\"", "test -e from_check", "test -e \"$CLOUDAI_RUN_DIR/from_check\"");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
}

TEST_F(StageJobs, DryRunWritesTheBytesThatRunWrites) {
  system();
  write_stages("true", "true", "true", "iterations = 2\n");
  ASSERT_EQ(workspace.cloudai(command("dry-run", {"--output-dir", (workspace.root() / "dry").string()})).exit_status,
            0);
  ASSERT_EQ(workspace.cloudai(command("run", {"--output-dir", (workspace.root() / "wet").string()})).exit_status, 0);
  const fs::path dry = fs::directory_iterator(workspace.root() / "dry")->path();
  const fs::path wet = fs::directory_iterator(workspace.root() / "wet")->path();
  int rendered = 0;
  for (const auto& entry : fs::recursive_directory_iterator(dry / "Tests.1")) {
    if (!entry.is_regular_file()) continue;
    const fs::path file = fs::relative(entry.path(), dry);
    EXPECT_EQ(std::regex_replace(read(entry.path()), std::regex(dry.string()), "RESULTS"),
              std::regex_replace(read(wet / file), std::regex(wet.string()), "RESULTS"))
        << file;
    ++rendered;
  }
  EXPECT_EQ(rendered, 6);
  EXPECT_TRUE(fs::exists(dry / "Tests.1/1/epilogue/clean/one-stage-job.sh"));
}

TEST_F(StageJobs, AStageThatTheSchedulerRefusesIsAnErrorOfItsRunAlone) {
  system("refuses = \"Tests.1/0/epilogue/clean\"\n");
  write_stages("true", record("main"), "true");
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" + test_case("Tests.1", "work") +
                     test_case("Tests.2", "work"));
  const auto ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  const Json run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "error");
  EXPECT_EQ(run.at("reason").at("text"),
            "the job did not run to its end: the scheduler says 'failed' (The job of the epilogue 'clean' could not be "
            "submitted: module 'test.one_stage' 1.0.0 failed in submit(): The queue takes no job of this kind.)");
  EXPECT_EQ(status("main"), "passed");
  EXPECT_EQ(status("epilogue"), "skipped");
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "passed");
}

TEST_F(StageJobs, AStageWaitsWhereTheSchedulerIsBusy) {
  system("busy = \"" + workspace.marker("busy").string() + "\"\n");
  write_stages(": >\"$MARKS/busy\"", record("main"), "true");
  const auto program = workspace.start(command("run"));
  ASSERT_TRUE(eventually([&] { return !workspace.all_results().empty() && journal("stage_submitting").size() == 2; }))
      << program->err();
  fs::remove(workspace.marker("busy"));
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(order(), "main\n");
  EXPECT_EQ(journal("stage_submitting").size(), 3U);
}

TEST_F(StageJobs, AFirstStageWaitsAsWell) {
  system("busy = \"" + workspace.marker("busy").string() + "\"\n");
  write_stages("true", record("main"), "true");
  workspace.write("marks/busy", "");
  const auto program = workspace.start(command("run"));
  ASSERT_TRUE(eventually([&] { return !workspace.all_results().empty() && !journal("stage_submitting").empty(); }))
      << program->err();
  fs::remove(workspace.marker("busy"));
  EXPECT_EQ(program->wait().exit_status, 0);
  EXPECT_EQ(order(), "main\n");
}

TEST_F(StageJobs, StagesOnOtherNodesAreWarnedOf) {
  system("nodes = [\"a\", \"b\"]\n");
  write_stages("true", "true", "true");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  const Json run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("nodes").at("actual").at(0).at("name"), "b");
  const std::string warning =
      "The stages of this run were on different nodes: main 'work' on b, prologue 'check' on a, epilogue 'clean' on a.";
  EXPECT_EQ(run.at("warnings"), Json::array({warning}));
  EXPECT_THAT(ended.err, HasSubstr("[WARNING] test Tests.1: " + warning));
}

class StageJobsSignal : public StageJobs, public testing::WithParamInterface<const char*> {};

TEST_P(StageJobsSignal, CancelsTheLiveStageAndStartsNothing) {
  const std::string stage = GetParam();
  const auto text = [&](const std::string& kind) {
    return record(kind) + (kind == stage ? "; : >\"$MARKS/hangs\"; sleep 300 & sleep 300" : "");
  };
  system();
  write_stages(text("prologue"), text("main"), text("epilogue"));
  const auto program = workspace.start(command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs"); })) << program->err();
  program->send(SIGINT);
  const auto ended = program->wait(30s);
  EXPECT_EQ(ended.exit_status, 128 + SIGINT) << ended.err;
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "cancelled");
  EXPECT_EQ(status(stage), "cancelled");
  EXPECT_THAT(order(), testing::EndsWith(stage + "\n"));
  EXPECT_EQ(first_missing(ended.err, {"Terminating all jobs...", "All jobs have been killed."}), "") << ended.err;
}

INSTANTIATE_TEST_SUITE_P(EachStage, StageJobsSignal, testing::Values("prologue", "main", "epilogue"),
                         [](const auto& stage) { return std::string(stage.param); });

TEST_F(StageJobs, ASignalWhileAStageWaitsStartsNothing) {
  system("busy = \"" + workspace.marker("busy").string() + "\"\n");
  write_stages(": >\"$MARKS/busy\"", record("main"), record("epilogue"));
  const auto program = workspace.start(command("run"));
  ASSERT_TRUE(eventually([&] { return !workspace.all_results().empty() && journal("stage_submitting").size() == 2; }))
      << program->err();
  program->send(SIGTERM);
  const auto ended = program->wait(30s);
  EXPECT_EQ(ended.exit_status, 128 + SIGTERM) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "cancelled");
  EXPECT_EQ(order(), "");
}

TEST_F(StageJobs, EndPostCompEndsTheTestAndItsEpilogueStillRuns) {
  system();
  workspace.hook_test("check", "true");
  workspace.hook("before", {"check"}, "5m");
  workspace.hook_test("clean", ": >\"$MARKS/cleaned.$(basename \"$(dirname \"$CLOUDAI_RUN_DIR\")\")\"");
  workspace.hook("behind", {"clean"}, "5m");
  workspace.test("server", "echo serving; : >\"$MARKS/serving\"; sleep 600 & sleep 600");
  workspace.test("client", wait_for("serving"));
  const auto dependency = [](const std::string& type, const std::string& id) {
    return "[[Tests.dependencies]]\ntype = \"" + type + "\"\nid = \"" + id + "\"\n";
  };
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("server", "server", dependency("end_post_comp", "client")) +
                     test_case("client", "client", dependency("start_post_init", "server")));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  const Json server = workspace.run_of("server/0");
  EXPECT_EQ(server.at("status"), "passed") << server;
  EXPECT_EQ(server.at("ended_by"), "client");
  EXPECT_EQ(stage_of(server, "main").at("status"), "passed");
  EXPECT_EQ(stage_of(server, "epilogue").at("status"), "passed");
  EXPECT_TRUE(workspace.marked("cleaned.server"));
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

TEST_F(StageJobs, HooksAreNoErrorOfTheConfiguration) {
  system();
  write_stages("true", "true", "true");
  const auto ended =
      workspace.cloudai({"verify-configs", workspace.root().string(), "--tests-dir",
                         (workspace.root() / "tests").string(), "--hook-dir", (workspace.root() / "hook").string(),
                         "--module-path", (build_directory() / "tests/fixtures/one_stage").string()});
  EXPECT_EQ(ended.exit_status, 0) << ended.out << ended.err;
}

}  // namespace
}  // namespace end_to_end
