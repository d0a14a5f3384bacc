#include "core/module/document_text.hpp"

#include <gmock/gmock.h>

namespace cloudai::module {
namespace {

std::string problem(std::string_view text) {
  const auto document = parse_document(text);
  return document ? "" : document.error();
}

TEST(DocumentText, ReadsADocumentAndKeepsTheOrderOfItsKeys) {
  const auto document = parse_document(R"({"b": 1, "a": "ä€😀"})");
  ASSERT_TRUE(document) << document.error();
  EXPECT_EQ(document->dump(), R"({"b":1,"a":"ä€😀"})");
}

TEST(DocumentText, SaysWhereItIsNotJson) {
  EXPECT_EQ(problem(R"({"a": 1,})"), "is not valid JSON (at byte 9)");
  EXPECT_EQ(problem(""), "is not valid JSON (at byte 1)");
  EXPECT_EQ(problem(R"({"a": 1e999})"), "is not valid JSON (a number is out of range)");
}

TEST(DocumentText, SaysWhereItIsNotUtf8) {
  EXPECT_EQ(problem("{\"a\": \"\xff\"}"), "is not valid UTF-8 (at byte 8)");
  EXPECT_EQ(problem("\"\xc3"), "is not valid UTF-8 (at byte 2)");            // cut in a character
  EXPECT_EQ(problem("\"\xed\xa0\x80\""), "is not valid UTF-8 (at byte 2)");  // a surrogate
  EXPECT_EQ(problem("\"\xc0\xaf\""), "is not valid UTF-8 (at byte 2)");      // longer than need be
}

TEST(DocumentText, DepthIsBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(problem(nested(64)), "");
  EXPECT_EQ(problem(nested(65)), "is nested deeper than 64 levels");
  EXPECT_EQ(problem(std::string(1 << 20, '[')), "is nested deeper than 64 levels");
  EXPECT_EQ(problem('"' + std::string(100, '[') + R"(\"[")"), "") << "brackets in a text are none";
}

TEST(DocumentText, KeysOfAnObjectAreBounded) {
  const auto object = [](std::size_t keys) {
    std::string text = "{";
    for (std::size_t i = 0; i < keys; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":{\"a\":1}";
    return text + "}";
  };
  EXPECT_EQ(problem(object(4096)), "");
  EXPECT_EQ(problem(object(4097)), "has an object of more than 4096 keys");
  std::string list = "[" + object(3000) + "," + object(3000) + "]";
  EXPECT_EQ(problem(list), "") << "each object counts for itself";
}

TEST(DocumentText, TextThatIsNotUtf8CannotBeSent) {
  const auto text = serialise_document(Json{{"path", "\xff"}});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error(), "holds text that is not valid UTF-8");
  EXPECT_EQ(serialise_document(Json{{"a", 1}}).value_or(""), R"({"a":1})");
}

}  // namespace
}  // namespace cloudai::module
