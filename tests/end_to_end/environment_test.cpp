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
