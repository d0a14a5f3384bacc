// A real Slurm that fails for a while, and a shell with settings of its own: no job is lost, judged wrongly or run
// twice.

#include <signal.h>

#include <algorithm>

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

using testing::HasSubstr;

class SlurmFault : public SlurmTest {
 protected:
  void SetUp() override { start_cluster({.nodes = 2, .settings = {"MessageTimeout=5"}}); }
};

TEST_F(SlurmFault, OfAControllerThatIsAwayLosesNothing) {
  system("max_parallel = 2\n");
  workspace.test("ends_meanwhile", "touch \"$MARKS/first\"; sleep 5; " + record_node("order"));
  workspace.test("fails_meanwhile", "touch \"$MARKS/second\"; sleep 5; exit 7");
  workspace.test("after", record_node("order"));
  workspace.scenario("job_status_check = false\n" + test_case("Tests.1", "ends_meanwhile") +
                     test_case("Tests.2", "fails_meanwhile") + test_case("Tests.3", "after") + after("Tests.1"));
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("first") && workspace.marked("second"); }, 120s))
      << program->err();
  cluster->stop_controller();
  sleep_for(30s);
  cluster->start_controller();
  const auto ended = program->wait(300s);
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "failed");
  EXPECT_EQ(reason_code(workspace.run_of("Tests.2/0")), "exit_status");
  EXPECT_EQ(workspace.run_of("Tests.3/0").at("status"), "passed");
  EXPECT_EQ(lines_of(read(workspace.marker("order"))).size(), 2U);
  EXPECT_EQ(jobs_ever(), 3);
}

// Says what sbatch says when the answer of the controller is lost on its way.
const std::string lose_the_answer =
    "\"$REAL\" \"$@\" >/dev/null\n"
    "echo called >>\"$MARKS/sbatch\"\n"
    "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2\n"
    "exit 1\n";

TEST_F(SlurmFault, OfAnAnswerThatIsLostSubmitsNoSecondJob) {
  system();
  workspace.test("work", record_node("order"));
  workspace.scenario(test_case("Tests.1", "work"));
  const auto ended = run({}, {{"PATH", path_with("sbatch", lose_the_answer)}});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "passed");
  EXPECT_EQ(lines_of(read(workspace.marker("sbatch"))).size(), 1U);
  EXPECT_EQ(lines_of(read(workspace.marker("order"))).size(), 1U);
  EXPECT_EQ(jobs_ever(), 1);
}

TEST_F(SlurmFault, OfTheCallersOwnSettingsChangesNothing) {
  system("ntasks_per_node = 2\n");
  workspace.test("work", record_node("order") + "; srun --overlap hostname | sort | uniq -c | tr -s ' '");
  workspace.scenario(test_case("Tests.1", "work", "num_nodes = 2\n"));
  // As inside an allocation of another size, and with defaults that would spoil every command.
  std::map<std::string, std::string> environment;
  for (const auto& line : lines_of(cluster->ask({"salloc", "--nodes=1", "--ntasks=7", "env"}))) {
    const auto equals = line.find('=');
    if (line.rfind("SLURM_", 0) == 0 && equals != std::string::npos) {
      environment[line.substr(0, equals)] = line.substr(equals + 1);
    }
  }
  ASSERT_EQ(environment.at("SLURM_NNODES"), "1");
  const std::map<std::string, std::string> defaults{{"SBATCH_PARTITION", "nosuch"}, {"SBATCH_TIMELIMIT", "nonsense"},
                                                    {"SBATCH_JOB_NAME", "mine"},    {"SBATCH_ARRAY_INX", "0-3"},
                                                    {"SBATCH_WAIT", "1"},           {"SQUEUE_FORMAT", "%u"},
                                                    {"SQUEUE_STATES", "SUSPENDED"}, {"SQUEUE_PARTITION", "requeue"},
                                                    {"SACCT_FORMAT", "user"},       {"SINFO_FORMAT", "%P"},
                                                    {"SLURM_TIME_FORMAT", "%c"},    {"SLURM_CLUSTERS", "elsewhere"},
                                                    {"SLURM_NTASKS", "7"},          {"SLURM_HOSTFILE", "/nosuch"},
                                                    {"SLURM_EXACT", "1"},           {"PMIX_RANK", "3"},
                                                    {"PMIX_NAMESPACE", "nosuch"},   {"TZ", "Asia/Tokyo"}};
  environment.insert(defaults.begin(), defaults.end());
  environment["SLURM_CONF"] = cluster->configuration().string();
  const auto ended = run({}, environment);
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("SBATCH_PARTITION"));
  EXPECT_EQ(lines_of(read(workspace.marker("order"))).size(), 1U);
  const auto run = workspace.run_of("Tests.1/0");
  EXPECT_EQ(run.at("nodes").at("actual").size(), 2U);
  EXPECT_EQ(cluster->field_of_job(run.at("job"), "Partition"), "main");
}

