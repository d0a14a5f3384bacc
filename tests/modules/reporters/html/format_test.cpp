#include "modules/reporters/html/format.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cloudai::html {
namespace {

TEST(Escape, TakesTheMeaningOutOfMarkup) {
  EXPECT_EQ(escape("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escape("]]>"), "]]&gt;");
}

TEST(Escape, ReplacesWhatMayNotStandOnThePage) {
  EXPECT_EQ(escape(std::string("a\0b\x1b\x7f", 5)), "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(escape("\uFFFE\uFFFF"), "\uFFFD\uFFFD");
  EXPECT_EQ(escape("a\u202Eb\u2066c"), "a\uFFFDb\uFFFDc");
  EXPECT_EQ(escape("two\nlines\tä µ 日本 \uFFFD\u2026"), "two\nlines\tä µ 日本 \uFFFD\u2026");
}

TEST(NumberText, HasFourDigitsOrTheWholePart) {
  EXPECT_EQ(number_text(302.8619), "302.9");
  EXPECT_EQ(number_text(17179.4), "17179");
  EXPECT_EQ(number_text(0.01234), "0.01234");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(-4.2), "-4.2");
  EXPECT_EQ(number_text(6.02e23), "6.02e+23");
}

TEST(BytesText, CountsInPowersOf1024) {
  EXPECT_EQ(bytes_text(8), "8 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(17179869184.0), "16 GiB");
}

TEST(DurationText, ReadsLikeAClock) {
  EXPECT_EQ(duration_text(0.25), "0.25 s");
  EXPECT_EQ(duration_text(12.34), "12.3 s");
  EXPECT_EQ(duration_text(72), "1 min 12 s");
  EXPECT_EQ(duration_text(3600), "1 h");
  EXPECT_EQ(duration_text(3723.4), "1 h 2 min 3 s");
}

TEST(QuantityText, KnowsTheUnits) {
  EXPECT_EQ(quantity_text(4.2, "GB/s"), "4.2 GB/s");
  EXPECT_EQ(quantity_text(14.5, "us"), "14.5 µs");
  EXPECT_EQ(quantity_text(1048576, "B"), "1 MiB");
  EXPECT_EQ(quantity_text(72, "s"), "1 min 12 s");
  EXPECT_EQ(quantity_text(3, "1"), "3");
}

TEST(LabelsText, SaysFirstWhatACollectiveWasMeasuredOn) {
  EXPECT_EQ(labels_text({{"collective", "all_reduce"}, {"placement", "in"}, {"root", "3"}, {"size", "1048576"}}),
            "all_reduce, 1 MiB, in place, root 3");
  EXPECT_EQ(labels_text({{"placement", "out"}}), "out of place");
  EXPECT_EQ(labels_text({{"placement", "beside"}, {"size", "8 rows"}}), "8 rows, placement beside");
  EXPECT_EQ(labels_text({}), "");
}

TEST(Columns, HaveTheirUnitInTheirNameWhereItIsNotTold) {
  EXPECT_EQ(unit_of_column("Busbw (GB/s) In-place", ""), "GB/s");
  EXPECT_EQ(unit_of_column("Size (B)", ""), "B");
  EXPECT_EQ(unit_of_column("Size (rows)", ""), "");
  EXPECT_EQ(unit_of_column("Size (B)", "us"), "us");
  EXPECT_EQ(without_unit("Size (B)", "B"), "Size");
  EXPECT_EQ(without_unit("Size (B) all", "B"), "Size (B) all");
  EXPECT_EQ(without_unit("Size", "B"), "Size");
}

TEST(TimeText, IsReadable) {
  EXPECT_EQ(time_text("2026-03-01T12:00:00.000Z"), "2026-03-01 12:00:00 UTC");
  EXPECT_EQ(time_text("yesterday"), "yesterday");
  EXPECT_EQ(time_text(""), "");
}

TEST(Link, IsAlwaysRelative) {
  EXPECT_EQ(link("Tests.1/0/stdout.txt"), "./Tests.1/0/stdout.txt");
  EXPECT_EQ(link("javascript:alert(1)"), "./javascript%3Aalert%281%29");
  EXPECT_EQ(link("a b/\"<#?%ä"), "./a%20b/%22%3C%23%3F%25%C3%A4");
}

TEST(Format, WordsForAShell) {
  EXPECT_EQ(shell_word("conf/system.toml"), "conf/system.toml");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(reboot)"), "'$(reboot)'");
  EXPECT_EQ(shell_word("~"), "'~'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace cloudai::html
