#include "core/config/system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/toml_reader.hpp"
#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using fixture::cluster_system;
using fixture::good_system;
using testing::ElementsAre;
using testing::IsEmpty;

class SystemFile : public testing::Test {
 protected:
  System read(const std::string& toml) {
    Diagnostics diagnostics;
    const std::optional<Node> root = parse_toml(toml, "s.toml", diagnostics);
    SystemReading reading;
    if (root) reading = read_system(*root, "s.toml", modules_, environment_, diagnostics);
    problems = fixture::shown(diagnostics);
    scheduler = reading.scheduler;
    return reading.system;
  }

  std::vector<std::string> problems;
  const module::Provided* scheduler = nullptr;

 private:
  fixture::Files files_;
  module::Catalogue modules_ = fixture::modules();
  Environment environment_ = [](const std::string& name) -> std::optional<std::string> {
    return name == "HOME" ? std::optional<std::string>("/home/me") : std::nullopt;
  };
};

TEST_F(SystemFile, NeedsFourKeysAndFillsInTheRest) {
  const System system = read(good_system);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(system.name, "here");
  EXPECT_EQ(system.scheduler, "standalone");
  EXPECT_EQ(system.file, std::filesystem::current_path() / "s.toml");
  EXPECT_EQ(system.install_path, std::filesystem::current_path() / "install");
  EXPECT_EQ(system.output_path, std::filesystem::current_path() / "results");
  EXPECT_EQ(system.hf_home_path, std::filesystem::current_path() / "install/huggingface");
  EXPECT_EQ(system.options.dump(), R"({"ntasks_per_node":1})");
  EXPECT_TRUE(system.global_env_vars.empty());
  ASSERT_NE(scheduler, nullptr);
  EXPECT_EQ(scheduler->name, "standalone");
}

TEST_F(SystemFile, IntervalAndParallelismDefaultToTheSchedulers) {
  EXPECT_EQ(read(good_system).monitor_interval, std::chrono::milliseconds(500));
  EXPECT_EQ(read(good_system).max_parallel, 1);
  EXPECT_EQ(read(cluster_system).monitor_interval, std::chrono::minutes(1));
  EXPECT_EQ(read(cluster_system).max_parallel, std::nullopt);
  const System system = read(good_system + "monitor_interval = 0.25\nmax_parallel = \"4\"\n");
  EXPECT_EQ(system.monitor_interval, std::chrono::milliseconds(250));
  EXPECT_EQ(system.max_parallel, 4);
}

TEST_F(SystemFile, EnvironmentKeepsItsOrderAndTakesAnyScalar) {
  const System system = read(good_system + "[global_env_vars]\nZ = 1\nA = \"x y\"\nB = true\nC = 1.5\n");
  EXPECT_THAT(problems, IsEmpty());
  std::string text;
  for (const auto& variable : system.global_env_vars) text += variable.name + "=" + variable.value + ";";
  EXPECT_EQ(text, "Z=1;A=x y;B=true;C=1.5;");
}

TEST_F(SystemFile, EnvironmentHoldsScalarsUnderLegalNames) {
  read(good_system + "[global_env_vars]\nA.B = \"1\"\nC = [1]\n1D = \"\"\n\"E-F\" = \"\"\n");
  EXPECT_THAT(problems,
              ElementsAre("s.toml:6:1: error: 'global_env_vars.A': found a table, expected a string or a boolean.",
                          "s.toml:7:1: error: 'global_env_vars.C': found a list, expected a string or a boolean."));
  read(good_system + "[global_env_vars]\n1D = \"\"\n\"E-F\" = \"\"\n");
  EXPECT_THAT(
      problems,
      ElementsAre(
          "s.toml:6:1: error: '1D' is no name for an environment variable: letters, digits and '_' are allowed, "
          "and no digit first.",
          "s.toml:7:1: error: 'E-F' is no name for an environment variable: letters, digits and '_' are "
          "allowed, and no digit first."));
}

TEST_F(SystemFile, HandsOnVariablesByName) {
  EXPECT_THAT(read(good_system + "pass_env = [\"HF_TOKEN\", \"B\"]\n").pass_env, ElementsAre("HF_TOKEN", "B"));
  EXPECT_THAT(problems, IsEmpty());
  read(good_system + "pass_env = [\"A\"]\n[global_env_vars]\nA = \"1\"\n");
  EXPECT_THAT(problems, ElementsAre("s.toml:5:13: error: 'A' stands in 'pass_env' and in 'global_env_vars'; give it in "
                                    "one of them."));
}

TEST_F(SystemFile, KnowsWhichOfItsOptionsAreSecrets) {
  EXPECT_THAT(read(cluster_system + "app_secret = 12\n").secret_options, ElementsAre("/app_secret"));
}