TEST_F(SlurmFault, OfAControllerThatForgetsJobsAtOnceLosesNone) {
  // Not even a started controller keeps them shorter.
  cluster.reset();
  start_cluster({.nodes = 2, .settings = {"MinJobAge=2"}});
  ASSERT_NE(cluster, nullptr);
  workspace.test("good", "sleep 3");
  workspace.test("bad", "sleep 3; exit 7");
  workspace.scenario("job_status_check = false\n" + test_case("Tests.1", "good") + test_case("Tests.2", "bad"));
  system("max_parallel = 2\n");
  // The program stands still while the jobs end and are forgotten.
  const auto program = start(workspace.command("run"));
  ASSERT_TRUE(eventually(
      [&] {
        const auto all = workspace.all_results();
        return !all.empty() && read(all.front() / "journal.jsonl").find("\"submitted\"") != std::string::npos;
      },
      120s));
  ASSERT_TRUE(eventually([&] { return jobs_ever() == 2; }, 60s)) << program->err();
  program->send(SIGSTOP);
  ASSERT_TRUE(eventually([&] { return jobs_ever() == 0; }, 120s)) << program->err();
  program->send(SIGCONT);
  const auto ended = program->wait(300s);
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "passed");
  EXPECT_EQ(reason_code(workspace.run_of("Tests.2/0")), "exit_status");
}

class SlurmSlowness : public SlurmFault {
 protected:
  static constexpr int job_count = 20;

  // All jobs at once, each of which takes a second to be submitted.
  std::unique_ptr<Program> start_slowly(const std::string& work) const {
    system("max_parallel = " + std::to_string(job_count) + "\n");
    workspace.test("work", work);
    std::string scenario = "job_status_check = false\n";
    for (int i = 0; i < job_count; ++i) scenario += test_case("Tests." + std::to_string(i), "work");
    workspace.scenario(scenario);
    return start(workspace.command("run"), {{"PATH", path_with("sbatch", "sleep 1; exec \"$REAL\" \"$@\"\n")}});
  }
  // The names of the journal's events, in their order.
  std::vector<std::string> events() const {
    const auto all = workspace.all_results();
    std::vector<std::string> names;
    if (all.empty()) return names;
    const std::string text = read(all.front() / "journal.jsonl");
    for (const auto& line : lines_of(text.substr(0, text.rfind('\n') + 1))) {
      names.push_back(Json::parse(line).at("event").get<std::string>());
    }
    return names;
  }
};

TEST_F(SlurmSlowness, OfSubmissionsKeepsNoJobsEndFromBeingSeen) {
  const auto program = start_slowly("true");
  EXPECT_EQ(program->wait(300s).exit_status, 0) << program->err();
  const auto names = events();
  const auto first_end = std::find(names.begin(), names.end(), "ended") - names.begin();
  const auto last_submission = names.rend() - std::find(names.rbegin(), names.rend(), "submitted");
  EXPECT_LT(first_end, last_submission);
}

TEST_F(SlurmSlowness, OfSubmissionsDoesNotKeepAStopWaiting) {
  const auto program = start_slowly("sleep 900");
  const auto submitted = [&] {
    const auto names = events();
    return std::count(names.begin(), names.end(), "submitted");
  };
  ASSERT_TRUE(eventually([&] { return submitted() >= 2; }, 120s)) << program->err();
  program->send(SIGINT);
  EXPECT_EQ(program->wait(120s).exit_status, 130) << program->err();
  EXPECT_LT(submitted(), job_count);
  EXPECT_TRUE(cluster->queue().empty());
  int skipped = 0;
  for (int i = 0; i < job_count; ++i) {
    const auto run = workspace.run_of("Tests." + std::to_string(i) + "/0");
    EXPECT_EQ(reason_code(run), "cancelled");
    skipped += run.contains("job") ? 0 : 1;
  }
  EXPECT_GT(skipped, 0);
}

}  // namespace
}  // namespace end_to_end
