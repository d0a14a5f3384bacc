#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class TestFiles : public fixture::ConfigTest {
 protected:
  const std::string uses_reduce = "name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"reduce\"\n";
};

TEST_F(TestFiles, MistakesInTheOneThatIsUsedAreErrors) {
  files.write("tests/reduce.toml",
              "name = \"reduce\"\ntest_template_name = \"Collective\"\nagent = \"x\"\n[cmd_args]\nngpus = 0\n");
  EXPECT_FALSE(load_scenario(uses_reduce));
  EXPECT_THAT(problems,
              ElementsAre("tests/reduce.toml:1:1: error: required key 'description' of a test file is missing.",
                          "tests/reduce.toml:3:1: error: 'agent' is not supported by this version.",
                          "tests/reduce.toml:5:1: error: 'cmd_args.ngpus': found the integer 0, expected at least 1."));
}

TEST_F(TestFiles, OnlyWhatCanBeSweptIsCalledASweep) {
  files.write(
      "tests/reduce.toml",
      "name = [\"reduce\"]\ndescription = \"d\"\ntest_template_name = \"Collective\"\n[extra_env_vars]\nA = [\"1\"]\n");
  EXPECT_FALSE(load_scenario(uses_reduce));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:4:1: error: test 'reduce' is not defined in tests.",
                          "tests/reduce.toml:1:1: error: 'name': found a list, expected a string.",
                          "tests/reduce.toml:5:1: error: 'extra_env_vars.A': found a list, expected a string. Sweeps "
                          "over a list of values are not supported by this version; give one value."));
}

TEST_F(TestFiles, AnOptionThatIsHandedOnAndLooksMisspeltIsAWarning) {
  files.write("tests/free.toml",
              "name = \"free\"\ndescription = \"d\"\ntest_template_name = \"Open\"\n[cmd_args]\ncmdd = 1\nown = 2\n");
  EXPECT_TRUE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"free\"\n"));
  EXPECT_THAT(problems, ElementsAre("tests/free.toml:5:1: warning: 'cmd_args.cmdd' is no option of workload Open and "
                                    "is handed on as it is. Did you mean 'cmd'?"));
}

TEST_F(TestFiles, VariablesThatTheShellKeepsAreRefused) {
  files.write("tests/free.toml",
              "name = \"free\"\ndescription = \"d\"\ntest_template_name = \"Open\"\n"
              "[extra_env_vars]\nUID = \"0\"\n");
  EXPECT_FALSE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"free\"\n"));
  EXPECT_THAT(problems,
              testing::Contains(
                  "tests/free.toml:5:1: error: 'UID' cannot be set: the shell or the script that runs a job keeps "
                  "it to itself."));
}

TEST_F(TestFiles, MistakesInOneThatIsNotUsedAreWarnings) {
  files.write("tests/other.toml",
              "name = \"other\"\ndescription = \"d\"\ntest_template_name = \"Collective\"\n[cmd_args]\nngpus = 0\n");
  files.write("tests/syntax.toml", "name = \n");
  files.write("tests/absent.toml", "name = \"absent\"\ndescription = \"d\"\ntest_template_name = \"NotInstalled\"\n");
  EXPECT_TRUE(load_scenario(uses_reduce));
  EXPECT_THAT(
      problems,
      ElementsAre("tests/other.toml:5:1: warning: 'cmd_args.ngpus': found the integer 0, expected at least 1. (No test "
                  "of this scenario uses the file.)",
                  StartsWith("tests/syntax.toml:1:8: warning: this is not valid TOML: ")));
}

TEST_F(TestFiles, OneThatCannotBeReadIsAnErrorWhenATestIsMissing) {
  files.write("tests/reduce.toml", "name = \"reduce\"\nname = \"again\"\n");
  EXPECT_FALSE(load_scenario(uses_reduce));
  EXPECT_THAT(problems,
              ElementsAre(StartsWith("scenario.toml:4:1: error: test 'reduce' is not defined in tests."),
                          StartsWith("tests/reduce.toml:2:1: error: this is not valid TOML: cannot redefine")));
}

TEST_F(TestFiles, WorkloadThatIsNotInstalledIsNamedOnce) {
  files.write(
      "tests/reduce.toml",
      "name = \"reduce\"\ndescription = \"d\"\ntest_template_name = \"Colective\"\n[extra_env_vars]\nA-B = \"\"\n");
  EXPECT_FALSE(
      load_scenario(uses_reduce + "[[Tests]]\nid = \"b\"\ntest_name = \"reduce\"\n[Tests.cmd_args]\nngpus = 1\n"));
  EXPECT_THAT(
      problems,
      ElementsAre(StartsWith("tests/reduce.toml:3:1: error: no module provides workload 'Colective'. Did you mean "
                             "'Collective'?"),
                  StartsWith("tests/reduce.toml:5:1: error: 'A-B' is no name for an environment variable")));
}

TEST_F(TestFiles, NameTakenTwiceIsAnErrorIfUsed) {
  files.write("tests/again.toml", fixture::reduce_test);
  EXPECT_FALSE(load_scenario(uses_reduce));
  EXPECT_THAT(problems,
              ElementsAre("scenario.toml:4:1: error: test 'reduce' is defined twice: in tests/again.toml and in "
                          "tests/reduce.toml. Rename or remove one."));
  EXPECT_TRUE(load_scenario("name = \"s\"\n[[Tests]]\nid = \"a\"\ntest_name = \"gather\"\n"));
}

TEST_F(TestFiles, BelowTheDirectoryAreNotLookedAt) {
  files.write("tests/deeper/broken.toml", "= = =");
  EXPECT_TRUE(load_scenario(uses_reduce));
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(TestFiles, OutputDirReplacesThatOfTheSystem) {
  paths.output_dir = "elsewhere/../out";
  const auto configuration = load_scenario(uses_reduce);
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->system.output_path, std::filesystem::current_path() / "out");
}

// A schema is compiled, and its regular expressions are, once for all cases. The bound is loose, for builds with
// sanitizers.
TEST_F(TestFiles, AThousandCasesTakeNoTime) {
  std::string scenario = "name = \"s\"\n";
  for (int i = 0; i < 1000; ++i) {
    scenario += "[[Tests]]\nid = \"" + std::to_string(i) +
                "\"\ntest_name = \"reduce\"\n[Tests.cmd_args]\nngpus = " + std::to_string(i + 1) + "\n";
  }
  const std::clock_t before = std::clock();
  const auto configuration = load_scenario(scenario);
  const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->scenario.cases[999].test.cmd_args["ngpus"], 1000);
  EXPECT_LT(seconds, 5);
}

}  // namespace
}  // namespace cloudai::config
