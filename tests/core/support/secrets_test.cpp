#include "core/support/secrets.hpp"

#include <gtest/gtest.h>

namespace cloudai {
namespace {

TEST(IsSecret, GoesByTheName) {
  for (const char* name : {"HF_TOKEN", "api_key", "AppSecret", "PASSWORD"}) EXPECT_TRUE(is_secret(name)) << name;
  for (const char* name : {"", "NCCL_DEBUG", "columns"}) EXPECT_FALSE(is_secret(name)) << name;
}

}  // namespace
}  // namespace cloudai
