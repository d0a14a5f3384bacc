#include "core/config/toml_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

struct Read {
  std::optional<Node> root;
  std::vector<std::string> problems;
};

Read read(std::string_view text) {
  Diagnostics diagnostics;
  Read result{parse_toml(text, "f.toml", diagnostics), {}};
  result.problems = fixture::shown(diagnostics);
  return result;
}

TEST(TomlReader, KeepsTheOrderOfTheFile) {
  const Read result = read("zebra = 1\napple = 2\n[tests]\nz = 1\n[middle]\nb = 1\na = 2\n[tests.inner]\n");
  ASSERT_TRUE(result.root);
  EXPECT_EQ(to_json(*result.root).dump(), R"({"zebra":1,"apple":2,"tests":{"z":1,"inner":{}},"middle":{"b":1,"a":2}})");
}

TEST(TomlReader, KnowsTheLineAndColumnOfKeysAndItems) {
  const Read result = read("a = 1\n  [[list]]\n  b = [ 1,\n    \"größe\", 2 ]\n  c.d = 1\n");
  ASSERT_TRUE(result.root);
  EXPECT_EQ(to_string(result.root->position), "f.toml");
  EXPECT_EQ(to_string(position_of(*result.root, "/a")), "f.toml:1:1");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0")), "f.toml:2:3");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0/b")), "f.toml:3:3");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0/b/1")), "f.toml:4:5");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0/b/2")), "f.toml:4:14");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0/c/d")), "f.toml:5:5");
}

TEST(TomlReader, ByteOrderMarkAndCarriageReturnsShiftNothing) {
  const std::string head = "\xEF\xBB\xBFname = \"caf\xC3\xA9\"\r\ntext = \"\"\"\r\none\r\ntwo\r\n\"\"\"\r\n";
  const Read good = read(head + "last = 1\r\n");
  ASSERT_TRUE(good.root);
  EXPECT_EQ(to_json(*good.root)["text"], "one\ntwo\n");
  EXPECT_EQ(to_string(position_of(*good.root, "/name")), "f.toml:1:1");
  EXPECT_EQ(to_string(position_of(*good.root, "/last")), "f.toml:6:1");

  const Read bad = read(head + "last = \r\n");
  EXPECT_THAT(bad.problems, ElementsAre(StartsWith("f.toml:6:8: error: this is not valid TOML: expected value, saw")));
}

TEST(TomlReader, ALetterOutsideAsciiInAKeyIsRefusedWhereItStands) {
  EXPECT_THAT(read("caf\u00e9 = 1\n").problems,
              ElementsAre("f.toml:1:4: error: this is not valid TOML: expected '=', saw '\u00e9'."));
}

TEST(TomlReader, TableDefinedTwiceIsRefusedWhereItComesAgain) {
  const Read result = read("[[Tests]]\n[Tests.cmd_args]\na = 1\n[Tests.cmd_args]\nb = 2\n");
  EXPECT_FALSE(result.root);
  EXPECT_THAT(
      result.problems,
      ElementsAre("f.toml:4:1: error: this is not valid TOML: cannot redefine existing table "
                  "'Tests.cmd_args'. A key or table may stand only once in a file; it is there first in line 2."));
  EXPECT_THAT(read("[Tests]\na = 1\n[Tests]\n").problems,
              ElementsAre("f.toml:3:1: error: this is not valid TOML: cannot redefine existing table 'Tests'. A key or "
                          "table may stand only once in a file; it is there first in line 1. Each entry of a list has "
                          "a header in double brackets, '[[name]]'."));
}

TEST(TomlReader, KeyDefinedTwiceIsRefusedWhereItComesAgain) {
  EXPECT_THAT(read("[t]\n  a = 1\n  a = 2\n").problems,
              ElementsAre("f.toml:3:3: error: this is not valid TOML: cannot redefine existing integer 'a'. "
                          "A key or table may stand only once in a file; it is there first in line 2."));
  // What another table calls the same is no repetition.
  EXPECT_THAT(read("a = 1\n[t]\na.b = 1\na = 2\n").problems,
              ElementsAre("f.toml:4:1: error: this is not valid TOML: cannot redefine existing table 'a'. "
                          "A key or table may stand only once in a file."));
}

TEST(TomlReader, DotsInTextsAndCommentsArePartsOfNoKey) {
  std::string dots;
  for (int i = 0; i < 40; ++i) dots += "/opt/lib.so.1:";
  EXPECT_THAT(
      read("a = \"" + dots + "\"\nb = '" + dots + "'\n# " + dots + "\nc = \"\"\"\n\\\"" + dots + "\n\"\"\"\n").problems,
      IsEmpty());
  EXPECT_THAT(read("a = \"x\"\n" + std::string("b") + std::string(40, '.') + " = 1\n").problems,
              testing::Not(IsEmpty()));
}

