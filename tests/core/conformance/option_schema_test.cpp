#include "core/conformance/option_schema.hpp"

#include <gmock/gmock.h>

namespace cloudai::conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> faults_of(const char* schema) {
  Findings findings;
  check_option_schema(Json::parse(schema), "workload 'W'", findings);
  return findings.verdict() == Verdict::failed ? findings.sentences() : std::vector<std::string>();
}

TEST(OptionSchema, EveryDocumentedKeywordIsTaken) {
  EXPECT_THAT(faults_of(R"({"type": "object", "properties": {
    "a": {"type": "integer", "minimum": 1, "maximum": 9, "default": 2, "description": "A.", "x-unit": "s", "x-sweepable": false},
    "b": {"anyOf": [{"type": "string", "pattern": "^x", "minLength": 1, "maxLength": 3}, {"type": "number",
          "exclusiveMinimum": 0, "exclusiveMaximum": 1}], "description": "B."},
    "c": {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 1, "maxItems": 2, "description": "C."},
    "d": {"oneOf": [{"const": "x"}], "writeOnly": true, "description": "D."}},
    "required": ["a"], "additionalProperties": false})"),
              IsEmpty());
}

TEST(OptionSchema, FaultsOfNestedOptionsNameThem) {
  EXPECT_THAT(faults_of(R"({"type": "object", "properties": {"nets": {"type": "array", "description": "Nets.", "items":
    {"type": "object", "properties": {"port": {"type": "string", "pattern": "(", "format": "x"}}}}}})"),
              ElementsAre("There is no description of option 'nets[].port' of workload 'W'.",
                          "The keyword 'format' in the schema of option 'nets[].port' of workload 'W' is outside the "
                          "documented subset.",
                          "The pattern of option 'nets[].port' of workload 'W' is no regular expression: '('."));
}

}  // namespace
}  // namespace cloudai::conformance
