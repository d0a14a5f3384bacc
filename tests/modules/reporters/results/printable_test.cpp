#include "modules/reporters/results/printable.hpp"

#include <gtest/gtest.h>

namespace cloudai::results {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(printable("two lines\n\tof 試験 and 🚀 <&>"), "two lines\n\tof 試験 and 🚀 <&>");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsWhatWouldAct) {
  EXPECT_EQ(printable(std::string_view("a\0b\x1b[31m\r\x7f", 10)), "a␀b␛[31m␍␡");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "<U+009B>31m");
  EXPECT_EQ(printable("\u202Etxt.exe\u2066 \u2028"), "<U+202E>txt.exe<U+2066> <U+2028>");
}

TEST(Printable, ReplacesWhatIsNoCharacter) {
  EXPECT_EQ(printable("a\xFF\xC3"), "a\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xC0\xAF"), "\uFFFD\uFFFD");                    // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD");                      // a surrogate
  EXPECT_EQ(printable("\xEF\xBF\xBE|\xEF\xBF\xBF"), "\uFFFD|\uFFFD");  // what XML forbids
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\uFFFD");
}

TEST(PrintableLine, IsOneLine) {
  EXPECT_EQ(printable_line("one\n\ttwo\r"), "one  two␍");
}

}  // namespace
}  // namespace cloudai::results
