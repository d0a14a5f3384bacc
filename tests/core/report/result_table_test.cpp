#include "core/report/result_table.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/core/report/ending_fixture.hpp"
#include "tests/core/scratch_directory.hpp"

namespace cloudai::report {
namespace {

using run::Status;
using testing::Finished;

TEST(ResultTable, ShowsEveryRunAndHowToRepeatAFailure) {
  const testing::ScratchDirectory scratch;
  std::filesystem::create_directories(scratch / "1/0");
  std::ofstream(scratch / "1/0/stdout.txt") << "";
  const Finished finished({Status::passed, Status::failed, Status::skipped});
  const std::string results = scratch.path().string();
  EXPECT_EQ(result_table(finished.ending, scratch.path(), false, "cloudai run --filter"),
            "\nTest  Status   Time   Reason\n"
            "0     PASSED   2.5 s\n"
            "1     FAILED   2.5 s  text of 1\n"
            "2     SKIPPED  -      text of 2\n"
            "\n1 passed, 1 failed, 1 skipped\n"
            "\n1 failed: text of 1\n"
            "  read:  " +
                results +
                "/1/0/stdout.txt\n"
                "  again: cloudai run --filter 1\n");
}

TEST(ResultTable, HasColourOnlyWhenAsked) {
  const Finished finished({Status::passed});
  EXPECT_EQ(result_table(finished.ending, "/r", false, "").find('\033'), std::string::npos);
  EXPECT_NE(result_table(finished.ending, "/r", true, "").find("\033[1;32mPASSED\033[0m"), std::string::npos);
}

TEST(ResultTable, AReasonOfManyLinesStaysOnItsOwn) {
  Finished finished({Status::error});
  finished.ending.records[0].reason.text = "one\ntwo\033[31m";
  const std::string table = result_table(finished.ending, "/r", false, "again");
  EXPECT_NE(table.find("ERROR   2.5 s  one two [31m\n"), std::string::npos) << table;
}

TEST(ResultTable, NothingInItReachesTheTerminal) {
  Finished finished({Status::failed});
  const std::string hostile =
      "\x1b]0;title\x07\x1b[2J\xC2\x9B"
      "31m\u202Etxt\r\xFF";
  finished.configuration.scenario.cases[0].id = "id" + hostile;
  finished.ending.records[0].reason = {"code", "text" + hostile + "\nmore", "hint" + hostile, Json::array()};
  const std::string table = result_table(finished.ending, "/r", false, "again") +
                            failed_reports_text({{"name" + hostile, "reason" + hostile}});
  EXPECT_EQ(table.find_first_of("\x1b\x07\r"), std::string::npos) << table;
  EXPECT_EQ(table.find("\xC2\x9B"), std::string::npos);
  EXPECT_EQ(table.find("\u202E"), std::string::npos);
  EXPECT_EQ(table.find('\xFF'), std::string::npos);
  EXPECT_NE(table.find("id ]0;title  [2J?31m?txt ?  FAILED"), std::string::npos) << table;
  EXPECT_NE(table.find(": text ]0;title  [2J?31m?txt ?\nmore\n  hint ]0;title"), std::string::npos) << table;
}

TEST(ResultTable, NamesIterations) {
  Finished finished({Status::passed});
  finished.configuration.scenario.cases[0].iterations = 3;
  EXPECT_NE(result_table(finished.ending, "/r", false, "").find("0 (iteration 1)"), std::string::npos);
}

TEST(ResultTable, NothingRanIsSaid) {
  EXPECT_NE(result_table(Finished({}).ending, "/r", false, "").find("\nno test ran\n"), std::string::npos);
}

TEST(ResultTable, KeepsItsColumnsBelowWideCharacters) {
  Finished finished({Status::passed, Status::passed});
  finished.configuration.scenario.cases[0].id = "試験";
  EXPECT_NE(result_table(finished.ending, "/r", false, "").find("\n試験  PASSED  2.5 s\n1     PASSED  2.5 s\n"),
            std::string::npos);
}

TEST(FailedReportsText, IsOneLineEach) {
  EXPECT_EQ(failed_reports_text({}), "");
  EXPECT_EQ(failed_reports_text({{"csv", "The disk\nis full."}, {"html", "No."}}),
            "\nReport csv could not be generated: The disk is full.\n\nReport html could not be generated: No.\n");
}

TEST(ShellQuoted, LeavesPlainWordsAndQuotesTheRest) {
  EXPECT_EQ(shell_quoted("conf/a-b_c.toml"), "conf/a-b_c.toml");
  EXPECT_EQ(shell_quoted("two words"), "'two words'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("$HOME"), "'$HOME'");
}

}  // namespace
}  // namespace cloudai::report
