#include "core/config/schema_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schemas.hpp"
#include "core/config/toml_reader.hpp"
#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Subject options{"option", "workload X", "cmd_args", true};

std::vector<std::string> check(const std::string& toml, const std::string& schema, const Subject& subject = options) {
  Diagnostics diagnostics;
  const std::optional<Node> root = parse_toml(toml, "f.toml", diagnostics);
  if (!root) return {"not TOML"};
  const Result<Schema> compiled = Schema::compile(Json::parse(schema));
  if (!compiled) return {compiled.error().message};
  const bool is_good = compiled->check(*root, subject, diagnostics);
  EXPECT_EQ(is_good, diagnostics.all().empty());
  return fixture::shown(diagnostics);
}

TEST(SchemaCheck, UnknownKeyNamesTheNearest) {
  const char* schema = R"({"properties": {"ngpus": {}, "iters": {}}, "additionalProperties": false})";
  EXPECT_THAT(check("a = 1\nngpuz = 2\n", schema),
              ElementsAre("f.toml:1:1: error: unknown option 'a' of workload X. It may be one of 'ngpus', 'iters'.",
                          "f.toml:2:1: error: unknown option 'ngpuz' of workload X. Did you mean 'ngpus'?"));
  EXPECT_THAT(check("a = 1\n", R"({"additionalProperties": false})"),
              ElementsAre("f.toml:1:1: error: unknown option 'a' of workload X: it takes none."));
  EXPECT_THAT(check("a = 1\n", R"({"properties": {"b": {}}})"), IsEmpty());
}

TEST(SchemaCheck, UnknownKeyOfAnInnerTableNamesTheTable) {
  EXPECT_THAT(check("[[p]]\nnam = 1\n", R"({"properties": {"p": {"type": "array", "items": {
                       "properties": {"name": {}}, "additionalProperties": false}}}})",
                    {"key", "a system file"}),
              ElementsAre("f.toml:2:1: error: unknown key 'nam' of 'p[0]'. Did you mean 'name'?"));
}

TEST(SchemaCheck, UnsupportedKeyIsNoUnknownKey) {
  EXPECT_THAT(check("nsys = 1\n", R"({"additionalProperties": false, "x-unsupported": ["nsys"]})"),
              ElementsAre("f.toml:1:1: error: 'cmd_args.nsys' is not supported by this version."));
}

TEST(SchemaCheck, MissingKeysAreAllNamed) {
  EXPECT_THAT(check("", R"({"required": ["a", "b"]})"),
              ElementsAre("f.toml:1:1: error: required option 'a' of workload X is missing.",
                          "f.toml:1:1: error: required option 'b' of workload X is missing."));
}

TEST(SchemaCheck, WrongTypesSayWhatWasFoundAndWhatWasExpected) {
  const char* schema = R"({"properties": {"i": {"type": "integer"}, "t": {"type": "object"},
                           "u": {"type": ["string", "integer", "boolean"]}, "l": {"type": "array", "items": {"type": "string"}}}})";
  EXPECT_THAT(
      check("i = \"many\"\nt = 1\nu = 1.5\nl = [1, \"a\"]\n", schema),
      ElementsAre("f.toml:1:1: error: 'cmd_args.i': found the string \"many\", expected an integer.",
                  "f.toml:2:1: error: 'cmd_args.t': found the integer 1, expected a table.",
                  "f.toml:3:1: error: 'cmd_args.u': found the number 1.5, expected a string, an integer or a boolean.",
                  "f.toml:4:6: error: 'cmd_args.l[0]': found the integer 1, expected a string."));
  EXPECT_THAT(check("i = {}\nt = true\n", schema),
              ElementsAre("f.toml:1:1: error: 'cmd_args.i': found a table, expected an integer.",
                          "f.toml:2:1: error: 'cmd_args.t': found the boolean true, expected a table."));
}

TEST(SchemaCheck, ListInPlaceOfAScalarIsASweep) {
  const char* schema = R"({"properties": {"i": {"type": "integer"}}})";
  EXPECT_THAT(
      check("i = [1, 2]\n", schema),
      ElementsAre(
          "f.toml:1:1: error: 'cmd_args.i': found a list, expected an integer. Sweeps over a list of values are "
          "not supported by this version; give one value."));
  EXPECT_THAT(check("i = [1, 2]\n", schema, {"key", "a system file"}),
              ElementsAre("f.toml:1:1: error: 'i': found a list, expected an integer."));
}

TEST(SchemaCheck, EnumsListTheirValuesOrTheNearest) {
  const char* schema = R"({"properties": {"op": {"type": "string", "enum": ["sum", "prod"]}}})";
  EXPECT_THAT(
      check("op = \"summ\"\n", schema),
      ElementsAre(
          "f.toml:1:1: error: 'cmd_args.op': found the string \"summ\", expected one of 'sum', 'prod'. Did you mean "
          "'sum'?"));
  EXPECT_THAT(
      check("op = \"divide\"\n", schema),
      ElementsAre("f.toml:1:1: error: 'cmd_args.op': found the string \"divide\", expected one of 'sum', 'prod'."));
}

