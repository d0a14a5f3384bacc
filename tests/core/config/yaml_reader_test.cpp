#include "core/config/yaml_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/toml_reader.hpp"
#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

struct Read {
  std::optional<Node> root;
  std::vector<std::string> problems;
};

Read read(std::string_view text) {
  Diagnostics diagnostics;
  Read result{parse_yaml(text, "f.yaml", diagnostics), {}};
  result.problems = fixture::shown(diagnostics);
  EXPECT_EQ(result.root.has_value(), result.problems.empty());
  return result;
}

std::string json_of(std::string_view text) {
  const Read result = read(text);
  return result.root ? to_json(*result.root).dump() : result.problems.front();
}

TEST(YamlReader, ReadsWhatTomlReads) {
  const char* const toml = R"(
name = "x"
zebra = 1
ratio = 0.5
on = true
days = "1-12"
text = "one\ntwo\n"
list = [1, "two", [3.5]]
[cmd_args]
b = {}
a = []
[[Tests]]
id = "1"
[[Tests]]
id = "2"
)";
  Diagnostics diagnostics;
  const std::optional<Node> same = parse_toml(toml, "f.toml", diagnostics);
  ASSERT_TRUE(same);
  EXPECT_EQ(json_of(R"(# a comment
name: x
zebra: 1
ratio: 0.5
"on": true
days: 1-12
text: |
  one
  two
list: [1, two, [3.5]]   # another
cmd_args:
  b: {}
  a: []
Tests:
- id: "1"
- id: '2'
)"),
            to_json(*same).dump());
}

TEST(YamlReader, KnowsTheLineAndColumnOfKeysAndItems) {
  const Read result = read("größe: 1\nlist:\n  - b: [ 1,\n      \"größe\", 2 ]\n    c: {ü: 1, d: 2}\n  - x\n");
  ASSERT_TRUE(result.root);
  EXPECT_EQ(to_string(result.root->position), "f.yaml");
  EXPECT_EQ(to_string(position_of(*result.root, "/größe")), "f.yaml:1:1");
  EXPECT_EQ(to_string(result.root->find("größe")->position), "f.yaml:1:8");
  EXPECT_EQ(to_string(position_of(*result.root, "/list")), "f.yaml:2:1");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0")), "f.yaml:3:5");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0/b/1")), "f.yaml:4:7");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0/b/2")), "f.yaml:4:16");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/0/c/d")), "f.yaml:5:15");
  EXPECT_EQ(to_string(position_of(*result.root, "/list/1")), "f.yaml:6:5");
}

TEST(YamlReader, ByteOrderMarkAndCarriageReturnsShiftNothing) {
  const std::string head = "\xEF\xBB\xBFname: caf\xC3\xA9\r\ntext: |\r\n  one\r\n  two\r\n";
  const Read good = read(head + "last: 1\r\n");
  ASSERT_TRUE(good.root);
  EXPECT_EQ(to_json(*good.root).dump(), R"({"name":"café","text":"one\ntwo\n","last":1})");
  EXPECT_EQ(to_string(position_of(*good.root, "/name")), "f.yaml:1:1");
  EXPECT_EQ(to_string(position_of(*good.root, "/last")), "f.yaml:5:1");
  EXPECT_THAT(read(head + "last: [\r\n").problems, ElementsAre(StartsWith("f.yaml:")));
  EXPECT_THAT(read(head + "last: @x\r\n").problems,
              ElementsAre(StartsWith("f.yaml:5:7: error: this is not valid YAML: ")));
}

struct Scalar {
  const char* yaml;
  const char* json;
};

class PlainScalars : public testing::TestWithParam<Scalar> {};

TEST_P(PlainScalars, HaveTheTypesOfTheCoreSchema) {
  EXPECT_EQ(json_of("v: " + std::string(GetParam().yaml)), "{\"v\":" + std::string(GetParam().json) + "}");
}