TEST_F(SystemFile, EveryMistakeIsReportedAtOnce) {
  read(R"(name = "there"
scheduler = "cluster"
install_path = "/i"
output_path = "/o"
default_partition = "batch"
monitor_interval = "60"
gpus_per_node = 8.5
ntask_per_node = 8
max_paralel = 1
cache_docker_images_locally = "True"
app_secret = "abc"

[[partitions]]
name = "batch"
node = ["node[001-004]"]
)");
  EXPECT_THAT(
      problems,
      ElementsAre(
          "s.toml:7:1: error: 'gpus_per_node': found the number 8.5, expected an integer.",
          "s.toml:8:1: error: unknown key 'ntask_per_node' of a system file with scheduler 'cluster'. Did you mean "
          "'ntasks_per_node'?",
          "s.toml:9:1: error: unknown key 'max_paralel' of a system file with scheduler 'cluster'. Did you mean "
          "'max_parallel'?",
          "s.toml:11:1: error: 'app_secret': found a string, expected an integer.",
          "s.toml:15:1: error: unknown key 'node' of 'partitions[0]'. Did you mean 'nodes'?"));
}

TEST_F(SystemFile, OptionsOfTheSchedulerAreCompleted) {
  const System system = read(cluster_system + "gpus_per_node = \"8\"\n[[partitions]]\nname = \"batch\"\n");
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(system.options.dump(),
            R"({"default_partition":"batch","gpus_per_node":8,)"
            R"("cache_docker_images_locally":false,"partitions":[{"name":"batch","nodes":[]}]})");
}

TEST_F(SystemFile, MissingKeysAreNamed) {
  read("scheduler = \"cluster\"\n");
  EXPECT_THAT(
      problems,
      ElementsAre(
          "s.toml:1:1: error: required key 'name' of a system file with scheduler 'cluster' is missing.",
          "s.toml:1:1: error: required key 'install_path' of a system file with scheduler 'cluster' is missing.",
          "s.toml:1:1: error: required key 'output_path' of a system file with scheduler 'cluster' is missing.",
          "s.toml:1:1: error: required key 'default_partition' of a system file with scheduler 'cluster' is "
          "missing."));
  read("name = \"x\"\ninstall_path = \"i\"\noutput_path = \"o\"\n");
  EXPECT_THAT(problems, ElementsAre("s.toml:1:1: error: required key 'scheduler' of a system file is missing."));
}

TEST_F(SystemFile, SchedulerWithoutModuleLeavesTheCommonKeysChecked) {
  read(
      "name = \"x\"\nscheduler = \"clusterr\"\ninstall_path = \"i\"\noutput_path = \"o\"\nmax_parallel = 0\nanything = "
      "1\n");
  EXPECT_EQ(scheduler, nullptr);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_THAT(problems[0], testing::StartsWith(
                               "s.toml:2:1: error: no module provides scheduler 'clusterr'. Did you mean 'cluster'?"));
  EXPECT_EQ(problems[1], "s.toml:5:1: error: 'max_parallel': found the integer 0, expected at least 1.");
}

TEST_F(SystemFile, PathsAreExpanded) {
  EXPECT_EQ(read("name = \"x\"\nscheduler = \"standalone\"\ninstall_path = \"~/i\"\noutput_path = \"${HOME}/o\"\n")
                .output_path,
            "/home/me/o");
  read("name = \"x\"\nscheduler = \"standalone\"\ninstall_path = \"~/i\"\noutput_path = \"$RESULTS_DIR/out\"\n");
  EXPECT_THAT(problems, ElementsAre("s.toml:4:1: error: 'output_path': the environment variable 'RESULTS_DIR' in "
                                    "'$RESULTS_DIR/out' is not set."));
}

TEST_F(SystemFile, ReportsAreCheckedAgainstTheirReporters) {
  const System system = read(good_system + "[reports.table]\ncolumns = \"2\"\nenable = false\n");
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_EQ(system.reports.size(), 1U);
  EXPECT_FALSE(system.reports[0].enable);
  EXPECT_EQ(system.reports[0].options.dump(), R"({"columns":2})");
  read(good_system + "[reports.table]\nenabel = false\n[reports.table.more]\n");
  EXPECT_THAT(problems,
              ElementsAre("s.toml:6:1: error: unknown option 'enabel' of reporter table. Did you mean 'enable'?",
                          "s.toml:7:16: error: unknown option 'more' of reporter table. It may be one of "
                          "'columns', 'enable'."));
  read(good_system + "[reports.tabel]\n[reports.table]\ncolums = 2\n");
  EXPECT_THAT(
      problems,
      ElementsAre(testing::StartsWith("s.toml:5:10: error: no module provides reporter 'tabel'. Did you mean 'table'?"),
                  "s.toml:7:1: error: unknown option 'colums' of reporter table. Did you mean 'columns'?"));
}

TEST_F(SystemFile, SaysWhereModulesRun) {
  using module::Isolation;
  const System system = read(good_system +
                             "[modules.table]\nisolation = \"in-process\"\n[modules.standalone]\nisolation = "
                             "\"process\"\n[modules.cluster]\n");
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_THAT(system.isolation, ElementsAre(std::pair<const std::string, Isolation>("standalone", Isolation::process),
                                            std::pair<const std::string, Isolation>("table", Isolation::in_process)));
  EXPECT_FALSE(system.options.contains("modules"));
  read(good_system + "[modules.tabel]\nisolation = \"process\"\n[modules.table]\nisolation = \"thread\"\n");
  EXPECT_THAT(problems, ElementsAre("s.toml:5:10: error: no module provides a scheduler, workload or reporter 'tabel'. "
                                    "Did you mean 'table'?",
                                    testing::HasSubstr("s.toml:8:1: error: 'modules.table.isolation'")));
}

}  // namespace
}  // namespace cloudai::config
