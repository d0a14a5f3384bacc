// `cloudai modules new`: what it writes is built and passes `cloudai modules verify` with no edit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> files_below(const fs::path& directory) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(directory).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Ended run_program(const Workspace& workspace, const std::vector<std::string>& command) {
  return Program({command, workspace.root(), {}}, workspace.root()).wait(600s);
}

void expect_success(const Ended& ended) {
  EXPECT_EQ(ended.exit_status, 0) << ended.out << ended.err;
}

class ModuleProject : public testing::TestWithParam<std::string> {};

TEST_P(ModuleProject, IsBuiltAndPassesWithNoEdit) {
  const Workspace workspace;
  expect_success(workspace.cloudai({"modules", "new", "MyThing", "--kind", GetParam()}));
  const std::string project = (workspace.root() / "my_thing").string();
  const std::string build = project + "/build";
  expect_success(run_program(
      workspace,
      {"cmake", "-S", project, "-B", build, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror",
       "-Dcloudai-sdk_DIR=" + (source_directory() / "tests/end_to_end/sdk_in_tree").string(),
       "-DCLOUDAI_EXECUTABLE=" + (build_directory() / "bin/cloudai").string()}));
  expect_success(run_program(workspace, {"cmake", "--build", build}));
  const auto verified = workspace.start({"modules", "verify", build + "/my_thing.so"})->wait(600s);
  EXPECT_EQ(verified.exit_status, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("\n" + GetParam() + std::string(11 - GetParam().size(), ' ') + "ok\n"));

  const std::string system = GetParam() == "scheduler" ? project + "/system.toml" : "";
  if (system.empty()) workspace.system();
  const auto ran = workspace.cloudai({"run", "--module-path", build, "--system-config",
                                      system.empty() ? (workspace.root() / "system.toml").string() : system,
                                      "--tests-dir", project + "/test", "--test-scenario", project + "/scenario.toml"});
  EXPECT_EQ(ran.exit_status, 0) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(Kinds, ModuleProject, testing::Values("workload", "scheduler", "reporter"),
                         [](const auto& instance) { return instance.param; });

TEST(ModulesNew, WritesTheFilesOfAProject) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"modules", "new", "NCCLPing", "--kind", "workload", "--directory", "a/b"});
  expect_success(ended);
  EXPECT_THAT(files_below(workspace.root() / "a/b"),
              testing::ElementsAre("CMakeLists.txt", "README.md", "manifest.json", "nccl_ping.cpp", "scenario.toml",
                                   "test/nccl_ping.toml"));
  EXPECT_THAT(ended.out, HasSubstr("The workload 'NCCLPing' is in a/b. To build and test it:"));
  EXPECT_THAT(read(workspace.root() / "a/b/nccl_ping.cpp"), HasSubstr("class NCCLPing : public cloudai::Workload"));
  for (const auto& file : files_below(workspace.root() / "a/b")) {
    EXPECT_THAT(read(workspace.root() / "a/b" / file), testing::Not(HasSubstr("<<NAME"))) << file;
  }
}

TEST(ModulesNew, OverwritesNothing) {
  const Workspace workspace;
  workspace.write("my_test/README.md", "mine");
  const auto ended = workspace.cloudai({"modules", "new", "MyTest", "--kind", "workload"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err,
              HasSubstr("'my_test' is not empty, and nothing is overwritten. Name another place with --directory."));
  EXPECT_THAT(files_below(workspace.root() / "my_test"), testing::ElementsAre("README.md"));
}

TEST(ModulesNew, RefusesNamesThatAreNone) {
  const Workspace workspace;
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"1st",
       "'1st' is no name for a module: expected letters, digits and '_', a letter first, and at most 64 of them."},
      {"my-test",
       "'my-test' is no name for a module: expected letters, digits and '_', a letter first, and at most 64 of them."},
      {"../up",
       "'../up' is no name for a module: expected letters, digits and '_', a letter first, and at most 64 of them."},
      {"Test", "A module cannot be called 'Test': the build has a target of that name already. Try 'test_module'."}};
  for (const auto& [name, sentence] : refusals) {
    const auto ended = workspace.cloudai({"modules", "new", name, "--kind", "workload"});
    EXPECT_EQ(ended.exit_status, 2) << name;
    EXPECT_THAT(ended.err, HasSubstr(sentence));
  }
  const auto kind = workspace.cloudai({"modules", "new", "MyTest", "--kind", "plugin"});
  EXPECT_EQ(kind.exit_status, 2);
  EXPECT_FALSE(fs::exists(workspace.root() / "my_test"));
}

}  // namespace
}  // namespace end_to_end