TEST(SchemaCheck, RangesAndLengthsSayTheirBound) {
  const char* schema = R"({"properties": {"a": {"minimum": 1}, "b": {"maximum": 2.5}, "c": {"exclusiveMinimum": 0},
                           "d": {"exclusiveMaximum": 10}, "e": {"minLength": 1}, "f": {"maxLength": 2}, "g": {"minItems": 1},
                           "h": {"maxItems": 1}}})";
  EXPECT_THAT(check("a = 0\nb = 3\nc = 0.0\nd = 10\ne = \"\"\nf = \"äöü\"\ng = []\nh = [1, 2]\n", schema),
              ElementsAre("f.toml:1:1: error: 'cmd_args.a': found the integer 0, expected at least 1.",
                          "f.toml:2:1: error: 'cmd_args.b': found the integer 3, expected at most 2.5.",
                          "f.toml:3:1: error: 'cmd_args.c': found the number 0.0, expected more than 0.",
                          "f.toml:4:1: error: 'cmd_args.d': found the integer 10, expected less than 10.",
                          "f.toml:5:1: error: 'cmd_args.e': found the string \"\", expected some text.",
                          "f.toml:6:1: error: 'cmd_args.f': found the string \"äöü\", expected at most 2 characters.",
                          "f.toml:7:1: error: 'cmd_args.g': found an empty list, expected at least 1 item.",
                          "f.toml:8:1: error: 'cmd_args.h': found a list of 2, expected at most 1 item."));
}

TEST(SchemaCheck, PatternsComeWithTheDescription) {
  EXPECT_THAT(
      check("s = \"5X\"\nt = \"5X\"\n", R"({"properties": {"s": {"pattern": "^[0-9]+[KMG]?$", "description": "A size."},
                                                   "t": {"pattern": "^[0-9]+$"}}})"),
      ElementsAre("f.toml:1:1: error: 'cmd_args.s': found the string \"5X\", expected a text that matches the pattern "
                  "^[0-9]+[KMG]?$: A size.",
                  "f.toml:2:1: error: 'cmd_args.t': found the string \"5X\", expected a text that matches the pattern "
                  "^[0-9]+$."));
}

// std::regex would exhaust the stack.
TEST(SchemaCheck, LongTextForAPatternIsRefusedUnmatched) {
  EXPECT_THAT(
      check("[t]\ns = \"" + std::string(1000000, 'a') + "\"\n",
            R"({"properties": {"t": {"properties": {"s": {"pattern": "^(a|b)*$"}}}}})"),
      ElementsAre("f.toml:2:1: error: 'cmd_args.t.s': found a string of 1000000 bytes, expected at most 4096."));
}

TEST(SchemaCheck, ValuesThatMayBeSecretAreNotShown) {
  EXPECT_THAT(
      check("a = \"abc\"\nHF_TOKEN = \"abc\"\n",
            R"({"properties": {"a": {"type": "integer", "writeOnly": true}, "HF_TOKEN": {"type": "integer"}}})"),
      ElementsAre("f.toml:1:1: error: 'cmd_args.a': found a string, expected an integer.",
                  "f.toml:2:1: error: 'cmd_args.HF_TOKEN': found a string, expected an integer."));
}

TEST(SchemaCheck, LongValuesAreCut) {
  EXPECT_THAT(check("i = \"" + std::string(100, 'x') + "\"\n", R"({"properties": {"i": {"type": "integer"}}})"),
              ElementsAre("f.toml:1:1: error: 'cmd_args.i': found the string \"" + std::string(60, 'x') +
                          "...\", expected an integer."));
}

TEST(SchemaCheck, OfAlternativesTheOneOfTheValuesTypeSpeaks) {
  const char* schema =
      R"({"properties": {"p": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}})";
  EXPECT_THAT(check("p = [\"a\"]\n", schema), IsEmpty());
  EXPECT_THAT(check("p = [1]\n", schema),
              ElementsAre("f.toml:1:6: error: 'cmd_args.p[0]': found the integer 1, expected a string."));
  EXPECT_THAT(check("p = true\n", schema),
              ElementsAre("f.toml:1:1: error: 'cmd_args.p': found the boolean true, expected a string or a list."));
}

TEST(SchemaCheck, WhatHasNoSentenceOfOursHasTheValidators) {
  EXPECT_THAT(check("[t]\na = 3\n", R"({"properties": {"t": {"properties": {"a": {"multipleOf": 2}}}}})"),
              ElementsAre("f.toml:2:1: error: 'cmd_args.t.a': Value should be a multiple of 2"));
}

TEST(SchemaCheck, GoodPartHasNoFaults) {
  Diagnostics diagnostics;
  const Node root =
      *parse_toml("a = 1\nb = \"x\"\nc = 2\nl = [{n = 1}, {n = \"x\"}, {n = 3}, {m = 1}]\n", "f.toml", diagnostics);
  const Schema schema = *Schema::compile(Json::parse(
      R"({"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "l": {"items": {"required": ["n"],
          "properties": {"n": {"type": "integer"}}}}}, "additionalProperties": false})"));
  EXPECT_EQ(to_json(schema.good_part(root, options, diagnostics)).dump(), R"({"a":1,"l":[{"n":1},{"n":3}]})");
  EXPECT_EQ(diagnostics.error_count(), 4U);
}

TEST(SchemaCheck, SchemaThatIsNoneIsAnErrorWithTheReason) {
  EXPECT_THAT(check("", R"({"properties": 5})"),
              ElementsAre(testing::StartsWith("the schema of the options is no JSON Schema: ")));
}

void expect_described(const Json& schema, const std::string& path) {
  if (!schema.contains("properties")) return;
  for (const auto& [name, member] : schema["properties"].items()) {
    EXPECT_TRUE(member.contains("description")) << path << "/" << name;
    expect_described(member, path + "/" + name);
    if (member.contains("items")) expect_described(member["items"], path + "/" + name);
  }
}

TEST(CommonSchemas, CompileAndDescribeEveryKey) {
  for (const Json* schema : {&system_schema(), &test_schema(), &scenario_schema()}) {
    EXPECT_TRUE(Schema::compile(*schema));
    expect_described(*schema, (*schema)["title"]);
  }
}

}  // namespace
}  // namespace cloudai::config
