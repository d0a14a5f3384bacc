#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using fixture::cluster_system;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ScenarioFile : public fixture::ConfigTest {};

std::string pairs(const std::vector<EnvironmentVariable>& variables) {
  std::string text;
  for (const EnvironmentVariable& variable : variables) text += variable.name + "=" + variable.value + ";";
  return text;
}

TEST_F(ScenarioFile, SmallestOneHasADefaultForEverything) {
  const auto configuration = load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n");
  ASSERT_TRUE(configuration);
  EXPECT_THAT(problems, IsEmpty());
  const Scenario& scenario = configuration->scenario;
  EXPECT_EQ(scenario.name, "s");
  EXPECT_EQ(scenario.file, std::filesystem::current_path() / "scenario.toml");
  EXPECT_TRUE(scenario.job_status_check);
  EXPECT_EQ(scenario.max_parallel, std::nullopt);
  ASSERT_EQ(scenario.cases.size(), 1U);
  const Case& value = scenario.cases[0];
  EXPECT_EQ(value.id, "a");
  EXPECT_EQ(value.num_nodes, 1);
  EXPECT_FALSE(value.num_nodes_explicit);
  EXPECT_EQ(value.iterations, 1);
  EXPECT_EQ(value.time_limit, std::nullopt);
  EXPECT_EQ(to_string(value.position), "scenario.toml:2:1");
  EXPECT_EQ(value.test.workload, "Collective");
  EXPECT_EQ(value.test.cmd_args.dump(), R"({"subtest":"all_reduce","ngpus":2,"minbytes":"32M","check":true})");
  EXPECT_EQ(pairs(value.test.extra_env_vars), "NCCL_DEBUG=INFO;ALPHA=1;");
  EXPECT_EQ(to_string(value.test.position), "tests/reduce.toml:1:1");
  EXPECT_THAT(configuration->files, ElementsAre("system.toml", "scenario.toml", "tests/reduce.toml"));
}

TEST_F(ScenarioFile, EverythingThatCanBeSaidOfACase) {
  files.write("system.toml", cluster_system);
  const auto configuration = load_scenario(R"(name = "s"
job_status_check = "no"
max_parallel = 3
[[Tests]]
id = "first"
test_name = "reduce"
[[Tests]]
id = "second"
test_name = "gather"
num_nodes = "2"
exclude_nodes = ["node7"]
iterations = 3.0
time_limit = 00:10:00
weight = 1
sol = 2.5
ideal_perf = 1
[[Tests.dependencies]]
type = "start_post_comp"
id = "first"
[[Tests]]
id = "third"
test_name = "gather"
nodes = ["node[001-003]"]
)");
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(configuration);
  EXPECT_FALSE(configuration->scenario.job_status_check);
  EXPECT_EQ(configuration->scenario.max_parallel, 3);
  const Case& second = configuration->scenario.cases[1];
  EXPECT_EQ(second.num_nodes, 2);
  EXPECT_TRUE(second.num_nodes_explicit);
  EXPECT_THAT(second.exclude_nodes, ElementsAre("node7"));
  EXPECT_EQ(second.iterations, 3);
  EXPECT_EQ(second.speed_of_light, 2.5);
  EXPECT_EQ(configuration->scenario.cases[0].speed_of_light, std::nullopt);
  EXPECT_EQ(second.time_limit, std::chrono::minutes(10));
  ASSERT_EQ(second.dependencies.size(), 1U);
  EXPECT_EQ(second.dependencies[0].id, "first");
  EXPECT_EQ(second.dependencies[0].type, DependencyType::start_post_comp);
  EXPECT_EQ(configuration->scenario.cases[2].num_nodes, 3);
  EXPECT_THAT(configuration->scenario.cases[2].nodes, ElementsAre("node[001-003]"));
}

