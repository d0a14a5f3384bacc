#include "core/config/defaults.hpp"

#include <gtest/gtest.h>

namespace cloudai::config {
namespace {

TEST(Defaults, ComeInTheSchemasOrderAndKeepWhatIsGiven) {
  const Json schema =
      Json::parse(R"({"properties": {"a": {"default": 1}, "b": {"type": "string"}, "c": {"default": false}}})");
  EXPECT_EQ(with_defaults(Json::parse(R"({"x": 9, "c": true, "b": "given"})"), schema).dump(),
            R"({"a":1,"b":"given","c":true,"x":9})");
  EXPECT_EQ(with_defaults(Json::object(), schema).dump(), R"({"a":1,"c":false})");
}

TEST(Defaults, ReachIntoTablesAndLists) {
  const Json schema = Json::parse(R"({"properties": {
      "given": {"type": "object", "properties": {"deep": {"default": 1}}},
      "absent": {"type": "object", "properties": {"deep": {"default": 1}}},
      "empty": {"type": "object", "default": {}, "properties": {"deep": {"default": 1}}},
      "list": {"type": "array", "items": {"type": "object", "properties": {"n": {"default": 2}}}},
      "any": {"additionalProperties": {"type": "object", "properties": {"on": {"default": true}}}}}})");
  EXPECT_EQ(with_defaults(Json::parse(R"({"given": {}, "list": [{}, {"n": 3}], "any": {"x": {}}})"), schema).dump(),
            R"({"given":{"deep":1},"empty":{"deep":1},"list":[{"n":2},{"n":3}],"any":{"x":{"on":true}}})");
}

TEST(Defaults, ReachIntoTheAlternativeForTables) {
  const Json schema =
      Json::parse(R"({"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"default": 1}}}]})");
  EXPECT_EQ(with_defaults(Json::object(), schema).dump(), R"({"a":1})");
  EXPECT_EQ(with_defaults("text", schema).dump(), "\"text\"");
}

}  // namespace
}  // namespace cloudai::config
