#include "core/conformance/samples.hpp"

#include <gtest/gtest.h>

namespace cloudai::conformance {
namespace {

Json sample(const char* schema) {
  return sample_value(Json::parse(schema));
}

TEST(Samples, AreTheDefaultElseTheLeastThatIsAllowed) {
  EXPECT_EQ(sample(R"({"type": "integer", "default": 7})"), Json(7));
  EXPECT_EQ(sample(R"({"type": "integer", "minimum": 4})"), Json(4));
  EXPECT_EQ(sample(R"({"type": "integer", "exclusiveMinimum": 4})"), Json(5));
  EXPECT_EQ(sample(R"({"type": "integer", "maximum": -2})"), Json(-2));
  EXPECT_EQ(sample(R"({"type": "boolean"})"), Json(false));
  EXPECT_EQ(sample(R"({"enum": ["x", "y"]})"), Json("x"));
  EXPECT_EQ(sample(R"({"anyOf": [{"type": "number", "minimum": 2}, {"type": "string"}]})"), Json(2.0));
}

TEST(Samples, OfTextsMatchTheirPattern) {
  EXPECT_EQ(sample(R"({"type": "string", "pattern": "^[0-9]+[KMG]$"})"), Json("1M"));
  EXPECT_EQ(sample(R"({"type": "string", "minLength": 3})"), Json("aaa"));
}

TEST(Samples, OfTablesHaveWhatIsRequiredAndTheDefaults) {
  EXPECT_EQ(sample(R"({"type": "object", "required": ["list"], "properties": {
                        "list": {"type": "array", "minItems": 2, "items": {"type": "integer"}},
                        "given": {"type": "string", "default": "d"}, "free": {"type": "string"}}})"),
            Json::parse(R"({"list": [1, 1], "given": "d"})"));
}

}  // namespace
}  // namespace cloudai::conformance