TEST_F(ScenarioFile, OverridesAreLaidOverTheTest) {
  files.write("tests/reduce.toml", fixture::reduce_test + "[extra_cmd_args]\n\"-z\" = \"1\"\n\"-a\" = \"\"\n");
  const auto configuration = load_scenario(R"(name = "s"
[[Tests]]
id = "a"
test_name = "reduce"
description = "Another."
extra_container_mounts = ["/a:/b"]
[Tests.cmd_args]
minbytes = 8
[Tests.extra_env_vars]
NEW = 5
NCCL_DEBUG = "WARN"
[Tests.extra_cmd_args]
"-z" = 2
[[Tests]]
id = "b"
test_name = "reduce"
)");
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(configuration);
  const config::Test& test = configuration->scenario.cases[0].test;
  EXPECT_EQ(test.name, "reduce");
  EXPECT_EQ(test.description, "Another.");
  EXPECT_EQ(test.cmd_args.dump(), R"({"subtest":"all_reduce","ngpus":2,"minbytes":"8","check":true})");
  EXPECT_EQ(pairs(test.extra_env_vars), "NCCL_DEBUG=WARN;ALPHA=1;NEW=5;");
  EXPECT_EQ(pairs(test.extra_cmd_args), "-z=2;-a=;");
  EXPECT_THAT(test.extra_container_mounts, ElementsAre("/a:/b"));
  EXPECT_EQ(to_string(test.position), "scenario.toml:2:1");
  EXPECT_EQ(configuration->scenario.cases[1].test.description, "Reduces.");
}

TEST_F(ScenarioFile, MistakesInOverridesAreFoundInTheScenario) {
  EXPECT_FALSE(load_scenario(R"(name = "s"
[[Tests]]
id = "a"
test_name = "reduce"
[Tests.cmd_args]
ngpuz = 3
ngpus = [1, 2]
subtest = "all_reduc"
minbytes = "32X"
threshold = 0
token = "abc"
)"));
  EXPECT_THAT(
      problems,
      ElementsAre(
          "scenario.toml:6:1: error: unknown option 'ngpuz' of workload Collective. Did you mean 'ngpus'?",
          "scenario.toml:7:1: error: 'cmd_args.ngpus': found a list, expected an integer. Sweeps over a list of "
          "values are not supported by this version; give one value.",
          "scenario.toml:8:1: error: 'cmd_args.subtest': found the string \"all_reduc\", expected one of "
          "'all_reduce', 'all_gather'. Did you mean 'all_reduce'?",
          "scenario.toml:9:1: error: 'cmd_args.minbytes': found the string \"32X\", expected a text that matches "
          "the pattern ^[0-9]+[KMG]?$: x",
          "scenario.toml:10:1: error: 'cmd_args.threshold': found the integer 0, expected more than 0.",
          "scenario.toml:11:1: error: 'cmd_args.token': found a string, expected a text that matches the pattern "
          "^tok: x"));
}

TEST_F(ScenarioFile, OpenWorkloadsKeepUnknownOptionsButNoSweeps) {
  const auto configuration = load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"free\"\n");
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->scenario.cases[0].test.cmd_args.dump(), R"({"cmd":"true","extra":1})");
  EXPECT_FALSE(
      load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"free\"\n[Tests.cmd_args]\nother = [1, 2]\n"));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:6:1: error: 'cmd_args.other': found a list. Sweeps over a list of values are not "
                  "supported by this version; give one value."));
}

TEST_F(ScenarioFile, TestsMayBeDefinedInTheScenario) {
  paths.tests_dir.reset();
  const auto configuration = load_scenario(
      "name = \"s\"\n[[Tests]]\nid = \"a\"\nname = \"own\"\ndescription = \"d\"\ntest_template_name = "
      "\"Collective\"\n");
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->scenario.cases[0].test.name, "own");
  EXPECT_EQ(configuration->scenario.cases[0].test.cmd_args["ngpus"], 1);

  EXPECT_FALSE(load_scenario(
      "name = \"s\"\n[[Tests]]\nid = \"a\"\nname = \"own\"\n[[Tests]]\nid = \"b\"\ntest_name = \"reduce\"\n"));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:2:1: error: test 'a' does not say what to run: give 'test_name', or define the test "
                  "here (missing: 'description', 'test_template_name').",
                  "scenario.toml:7:1: error: test 'reduce' is not defined: no directory of tests was given "
                  "(--tests-dir)."));
}

