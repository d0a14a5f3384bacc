// On a real Slurm: tests that start beside others and end with others.

#include "tests/end_to_end/slurm_test.hpp"

namespace end_to_end {
namespace {

using testing::HasSubstr;

std::string dependency(const std::string& type, const std::string& id) {
  return "[[Tests.dependencies]]\ntype = \"" + type + "\"\nid = \"" + id + "\"\n";
}

// Shell text for a hook: whether it belongs to this test.
std::string is_of(const std::string& test) {
  return "[[ $CLOUDAI_RUN_DIR == */" + test + "/0 ]]";
}

class SlurmDependencies : public SlurmTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override { start_cluster({.nodes = 2, .accounting = GetParam()}); }

  void hooks(const std::string& prologue, const std::string& epilogue) const {
    workspace.hook_test("check", prologue);
    workspace.hook("before", {"check"});
    workspace.hook_test("clean", epilogue);
    workspace.hook("behind", {"clean"});
  }
};

INSTANTIATE_TEST_SUITE_P(Accounting, SlurmDependencies, testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "on" : "off"); });

TEST_P(SlurmDependencies, EndAServerWithItsClientAndItsEpilogueStillRuns) {
  system("max_parallel = 2\n");
  hooks("true", is_of("server") + " && " + record_node("cleaned") + "; true");
  // One that heeds the signal, one that does not, and a step of the test's own.
  workspace.test("server", record_node("server") +
                               "; srun --overlap --ntasks=1 --nodes=1 sleep 800 & trap 'echo told; exit 0' TERM; "
                               "sleep 900 & wait");
  workspace.test("client", "[ -s \"$MARKS/server\" ]");
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("server", "server", "num_nodes = 2\n" + dependency("end_post_comp", "client")) +
                     test_case("client", "client", dependency("start_post_init", "server")));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  const auto server = workspace.run_of("server/0");
  EXPECT_EQ(server.at("status"), "passed") << server;
  EXPECT_EQ(server.at("ended_by"), "client");
  for (const auto* kind : {"prologue", "main", "epilogue"}) EXPECT_EQ(stage_of(server, kind).at("status"), "passed");
  EXPECT_EQ(read(workspace.marker("cleaned")), "n1 " + server.at("job").get<std::string>() + "\n");
  EXPECT_THAT(read(workspace.results() / "server/0/stdout.txt"), HasSubstr("told\n"));
  EXPECT_TRUE(cluster->queue().empty());
}

TEST_P(SlurmDependencies, KeepATestFromStartingThatIsInItsPrologue) {
  system("max_parallel = 2\n");
  hooks(is_of("noise") + " && { : >\"$MARKS/checking\"; until [ -e \"$MARKS/go\" ]; do sleep 0.1; done; }; true",
        "true");
  workspace.test("noise", record_node("noise"));
  workspace.test("quick", "until [ -e \"$MARKS/checking\" ]; do sleep 0.1; done");
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("noise", "noise", dependency("end_post_comp", "quick")) + test_case("quick", "quick"));
  const auto program = start(workspace.command("run"));
  const auto is_asked_to_end = [&] {
    const auto all = workspace.all_results();
    return !all.empty() && read(all.front() / "journal.jsonl").find("\"ending\"") != std::string::npos;
  };
  ASSERT_TRUE(eventually(is_asked_to_end, 120s)) << program->err();
  workspace.write("marks/go", "");
  EXPECT_EQ(program->wait(120s).exit_status, 1) << program->err();
  EXPECT_FALSE(workspace.marked("noise"));
  const auto noise = workspace.run_of("noise/0");
  EXPECT_EQ(noise.at("status"), "skipped") << noise;
  EXPECT_EQ(reason_code(noise), "dependency_ended");
  EXPECT_EQ(stage_of(noise, "prologue").at("status"), "passed");
  EXPECT_EQ(stage_of(noise, "epilogue").at("status"), "skipped");
}

TEST_P(SlurmDependencies, TakeATestOutOfTheQueueThatHasNotStarted) {
  system("max_parallel = 2\n");
  hooks("true", "true");
  cluster->ask({"sbatch", "--nodelist=n2", "--exclusive", "--output=/dev/null", "--wrap=sleep 900"});
  workspace.test("noise", record_node("noise"));
  workspace.test("quick", "true");
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("noise", "noise", "nodes = [\"n2\"]\n" + dependency("end_post_comp", "quick")) +
                     test_case("quick", "quick", "nodes = [\"n1\"]\n"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  const auto noise = workspace.run_of("noise/0");
  EXPECT_EQ(noise.at("status"), "skipped") << noise;
  EXPECT_EQ(reason_code(noise), "dependency_ended");
  EXPECT_EQ(cluster->field_of_job(noise.at("job"), "JobState"), "CANCELLED");
  EXPECT_EQ(cluster->queue(), std::vector<std::string>{"1"});
}

class SlurmOrder : public SlurmTest {};

TEST_F(SlurmOrder, OfTestsOneOfWhichFailsGoesOnWithoutWhatNeedsIt) {
  system("max_parallel = 2\n");
  workspace.test("good", "true");
  workspace.test("bad", "false");
  workspace.scenario(test_case("1", "good") + test_case("2", "bad") + test_case("3", "good") + test_case("4", "good") +
                     after("2"));
  const auto ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(workspace.run_of("1/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("2/0").at("status"), "failed");
  EXPECT_EQ(reason_code(workspace.run_of("2/0")), "exit_status");
  EXPECT_EQ(workspace.run_of("3/0").at("status"), "passed");
  EXPECT_EQ(workspace.run_of("4/0").at("status"), "skipped");
  EXPECT_EQ(reason_text(workspace.run_of("4/0")), "dependency 2 failed");
  EXPECT_EQ(jobs_ever(), 3);
}

}  // namespace
}  // namespace end_to_end