INSTANTIATE_TEST_SUITE_P(Numbers, PlainScalars,
                         testing::Values(Scalar{"0", "0"}, Scalar{"-7", "-7"}, Scalar{"+7", "7"}, Scalar{"007", "7"},
                                         Scalar{"0x1F", "31"}, Scalar{"0o17", "15"},
                                         Scalar{"9223372036854775807", "9223372036854775807"},
                                         Scalar{"-9223372036854775808", "-9223372036854775808"}, Scalar{"1.5", "1.5"},
                                         Scalar{"-.5", "-0.5"}, Scalar{"5.", "5.0"}, Scalar{"+1e3", "1000.0"},
                                         Scalar{"1E-2", "0.01"}, Scalar{"1e-999", "0.0"}));

INSTANTIATE_TEST_SUITE_P(Booleans, PlainScalars,
                         testing::Values(Scalar{"true", "true"}, Scalar{"True", "true"}, Scalar{"FALSE", "false"}));

INSTANTIATE_TEST_SUITE_P(Texts, PlainScalars,
                         testing::Values(Scalar{"yes", "\"yes\""}, Scalar{"off", "\"off\""}, Scalar{"tRUE", "\"tRUE\""},
                                         Scalar{"12:30:45", "\"12:30:45\""}, Scalar{"30:00", "\"30:00\""},
                                         Scalar{"1-12", "\"1-12\""}, Scalar{"2026-03-01", "\"2026-03-01\""},
                                         Scalar{"1_000", "\"1_000\""}, Scalar{"0b1", "\"0b1\""}, Scalar{"0x", "\"0x\""},
                                         Scalar{"-0x1", "\"-0x1\""}, Scalar{"32M", "\"32M\""}, Scalar{"1e", "\"1e\""},
                                         Scalar{"inf", "\"inf\""}, Scalar{"nan", "\"nan\""}, Scalar{"+-1", "\"+-1\""},
                                         Scalar{".", "\".\""}, Scalar{"1.2.3", "\"1.2.3\""}, Scalar{"\"1\"", "\"1\""},
                                         Scalar{"'true'", "\"true\""}, Scalar{"\"\"", "\"\""}, Scalar{"'~'", "\"~\""},
                                         Scalar{"node[001-004]", "\"node[001-004]\""}));

TEST(YamlReader, NumbersThatAreNoneAndTextsNoCommandCanHoldAreRefused) {
  EXPECT_THAT(
      read("a: .nan\nb: [-.inf, 1e999]\nc: \"x\\0y\"\nd: 99999999999999999999\n").problems,
      ElementsAre("f.yaml:1:4: error: found a number that is infinite or not a number, expected a finite one.",
                  "f.yaml:2:5: error: found a number that is infinite or not a number, expected a finite one.",
                  "f.yaml:2:12: error: found a number that is infinite or not a number, expected a finite one.",
                  "f.yaml:3:4: error: found a string with the character U+0000, which no command or variable can hold.",
                  "f.yaml:4:4: error: the integer 99999999999999999999 is too large."));
}

TEST(YamlReader, KeysThatAreThereTwiceAreToldWithBothPlaces) {
  EXPECT_THAT(read("a: 1\nb:\n  c: 1\n  \"c\": 2\na: 3\nd: {e: 1, e: 2}\n").problems,
              ElementsAre("f.yaml:4:3: error: key 'c' is there twice, first in line 3, column 3. A key may stand only "
                          "once in a table.",
                          "f.yaml:5:1: error: key 'a' is there twice, first in line 1, column 1. A key may stand only "
                          "once in a table.",
                          "f.yaml:6:11: error: key 'e' is there twice, first in line 6, column 5. A key may stand only "
                          "once in a table."));
}

TEST(YamlReader, MergeKeysAreRefused) {
  EXPECT_THAT(
      read("base: &b {x: 1}\nt:\n  <<: *b\n  y: 2\n").problems,
      ElementsAre("f.yaml:3:3: error: merge keys ('<<') are not supported. Write the keys out, or repeat single "
                  "values by alias."));
}

