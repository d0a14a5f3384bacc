// Configuration files as users write and break them, read by the real program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Ended run_yaml(const Workspace& workspace) {
  const std::string root = workspace.root().string();
  return workspace.cloudai({"run", "--system-config", root + "/system.yaml", "--tests-dir", root + "/tests",
                            "--test-scenario", root + "/scenario.yml", "--hook-dir", root + "/hooks"});
}

void write_yaml(const Workspace& workspace) {
  const std::string root = workspace.root().string();
  workspace.write("system.yaml", "name: here\nscheduler: standalone\ninstall_path: " + root +
                                     "/install\noutput_path: " + root + "/results\nmonitor_interval: 0.05\n");
  workspace.write("tests/good.yaml",
                  "name: good\ndescription: Leaves its mark\ntest_template_name: BashCmd\n"
                  "cmd_args:\n  cmd: |\n    touch \"$MARKS/good\"\n    [ \"$VERSION\" = 24.10 ]\n"
                  "extra_env_vars:\n  VERSION: 24.10\n");
  workspace.write("hooks/before.yml", "name: before\nTests: [{id: '1', test_name: hook}]\n");
  workspace.write(
      "hooks/test/hook.yaml",
      "name: hook\ndescription: d\ntest_template_name: BashCmd\ncmd_args: {cmd: 'touch \"$MARKS/hook\"'}\n");
  workspace.write("scenario.yml", "name: scenario\nprologue: before\nTests:\n- {id: Tests.1, test_name: good}\n");
}

TEST(Configuration, InYamlRunsAsInToml) {
  const Workspace workspace;
  write_yaml(workspace);
  const auto ended = run_yaml(workspace);
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_TRUE(workspace.marked("good"));
  EXPECT_TRUE(workspace.marked("hook"));
  EXPECT_EQ(workspace.run_of("Tests.1/0")["status"], "passed");
}

// Refused as wrong use, and nothing begun.
std::string refusal_of(const Workspace& workspace) {
  const auto ended = run_yaml(workspace);
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_FALSE(workspace.marked("hook"));
  EXPECT_TRUE(workspace.all_results().empty());
  return ended.err;
}

TEST(Configuration, ThatIsBrokenIsToldWithItsPlace) {
  const Workspace workspace;
  write_yaml(workspace);
  workspace.write("scenario.yml", "name: scenario\nTests:\n- id: Tests.1\n  test_name: good\n  test_name: bad\n");
  EXPECT_THAT(refusal_of(workspace),
              HasSubstr("scenario.yml:5:3: error: key 'test_name' is there twice, first in line 4, column 3."));
  workspace.write("scenario.yml", "name: scenario\nTests:\n- id: Tests.1\n  test_name: goood\n");
  workspace.write("tests/latin1.toml", "name = \"caf\xE9\"\n");
  EXPECT_THAT(
      refusal_of(workspace),
      AllOf(HasSubstr("scenario.yml:4:3: error: test 'goood' is not defined in "),
            HasSubstr("latin1.toml:1:12: error: found the byte 0xE9, which is not UTF-8. Save the file as UTF-8.")));
}

// Whatever is given for a file: an answer, never a wait.
TEST(Configuration, ThatIsNoFileOrNoTextIsRefused) {
  const Workspace workspace;
  write_yaml(workspace);
  const auto scenario = workspace.root() / "scenario.yml";
  using namespace std::string_view_literals;
  workspace.write("scenario.yml", "\xFF\xFEn\0a\0"sv);
  EXPECT_THAT(refusal_of(workspace),
              HasSubstr("scenario.yml:1:1: error: the file is in UTF-16, expected UTF-8. Save it as UTF-8."));
  workspace.write("scenario.yml", "a: " + std::string(1000000, '['));
  EXPECT_THAT(refusal_of(workspace), HasSubstr("tables and lists are nested more than 64 deep."));
  std::filesystem::resize_file(scenario, std::uintmax_t{1} << 36U);
  EXPECT_THAT(refusal_of(workspace), HasSubstr("it is larger than 16 MiB."));
  std::filesystem::remove(scenario);
  ASSERT_EQ(mkfifo(scenario.c_str(), 0600), 0);
  EXPECT_THAT(refusal_of(workspace), HasSubstr("it is not a regular file."));
}

}  // namespace
}  // namespace end_to_end
