// Values of environment variables reach the test byte for byte.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;

// What `env -0` wrote.
std::map<std::string, std::string> environment_in(const fs::path& file) {
  std::map<std::string, std::string> result;
  std::istringstream entries(read(file));
  for (std::string entry; std::getline(entries, entry, '\0');) {
    const auto equals = entry.find('=');
    result[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return result;
}

TEST(Environment, ValuesArriveByteForByte) {
  const Workspace workspace;
  workspace.system();
  workspace.test("print", "env -0 > \"$MARKS/environment\"", R"toml(
[extra_env_vars]
PLAIN = "1"
SPACES = "  value with  spaces "
COMMA = "name_0,name_1"
QUOTE = "say \"hi\" it's"
NEWLINE = "a\nb\n"
PAREN = "64(x2)"
SEMI = "a;b&c|d>e<f"
GLOB = "*?[a]~{b}!#"
TAB = "a\tb"
UNICODE = "größe-α"
EMPTY = ""
BACKSLASH = 'C:\temp\x'
PERCENT = "%s%n"
BACKTICK = "`id`"
EQUALS = "a=b=c"
LITERAL_DOLLAR = '\$HOME'
EXPANDED = '$PLAIN and ${SPACES}'
COMMAND = '$(printf "%s-%s" one two)'
)toml");
  workspace.scenario(test_case("Tests.1", "print"));
  const auto ended = workspace.run();
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  const auto environment = environment_in(workspace.marker("environment"));
  const std::map<std::string, std::string> expected{
      {"PLAIN", "1"},
      {"SPACES", "  value with  spaces "},
      {"COMMA", "name_0,name_1"},
      {"QUOTE", "say \"hi\" it's"},
      {"NEWLINE", "a\nb\n"},
      {"PAREN", "64(x2)"},
      {"SEMI", "a;b&c|d>e<f"},
      {"GLOB", "*?[a]~{b}!#"},
      {"TAB", "a\tb"},
      {"UNICODE", "größe-α"},
      {"EMPTY", ""},
      {"BACKSLASH", "C:\\temp\\x"},
      {"PERCENT", "%s%n"},
      {"BACKTICK", "`id`"},
      {"EQUALS", "a=b=c"},
      {"LITERAL_DOLLAR", "$HOME"},
      {"EXPANDED", "1 and   value with  spaces "},
      {"COMMAND", "one-two"},
  };
  for (const auto& [name, value] : expected) {
    ASSERT_EQ(environment.count(name), 1U) << name;
    EXPECT_EQ(environment.at(name), value) << name;
  }
}

TEST(Environment, TheTestsValueWinsOverTheSystemsAndTheCasesOverBoth) {
  const Workspace workspace;
  workspace.system("[global_env_vars]\nA = \"system\"\nB = \"system\"\nC = \"system\"\n");
  workspace.test("print", "env -0 > \"$MARKS/environment\"", "[extra_env_vars]\nB = \"test\"\nC = \"test\"\n");
  workspace.scenario(test_case("Tests.1", "print", "[Tests.extra_env_vars]\nC = \"case\"\n"));
  ASSERT_EQ(workspace.run().exit_status, 0);
  const auto environment = environment_in(workspace.marker("environment"));
  EXPECT_EQ(environment.at("A"), "system");
  EXPECT_EQ(environment.at("B"), "test");
  EXPECT_EQ(environment.at("C"), "case");
}

TEST(Environment, TellsTheStepWhereItRuns) {
  const Workspace workspace;
  workspace.system();
  workspace.test("print", "env -0 > \"$MARKS/environment\"");
  workspace.scenario(test_case("Tests.1", "print"));
  ASSERT_EQ(workspace.run().exit_status, 0);
  const auto environment = environment_in(workspace.marker("environment"));
  EXPECT_EQ(environment.at("CLOUDAI_RUN_DIR"), (workspace.results() / "Tests.1/0").string());
  EXPECT_EQ(environment.at("CLOUDAI_NUM_NODES"), "1");
  EXPECT_EQ(environment.at("CLOUDAI_NODE_RANK"), "0");
  EXPECT_EQ(environment.at("CLOUDAI_MASTER_NODE"), environment.at("CLOUDAI_NODE_LIST"));
}

// The files of the results that hold the text.
std::vector<fs::path> files_with(const Workspace& workspace, const std::string& text) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(workspace.results())) {
    if (entry.is_regular_file() && read(entry.path()).find(text) != std::string::npos) found.push_back(entry.path());
  }
  return found;
}

