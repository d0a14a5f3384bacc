#include "core/config/secret_options.hpp"

#include <gmock/gmock.h>

namespace cloudai::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Json schema = Json::parse(R"({"type": "object", "properties": {
  "phrase": {"type": "string", "writeOnly": true},
  "max_tokens": {"type": "integer"},
  "logins": {"type": "array", "items": {"type": "object", "properties": {
    "user": {"type": "string"}, "pin": {"type": "integer", "writeOnly": true}}}}}})");

TEST(SecretOptions, AreThoseMarkedAtAnyDepthAndTextsWithATellingName) {
  const Json options = Json::parse(R"({"phrase": "p", "max_tokens": 8, "url": "u", "api_key": "k",
    "logins": [{"user": "a", "pin": 1}, {"user": "b"}], "more": {"a/b": {"PASSWORD": "x"}}})");
  EXPECT_THAT(secret_options(options, schema),
              ElementsAre("/phrase", "/api_key", "/logins/0/pin", "/more/a~1b/PASSWORD"));
}

TEST(SecretOptions, AreReplacedAndFound) {
  const Json options = {{"phrase", "hunter2"}, {"list", {"a", "b"}}, {"pin", 12}};
  const std::vector<std::string> pointers{"/phrase", "/list", "/pin", "/gone"};
  EXPECT_EQ(without_secrets(options, pointers),
            (Json{{"phrase", "redacted"}, {"list", "redacted"}, {"pin", "redacted"}}));
  EXPECT_THAT(secret_texts(options, pointers), ElementsAre("hunter2", "a", "b", "12"));
  EXPECT_THAT(secret_texts(Json::object(), {}), IsEmpty());
}

}  // namespace
}  // namespace cloudai::config