TEST(TomlReader, WhatMayHaveBeenMeantIsSaid) {
  const std::string quotes = " A text, such as a name or a time limit, stands between quotes.";
  EXPECT_THAT(read("time_limit = 5m\n").problems, ElementsAre(testing::EndsWith(quotes)));
  EXPECT_THAT(read("time_limit = 20:00\n").problems, ElementsAre(testing::EndsWith(quotes)));
  EXPECT_THAT(read("test_name = reduce\n").problems, ElementsAre(testing::EndsWith(quotes)));
  EXPECT_THAT(
      read("name: demo\n").problems,
      ElementsAre("f.toml:1:5: error: this is not valid TOML: expected '=', saw ':'. Only a file whose name ends "
                  "in .yaml or .yml is read as YAML."));
  EXPECT_THAT(read("a = [1,\n").problems, ElementsAre(testing::Not(testing::HasSubstr("quotes"))));
}

TEST(TomlReader, AMissingQuoteIsNamed) {
  const std::string sentence =
      "error: this is not valid TOML: a string ends with its line, so its closing quote is missing. A text of several "
      "lines stands between three quotes on either side.";
  EXPECT_THAT(read("name = \"demo\nother = 1\n").problems, ElementsAre("f.toml:1:13: " + sentence));
  EXPECT_THAT(read("name = 'demo\nother = 1\n").problems, ElementsAre("f.toml:1:13: " + sentence));
}

TEST(TomlReader, TableInPlaceOfArrayOfTablesIsRefused) {
  EXPECT_THAT(read("[[Tests]]\nid = 1\n[Tests]\nid = 2\n").problems, ElementsAre(StartsWith("f.toml:3:1: error: ")));
}

TEST(TomlReader, DatesAndTimesAreTheirText) {
  const Read result = read("t = 00:10:00\nd = 2026-03-01\ndt = 2026-03-01T12:00:00Z\n");
  ASSERT_TRUE(result.root);
  EXPECT_EQ(to_json(*result.root).dump(), R"({"t":"00:10:00","d":"2026-03-01","dt":"2026-03-01T12:00:00Z"})");
}

TEST(TomlReader, IntegerTooLargeIsRefusedWithItsLine) {
  EXPECT_THAT(read("a = 1\nb = 99999999999999999999\n").problems,
              ElementsAre(testing::AllOf(StartsWith("f.toml:2:"), testing::HasSubstr("99999999999999999999"))));
}

TEST(TomlReader, NumbersThatAreNoneAndTextsNoCommandCanHoldAreRefused) {
  EXPECT_THAT(read("a = nan\nb = [inf]\nc = \"x\\u0000y\"\n").problems,
              ElementsAre("f.toml:1:5: error: found a number that is infinite or not a number, expected a finite one.",
                          "f.toml:2:6: error: found a number that is infinite or not a number, expected a finite one.",
                          "f.toml:3:5: error: found a string with the character U+0000, which no command or variable "
                          "can hold."));
}

TEST(TomlReader, InvalidUtf8IsRefused) {
  EXPECT_THAT(read("a = \"\xff\"\n").problems,
              ElementsAre("f.toml:1:6: error: found the byte 0xFF, which is not UTF-8. Save the file as UTF-8."));
}

// What would exhaust the stack is refused; what a person may write is not.
TEST(TomlReader, EndlessKeysAndNestingAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  EXPECT_THAT(read("b = 1\n" + key + " = 1\n").problems,
              ElementsAre("f.toml:2:1: error: a key has more than 32 parts."));
  EXPECT_THAT(read("[" + key + "]\n").problems, ElementsAre("f.toml:1:1: error: a key has more than 32 parts."));
  std::string spaced = "a";
  for (int i = 0; i < 1000; ++i) spaced += " . \"a\"";
  EXPECT_THAT(read(spaced + " = 1").problems, ElementsAre("f.toml:1:1: error: a key has more than 32 parts."));
  EXPECT_THAT(read("a = " + std::string(100000, '[')).problems,
              ElementsAre(testing::EndsWith(": error: tables and lists are nested more than 64 deep.")));
  std::string tables = "a = ";
  for (int i = 0; i < 200; ++i) tables += "{a.a.a.a = ";
  tables += "1" + std::string(200, '}');
  EXPECT_FALSE(read(tables).root);
  EXPECT_THAT(read("a = " + std::string(100, '[') + std::string(100, ']')).problems,
              ElementsAre("f.toml:1:69: error: tables and lists are nested more than 64 deep."));
}

// At which the parser itself would end the program.
TEST(TomlReader, HeaderWithoutAKeyIsRefused) {
  for (const char* text : {"[=", "[&]", "[[=]]", "[ #"}) {
    EXPECT_THAT(read(text).problems, ElementsAre(StartsWith("f.toml:1:"))) << text;
  }
}

TEST(TomlReader, TextFullOfDotsIsNoEndlessKey) {
  EXPECT_THAT(
      read("# ............................................................ \na = \"one. two. three ...... four.\"\n"
           "b = \"\"\"\n......................................................\n\"\"\"\n")
          .problems,
      IsEmpty());
}

TEST(TomlReader, EmptyFileIsAnEmptyTable) {
  const Read result = read("");
  ASSERT_TRUE(result.root);
  EXPECT_EQ(to_json(*result.root).dump(), "{}");
}

}  // namespace
}  // namespace cloudai::config
