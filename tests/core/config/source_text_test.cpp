#include "core/config/source_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using namespace std::string_view_literals;
using testing::ElementsAre;

std::vector<std::string> problems_of(std::string_view content) {
  Diagnostics diagnostics;
  const auto text = as_text(content, std::make_shared<const std::string>("f"), diagnostics);
  EXPECT_EQ(text.has_value(), !diagnostics.has_errors());
  return fixture::shown(diagnostics);
}

TEST(SourceText, TakesUtf8AndLeavesOutItsByteOrderMark) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<const std::string>("f");
  EXPECT_EQ(as_text("\xEF\xBB\xBF\ta: ü€😀\r\n", file, diagnostics), "\ta: ü€😀\r\n");
  EXPECT_EQ(as_text("", file, diagnostics), "");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(SourceText, OtherEncodingsAreNamed) {
  const char* const utf16 = "f:1:1: error: the file is in UTF-16, expected UTF-8. Save it as UTF-8.";
  EXPECT_THAT(problems_of("\xFF\xFE"
                          "a\0"sv),
              ElementsAre(utf16));
  EXPECT_THAT(problems_of("\xFE\xFF\0a"sv), ElementsAre(utf16));
  EXPECT_THAT(problems_of("\xFF\xFE\0\0a\0\0\0"sv),
              ElementsAre("f:1:1: error: the file is in UTF-32, expected UTF-8. Save it as UTF-8."));
}

TEST(SourceText, BytesThatAreNoUtf8AreToldWithTheirPlace) {
  EXPECT_THAT(problems_of("a\r\nüb\xE9\n"),
              ElementsAre("f:2:3: error: found the byte 0xE9, which is not UTF-8. Save the file as UTF-8."));
  // Cut off, too long, half of a pair, beyond the last character.
  for (const char* bad : {"\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    EXPECT_THAT(problems_of(bad), ElementsAre(testing::EndsWith("which is not UTF-8. Save the file as UTF-8."))) << bad;
  }
}

TEST(SourceText, ControlCharactersAreRefused) {
  EXPECT_THAT(problems_of("ab\0c"sv),
              ElementsAre("f:1:3: error: found a NUL byte. A configuration file is text; save it as UTF-8."));
  EXPECT_THAT(problems_of("a\x1B[0m"),
              ElementsAre("f:1:2: error: found the control character U+001B. Remove it, or write it as an escape "
                          "sequence in double quotes."));
  EXPECT_THAT(problems_of("a\x7F"),
              ElementsAre(testing::StartsWith("f:1:2: error: found the control character U+007F")));
  EXPECT_THAT(problems_of("a = 1\rb = 2\n"),
              ElementsAre("f:1:6: error: found a carriage return without a line feed, expected both or the line feed "
                          "alone at the end of a line."));
}

TEST(SourceText, LinesOfMoreThanAMebibyteAreRefused) {
  const std::string longest(std::size_t{1} << 20U, 'x');
  EXPECT_THAT(problems_of("a\n" + longest + "\n" + longest), testing::IsEmpty());
  EXPECT_THAT(problems_of("a\n" + longest + "x\n"),
              ElementsAre("f:2:1048577: error: the line is longer than 1 MiB. Break it into several."));
}

TEST(TextPlaces, CountCharactersAndFindThemAgain) {
  TextPlaces places("größe: 1\n\nb: ü2\n");
  EXPECT_EQ(places.column(1, 0), 1U);
  EXPECT_EQ(places.column(1, 9), 8U);
  EXPECT_EQ(places.column(3, 5), 5U);
  EXPECT_EQ(places.column(3, 3), 4U);
  EXPECT_EQ(places.column(1, 2), 3U);
  EXPECT_EQ(places.column(1, 99), 9U);
  EXPECT_EQ(places.column(9, 0), 1U);
  EXPECT_EQ(places.from(3, 4), "ü2\n");
  EXPECT_EQ(places.from(1, 4), "ße: 1\n\nb: ü2\n");
  EXPECT_EQ(places.from(2, 7), "\nb: ü2\n");
  EXPECT_EQ(places.from(9, 1), "");
}

}  // namespace
}  // namespace cloudai::config
