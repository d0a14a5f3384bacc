// On a real Slurm: all runs of a scenario in one job (--single-sbatch), each as if it had a job of its own.

#include <signal.h>

#include <algorithm>

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SlurmOneJob : public SlurmTest {
 protected:
  void SetUp() override { start_cluster({.nodes = 2}); }

  Ended run_as_one(const Arguments& more = {}) const {
    Arguments arguments{"--single-sbatch"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  std::string status_of(const std::string& id) const { return workspace.run_of(id).at("status"); }

  // "event run" of each record of the journal that is about one run.
  std::vector<std::string> told() const {
    std::vector<std::string> events;
    for (const auto& line : lines_of(read(workspace.results() / "journal.jsonl"))) {
      const auto record = Json::parse(line);
      if (record.contains("run")) events.push_back(record.value("event", "") + " " + record.value("run", ""));
    }
    return events;
  }
};

TEST_F(SlurmOneJob, RunsEveryRunWithItsOwnHooksEnvironmentNodesAndDirectory) {
  system("global_env_vars = { EVERYWHERE = \"yes\" }\n");
  const std::string tell =
      "echo \"own=$OWN other=$OTHER all=$EVERYWHERE nodes=$CLOUDAI_NUM_NODES list=$CLOUDAI_NODE_LIST "
      "directory=$CLOUDAI_RUN_DIR job=$SLURM_JOB_ID on $(hostname)\"";
  workspace.hook_test("check", tell);
  workspace.hook("before", {"check"});
  workspace.hook_test("clean", tell);
  workspace.hook("behind", {"clean"});
  workspace.test("first", "export LEAK=1; cd /; " + tell, "[extra_env_vars]\nOWN = \"a b\"\n");
  workspace.test("second", tell + "; echo \"leak=$LEAK\"", "[extra_env_vars]\nOTHER = \"x\"\n");
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("small", "first", "num_nodes = 1\niterations = 2\ntime_limit = \"5m\"\n") +
                     test_case("large", "second", "num_nodes = 2\n"));
  const auto ended = run_as_one();
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  EXPECT_EQ(jobs_ever(), 1);

  const auto results = workspace.results();
  const std::string job = workspace.run_of("large/0").at("job");
  const auto said = [&](const std::string& id, const std::string& own, const std::string& other,
                        const std::string& nodes) {
    return "own=" + own + " other=" + other + " all=yes nodes=" + nodes + " directory=" + (results / id).string() +
           " job=" + job + " on n1\n";
  };
  for (const std::string id : {"small/0", "small/1"}) {
    EXPECT_EQ(read(results / id / "stdout.txt"), said(id, "a b", "", "1 list=n1"));
    EXPECT_EQ(read(results / id / "prologue/check/stdout.txt"), said(id, "", "", "1 list=n1"));
    EXPECT_EQ(read(results / id / "epilogue/clean/stdout.txt"), said(id, "", "", "1 list=n1"));
    EXPECT_EQ(workspace.run_of(id).at("nodes").at("actual").size(), 1U);
  }
  const std::string large = read(results / "large/0/stdout.txt");
  EXPECT_THAT(large, HasSubstr(said("large/0", "", "x", "2 list=n1,n2")));
  EXPECT_THAT(large, HasSubstr("leak=\n"));
  const auto run = workspace.run_of("large/0");
  EXPECT_EQ(run.at("nodes").at("actual").size(), 2U);
  EXPECT_EQ(run.at("stages").size(), 3U);
  EXPECT_EQ(run.at("job"), workspace.run_of("small/1").at("job"));
  EXPECT_GT(run.at("started"), workspace.run_of("small/1").at("ended"));
  for (const auto* file : {"cloudai_sbatch_script.sh", "common.out", "common.err", "slurm-job.toml",
                           "mapping-stdout.txt", "metadata/node-n2.toml", "large/0/outcome.json"}) {
    EXPECT_TRUE(fs::exists(results / file)) << file;
  }
  EXPECT_THAT(read(results / "slurm-job.toml"), HasSubstr("is_single_sbatch = true\n"));
  EXPECT_EQ(workspace.summary().at("scheduler_commands").at("sbatch"), 1);
}

TEST_F(SlurmOneJob, MeasuresOnAsManyNodesAsEachTestAsksFor) {
  system("ntasks_per_node = 2\n");
  const auto demo = source_directory() / "conf/demo";
  workspace.scenario("prologue = \"demo_prologue\"\n" + test_case("one", "demo_all_reduce", "num_nodes = 1\n") +
                     test_case("two", "demo_all_reduce", "num_nodes = 2\n"));
  const auto ended = start({"run", "--single-sbatch", "--system-config", (workspace.root() / "system.toml").string(),
                            "--tests-dir", (demo / "test").string(), "--hook-dir", (demo / "hook").string(),
                            "--test-scenario", (workspace.root() / "scenario.toml").string()},
                           {{"OMPI_MCA_mpi_yield_when_idle", "1"}})
                         ->wait(300s);
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  for (const auto* stage : {"stdout.txt", "prologue/quick_all_reduce/stdout.txt"}) {
    const auto one = read(workspace.results() / "one/0" / stage);
    const auto two = read(workspace.results() / "two/0" / stage);
    EXPECT_THAT(one, AllOf(HasSubstr(" n1 device "), Not(HasSubstr(" n2 device ")))) << stage;
    EXPECT_THAT(two, AllOf(HasSubstr(" n1 device "), HasSubstr(" n2 device "))) << stage;
  }
}

TEST_F(SlurmOneJob, SkipsWhatDependsOnAFailedTestAndGoesOnWithTheRest) {
  system();
  workspace.test("good", record_node("ran"));
  workspace.test("bad", "exit 7");
  workspace.test("dependent", record_node("dependent"));
  // The dependent stands before the test it waits for.
  workspace.scenario(test_case("C", "dependent") + after("B") + test_case("A", "good", "iterations = 2\n") +
                     test_case("B", "bad") + test_case("D", "dependent") + after("C") + test_case("E", "good") +
                     after("A"));
  const auto ended = run_as_one({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(jobs_ever(), 1);
  EXPECT_FALSE(workspace.marked("dependent"));
  EXPECT_EQ(lines_of(read(workspace.marker("ran"))).size(), 3U);
  for (const auto* id : {"A/0", "A/1", "E/0"}) EXPECT_EQ(status_of(id), "passed") << id;
  const auto bad = workspace.run_of("B/0");
  EXPECT_EQ(bad.at("status"), "failed");
  EXPECT_EQ(reason_code(bad), "exit_status");
  EXPECT_EQ(stage_of(bad, "main").at("exit_status"), 7);
  EXPECT_EQ(status_of("C/0"), "skipped");
  EXPECT_EQ(reason_text(workspace.run_of("C/0")), "dependency B failed");
  EXPECT_EQ(reason_text(workspace.run_of("D/0")), "dependency C was skipped");
  EXPECT_FALSE(workspace.run_of("C/0").contains("started"));
  EXPECT_FALSE(fs::exists(workspace.results() / "C/0/outcome.json"));
  EXPECT_THAT(told(), testing::IsSupersetOf({"finished A/0", "finished A/1", "finished B/0", "finished C/0",
                                             "finished D/0", "finished E/0"}));
}

TEST_F(SlurmOneJob, StartsNothingAfterAFailureUnlessAskedTo) {
  system();
  workspace.hook_test("check", "true");
  workspace.hook("before", {"check"});
  workspace.test("good", record_node("ran"));
  workspace.test("bad", "exit 1");
  workspace.scenario("prologue = \"before\"\n" + test_case("A", "good") + test_case("B", "bad") +
                     test_case("C", "good") + test_case("D", "good"));
  EXPECT_EQ(run_as_one().exit_status, 1);
  EXPECT_EQ(lines_of(read(workspace.marker("ran"))).size(), 1U);
  EXPECT_EQ(status_of("A/0"), "passed");
  for (const auto* id : {"C/0", "D/0"}) {
    EXPECT_EQ(status_of(id), "skipped");
    EXPECT_EQ(reason_code(workspace.run_of(id)), "scenario_stopped");
    EXPECT_EQ(reason_text(workspace.run_of(id)), "scenario stopped after test B failed");
  }
  EXPECT_EQ(read(workspace.results() / "status/5"), "skipped=run B/0 did not pass\n");
}

TEST_F(SlurmOneJob, EndsWholeAtASignalAndWhatHadFinishedKeepsItsVerdict) {
  system();
  workspace.test("quick", "exit 0");
  workspace.test("hangs", "sleep 2; touch \"$MARKS/hangs\"; sleep 900");  // Slurm counts whole seconds
  workspace.scenario(test_case("A", "quick") + test_case("B", "hangs") + test_case("C", "quick"));
  const auto program = start(workspace.command("run", {"--single-sbatch"}));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs"); }, 120s)) << program->err();
  ASSERT_TRUE(eventually([&] { return program->err().find("Running test: B") != std::string::npos; }, 60s));
  program->send(SIGINT);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 128 + SIGINT) << ended.err;
  EXPECT_TRUE(eventually([&] { return cluster->queue().empty(); }, 60s));
  EXPECT_EQ(status_of("A/0"), "passed");
  EXPECT_EQ(status_of("B/0"), "cancelled");
  EXPECT_EQ(status_of("C/0"), "skipped");
  for (const auto* id : {"B/0", "C/0"}) EXPECT_EQ(reason_text(workspace.run_of(id)), "stopped by signal 2") << id;
  const auto events = told();
  const auto at = [&](const std::string& event) { return std::find(events.begin(), events.end(), event); };
  EXPECT_LT(at("ended A/0"), at("running B/0"));
  EXPECT_LT(at("running B/0"), at("finished A/0"));
  EXPECT_EQ(at("running C/0"), events.end());
}

TEST_F(SlurmOneJob, ThatStillWaitsIsTakenOutOfTheQueueAtASignal) {
  const auto stranger = cluster->ask(
      {"sbatch", "--parsable", "--exclusive", "--nodelist=n[1-2]", "--output=/dev/null", "--wrap=sleep 900"});
  ASSERT_TRUE(eventually([&] { return cluster->field_of_job(stranger, "JobState") == "RUNNING"; }, 120s));
  system();
  workspace.test("work", record_node("ran"));
  workspace.scenario(test_case("A", "work") + test_case("B", "work"));
  const auto program = start(workspace.command("run", {"--single-sbatch"}));
  ASSERT_TRUE(eventually([&] { return cluster->queue().size() == 2; }, 120s)) << program->err();
  program->send(SIGTERM);
  EXPECT_EQ(program->wait().exit_status, 128 + SIGTERM);
  EXPECT_TRUE(eventually([&] { return cluster->queue() == std::vector<std::string>{stranger}; }, 60s));
  EXPECT_EQ(status_of("A/0"), "cancelled");
  EXPECT_EQ(status_of("B/0"), "skipped");
  EXPECT_EQ(reason_text(workspace.run_of("B/0")), "stopped by signal 15");
}

TEST_F(SlurmOneJob, ThatANodeEndsInTheMiddleJudgesEachRunByHowFarItCame) {
  system();
  workspace.test("quick", "exit 0");
  workspace.test("hangs", "sleep 2; touch \"$MARKS/hangs\"; sleep 900");  // Slurm counts whole seconds
  workspace.scenario(test_case("A", "quick") + test_case("B", "hangs") + test_case("C", "quick"));
  const auto program = start(workspace.command("run", {"--single-sbatch"}));
  ASSERT_TRUE(eventually([&] { return workspace.marked("hangs"); }, 120s)) << program->err();
  cluster->ask({"scontrol", "update", "nodename=n1", "state=down", "reason=test"});
  const auto ended = program->wait(300s);
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(status_of("A/0"), "passed");
  EXPECT_EQ(status_of("B/0"), "failed");
  EXPECT_EQ(reason_code(workspace.run_of("B/0")), "node_fail");
  EXPECT_EQ(status_of("C/0"), "skipped");
  EXPECT_EQ(reason_code(workspace.run_of("C/0")), "node_fail");
  EXPECT_THAT(reason_text(workspace.run_of("C/0")),
              StartsWith("the job of all tests had ended before it started: a node failed"));
}

TEST_F(SlurmOneJob, EndsARunAtItsOwnLimitAndGoesOn) {
  system();
  workspace.test("hangs", "sleep 900");
  workspace.test("quick", "exit 0");
  workspace.scenario("job_status_check = false\n" + test_case("A", "hangs", "time_limit = \"3s\"\n") +
                     test_case("B", "quick", "time_limit = \"1m\"\n") + after("A"));
  EXPECT_EQ(run_as_one().exit_status, 1);
  EXPECT_EQ(reason_code(workspace.run_of("A/0")), "time_limit");
  EXPECT_EQ(status_of("B/0"), "passed");
  EXPECT_THAT(read(workspace.results() / "cloudai_sbatch_script.sh"), HasSubstr("#SBATCH --time=00:08:00\n"));
}

class SlurmOneJobAccounts : public SlurmOneJob {
 protected:
  void SetUp() override { start_cluster({.nodes = 2, .accounting = true}); }
};

TEST_F(SlurmOneJobAccounts, TellTheStepsOfEveryRun) {
  system();
  workspace.test("good", "true");
  workspace.test("killed", "kill -KILL $$");
  workspace.scenario("job_status_check = false\n" + test_case("A", "good") + test_case("B", "killed") +
                     test_case("C", "good") + after("B"));
  const auto ended = run_as_one();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(status_of("A/0"), "passed");
  EXPECT_EQ(status_of("B/0"), "failed");
  EXPECT_EQ(status_of("C/0"), "passed");
  EXPECT_EQ(stage_of(workspace.run_of("B/0"), "main").at("signal"), SIGKILL);
  const auto account = read(workspace.results() / "slurm-job.toml");
  for (const auto* step : {"cloudai.1.main", "cloudai.2.main", "cloudai.3.main"}) EXPECT_THAT(account, HasSubstr(step));
  EXPECT_THAT(account, HasSubstr("srun_cmd = \"n/a for single sbatch run\"\n"));
}

TEST_F(SlurmOneJob, IsWrittenByDryRunAsItIsSubmitted) {
  system();
  workspace.test("work", record_node("ran"), "[extra_env_vars]\nA = \"b c\"\n");
  workspace.scenario(test_case("A", "work", "iterations = 2\n") + test_case("B", "work") + after("A"));
  ASSERT_EQ(start(workspace.command("dry-run", {"--single-sbatch"}))->wait().exit_status, 0);
  EXPECT_EQ(jobs_ever(), 0);
  const auto rendered = workspace.results();
  ASSERT_EQ(run_as_one().exit_status, 0);
  const auto all = workspace.all_results();
  ASSERT_EQ(all.size(), 2U);
  const auto ran = all[0] == rendered ? all[1] : all[0];
  // The directory and the tag that is made from it are the only differences there may be.
  const auto script_of = [](const fs::path& directory) {
    auto text = read(directory / "cloudai_sbatch_script.sh");
    const auto replace_all = [&text](const std::string& from, const std::string& to) {
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at))
        text.replace(at, from.size(), to);
    };
    const std::string name = "cloudai-single-sbatch_";
    const auto tag = text.substr(text.find(name) + name.size(), 13);
    replace_all(tag, "TAG");
    replace_all(directory.string(), "DIRECTORY");
    return text;
  };
  EXPECT_EQ(script_of(rendered), script_of(ran));
  EXPECT_THAT(script_of(ran), HasSubstr("#SBATCH --job-name=cloudai-single-sbatch_TAG\n"));
}