TEST_F(ScenarioFile, TestNameAndWorkloadExcludeEachOther) {
  EXPECT_FALSE(
      load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\ntest_template_name = \"Open\"\n"));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:5:1: error: 'test_template_name' and 'test_name' exclude each other: the test named "
                  "already has a workload."));
}

// Every reference that leads nowhere, in one go.
TEST_F(ScenarioFile, ReferencesThatLeadNowhereAreAllReported) {
  EXPECT_FALSE(load_scenario(R"(name = "nightly"
[[Tests]]
id = "Tests.1"
test_name = "reduec"
[[Tests]]
id = "Tests.2"
[[Tests]]
id = "Tests.1"
test_name = "reduce"
[[Tests.dependencies]]
type = "start_post_comp"
id = "Tests.9"
[[Tests.dependencies]]
type = "start_after"
id = "Tests.2"
)"));
  EXPECT_THAT(
      problems,
      ElementsAre(
          "scenario.toml:4:1: error: test 'reduec' is not defined in tests. Did you mean 'reduce'?",
          "scenario.toml:5:1: error: test 'Tests.2' does not say what to run: give 'test_name', or define the test "
          "here "
          "(missing: 'name', 'description', 'test_template_name').",
          "scenario.toml:7:1: error: the id 'Tests.1' is there twice: first at scenario.toml:2:1. Each test needs an "
          "id "
          "of its own.",
          "scenario.toml:10:1: error: test 'Tests.1' depends on 'Tests.9', which is not in this scenario. Did you mean "
          "'Tests.2'?",
          "scenario.toml:14:1: error: 'Tests[2].dependencies[1].type': found the string \"start_after\", expected one "
          "of 'start_post_comp', 'start_post_init', 'end_post_comp'."));
}

const std::string profiled_test = R"(name = "profiled"
description = "x"
test_template_name = "Collective"
pass_env = ["HF_TOKEN"]
[nsys]
output = "report"
trace = "cuda"
force_overwrite = "yes"
)";

TEST_F(ScenarioFile, TheProfilerOfACaseIsLaidOverThatOfTheTest) {
  files.write("tests/profiled.toml", profiled_test);
  const auto configuration = load_scenario(R"(name = "s"
[[Tests]]
id = "as it is"
test_name = "profiled"
[[Tests]]
id = "changed"
test_name = "profiled"
pass_env = ["GITLAB_TOKEN", "GITLAB_TOKEN"]
[Tests.nsys]
trace = "nvtx"
extra_args = ["--stats=true"]
[[Tests]]
id = "off"
test_name = "profiled"
[Tests.nsys]
enable = false
[[Tests]]
id = "none"
test_name = "reduce"
)");
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(configuration);
  const auto test = [&](std::size_t i) -> const config::Test& { return configuration->scenario.cases[i].test; };
  EXPECT_EQ(test(0).nsys, Json::parse(R"({"enable": true, "nsys_binary": "nsys", "task": "profile", "output": "report",
    "trace": "cuda", "force_overwrite": true, "extra_args": []})"));
  EXPECT_EQ(test(1).nsys["trace"], "nvtx");
  EXPECT_EQ(test(1).nsys["output"], "report");
  EXPECT_EQ(test(1).nsys["extra_args"], (Json{"--stats=true"}));
  EXPECT_EQ(test(2).nsys["enable"], false);
  EXPECT_TRUE(test(3).nsys.is_null());
  EXPECT_THAT(test(0).pass_env, ElementsAre("HF_TOKEN"));
  EXPECT_THAT(test(1).pass_env, ElementsAre("GITLAB_TOKEN"));
}

