// dry-run is run without submitting: the same bytes, and nothing is started.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void write_scenario(const Workspace& workspace) {
  workspace.system("[global_env_vars]\nGLOBAL = \"one two\"\n");
  workspace.hook_test("check", "touch \"$MARKS/check\"");
  workspace.hook("before", {"check"}, "1m");
  workspace.hook_test("clean", "touch \"$MARKS/clean\"");
  workspace.hook("behind", {"clean"});
  workspace.test("work", "touch \"$MARKS/work\"", "[extra_env_vars]\nGREETING = \"it's\"\n");
  workspace.write(
      "tests/doze.toml",
      "name = \"doze\"\ndescription = \"Sleeps\"\ntest_template_name = \"Sleep\"\n[cmd_args]\nseconds = 0\n");
  workspace.scenario("prologue = \"before\"\nepilogue = \"behind\"\n" +
                     test_case("Tests.1", "work", "iterations = 2\ntime_limit = \"5m\"\n") +
                     test_case("Tests.2", "doze") + after("Tests.1"));
}

// Every file below the directory by its relative path, with what differs between any two runs replaced: the results
// directory's name and the job's tag, 13 characters made from it.
std::map<std::string, std::string> normalised_files(const fs::path& directory) {
  static const std::regex tag(R"(\b[a-z0-9]{13}\b)");
  const std::regex path(directory.string());
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    const auto text = std::regex_replace(read(entry.path()), path, "RESULTS");
    files[fs::relative(entry.path(), directory).string()] = std::regex_replace(text, tag, "TAG");
  }
  return files;
}

TEST(DryRun, StartsNothing) {
  const Workspace workspace;
  write_scenario(workspace);
  const auto ended = workspace.cloudai(workspace.command("dry-run"));
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_TRUE(fs::is_empty(workspace.root() / "marks"));
  EXPECT_THAT(ended.err, HasSubstr("[INFO] Initializing Runner [DRY-RUN] mode"));
}

TEST(DryRun, WritesTheBytesThatRunWrites) {
  const Workspace workspace;
  write_scenario(workspace);
  ASSERT_EQ(workspace.cloudai(workspace.command("dry-run", {"--output-dir", (workspace.root() / "dry").string()}))
                .exit_status,
            0);
  ASSERT_EQ(
      workspace.cloudai(workspace.command("run", {"--output-dir", (workspace.root() / "wet").string()})).exit_status,
      0);
  const auto dry = fs::directory_iterator(workspace.root() / "dry")->path();
  const auto wet = fs::directory_iterator(workspace.root() / "wet")->path();
  const auto dry_files = normalised_files(dry);
  const auto wet_files = normalised_files(wet);

  int rendered = 0;
  for (const auto& [path, text] : dry_files) {
    const fs::path file = path;
    if (!file.has_parent_path()) continue;  // documents about the whole: they tell times
    ASSERT_TRUE(wet_files.count(path) == 1) << path << " is written by dry-run alone";
    EXPECT_EQ(text, wet_files.at(path)) << path;
    ++rendered;
  }
  EXPECT_GE(rendered, 3) << "at least one file a run";
}

TEST(DryRun, WritesWhatIsRenderedForEveryRun) {
  const Workspace workspace;
  write_scenario(workspace);
  ASSERT_EQ(workspace.cloudai(workspace.command("dry-run")).exit_status, 0);
  for (const auto* run : {"Tests.1/0", "Tests.1/1", "Tests.2/0"}) {
    EXPECT_FALSE(fs::is_empty(workspace.results() / run)) << run;
    EXPECT_FALSE(fs::exists(workspace.results() / run / "stdout.txt")) << run;
  }
}

}  // namespace
}  // namespace end_to_end
