// The commands that run no test: help, version, modules, verify-configs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Help : public testing::TestWithParam<Arguments> {};

TEST_P(Help, IsOnStdoutWithUsage) {
  const Workspace workspace;
  auto arguments = GetParam();
  arguments.emplace_back("--help");
  const auto ended = workspace.cloudai(arguments);
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Usage: "), HasSubstr("--help")));
  EXPECT_EQ(ended.err, "");
}

std::string name_of(const testing::TestParamInfo<Arguments>& command) {
  std::string name = "cloudai";
  for (const auto& word : command.param) name += "_" + std::regex_replace(word, std::regex("-"), "_");
  return name;
}

INSTANTIATE_TEST_SUITE_P(OfEveryCommand, Help,
                         testing::Values(Arguments{}, Arguments{"run"}, Arguments{"dry-run"},
                                         Arguments{"verify-configs"}, Arguments{"modules"},
                                         Arguments{"modules", "list"}, Arguments{"modules", "show"},
                                         Arguments{"generate-report"}, Arguments{"compare"}, Arguments{"list"},
                                         Arguments{"list", "reports"}, Arguments{"list", "agents"}),
                         name_of);

TEST(CommandLine, HelpNamesTheCommandsAndShowsExamples) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"--help"});
  for (const auto* command : {"run", "dry-run", "verify-configs", "generate-report", "compare", "list", "modules"})
    EXPECT_THAT(ended.out, HasSubstr(command));
  EXPECT_THAT(ended.out, HasSubstr("Example"));
}

TEST(CommandLine, VersionIsOneLine) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"--version"});
  EXPECT_EQ(ended.exit_status, 0);
  EXPECT_TRUE(std::regex_match(ended.out, std::regex("\\S.* \\d+\\.\\d+\\.\\d+\n"))) << ended.out;
}

TEST(CommandLine, WithoutACommandIsWrongUse) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("Usage: "));
}

TEST(CommandLine, SystemConfigMayComeFromTheEnvironment) {
  const Workspace workspace;
  workspace.system();
  workspace.test("good", "true");
  workspace.scenario(test_case("Tests.1", "good"));
  auto arguments = workspace.command("run");
  arguments.erase(arguments.begin() + 1, arguments.begin() + 3);
  EXPECT_EQ(workspace.cloudai(arguments).exit_status, 2);
  const auto ended =
      workspace.cloudai(arguments, {{"CLOUDAI_SYSTEM_CONFIG", (workspace.root() / "system.toml").string()}});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
}

TEST(Modules, ListNamesEveryBuiltInModule) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"modules", "list"});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  for (const auto* name :
       {"standalone", "NcclTest", "Sleep", "BashCmd", "csv", "html", "junit", "markdown", "tarball"}) {
    EXPECT_THAT(ended.out, HasSubstr(name));
  }
  EXPECT_EQ(ended.err, "");
}

TEST(Modules, ListAsJsonIsOneDocument) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"modules", "list", "--json"});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_TRUE(Json::accept(ended.out)) << ended.out;
}

TEST(Modules, ShowTellsTheOptions) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"modules", "show", "NcclTest"});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  for (const auto* text : {"minbytes", "warmup_iters", "32M", "busbw"}) EXPECT_THAT(ended.out, HasSubstr(text));
}

TEST(Modules, ShowOfAnUnknownNameNamesTheNearest) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"modules", "show", "NcclTst"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("Did you mean 'NcclTest'?"));
}

TEST(VerifyConfigs, PassesGoodFilesAndRunsNothing) {
  const Workspace workspace;
  workspace.system();
  workspace.test("good", "touch \"$MARKS/good\"");
  workspace.scenario(test_case("Tests.1", "good"));
  const auto ended = workspace.cloudai({"verify-configs", workspace.root().string()});
  EXPECT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  EXPECT_FALSE(workspace.marked("good"));
  EXPECT_FALSE(fs::exists(workspace.output()));
}

TEST(VerifyConfigs, NamesThePlaceOfEveryProblem) {
  const Workspace workspace;
  workspace.system();
  workspace.test("good", "true", "cdm = \"x\"\n");
  workspace.scenario(test_case("Tests.1", "goood"));
  const auto ended = workspace.cloudai({"verify-configs", workspace.root().string()});
  EXPECT_EQ(ended.exit_status, 1);
  EXPECT_THAT(ended.out + ended.err, AllOf(HasSubstr("tests/good.toml:6:1"), HasSubstr("scenario.toml:4:")));
}

TEST(VerifyConfigs, PassesTheExamples) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"verify-configs", "conf"}, {}, source_directory());
  EXPECT_EQ(ended.exit_status, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out + ended.err, Not(HasSubstr(": error: ")));
}

}  // namespace
}  // namespace end_to_end
