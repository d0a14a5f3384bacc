#include "core/pipeline/documents.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::pipeline {
namespace {

using testing::a_case;
using testing::a_hook;
using testing::a_scenario;

class DocumentsTest : public ::testing::Test {
 protected:
  DocumentsTest() {
    system_.name = "cluster";
    system_.scheduler = "standalone";
    system_.install_path = "/install";
    scenario_.prologue = {a_hook("check", 5)};
    runs_ = expand(scenario_);
    context_.system = &system_;
    context_.facts = &facts_;
    context_.results_directory = "/results/s_1";
    context_.nodes = {"n1"};
  }

  config::System system_;
  config::Scenario scenario_ = a_scenario({a_case("A")});
  Json facts_ = {{"tasks_per_node", 4}, {"containers", "none"}, {"nodes", {"n1"}}};
  std::vector<pipeline::Run> runs_;
  RunContext context_;
};

TEST_F(DocumentsTest, ARunDocumentTellsPlaceNodesAndFacts) {
  const Json document = run_document(runs_[0], runs_[0].stages[0], context_);
  EXPECT_EQ(document["schema"], "cloudai.run/1");
  EXPECT_EQ(document["case"], "A");
  EXPECT_EQ(document["stage"]["kind"], "prologue");
  EXPECT_EQ(document["stage"]["directory"], "/results/s_1/A/0/prologue/check");
  EXPECT_EQ(document["stage"]["time_limit"], 5);
  EXPECT_EQ(document["run_directory"], "/results/s_1/A/0");
  EXPECT_EQ(document["predecessors"], Json::array());
  EXPECT_EQ(document["nodes"], (Json{{"count", 1}, {"names", {"n1"}}}));
  EXPECT_EQ(document["system"]["tasks_per_node"], 4);
  EXPECT_FALSE(document["system"].contains("gpus_per_node"));
  EXPECT_EQ(document["test"]["cmd_args"], (Json{{"seconds", 0}}));
}

TEST_F(DocumentsTest, TheSpeedOfLightIsOfTheMainStageAlone) {
  EXPECT_FALSE(run_document(runs_[0], runs_[0].stages[1], context_).contains("speed_of_light"));
  scenario_.cases[0].speed_of_light = 370;
  EXPECT_EQ(run_document(runs_[0], runs_[0].stages[1], context_)["speed_of_light"], 370);
  EXPECT_FALSE(run_document(runs_[0], runs_[0].stages[0], context_).contains("speed_of_light"));
}

TEST_F(DocumentsTest, ARunDocumentNamesTheDirectoriesOfItsPredecessors) {
  pipeline::Run run = runs_[0];
  run.predecessors = {{"B", "B/0"}};
  const Json document = run_document(run, run.stages[1], context_);
  EXPECT_EQ(document["predecessors"], (Json{{{"case", "B"}, {"directory", "/results/s_1/B/0"}}}));
}

TEST_F(DocumentsTest, TheMainStageIsInTheRunsOwnDirectory) {
  const Json document = run_document(runs_[0], runs_[0].stages[1], context_);
  EXPECT_EQ(document["stage"]["directory"], "/results/s_1/A/0");
}

TEST_F(DocumentsTest, ThePlansNamesWinOverTheTestsOverTheSystems) {
  system_.global_env_vars = {{"A", "global"}, {"B", "global"}, {"C", "global"}};
  config::Test test = testing::a_test("t");
  test.extra_env_vars = {{"B", "test"}, {"D", "test"}};
  const Json plan = {{"steps", {{{"environment", {{{"name", "A"}, {"value", "plan"}}}}}}}};
  const Json merged = with_environment(plan, system_, test)["steps"][0]["environment"];
  const Json expected = {{{"name", "C"}, {"value", "global"}},
                         {{"name", "B"}, {"value", "test"}},
                         {{"name", "D"}, {"value", "test"}},
                         {{"name", "A"}, {"value", "plan"}}};
  EXPECT_EQ(merged, expected);
}

TEST_F(DocumentsTest, AVariableIsEitherSetOrHandedOnAsTheLastWordSays) {
  system_.global_env_vars = {{"A", "global"}, {"B", "global"}};
  system_.pass_env = {"C", "D", "E"};
  config::Test test = testing::a_test("t");
  test.extra_env_vars = {{"C", "test"}};
  test.pass_env = {"A"};
  const Json plan = {{"steps", {{{"environment", {{{"name", "D"}, {"value", "plan"}}}}}}}};
  const Json step = with_environment(plan, system_, test)["steps"][0];
  EXPECT_EQ(step["pass_environment"], (Json{"E", "A"}));
  const Json expected = {
      {{"name", "B"}, {"value", "global"}}, {{"name", "C"}, {"value", "test"}}, {{"name", "D"}, {"value", "plan"}}};
  EXPECT_EQ(step["environment"], expected);
  const Json without = with_environment(plan, config::System{}, testing::a_test("t"))["steps"][0];
  EXPECT_FALSE(without.contains("pass_environment"));
}

const Json every_profiler_option = {{"enable", true},
                                    {"nsys_binary", "/opt/nsys"},
                                    {"task", "profile"},
                                    {"sample", "none"},
                                    {"output", "report"},
                                    {"trace", "cuda,nvtx"},
                                    {"force_overwrite", false},
                                    {"capture_range", "cudaProfilerApi"},
                                    {"capture_range_end", "stop"},
                                    {"cuda_graph_trace", "node"},
                                    {"gpu_metrics_devices", "all"},
                                    {"extra_args", {"--stats", "true"}}};

TEST_F(DocumentsTest, TheProfilerRunsTheMainCommandWithItsOptionsInTheUsualOrder) {
  config::Test test = testing::a_test("t");
  test.nsys = every_profiler_option;
  const Json plan = {{"steps",
                      {{{"name", "prepare"}, {"command", {{"argv", {"mkdir", "x"}}}}},
                       {{"name", "main"}, {"command", {{"argv", {"all_reduce", "-b", "8"}}}}}}}};
  const Json profiled = with_profiler(plan, test);
  EXPECT_EQ(profiled["steps"][0], plan["steps"][0]);
  EXPECT_EQ(profiled["steps"][1]["command"],
            (Json{{"argv",
                   {"/opt/nsys", "profile", "-s", "none", "-o", "report", "-t", "cuda,nvtx", "--force-overwrite=false",
                    "--capture-range=cudaProfilerApi", "--capture-range-end=stop", "--cuda-graph-trace=node",
                    "--gpu-metrics-devices=all", "--stats", "true", "all_reduce", "-b", "8"}}}));
}

TEST_F(DocumentsTest, TheProfilerRunsAShellTextThroughBash) {
  config::Test test = testing::a_test("t");
  test.nsys = {{"enable", true}, {"nsys_binary", "nsys"}, {"task", "profile"}, {"extra_args", Json::array()}};
  const Json plan = {{"steps", {{{"command", {{"shell", "a | b"}}}}}}};
  EXPECT_EQ(with_profiler(plan, test)["steps"][0]["command"],
            (Json{{"argv", {"nsys", "profile", "bash", "-c", "a | b"}}}));
}

TEST_F(DocumentsTest, AProfilerThatIsAbsentOrSwitchedOffChangesNothing) {
  config::Test test = testing::a_test("t");
  const Json plan = {{"steps", {{{"command", {{"shell", "a | b"}}}}}}};
  EXPECT_EQ(with_profiler(plan, test), plan);
  test.nsys = every_profiler_option;
  test.nsys["enable"] = false;
  EXPECT_EQ(with_profiler(plan, test), plan);
}

TEST_F(DocumentsTest, AJobHoldsTheStagesInOrderWithTheirLimits) {
  const std::vector<Json> plans = {{{"steps", "one"}}, {{"steps", "two"}}};
  const Json job = job_document(job_of(runs_[0]), context_, "tag", "scenario", {plans});
  EXPECT_EQ(job["name"], "scenario.A");
  EXPECT_EQ(job["directory"], "/results/s_1/A/0");
  EXPECT_FALSE(job.contains("time_limit"));
  const Json& stages = job["runs"][0]["stages"];
  EXPECT_EQ(stages[0]["directory"], "prologue/check");
  EXPECT_EQ(stages[0]["time_limit"], 5);
  EXPECT_EQ(stages[1]["directory"], ".");
  EXPECT_FALSE(stages[1].contains("time_limit"));
  EXPECT_EQ(stages[1]["plan"], plans[1]);
}

TEST_F(DocumentsTest, AStageHasTheSchedulersOptionsOfItsCase) {
  const std::vector<Json> plans = {{{"steps", "one"}}, {{"steps", "two"}}};
  pipeline::Run run = runs_[0];
  run.stages[1].scheduler_options = {{"launch_args", "--exclusive"}};
  const Json stages = job_document(job_of(run), context_, "tag", "scenario", {plans})["runs"][0]["stages"];
  EXPECT_FALSE(stages[0].contains("options"));
  EXPECT_EQ(stages[1]["options"], (Json{{"launch_args", "--exclusive"}}));
}

TEST_F(DocumentsTest, ASharedJobHasEveryRunInItsOwnDirectoryOnItsOwnNumberOfNodes) {
  scenario_.cases.push_back(a_case("B", {"A"}));
  scenario_.cases[1].num_nodes = 3;
  scenario_.cases[1].exclude_nodes = {"n7"};
  runs_ = expand(scenario_);
  Job shared = shared_job_of(runs_);
  shared.runs[1].after = {"A/0"};
  context_.nodes.clear();
  const std::vector<Json> plans = {{{"steps", "one"}}, {{"steps", "two"}}};
  const Json job = job_document(shared, context_, "tag", "scenario", {plans, plans});
  EXPECT_EQ(job["name"], "scenario");
  EXPECT_EQ(job["directory"], "/results/s_1");
  EXPECT_EQ(job["nodes"]["count"], 3);
  EXPECT_EQ(job["exclude_nodes"], Json{"n7"});
  ASSERT_EQ(job["runs"].size(), 2U);
  const Json& small = job["runs"][0];
  EXPECT_EQ(small["id"], "A/0");
  EXPECT_EQ(small["after"], Json::array());
  EXPECT_EQ(small["stages"][0]["directory"], "A/0/prologue/check");
  EXPECT_EQ(small["stages"][0]["num_nodes"], 1);
  EXPECT_EQ(small["stages"][1]["directory"], "A/0");
  EXPECT_EQ(small["stages"][1]["num_nodes"], 1);
  const Json& large = job["runs"][1];
  EXPECT_EQ(large["after"], Json{"A/0"});
  EXPECT_EQ(large["stages"][1]["directory"], "B/0");
  EXPECT_FALSE(large["stages"][0].contains("num_nodes"));
}

TEST(JobTag, IsValidStableAndUnique) {
  std::set<std::string> tags;
  for (int i = 0; i < 2000; ++i) {
    const std::string tag = job_tag("/results", "T." + std::to_string(i) + "/0", 1);
    EXPECT_EQ(tag.size(), 13U);
    EXPECT_EQ(tag.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"), std::string::npos);
    tags.insert(tag);
  }
  EXPECT_EQ(tags.size(), 2000U);
  EXPECT_EQ(job_tag("/r", "A/0", 1), job_tag("/r", "A/0", 1));
  EXPECT_NE(job_tag("/r", "A/0", 1), job_tag("/r", "A/0", 2));
}

}  // namespace
}  // namespace cloudai::pipeline
