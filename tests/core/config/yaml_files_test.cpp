// Every kind of file may be YAML, beside others that are TOML.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/verify.hpp"
#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class YamlFiles : public fixture::ConfigTest {
 protected:
  std::optional<Configuration> load_yaml_scenario(const std::string& content) {
    files.write("scenario.yaml", content);
    paths.test_scenario = "scenario.yaml";
    return load();
  }
};

TEST_F(YamlFiles, MakeAWholeConfiguration) {
  files.write("system.yaml",
              "name: here\nscheduler: standalone\ninstall_path: install\noutput_path: results\nmonitor_interval: '2'\n"
              "global_env_vars:\n  VERSION: 24.10\n  SERIAL: 007\n  FLAG: true\n  WORD: yes\n  SPACES: ' a  b '\n");
  files.write("tests/scatter.yml",
              "name: scatter\ndescription: Scatters.\ntest_template_name: Collective\n"
              "cmd_args: {ngpus: '2', minbytes: 128, check: off}\nextra_env_vars: {ALPHA: 1}\n");
  files.write("hooks/warm.yaml", "name: warm\nTests:\n- {id: '1', test_name: own}\n");
  files.write("hooks/test/own.yaml", "name: own\ndescription: d\ntest_template_name: Open\n");
  paths.system_config = "system.yaml";
  paths.hook_dir = "hooks";
  const auto configuration = load_yaml_scenario(
      "name: mixed\nprologue: warm\nTests:\n"
      "- id: yaml\n  test_name: scatter\n  time_limit: 00:10:00\n"
      "- id: toml\n  test_name: reduce\n  iterations: 3.0\n  time_limit: 90\n");
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(configuration);
  std::string variables;
  for (const auto& variable : configuration->system.global_env_vars)
    variables += variable.name + "=" + variable.value + ";";
  EXPECT_EQ(variables, "VERSION=24.10;SERIAL=007;FLAG=true;WORD=yes;SPACES= a  b ;");
  EXPECT_EQ(configuration->system.monitor_interval, std::chrono::seconds(2));
  const Scenario& scenario = configuration->scenario;
  ASSERT_EQ(scenario.cases.size(), 2U);
  EXPECT_EQ(scenario.cases[0].test.cmd_args.dump(),
            R"({"subtest":"all_reduce","ngpus":2,"minbytes":"128","check":false})");
  EXPECT_EQ(scenario.cases[0].test.extra_env_vars.at(0).value, "1");
  EXPECT_EQ(scenario.cases[0].time_limit, std::chrono::minutes(10));
  EXPECT_EQ(scenario.cases[1].time_limit, std::chrono::minutes(90));
  EXPECT_EQ(scenario.cases[1].iterations, 3);
  ASSERT_EQ(scenario.prologue.size(), 1U);
  EXPECT_EQ(scenario.prologue[0].test.name, "own");
}

TEST_F(YamlFiles, GiveTheMessagesOfTomlWithTheirOwnPlaces) {
  load_yaml_scenario(
      "name: nightly\nTests:\n- id: 1\n  test_name: reduec\n  tiem_limit: 5\n- id: two\n  test_name: reduce\n"
      "  num_nodes: 0\n  time_limit: 20:00\n  cmd_args:\n    ngpuz: 1\n");
  EXPECT_THAT(problems,
              ElementsAre("scenario.yaml:4:3: error: test 'reduec' is not defined in tests. Did you mean 'reduce'?",
                          "scenario.yaml:5:3: error: unknown key 'tiem_limit' of test '1'. Did you mean 'time_limit'?",
                          "scenario.yaml:8:3: error: 'Tests[1].num_nodes': found the integer 0, expected at least 1.",
                          "scenario.yaml:9:3: warning: time limit '20:00' is taken as minutes and seconds, as Slurm "
                          "takes it; the Python CloudAI takes it as hours and minutes. Write '00:20:00' or '20:00:00' "
                          "to leave no doubt.",
                          "scenario.yaml:11:5: error: unknown option 'ngpuz' of workload Collective. Did you mean "
                          "'ngpus'?"));
}

TEST_F(YamlFiles, ATestThatIsThereInBothFormatsIsThereTwice) {
  files.write("tests/reduce.yaml", "name: reduce\ndescription: d\ntest_template_name: Open\n");
  load_yaml_scenario("name: s\nTests:\n- id: a\n  test_name: reduce\n");
  EXPECT_THAT(problems,
              ElementsAre("scenario.yaml:4:3: error: test 'reduce' is defined twice: in tests/reduce.toml and in "
                          "tests/reduce.yaml. Rename or remove one."));
}

TEST_F(YamlFiles, AreVerifiedWithTheOthers) {
  files.write("c/system/a.yaml", "name: a\nscheduler: standalone\ninstall_path: i\noutput_path: o\n");
  files.write("c/test/bad.yml", "name: [\n");
  files.write("c/test/empty.yaml", "# nothing\n");
  files.write("c/test/good.yaml", "name: good\ndescription: d\ntest_template_name: Open\n# scheduler: slurm\n");
  files.write("c/test_scenario/s.yaml", "name: s\nTests: [{id: a, test_name: good}]\n");
  const module::Catalogue modules = fixture::modules();
  const auto verified = verify(VerifyPaths{{"c"}, {}, {}}, modules, [](const std::string&) { return std::nullopt; });
  ASSERT_TRUE(verified);
  std::vector<std::string> lines;
  for (const VerifiedFile& file : *verified) {
    lines.push_back((file.problems.has_errors() ? "FAIL " : "OK ") + std::string(to_string(file.kind)) + " " +
                    file.path.string());
  }
  EXPECT_THAT(lines,
              ElementsAre("OK system c/system/a.yaml", "FAIL unknown c/test/bad.yml", "FAIL unknown c/test/empty.yaml",
                          "OK test c/test/good.yaml", "OK scenario c/test_scenario/s.yaml"));
}

}  // namespace
}  // namespace cloudai::config
