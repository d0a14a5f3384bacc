#include "core/support/secrets.hpp"

#include <gtest/gtest.h>

namespace cloudai {
namespace {

TEST(SecretName, HoldsOneOfTheWordsInAnyCase) {
  for (const char* name : {"HF_TOKEN", "apiKey", "client_secret", "DB_PASSWORD_2"}) EXPECT_TRUE(is_secret_name(name));
  for (const char* name : {"", "PATH", "TOKE", "NCCL_DEBUG"}) EXPECT_FALSE(is_secret_name(name));
}

TEST(WithoutSecrets, ReplacesEveryOccurrence) {
  EXPECT_EQ(without_secrets("a hunter2 b hunter2", {"hunter2"}), "a redacted b redacted");
  EXPECT_EQ(without_secrets("a hunter2 b", {"hunter2", "other"}), "a redacted b");
}

TEST(WithoutSecrets, LeavesWhatIsTooShortToTellAndWhatItPutThereItself) {
  EXPECT_EQ(without_secrets("sleep 1", {"1", ""}), "sleep 1");
  EXPECT_EQ(without_secrets("redacted", {"redacted"}), "redacted");
}

}  // namespace
TEST(WithoutSecrets, FindsThoseInQuotedWordsAndThoseWithinOthers) {
  EXPECT_EQ(without_secrets("run --key 'TOP'\\''QUOTE'", {"TOP'QUOTE"}), "run --key 'redacted'");
  EXPECT_EQ(without_secrets("a=TOPS b=TOPSECRET2", {"TOPS", "TOPSECRET2"}), "a=redacted b=redacted");
}

}  // namespace cloudai
