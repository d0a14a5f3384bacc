#include "core/config/hooks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

const std::string wrapped = "name = \"s\"\nprologue = \"before\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n";

class Hooks : public fixture::ConfigTest {
 protected:
  Hooks() { unsetenv("CLOUDAI_HOOK_DIR"); }
  ~Hooks() override { unsetenv("CLOUDAI_HOOK_DIR"); }

  // A hook scenario of one test.
  void write_hook(const std::string& path, const std::string& name, const std::string& test = "gather",
                  const std::string& more = "") {
    files.write(path, "name = \"" + name + "\"\n[[Tests]]\nid = \"1\"\ntest_name = \"" + test + "\"\n" + more);
  }
};

TEST_F(Hooks, TestsOfAllHooksComeInOrder) {
  files.write("scenarios/s.toml",
              "name = \"s\"\nprologue = [\"before\", \"also\"]\nepilogue = \"after\"\n[[Tests]]\nid = \"a\"\ntest_name "
              "= \"reduce\"\n");
  write_hook("hook/1.toml", "after");
  write_hook("hook/2.toml", "before", "reduce",
             "time_limit = \"5m\"\n[[Tests]]\nid = \"2\"\ntest_name = \"gather\"\nnum_nodes = 1\n");
  write_hook("hook/3.toml", "also", "free");
  paths.test_scenario = "scenarios/s.toml";
  const auto configuration = load();
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(configuration);
  const Scenario& scenario = configuration->scenario;
  EXPECT_THAT(scenario.prologue_names, ElementsAre("before", "also"));
  EXPECT_THAT(scenario.epilogue_names, ElementsAre("after"));
  ASSERT_EQ(scenario.prologue.size(), 3U);
  EXPECT_EQ(scenario.prologue[0].hook, "before");
  EXPECT_EQ(scenario.prologue[0].test.name, "reduce");
  EXPECT_EQ(scenario.prologue[0].num_nodes, std::nullopt);
  EXPECT_EQ(scenario.prologue[0].time_limit, std::chrono::minutes(5));
  EXPECT_EQ(scenario.prologue[1].test.name, "gather");
  EXPECT_EQ(scenario.prologue[1].num_nodes, 1);
  EXPECT_EQ(scenario.prologue[2].test.name, "free");
  ASSERT_EQ(scenario.epilogue.size(), 1U);
  EXPECT_THAT(configuration->files,
              ElementsAre("system.toml", "scenarios/s.toml", "hook/2.toml", "hook/3.toml", "hook/1.toml",
                          "tests/free.toml", "tests/gather.toml", "tests/reduce.toml"));
}

TEST_F(Hooks, TestsBesideTheHookWin) {
  write_hook("hook/before.toml", "before", "reduce");
  files.write("hook/test/reduce.toml",
              "name = \"reduce\"\ndescription = \"The hook's.\"\ntest_template_name = \"Open\"\n");
  const auto configuration = load_scenario(wrapped);
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->scenario.prologue[0].test.description, "The hook's.");
  EXPECT_EQ(configuration->scenario.cases[0].test.description, "Reduces.");
}

TEST_F(Hooks, OldNamesAreAliases) {
  write_hook("hook/before.toml", "before");
  const auto configuration = load_scenario(
      "name = \"s\"\npre_test = \"before\"\npost_test = \"\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n");
  ASSERT_TRUE(configuration);
  EXPECT_THAT(configuration->scenario.prologue_names, ElementsAre("before"));
  EXPECT_TRUE(configuration->scenario.epilogue_names.empty());

  EXPECT_FALSE(load_scenario("pre_test = \"before\"\n" + wrapped));
  EXPECT_THAT(
      problems,
      ElementsAre(
          "scenario.toml:1:1: error: 'pre_test' is another name of 'prologue', which is given, too. Give one of "
          "them."));
}

TEST_F(Hooks, PlacesAreSearchedInOrder) {
  files.write("scenarios/s.toml", wrapped);
  paths.test_scenario = "scenarios/s.toml";
  const auto found_in = [&]() -> std::string {
    const auto configuration = load();
    return configuration ? configuration->scenario.prologue.at(0).test.description : problems.at(0);
  };
  const auto add = [&](const std::string& directory) {
    write_hook(directory + "/h.toml", "before", "own");
    files.write(directory + "/test/own.toml",
                "name = \"own\"\ndescription = \"" + directory + "\"\ntest_template_name = \"Open\"\n");
  };
  add("conf/hook");
  EXPECT_EQ(found_in(), "conf/hook");
  add("scenarios/hook");
  EXPECT_EQ(found_in(), "scenarios/hook");
  add("hook");
  EXPECT_EQ(found_in(), "hook");
  add("variable");
  setenv("CLOUDAI_HOOK_DIR", "variable", 1);
  EXPECT_EQ(found_in(), "variable");
  add("option");
  paths.hook_dir = "option";
  EXPECT_EQ(found_in(), "option");
}