TEST(YamlReader, KeysAreTexts) {
  EXPECT_THAT(read("1: x\ntrue: x\n\"2\": good\nyes: good\n").problems,
              ElementsAre("f.yaml:1:1: error: the key 1 is no text. Write it in quotes: \"1\".",
                          "f.yaml:2:1: error: the key true is no text. Write it in quotes: \"true\"."));
  EXPECT_THAT(read("? [a]\n: b\n").problems,
              ElementsAre("f.yaml:1:3: error: a key has to be a text, found a list or table."));
  EXPECT_THAT(read("{a: b}: c\n").problems,
              ElementsAre("f.yaml:1:1: error: a key has to be a text, found a list or table."));
  EXPECT_THAT(read("a: &k x\n*k : 1\n").problems,
              ElementsAre("f.yaml:2:1: error: an alias cannot be a key; write the key out."));
  EXPECT_THAT(read(": 1\n").problems, ElementsAre("f.yaml:1:1: error: a key is missing here."));
}

TEST(YamlReader, KeysAndItemsWithoutAValueAreRefused) {
  EXPECT_THAT(
      read("cmd_args:\nlist:\n  - null\nx: ~\n").problems,
      ElementsAre(
          "f.yaml:1:1: error: key 'cmd_args' has no value. Give one (\"\" is an empty text, [] an empty list, {} "
          "an empty table), or leave it out.",
          "f.yaml:3:5: error: this item of the list has no value. Give one (\"\" is an empty text, [] an empty "
          "list, {} an empty table), or leave it out.",
          "f.yaml:4:1: error: key 'x' has no value. Give one (\"\" is an empty text, [] an empty list, {} an "
          "empty table), or leave it out."));
}

TEST(YamlReader, TagsAreRefused) {
  EXPECT_THAT(
      read("a: !!int \"1\"\nb: !env X\nc: !!set {x: 1}\n").problems,
      ElementsAre("f.yaml:1:4: error: tags such as '!!int' are not supported. Leave it out; quotes make a value a "
                  "text.",
                  "f.yaml:2:4: error: tags such as '!env' are not supported. Leave it out; quotes make a value a "
                  "text.",
                  "f.yaml:3:4: error: tags such as '!!set' are not supported. Leave it out; quotes make a value a "
                  "text."));
}

TEST(YamlReader, AFileHoldsOneDocumentThatIsATable) {
  EXPECT_EQ(json_of(""), "{}");
  EXPECT_EQ(json_of("# nothing\n---\n"), "{}");
  EXPECT_EQ(json_of("%YAML 1.2\n---\na: 1\n...\n"), R"({"a":1})");
  const char* const second =
      "error: another document begins here, and a file holds one. Check the indentation, or make two files.";
  EXPECT_THAT(read("a: 1\n---\nb: 2\n").problems, ElementsAre("f.yaml:2:1: " + std::string(second)));
  EXPECT_THAT(
      read("- a\nb: 1\n").problems,
      ElementsAre("f.yaml:1:1: error: the file holds a list, expected keys with values, such as 'name: demo'."));
  EXPECT_THAT(read("name = \"x\"\n").problems,
              ElementsAre("f.yaml:1:1: error: the file holds a single text, expected keys with values, such as 'name: "
                          "demo'."));
}

TEST(YamlReader, AliasesRepeatWhatTheyName) {
  const Read result = read("a: &x {b: [1, &y two]}\nc: *x\nd: [*y, *y]\n");
  ASSERT_TRUE(result.root);
  EXPECT_EQ(to_json(*result.root).dump(), R"({"a":{"b":[1,"two"]},"c":{"b":[1,"two"]},"d":["two","two"]})");
  EXPECT_EQ(to_string(position_of(*result.root, "/d/1")), "f.yaml:3:9");
  EXPECT_THAT(read("a: &x [*x]\n").problems,
              ElementsAre("f.yaml:1:8: error: this alias stands inside of what it repeats."));
  EXPECT_THAT(read("a: *x\n").problems, ElementsAre("f.yaml:1:4: error: this is not valid YAML: no anchor ('&name') "
                                                    "before this alias has its name."));
}

TEST(YamlReader, AliasesOfAliasesThatWouldFillTheMemoryAreRefused) {
  std::string laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int j = 0; j < 8; ++j) laughs += ", " + alias;
    laughs += "]\n";
  }
  EXPECT_THAT(read(laughs).problems,
              ElementsAre(EndsWith("error: anchors and aliases repeat more than 1000000 values and characters.")));
}