TEST_F(ScenarioFile, MistakesInTheProfilersOptionsAreNamed) {
  EXPECT_FALSE(load_scenario(R"(name = "s"
[[Tests]]
id = "a"
test_name = "reduce"
[Tests.nsys]
tarce = "cuda"
output = ["a"]
)"));
  EXPECT_THAT(problems, ElementsAre("scenario.toml:6:1: error: unknown key 'tarce' of 'nsys'. Did you mean 'trace'?",
                                    "scenario.toml:7:1: error: 'nsys.output': found a list, expected a string."));
}

TEST_F(ScenarioFile, AVariableThatIsHandedOnHasALegalNameAndNoValue) {
  EXPECT_FALSE(load_scenario(R"(name = "s"
[[Tests]]
id = "a"
test_name = "reduce"
pass_env = ["A B", "NCCL_DEBUG"]
)"));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:5:13: error: 'A B' is no name for an environment variable: letters, digits and '_' "
                  "are allowed, and no digit first.",
                  "scenario.toml:5:20: error: 'NCCL_DEBUG' stands in 'pass_env' and in 'extra_env_vars'; give it in "
                  "one of them."));
}

TEST_F(ScenarioFile, AListOfValuesForAVariableIsASweepAndRefused) {
  EXPECT_FALSE(load_scenario(R"(name = "s"
[[Tests]]
id = "a"
test_name = "reduce"
[Tests.extra_env_vars]
NCCL_ALGO = ["Ring", "Tree"]
)"));
  EXPECT_THAT(problems, ElementsAre("scenario.toml:6:1: error: 'Tests[0].extra_env_vars.NCCL_ALGO': found a list, "
                                    "expected a string. Sweeps over a list of values are not supported by this "
                                    "version; give one value."));
}

TEST_F(ScenarioFile, ASchedulerMayHaveOptionsForACaseOfItsOwn) {
  files.write("system.toml", cluster_system);
  files.write("hook/test/gather.toml", "name = \"quick\"\ndescription = \"x\"\ntest_template_name = \"Collective\"\n");
  files.write("hook/check.toml",
              "name = \"check\"\n[[Tests]]\nid = \"1\"\ntest_name = \"quick\"\nlaunch_args = \"--of-hook\"\n");
  paths.hook_dir = "hook";
  const auto configuration = load_scenario(R"(name = "s"
prologue = "check"
[[Tests]]
id = "a"
test_name = "reduce"
launch_args = "--exclusive"
urgency = "4"
[[Tests]]
id = "b"
test_name = "reduce"
)");
  ASSERT_TRUE(configuration) << problems.front();
  const Scenario& scenario = configuration->scenario;
  EXPECT_EQ(scenario.cases[0].scheduler_options, Json::parse(R"({"launch_args": "--exclusive", "urgency": 4})"));
  EXPECT_EQ(scenario.cases[1].scheduler_options, Json::parse(R"({"urgency": 3})"));
  EXPECT_EQ(scenario.prologue[0].scheduler_options, Json::parse(R"({"launch_args": "--of-hook", "urgency": 3})"));
}

TEST_F(ScenarioFile, AnOptionOfAnotherSchedulerIsRefused) {
  EXPECT_FALSE(load_scenario(R"(name = "s"
[[Tests]]
id = "a"
test_name = "reduce"
urgency = 4
)"));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:5:1: error: 'urgency' is an option of scheduler 'cluster'; scheduler "
                          "'standalone', which this system has, knows no such option. Remove it."));
}