// From any working directory.
TEST_F(Hooks, BesideTheScenarioAreFoundFromElsewhere) {
  files.write("scenarios/s.toml", wrapped);
  write_hook("hook/h.toml", "before");
  const std::filesystem::path root = files.root();
  paths = {root / "system.toml", root / "scenarios/s.toml", root / "tests", {}, {}};
  std::filesystem::current_path("/");
  EXPECT_TRUE(load());
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(Hooks, OneThatIsMissingListsThePlacesSearched) {
  files.write("scenarios/s.toml", wrapped);
  paths.test_scenario = "scenarios/s.toml";
  paths.hook_dir = "option";
  write_hook("option/h.toml", "befor");
  write_hook("hook/h.toml", "other");
  files.write("hook/broken.toml", "name = \n");
  EXPECT_FALSE(load());
  EXPECT_THAT(
      problems,
      ElementsAre(
          StartsWith("hook/broken.toml:1:8: warning: this is not valid TOML: "),
          "scenarios/s.toml:2:1: error: prologue 'before': no hook scenario has this name. Did you mean 'befor'? "
          "Searched: "
          "option, hook, without broken.toml (which has errors), scenarios/hook (not there), conf/hook (not there)."));
}

TEST_F(Hooks, WithoutAHookNoPlaceIsLookedAt) {
  files.write("hook/broken.toml", "name = \n");
  EXPECT_TRUE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n"));
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(Hooks, DirectoryGivenMustExist) {
  paths.hook_dir = "nowhere";
  EXPECT_FALSE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n"));
  EXPECT_THAT(problems, ElementsAre("error: --hook-dir: nowhere does not exist."));
}

TEST_F(Hooks, NameTakenTwiceInOnePlaceIsAnError) {
  write_hook("hook/a.toml", "before");
  write_hook("hook/b.toml", "before");
  EXPECT_FALSE(load_scenario(wrapped));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:2:1: error: prologue 'before': two hook scenarios have this name, hook/a.toml and "
                  "hook/b.toml. Rename or remove one."));
}

TEST_F(Hooks, HaveNoHooksOfTheirOwn) {
  files.write(
      "hook/h.toml",
      "name = \"before\"\nprologue = [\"before\"]\npost_test = \"x\"\n[[Tests]]\nid = \"1\"\ntest_name = \"gather\"\n");
  EXPECT_FALSE(load_scenario(wrapped));
  EXPECT_THAT(problems, ElementsAre("hook/h.toml:2:13: error: a hook cannot have hooks of its own, such as 'before'.",
                                    "hook/h.toml:3:1: error: a hook cannot have hooks of its own, such as 'x'."));
}

TEST_F(Hooks, WhatHasNoMeaningInAHookIsAWarningOrAnError) {
  files.write("hook/h.toml", R"(name = "before"
job_status_check = false
[[Tests]]
id = "1"
test_name = "gather"
iterations = 2
[[Tests]]
id = "2"
test_name = "gather"
name = "a/b"
[[Tests.dependencies]]
type = "start_post_comp"
id = "1"
)");
  EXPECT_FALSE(load_scenario(wrapped));
  EXPECT_THAT(
      problems,
      ElementsAre(
          "hook/h.toml:2:1: warning: 'job_status_check' has no meaning in a hook and is ignored.",
          "hook/h.toml:3:1: warning: hook test '1': 'iterations' is ignored; a hook's test runs once.",
          "hook/h.toml:7:1: warning: hook test '2': 'dependencies' are ignored; a hook's tests run in the order of the "
          "file.",
          "hook/h.toml:7:1: error: the name \"a/b\" of a hook's test contains a slash. Its results stand in a "
          "directory "
          "of this name; choose another name."));
}

TEST_F(Hooks, WantNoMoreNodesThanTheirRunHas) {
  files.write("system.toml", fixture::cluster_system);
  write_hook("hook/h.toml", "before", "gather", "num_nodes = 4\n");
  EXPECT_FALSE(
      load_scenario(wrapped + "num_nodes = 2\n[[Tests]]\nid = \"b\"\ntest_name = \"reduce\"\nnum_nodes = 4\n"));
  EXPECT_THAT(
      problems,
      ElementsAre("scenario.toml:3:1: error: test 'a' runs on 2 nodes, but test 'gather' of its hook 'before' wants 4 "
                  "nodes."));
  write_hook("hook/h.toml", "before", "gather", "nodes = [\"x\"]\n");
  EXPECT_FALSE(load_scenario(wrapped));
  EXPECT_THAT(
      problems,
      ElementsAre("hook/h.toml:2:1: error: hook test '1': a hook's test runs on nodes of the run it belongs to; give "
                  "'num_nodes' at most."));
}

TEST_F(Hooks, MistakesInAHookAreFoundThere) {
  write_hook("hook/h.toml", "before", "gatherr", "num_nodes = 2\nfoo = 1\n");
  EXPECT_FALSE(load_scenario(wrapped));
  EXPECT_THAT(
      problems,
      ElementsAre("hook/h.toml:4:1: error: test 'gatherr' is not defined in tests. Did you mean 'gather'?",
                  "hook/h.toml:5:1: error: scheduler 'standalone' runs on one node; num_nodes is 2.",
                  StartsWith("hook/h.toml:6:1: error: unknown key 'foo' of test '1'. It may be one of 'id', ")));
}

}  // namespace
}  // namespace cloudai::config
