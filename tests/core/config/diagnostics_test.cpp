#include "core/config/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

Position at(const char* file, std::uint32_t line) {
  return {std::make_shared<const std::string>(file), line, 1};
}

TEST(Diagnostics, AreSortedWithinAFileAndFilesStayInTheirOrder) {
  Diagnostics diagnostics;
  diagnostics.error(at("b.toml", 7), "seven.");
  diagnostics.error(at("a.toml", 1), "one.");
  diagnostics.warning(at("b.toml", 2), "two.");
  diagnostics.error(at("b.toml", 2), "two again.");
  diagnostics.error({}, "no place.");
  EXPECT_THAT(fixture::shown(diagnostics),
              testing::ElementsAre("b.toml:2:1: warning: two.", "b.toml:2:1: error: two again.",
                                   "b.toml:7:1: error: seven.", "a.toml:1:1: error: one.", "error: no place."));
  EXPECT_EQ(diagnostics.error_count(), 4U);
}

TEST(Diagnostics, NoTwoAreTheSame) {
  Diagnostics diagnostics;
  for (int i = 0; i < 3; ++i) diagnostics.error(at("a.toml", 1), "one.");
  diagnostics.warning(at("a.toml", 1), "one.");
  EXPECT_EQ(diagnostics.all().size(), 2U);
  EXPECT_EQ(diagnostics.error_count(), 1U);
}

TEST(Diagnostics, WarningsAreNoErrors) {
  Diagnostics diagnostics;
  diagnostics.warning({}, "beware.");
  EXPECT_FALSE(diagnostics.has_errors());
}

}  // namespace
}  // namespace cloudai::config
