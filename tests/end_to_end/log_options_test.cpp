// --quiet, --verbose, --log-level and --log-file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class LogOptions : public testing::Test {
 protected:
  LogOptions() {
    workspace.system();
    workspace.test("good", "touch \"$MARKS/good\"");
    workspace.scenario(test_case("Tests.1", "good"));
  }

  void expect_refused(const Ended& ended, const std::string& sentence) {
    EXPECT_EQ(ended.exit_status, 2);
    EXPECT_THAT(ended.err, HasSubstr(sentence));
    EXPECT_FALSE(workspace.marked("good"));
    EXPECT_TRUE(workspace.all_results().empty());
  }

  Workspace workspace;
};

TEST_F(LogOptions, QuietLeavesTheResults) {
  const auto ended = workspace.run({"--quiet"});
  EXPECT_EQ(ended.exit_status, 0);
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, HasSubstr("1 passed"));
  EXPECT_THAT(read(workspace.results() / "debug.log"), HasSubstr(" info Running test: Tests.1"));
}

TEST_F(LogOptions, QuietStillTellsOfFailures) {
  workspace.test("good", "exit 3");
  const auto ended = workspace.run({"--quiet"});
  EXPECT_EQ(ended.exit_status, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("[ERROR] "), Not(HasSubstr("[INFO] "))));
}

TEST_F(LogOptions, VerboseShowsWhatIsElseInTheFileAlone) {
  EXPECT_THAT(workspace.run().err, Not(HasSubstr("[DEBUG] ")));
  EXPECT_THAT(workspace.run({"--verbose"}).err, HasSubstr("[DEBUG] "));
}

TEST_F(LogOptions, TheLevelIsTakenInAnyCaseOnEitherSideOfTheCommand) {
  EXPECT_THAT(workspace.run({"--log-level", "DEBUG"}).err, HasSubstr("[DEBUG] "));
  auto before = workspace.command("run");
  before.insert(before.begin(), "--log-level=Error");
  EXPECT_EQ(workspace.cloudai(before).err, "");
}

TEST_F(LogOptions, AnUnknownLevelIsRefused) {
  expect_refused(workspace.run({"--log-level", "debgu"}),
                 "--log-level: found 'debgu', expected debug, info, warning, error or critical. Did you mean 'debug'?");
}

TEST_F(LogOptions, ExcludeEachOther) {
  expect_refused(workspace.run({"--quiet", "--verbose"}),
                 "[ERROR] --quiet, --verbose and --log-level exclude each other; give one of them.\n");
}

TEST_F(LogOptions, TheFileHasEverythingWhateverTheConsoleShows) {
  workspace.write("all.log", "from before\n");
  const auto ended = workspace.run({"--quiet", "--log-file", "all.log"});
  EXPECT_EQ(ended.exit_status, 0);
  const std::string log = read(workspace.root() / "all.log");
  EXPECT_THAT(log, testing::StartsWith("from before\n"));
  EXPECT_THAT(log, AllOf(HasSubstr(" info System Name: here"), HasSubstr(" debug ")));
  EXPECT_NE(read(workspace.results() / "debug.log"), "");
}

TEST_F(LogOptions, AFileThatCannotBeWrittenIsRefused) {
  expect_refused(workspace.run({"--log-file", "/proc/all.log"}),
                 "[ERROR] --log-file: the log '/proc/all.log' cannot be written: ");
  expect_refused(workspace.run({"--log-file", workspace.root().string()}), "cannot be written: Is a directory.");
  expect_refused(workspace.run({"--log-file", ""}), "--log-file: found an empty text, expected a path.");
}

TEST_F(LogOptions, AreOfEveryCommand) {
  for (const Arguments& command : {Arguments{"verify-configs", "system.toml"}, Arguments{"modules", "list"},
                                   Arguments{"list", "workloads"}, Arguments{"modules", "show", "Sleep"}}) {
    for (const Arguments& options : {Arguments{"--quiet"}, Arguments{"--log-level", "warning"}, Arguments{"--verbose"},
                                     Arguments{"--log-file", "all.log"}}) {
      Arguments all = command;
      all.insert(all.end(), options.begin(), options.end());
      EXPECT_EQ(workspace.cloudai(all).exit_status, 0) << command[0] << " " << options[0];
    }
  }
}

TEST_F(LogOptions, AnEmptyPathNamesItsOption) {
  auto arguments = workspace.command("run");
  for (std::size_t i = 1; i < arguments.size(); i += 2) {
    auto empty = arguments;
    empty[i + 1] = "";
    expect_refused(workspace.cloudai(empty), "Error: " + arguments[i] + ": found an empty text, expected a path.\n");
  }
}

}  // namespace
}  // namespace end_to_end