TEST_F(ScenarioFile, AnOptionOfTheSchedulerIsChecked) {
  files.write("system.toml", cluster_system);
  EXPECT_FALSE(load_scenario(R"(name = "s"
[[Tests]]
id = "a"
test_name = "reduce"
urgency = "soon"
)"));
  EXPECT_THAT(problems, ElementsAre("scenario.toml:5:1: error: 'Tests[0].urgency': found the string \"soon\", expected "
                                    "an integer."));
}

TEST_F(ScenarioFile, NamesThatBecomeFilesAndDirectoriesAreChecked) {
  EXPECT_FALSE(load_scenario(
      "name = \"llama3/70b <fp8>\"\n[[Tests]]\nid = \"Tests.1/../../etc\"\ntest_name = \"reduce\"\n"
      "[[Tests]]\nid = \"..\"\ntest_name = \"reduce\"\n[[Tests]]\nid = \"a\\tb\"\ntest_name = \"reduce\"\n"
      "[[Tests]]\nid = \"summary.json\"\ntest_name = \"reduce\"\n[[Tests]]\nid = \"\"\ntest_name = \"reduce\"\n"));
  const std::string advice = ". The test's results stand in a directory of this name; choose another id.";
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:1:1: error: the scenario's name \"llama3/70b <fp8>\" contains a slash. The results "
                  "directory and report files are named after it; choose another name.",
                  "scenario.toml:3:1: error: the id \"Tests.1/../../etc\" contains a slash" + advice,
                  "scenario.toml:6:1: error: the id \"..\" begins with a dot" + advice,
                  "scenario.toml:9:1: error: the id \"a\\tb\" contains a control character" + advice,
                  "scenario.toml:12:1: error: the id \"summary.json\" is the name of a file among the results" + advice,
                  "scenario.toml:15:1: error: the id \"\" is empty" + advice));
}

TEST_F(ScenarioFile, OddButHarmlessNamesAreKept) {
  const auto configuration =
      load_scenario("name = 'nemo2.0 fp8: <final> & \"x\"'\n[[Tests]]\nid = \"a b\"\ntest_name = \"reduce\"\n");
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->scenario.name, "nemo2.0 fp8: <final> & \"x\"");
}

TEST_F(ScenarioFile, NumbersOutOfRangeAreRefused) {
  files.write("system.toml", cluster_system);
  EXPECT_FALSE(load_scenario(R"(name = "numbers"
[[Tests]]
id = "1"
test_name = "reduce"
num_nodes = 0
[[Tests]]
id = "2"
test_name = "reduce"
num_nodes = 9999999999
[[Tests]]
id = "3"
test_name = "reduce"
num_nodes = [1, 2, 4]
iterations = 0
[[Tests]]
id = "4"
test_name = "reduce"
num_nodes = 1.5
time_limit = "1.5h"
)"));
  EXPECT_THAT(
      problems,
      ElementsAre(
          "scenario.toml:5:1: error: 'Tests[0].num_nodes': found the integer 0, expected at least 1.",
          "scenario.toml:9:1: error: 'Tests[1].num_nodes': found the integer 9999999999, expected at most 1000000.",
          "scenario.toml:13:1: error: 'Tests[2].num_nodes': found a list, expected an integer. Sweeps over a list of "
          "values are not supported by this version; give one value.",
          "scenario.toml:14:1: error: 'Tests[2].iterations': found the integer 0, expected at least 1.",
          "scenario.toml:18:1: error: 'Tests[3].num_nodes': found the number 1.5, expected an integer.",
          StartsWith("scenario.toml:19:1: error: '1.5h' is no time limit. Write ")));
}

TEST_F(ScenarioFile, TimeLimitWithTwoReadingsIsAWarning) {
  const auto configuration =
      load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\ntime_limit = \"20:00\"\n");
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->scenario.cases[0].time_limit, std::chrono::minutes(20));
  EXPECT_THAT(
      problems,
      ElementsAre(StartsWith("scenario.toml:5:1: warning: time limit '20:00' is taken as minutes and seconds")));
}

TEST_F(ScenarioFile, CountAndListOfNodesMustAgree) {
  files.write("system.toml", cluster_system);
  const std::string head = "name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\nnodes = [\"node[001-003]\"]\n";
  EXPECT_FALSE(load_scenario(head + "num_nodes = 2\n"));
  EXPECT_THAT(
      problems,
      ElementsAre(
          "scenario.toml:6:1: error: 'num_nodes' is 2, but 'nodes' names 3. Leave out one, or make them agree."));
  EXPECT_TRUE(load_scenario(head + "num_nodes = 3\n"));
}

