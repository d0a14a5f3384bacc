#include "modules/reporters/markdown/markdown_text.hpp"

#include <gtest/gtest.h>

namespace cloudai::markdown {
namespace {

TEST(Code, IsASpanThatNothingLeaves) {
  EXPECT_EQ(code("busbw"), "`busbw`");
  EXPECT_EQ(code("@ada #12 <b>x</b> [a](http://x)"), "`@ada #12 <b>x</b> [a](http://x)`");
  EXPECT_EQ(code("a `b` c"), "``a `b` c``");
  EXPECT_EQ(code("```sh"), "```` ```sh ````");
  EXPECT_EQ(code("`"), "`` ` ``");
}

TEST(Code, StaysOnItsLine) {
  EXPECT_EQ(code("one\n\n# two\x1b"), "`one  # two␛`");
}

TEST(Code, KeepsBlanksAtBothEnds) {
  EXPECT_EQ(code(" x "), "`  x  `");
  EXPECT_EQ(code("  "), "`  `");
  EXPECT_EQ(code(""), "");
}

TEST(TableCode, EscapesPipes) {
  EXPECT_EQ(table_code("a|b\\|c"), "`a\\|b\\\\|c`");
  EXPECT_EQ(code("a|b"), "`a|b`");
}

}  // namespace
}  // namespace cloudai::markdown
