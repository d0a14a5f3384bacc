#include "modules/reporters/csv/csv_text.hpp"

#include <gtest/gtest.h>

namespace cloudai::csv {
namespace {

TEST(TextCell, IsPlainWhereItCanBe) {
  EXPECT_EQ(text_cell("busbw in-place; 4.2 GB/s 'x' <&>"), "busbw in-place; 4.2 GB/s 'x' <&>");
  EXPECT_EQ(text_cell(""), "");
}

TEST(TextCell, IsQuotedWhereItMustBe) {
  EXPECT_EQ(text_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(text_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(text_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(text_cell("a\rb"), "\"a\rb\"");
}

TEST(TextCell, IsNoFormula) {
  EXPECT_EQ(text_cell("=1+1"), "'=1+1");
  EXPECT_EQ(text_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(text_cell("-n 4"), "'-n 4");
  EXPECT_EQ(text_cell("+cmd|x"), "'+cmd|x");
  EXPECT_EQ(text_cell("\t=1"), "'\t=1");
  EXPECT_EQ(text_cell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
}

TEST(TextCell, IsNoFormulaInAnyDisguise) {
  EXPECT_EQ(text_cell("\n=1"), "\"'\n=1\"");
  EXPECT_EQ(text_cell("＝1+1"), "'＝1+1");
  EXPECT_EQ(text_cell("＠SUM"), "'＠SUM");
  EXPECT_EQ(text_cell("-1+cmd|' /C calc'!A0"), "'-1+cmd|' /C calc'!A0");
}

TEST(TextCell, KeepsTextThatIsANumber) {
  EXPECT_EQ(text_cell("-1"), "-1");
  EXPECT_EQ(text_cell("-4.2e-05"), "-4.2e-05");
  EXPECT_EQ(text_cell("+1.5e3"), "+1.5e3");
}

TEST(JsonCell, ShowsEveryKindOfValue) {
  EXPECT_EQ(json_cell(Json(17179869184)), "17179869184");
  EXPECT_EQ(json_cell(Json(-4)), "-4");
  EXPECT_EQ(json_cell(Json(302.862)), "302.862");
  EXPECT_EQ(json_cell(Json(nullptr)), "");
  EXPECT_EQ(json_cell(Json(true)), "true");
  EXPECT_EQ(json_cell(Json("=x")), "'=x");
}

TEST(NumberCell, LosesNothing) {
  EXPECT_EQ(number_cell(0.1), "0.1");
  EXPECT_EQ(number_cell(1e6), "1000000.0");
}

TEST(Line, JoinsItsCells) {
  EXPECT_EQ(line({"a", "", "c"}), "a,,c\n");
  EXPECT_EQ(line({}), "\n");
  EXPECT_EQ(line({""}), "\"\"\n");
}

}  // namespace
}  // namespace cloudai::csv
