#include "core/config/lenient_schema.hpp"

#include <gtest/gtest.h>

#include "core/config/coercion.hpp"
#include "core/config/schema_check.hpp"

namespace cloudai::config {
namespace {

bool accepts(const Json& schema, const Node& value) {
  const auto compiled = Schema::compile(schema);
  Diagnostics diagnostics;
  return compiled && compiled->check(value, {}, diagnostics);
}

// Whatever the core takes, after it has made of it what is meant, the lenient schema takes as it stands in the file.
TEST(LenientSchema, AcceptsWhatTheCoreAccepts) {
  const std::vector<Json> schemas = {
      Json::parse(R"({"type": "integer", "minimum": 1})"),
      Json::parse(R"({"type": "number"})"),
      Json::parse(R"({"type": "boolean"})"),
      Json::parse(R"({"type": "string", "minLength": 1})"),
      Json::parse(R"({"type": ["string", "boolean"]})"),
      Json::parse(R"({"enum": [1, 2, "three"]})"),
      Json::parse(R"({"type": "string", "enum": ["1", "two"]})"),
      Json::parse(R"({"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["all"]}]})"),
      Json::parse(R"({"type": "array", "items": {"type": "integer"}})"),
      Json::parse(R"({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false})")};
  const std::vector<Json> values = {1,
                                    2,
                                    0,
                                    1.5,
                                    "1",
                                    "+1",
                                    " 20 ",
                                    "1.5",
                                    "1e3",
                                    ".5",
                                    true,
                                    false,
                                    "yes",
                                    "OFF",
                                    "t",
                                    "0",
                                    "all",
                                    "three",
                                    "two",
                                    "",
                                    Json::array({1, 2}),
                                    Json::array({"1", 2}),
                                    Json::object({{"a", "7"}}),
                                    Json::object({{"b", 7}})};
  for (const Json& schema : schemas) {
    for (const Json& value : values) {
      const Node node = to_node(value, {});
      if (!accepts(schema, coerce(node, schema))) continue;
      EXPECT_TRUE(accepts(lenient_schema(schema), node)) << value << " by " << schema;
    }
  }
}

TEST(LenientSchema, RefusesWhatCannotBeMeant) {
  const Json integer = Json::parse(R"({"type": "integer", "minimum": 1})");
  for (const Json& value : {Json("many"), Json(0), Json::array({1}), Json(1.5)}) {
    EXPECT_FALSE(accepts(lenient_schema(integer), to_node(value, {}))) << value;
  }
  const Json boolean = Json::parse(R"({"type": "boolean"})");
  for (const Json& value : {Json("maybe"), Json(2)}) {
    EXPECT_FALSE(accepts(lenient_schema(boolean), to_node(value, {}))) << value;
  }
  const Json choice = Json::parse(R"({"type": "string", "enum": ["fast", "slow"]})");
  EXPECT_FALSE(accepts(lenient_schema(choice), to_node("fats", {})));
}

TEST(LenientSchema, LeavesOutWhatEditorsDoNotKnow) {
  EXPECT_EQ(lenient_schema(Json::parse(R"({"type": "object", "x-unsupported": ["a"], "$schema": "s", "description": "D",
                                           "properties": {"a": {"type": "array", "x-sweepable": true}}})")),
            Json::parse(R"({"type": "object", "description": "D", "properties": {"a": {"type": "array"}}})"));
}

}  // namespace
}  // namespace cloudai::config