TEST_F(SlurmOneJob, OfOneRunIsStillInTheResultsDirectory) {
  system();
  workspace.test("work", record_node("ran"));
  workspace.scenario(test_case("A", "work"));
  const auto ended = run_as_one();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(status_of("A/0"), "passed");
  EXPECT_TRUE(fs::exists(workspace.results() / "cloudai_sbatch_script.sh"));
  EXPECT_TRUE(fs::exists(workspace.results() / "A/0/stdout.txt"));
}

TEST_F(SlurmOneJob, ThatCannotBeIsRefusedWithEveryReason) {
  system();
  workspace.test("work", record_node("ran"));
  workspace.scenario(test_case("A", "work", "nodes = [\"n1\"]\n") + test_case("B", "work") +
                     "[[Tests.dependencies]]\ntype = \"start_post_init\"\nid = \"A\"\n" +
                     test_case("C", "work", "nodes = [\"n2\"]\n") +
                     "[[Tests.dependencies]]\ntype = \"end_post_comp\"\nid = \"A\"\n" +
                     test_case("D", "work", "num_nodes = 2\n"));
  const auto ended = run_as_one();
  EXPECT_EQ(ended.exit_status, 2) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("test 'B' is to run beside 'A' (start_post_init)"),
                               HasSubstr("test 'C' is to run beside 'A' (end_post_comp)"),
                               HasSubstr("test 'C' is to run on \"n2\" and test 'A' on \"n1\""),
                               HasSubstr("test 'D' asks for 2 nodes"), HasSubstr("scenario.toml:")));
  EXPECT_EQ(jobs_ever(), 0);
  EXPECT_TRUE(workspace.all_results().empty());
}

}  // namespace
}  // namespace end_to_end
