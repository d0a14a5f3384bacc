// The demo's tests and hooks through Run:ai: the tenant executes what it is given, so that the collectives are real.

#include "tests/end_to_end/runai_test.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

runai_simulator::Options executing() {
  runai_simulator::Options options;
  options.execute = true;
  options.path = build_directory() / "bin";
  return options;
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size())) {
    text.replace(at, old.size(), with);
  }
  return text;
}

class RunaiExecuted : public RunaiTest {
 protected:
  RunaiExecuted() : RunaiTest(executing()) {}

  // The demo as it is in conf, but for the image and the number of nodes; two ranks in all.
  void write_demo(int nodes) const {
    const auto demo = source_directory() / "conf/demo";
    const auto with_image = [](const fs::path& file) {
      const auto text = replaced(read(file), "[cmd_args]\n", "[cmd_args]\ndocker_image_url = \"nvcr.io#a/image:1\"\n");
      return replaced(text, "\"1M\"", "\"256K\"");
    };
    for (const auto& [from, to] : {std::pair("test", "tests"), std::pair("hook/test", "hook/test")}) {
      for (const auto& entry : fs::directory_iterator(demo / from)) {
        workspace.write(fs::path(to) / entry.path().filename(), with_image(entry.path()));
      }
    }
    for (const auto* hook : {"demo_prologue.toml", "demo_epilogue.toml"}) {
      workspace.write(fs::path("hook") / hook, read(demo / "hook" / hook));
    }
    workspace.write("scenario.toml", replaced(read(demo / "test_scenario/demo.toml"), "num_nodes = 1",
                                              "num_nodes = " + std::to_string(nodes)));
    system({{"ntasks_per_node", 2 / nodes}});
  }

  // What Run:ai was asked for, and what it left.
  void check_stage(const Json& stage, int nodes) const {
    EXPECT_EQ(stage.at("status"), "passed");
    const auto directory = workspace.results() / stage.at("directory").get<std::string>();
    const auto text = read(directory / "stdout.txt");
    EXPECT_THAT(text, HasSubstr("# Avg bus bandwidth"));
    EXPECT_THAT(text, HasSubstr("#  Rank  1 "));
    EXPECT_THAT(read(directory / "events.txt"), HasSubstr(" message='Started container' reason='Started' "));
    EXPECT_TRUE(fs::exists(directory / "nccl_test.csv"));
    const Json payload = Json::parse(read(directory / "runai-workload.json"));
    EXPECT_EQ(payload.contains("masterSpec"), nodes > 1);
    EXPECT_EQ(payload.at("spec").at("image"), "nvcr.io/a/image:1");
  }
};

class RunaiDemo : public RunaiExecuted, public testing::WithParamInterface<int> {};

TEST_P(RunaiDemo, MeasuresBetweenPrologueAndEpilogue) {
  const int nodes = GetParam();
  write_demo(nodes);
  const auto ended = run();
  ASSERT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  const auto summary = workspace.summary();
  EXPECT_EQ(summary.at("counts"), (Json{{"passed", 2}}));
  for (const auto& run : summary.at("runs")) {
    EXPECT_EQ(run.at("nodes").at("actual").size(), static_cast<std::size_t>(nodes));
    std::set<std::string> measured;
    for (const auto& metric : run.at("headline")) {
      measured.insert(metric.at("name").get<std::string>());
      // The bandwidth of small messages on a busy machine is printed as 0.00.
      if (metric.at("name") == "time") {
        EXPECT_GT(metric.at("value").get<double>(), 0.0) << metric;
      }
    }
    EXPECT_EQ(measured.count("busbw"), 1U);
    ASSERT_EQ(run.at("stages").size(), 3U);
    for (const auto& stage : run.at("stages")) {
      check_stage(stage, nodes);
      EXPECT_THAT(ended.err, HasSubstr("Submitted RunAI job: " + stage.at("job").get<std::string>() + "\n"));
    }
    EXPECT_THAT(read(workspace.results() / run.at("directory").get<std::string>() / "cloudai_nccl_test_report.html"),
                HasSubstr("Time of small messages"));
  }
  EXPECT_THAT(read(workspace.results() / "demo.html"), HasSubstr("demo_all_gather"));
  EXPECT_EQ(first_missing(ended.err, {"Checking if DockerImage(url=nvcr.io#a/image:1) is installed for RunAI.",
                                      "Submitted RunAI job: ", "Job completed: Tests.1 (iteration 1 of 1)",
                                      "Submitted RunAI job: ", "Job completed: Tests.2 (iteration 1 of 1)",
                                      "Generated scenario report at " + (workspace.results() / "demo.html").string()}),
            "")
      << ended.err;

  const auto workloads = tenant.workloads();
  ASSERT_EQ(workloads.size(), 6U);
  for (const auto& workload : workloads) EXPECT_EQ(workload.type, nodes == 1 ? "Training" : "Distributed");
  // Six creations, and what else there was: all of it is in the summary.
  EXPECT_EQ(count("POST", nodes == 1 ? "/api/v1/workloads/trainings" : "/api/v1/workloads/distributed"), 6U);
  EXPECT_EQ(counted_requests(), tenant.requests().size()) << summary.at("scheduler_commands");
}

INSTANTIATE_TEST_SUITE_P(Nodes, RunaiDemo, testing::Values(1, 2),
                         [](const auto& test) { return std::to_string(test.param); });

TEST_F(RunaiExecuted, ATenantThatRunsPodsInsteadOfAnMpiJobFailsTheTest) {
  write_demo(2);
  workspace.write("scenario.toml",
                  "name = \"scenario\"\n" + test_case("Tests.1", "demo_all_reduce", "num_nodes = 2\n"));
  tenant.settings({{"independentPods", true}});
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(the_run().at("status"), "failed");
  EXPECT_EQ(reason_code(the_run()), "ranks_missing");
  EXPECT_THAT(reason_text(the_run()), HasSubstr("1 rank"));
  EXPECT_THAT(reason_text(the_run()), HasSubstr("2"));
}

TEST_F(RunaiExecuted, ATestThatHangsEndsAtItsTimeLimitAndLeavesNoProcess) {
  system({{"ntasks_per_node", 1}});
  workspace.write(
      "tests/work.toml",
      "name = \"work\"\ndescription = \"Sleeps\"\ntest_template_name = \"Sleep\"\n[cmd_args]\nseconds = 300\n"
      "docker_image_url = \"image:1\"\n");
  workspace.scenario(test_case("Tests.1", "work", "time_limit = \"1s\"\n"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 1) << ended.err;
  EXPECT_EQ(reason_code(the_run()), "time_limit");
  EXPECT_EQ(count("DELETE", "/api/v1/workloads/trainings/"), 1U);
}

}  // namespace
}  // namespace end_to_end