TEST_F(ScenarioFile, SchedulerOfOneNodeRefusesMore) {
  EXPECT_FALSE(load_scenario(
      "name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\nnum_nodes = 2\n[[Tests]]\nid = \"b\"\n"
      "test_name = \"reduce\"\nnodes = [\"x\"]\n"));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:5:1: error: scheduler 'standalone' runs on one node; num_nodes is 2.",
                  "scenario.toml:9:1: error: scheduler 'standalone' runs on one node; 'nodes' has nothing to choose "
                  "from."));
  EXPECT_TRUE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\nnum_nodes = 1\n"));
}

TEST_F(ScenarioFile, NeedsOfAWorkloadAreComparedWithTheScheduler) {
  const std::string scenario =
      "name = \"s\"\n[[Tests]]\nid = \"a\"\nname = \"n\"\ndescription = \"d\"\ntest_template_name = "
      "\"Boxed\"\n[Tests.cmd_args]\nimage = \"i\"\n";
  EXPECT_FALSE(load_scenario(scenario));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:2:1: error: workload 'Boxed' needs a scheduler with 'containers', which scheduler "
                  "'standalone' does not offer."));
  files.write("system.toml", cluster_system);
  EXPECT_TRUE(load_scenario(scenario));
}

TEST_F(ScenarioFile, AnUnknownKeyOfATestIsNamedWithTheNearestOne) {
  EXPECT_FALSE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\nnum_node = 1\n"));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:5:1: error: unknown key 'num_node' of test 'a'. Did you mean 'num_nodes'?"));
}

TEST_F(ScenarioFile, WithoutTestsThereIsNoScenario) {
  EXPECT_FALSE(load_scenario("name = \"s\"\nTests = []\n"));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:2:1: error: 'Tests': found an empty list, expected at least 1 item."));
  EXPECT_FALSE(load_scenario("name = \"s\"\n[[tests]]\nid = \"a\"\n"));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:1:1: error: required key 'Tests' of a scenario file is missing.",
                          "scenario.toml:2:3: error: unknown key 'tests' of a scenario file. Did you mean 'Tests'?"));
  EXPECT_FALSE(load_scenario("name = \"s\"\nTests = [1, {}]\n"));
  EXPECT_THAT(problems, ElementsAre("scenario.toml:2:10: error: 'Tests[0]': found the integer 1, expected a table.",
                                    "scenario.toml:2:13: error: required key 'id' of Tests[1] is missing.",
                                    HasSubstr("does not say what to run")));
}

TEST_F(ScenarioFile, MissingFilesAreErrors) {
  paths.system_config = "absent.toml";
  paths.test_scenario = "gone.toml";
  paths.tests_dir = "nowhere";
  EXPECT_FALSE(load());
  EXPECT_THAT(problems, ElementsAre(HasSubstr("absent.toml"), "error: --tests-dir: nowhere does not exist.",
                                    HasSubstr("gone.toml")));
  paths.tests_dir = "system.toml";
  EXPECT_FALSE(load());
  EXPECT_THAT(problems, testing::Contains("error: --tests-dir: system.toml is not a directory."));
}

TEST_F(ScenarioFile, AnIdThatIsTheNameOfAReportIsRefused) {
  EXPECT_FALSE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"s-metrics.csv\"\ntest_name = \"reduce\"\n"));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:2:1: error: the id 's-metrics.csv' may be the name of a report of the "
                          "scenario. The test's results stand in a directory of this name; choose another id."));
}

TEST_F(ScenarioFile, MoreProblemsThanAnyoneReadsAreCounted) {
  std::string text = "name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n";
  for (int i = 0; i < 5000; ++i) text += "k" + std::to_string(i) + " = 1\n";
  EXPECT_FALSE(load_scenario(text));
  EXPECT_EQ(problems.size(), Diagnostics::most);
}

}  // namespace
}  // namespace cloudai::config