TEST(Environment, AVariableIsHandedOnByNameAndItsValueStandsInNoFile) {
  const Workspace workspace;
  workspace.system("pass_env = [\"HF_TOKEN\"]\n[global_env_vars]\nGITLAB_TOKEN = \"from the system\"\n");
  workspace.test("print", "env -0 > \"$MARKS/environment\"", "");
  workspace.write("tests/print.toml",
                  "name = \"print\"\ndescription = \"x\"\ntest_template_name = \"BashCmd\"\npass_env = "
                  "[\"GITLAB_TOKEN\"]\n[cmd_args]\ncmd = 'env -0 > \"$MARKS/environment\"'\n");
  workspace.scenario(test_case("Tests.1", "print"));
  const std::map<std::string, std::string> environment{{"HF_TOKEN", "hunter2 'of'\nHF"}, {"GITLAB_TOKEN", "hunter2 b"}};
  const auto ended = workspace.cloudai(workspace.command("run"), environment);
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(environment_in(workspace.marker("environment")).at("HF_TOKEN"), "hunter2 'of'\nHF");
  EXPECT_EQ(environment_in(workspace.marker("environment")).at("GITLAB_TOKEN"), "hunter2 b");
  EXPECT_THAT(files_with(workspace, "hunter2"), testing::IsEmpty());
  EXPECT_THAT(ended.out + ended.err, testing::Not(testing::HasSubstr("hunter2")));
}

TEST(Environment, AVariableToHandOnThatIsNotSetIsAnErrorBeforeAnythingStarts) {
  const Workspace workspace;
  workspace.system("pass_env = [\"NO_SUCH_TOKEN_A\", \"PATH\", \"NO_SUCH_TOKEN_B\"]\n");
  workspace.test("print", "true");
  workspace.scenario(test_case("Tests.1", "print"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, testing::HasSubstr("[ERROR] 'pass_env' hands on 'NO_SUCH_TOKEN_A', 'NO_SUCH_TOKEN_B', which "
                                            "the environment of cloudai does not have. Export it before cloudai is "
                                            "started, or remove its name.\n"));
  EXPECT_FALSE(fs::exists(workspace.results() / "Tests.1"));
  EXPECT_EQ(workspace.cloudai(workspace.command("dry-run")).exit_status, 0);
}

TEST(Environment, ASecretAmongTheArgumentsStandsInTheScriptAlone) {
  const Workspace workspace;
  workspace.system();
  workspace.write("tests/collective.toml",
                  "name = \"collective\"\ndescription = \"x\"\ntest_template_name = \"NcclTest\"\n[cmd_args]\n"
                  "subtest_name = \"all_reduce_perf_mpi\"\n[extra_cmd_args]\n\"--api-key\" = \"hunter2\"\n");
  workspace.scenario(test_case("Tests.1", "collective"));
  const auto ended = workspace.cloudai(workspace.command("dry-run"));
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(files_with(workspace, "hunter2"), testing::ElementsAre(workspace.results() / "Tests.1/0/cloudai_run.sh"));
  EXPECT_THAT(ended.err, testing::HasSubstr("--api-key redacted"));
  EXPECT_THAT(ended.err, testing::Not(testing::HasSubstr("hunter2")));
}

TEST(Environment, AListOfValuesIsRefused) {
  const Workspace workspace;
  workspace.system();
  workspace.test("print", "true", "[extra_env_vars]\nNCCL_ALGO = [\"Ring\", \"Tree\"]\n");
  workspace.scenario(test_case("Tests.1", "print"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err,
              testing::HasSubstr("'extra_env_vars.NCCL_ALGO': found a list, expected a string. Sweeps over a "
                                 "list of values are not supported by this version; give one value."));
}

TEST(Environment, ValuesOfSecretsStandInNoDocumentAndNoOpenFile) {
  const Workspace workspace;
  workspace.system();
  workspace.test("print", "true", "[extra_env_vars]\nHF_TOKEN = \"hunter2-secret\"\n");
  workspace.scenario(test_case("Tests.1", "print"));
  const auto ended = workspace.run();
  ASSERT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ((ended.out + ended.err).find("hunter2-secret"), std::string::npos);
  for (const auto& entry : fs::recursive_directory_iterator(workspace.results())) {
    if (!entry.is_regular_file() || read(entry.path()).find("hunter2-secret") == std::string::npos) continue;
    const auto open = entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all);
    EXPECT_EQ(open, fs::perms::none) << entry.path() << " holds the secret and is open to others";
    EXPECT_NE(entry.path().extension(), ".json") << entry.path();
    EXPECT_NE(entry.path().filename(), "debug.log");
  }
}

}  // namespace
}  // namespace end_to_end
