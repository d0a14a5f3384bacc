#include "core/config/coercion.hpp"

#include <gtest/gtest.h>

#include "core/config/toml_reader.hpp"

namespace cloudai::config {
namespace {

std::string coerced(const char* toml, const char* schema) {
  Diagnostics diagnostics;
  const std::optional<Node> root = parse_toml(std::string("v = ") + toml, "f", diagnostics);
  if (!root) return "not TOML";
  const Json whole = {{"type", "object"}, {"properties", {{"v", Json::parse(schema)}}}};
  return to_json(coerce(*root, whole))["v"].dump();
}

struct Coercion {
  const char* toml;
  const char* schema;
  const char* result;
};

class Coercions : public testing::TestWithParam<Coercion> {};

TEST_P(Coercions, TakeWhatIsMeant) {
  EXPECT_EQ(coerced(GetParam().toml, GetParam().schema), GetParam().result);
}

INSTANTIATE_TEST_SUITE_P(
    ToIntegerAndNumber, Coercions,
    testing::Values(
        Coercion{"\"20\"", R"({"type":"integer"})", "20"}, Coercion{"\" +7 \"", R"({"type":"integer"})", "7"},
        Coercion{"\"-7\"", R"({"type":"integer"})", "-7"}, Coercion{"8.0", R"({"type":"integer"})", "8"},
        Coercion{"true", R"({"type":"integer"})", "1"}, Coercion{"true", R"({"type":"number"})", "1"},
        Coercion{"8.5", R"({"type":"integer"})", "8.5"}, Coercion{"1e300", R"({"type":"integer"})", "1e+300"},
        Coercion{"\"8x\"", R"({"type":"integer"})", "\"8x\""}, Coercion{"\"\"", R"({"type":"integer"})", "\"\""},
        Coercion{"\"99999999999999999999\"", R"({"type":"integer"})", "\"99999999999999999999\""},
        Coercion{"\"1.5\"", R"({"type":"number"})", "1.5"}, Coercion{"\"2\"", R"({"type":"number"})", "2"},
        Coercion{"\"nan\"", R"({"type":"number"})", "\"nan\""}, Coercion{"2", R"({"type":"number"})", "2"}));

INSTANTIATE_TEST_SUITE_P(
    ToBooleanAndString, Coercions,
    testing::Values(
        Coercion{"\"True\"", R"({"type":"boolean"})", "true"}, Coercion{"\"off\"", R"({"type":"boolean"})", "false"},
        Coercion{"\"N\"", R"({"type":"boolean"})", "false"}, Coercion{"1", R"({"type":"boolean"})", "true"},
        Coercion{"2", R"({"type":"boolean"})", "2"}, Coercion{"\"maybe\"", R"({"type":"boolean"})", "\"maybe\""},
        Coercion{"1.0", R"({"type":"boolean"})", "true"}, Coercion{"0.5", R"({"type":"boolean"})", "0.5"},
        Coercion{"32", R"({"type":"string"})", "\"32\""}, Coercion{"1_000", R"({"type":"string"})", "\"1000\""},
        Coercion{"24.10", R"({"type":"string"})", "\"24.10\""},
        Coercion{"+1_000.50", R"({"type":"string"})", "\"1000.50\""},
        Coercion{"1e3", R"({"type":"string"})", "\"1e3\""}, Coercion{"1.5", R"({"type":"string"})", "\"1.5\""},
        Coercion{"true", R"({"type":"string"})", "true"}));

INSTANTIATE_TEST_SUITE_P(
    Alternatives, Coercions,
    testing::Values(
        Coercion{"\"5\"", R"({"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]})", "5"},
        Coercion{"[\"5\",6]", R"({"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]})", "[5,6]"},
        Coercion{"5", R"({"type":["string","integer"]})", "5"}, Coercion{"5", R"({"enum":["5","6"]})", "\"5\""},
        Coercion{"{a=\"1\"}", R"({"type":"object","additionalProperties":{"type":"integer"}})", R"({"a":1})"},
        Coercion{"\"5\"", "{}", "\"5\""}));

}  // namespace
}  // namespace cloudai::config