TEST(YamlReader, NestingWithoutEndIsRefused) {
  const std::string deep = "tables and lists are nested more than 64 deep.";
  EXPECT_THAT(read("a: " + std::string(100000, '[')).problems, ElementsAre(EndsWith(deep)));
  EXPECT_THAT(read("a: " + std::string(100, '[') + std::string(100, ']')).problems,
              ElementsAre("f.yaml:1:68: error: " + deep));
  std::string blocks;
  for (std::size_t i = 0; i < 1000; ++i) blocks += std::string(i, ' ') + "a:\n";
  EXPECT_THAT(read(blocks).problems, ElementsAre(EndsWith(deep)));
  EXPECT_THAT(read("a: " + std::string(60, '[') + "1" + std::string(60, ']') + "\n").problems, IsEmpty());
  // Each alias adds the depth of what it names.
  std::string aliases = "a0: &a0 1\n";
  for (int i = 1; i < 1000; ++i) {
    aliases += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [[[*a" + std::to_string(i - 1) + "]]]\n";
  }
  EXPECT_THAT(read(aliases).problems, ElementsAre(EndsWith(deep)));
}

// On which the parser itself would go on for ever.
TEST(YamlReader, CommaAtTheTopIsRefused) {
  EXPECT_THAT(read(",").problems, ElementsAre(StartsWith("f.yaml:1:1: error: ")));
  EXPECT_THAT(read("\"\",").problems, ElementsAre(StartsWith("f.yaml:1:1: error: ")));
}

struct Mistake {
  const char* yaml;
  const char* problem;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreExplained) {
  EXPECT_THAT(read(GetParam().yaml).problems, ElementsAre("f.yaml:" + std::string(GetParam().problem)));
}

INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    testing::Values(
        Mistake{"a:\n\tb: 1\n",
                "2:3: error: this is not valid YAML: a tab stands in the indentation. Indent with blanks."},
        Mistake{"a:\n  b: 1\n\tc: 2\n",
                "3:1: error: this is not valid YAML: a tab stands in the indentation. Indent with blanks."},
        Mistake{"a: b: c\n",
                "1:5: error: this is not valid YAML: found ':' where no key can stand. Check the "
                "indentation, and quote a text that contains ': '."},
        Mistake{"a: 1\n b: 2\n",
                "2:3: error: this is not valid YAML: found ':' where no key can stand. Check the "
                "indentation, and quote a text that contains ': '."},
        Mistake{"a: @x\n",
                "1:4: error: this is not valid YAML: no text can begin with this character. Write it in quotes."},
        Mistake{"a: - b\n",
                "1:4: error: this is not valid YAML: no item of a list can stand here. Begin the list on a "
                "line of its own."},
        Mistake{"a: 'b' c\n",
                "1:8: error: this is not valid YAML: expected the next key or the end of the table. Check "
                "the indentation."},
        Mistake{"a: [1, 2\n", "2:1: error: this is not valid YAML: a list that '[' opens is not closed by ']'."},
        Mistake{"a: [1}\n",
                "1:6: error: this is not valid YAML: found a closing bracket that no opening one belongs to."},
        Mistake{"a: \"\\q\"\n", "1:7: error: this is not valid YAML: unknown escape character: q."},
        Mistake{"a: \"x\nb: 1\n", "1:4: error: the quote that opens here is not closed."},
        Mistake{"a: &n 'it''s\nb: 1\n", "1:4: error: the quote that opens here is not closed."},
        Mistake{"a: \"x\\\"\n", "1:4: error: the quote that opens here is not closed."},
        Mistake{"\"a: 1\n", "1:1: error: the quote that opens here is not closed."}));

TEST(YamlReader, QuotesInsideOfQuotesAreNoEnd) {
  EXPECT_EQ(json_of("a: 'it''s \"x'\nb: \"say \\\"it's\\\"\"\nc: it's\nd: |\n  \"x\ne: &n \"y\"\n"),
            R"({"a":"it's \"x","b":"say \"it's\"","c":"it's","d":"\"x\n","e":"y"})");
}

}  // namespace
}  // namespace cloudai::config
