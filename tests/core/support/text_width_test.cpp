#include "core/support/text_width.hpp"

#include <gtest/gtest.h>

namespace cloudai {
namespace {

TEST(ColumnsOf, CountsWhatATerminalShows) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("Tests.1"), 7U);
  EXPECT_EQ(columns_of("größe"), 5U);
  EXPECT_EQ(columns_of("試験"), 4U);
  EXPECT_EQ(columns_of("e\u0301"), 1U);  // an accent laid over its letter
  EXPECT_EQ(columns_of("\x1b\xff"), 2U);
}

TEST(FitColumns, LeavesWhatFits) {
  EXPECT_EQ(fit_columns("Tests.1", 7), "Tests.1");
  EXPECT_EQ(fit_columns("試験", 4), "試験");
  EXPECT_EQ(fit_columns("", 0), "");
}

TEST(FitColumns, CutsBetweenCharacters) {
  EXPECT_EQ(fit_columns("Tests.1, Tests.2", 10), "Tests.1...");
  EXPECT_EQ(fit_columns("試験試験", 7), "試験...");
  EXPECT_EQ(fit_columns("試験試験", 6), "試...");
  EXPECT_EQ(fit_columns("e\u0301e\u0301e\u0301e\u0301e\u0301", 4), "e\u0301...");
  for (std::size_t columns = 0; columns < 20; ++columns) {
    EXPECT_LE(columns_of(fit_columns("a試b験e\u0301 größe", columns)), columns);
  }
}

TEST(FitColumns, OfALineThatIsTooNarrowIsAsMuchOfTheDotsAsFits) {
  EXPECT_EQ(fit_columns("Tests.1", 0), "");
  EXPECT_EQ(fit_columns("Tests.1", 2), "..");
}

TEST(FitColumns, ReplacesWhatWouldMoveTheCursor) {
  EXPECT_EQ(fit_columns("a\nb\r\033[2J\x7f\xff", 20), "a?b??[2J??");
  EXPECT_EQ(fit_columns("\xe8\xa9", 5), "??");  // a character cut off
}

TEST(OneLine, HoldsNothingThatActs) {
  EXPECT_EQ(one_line("two\nlines\tof \x1b[31m試験"), "two lines of  [31m試験");
  EXPECT_EQ(one_line("\xC2\x9B"
                     "1m\u202Etxt\xff"),
            "?1m?txt?");
}

TEST(WithoutControls, KeepsLinesAndTabs) {
  EXPECT_EQ(without_controls("two\n\tlines\r\x1b]0;x\x07"), "two\n\tlines  ]0;x ");
}

}  // namespace
}  // namespace cloudai
