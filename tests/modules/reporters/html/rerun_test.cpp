#include "modules/reporters/html/rerun.hpp"

#include <gtest/gtest.h>

namespace cloudai::html {
namespace {

TEST(RerunCommand, NarrowsTheCommandToOneCase) {
  EXPECT_EQ(rerun_command({"cloudai", "run", "--test-scenario", "my scenario.toml"}, "Tests.1"),
            "cloudai run --test-scenario 'my scenario.toml' --filter Tests.1");
}

TEST(RerunCommand, ReplacesTheFiltersThatWereGiven) {
  EXPECT_EQ(rerun_command({"cloudai", "run", "--filter", "nccl.*", "--keep-going", "--filter=x"}, "nccl.1"),
            "cloudai run --keep-going --filter nccl.1");
  EXPECT_EQ(rerun_command({"cloudai", "run", "--filter", "nccl.*"}, ""), "cloudai run --filter 'nccl.*'");
}

TEST(RerunCommand, NamesNoOtherCase) {
  EXPECT_EQ(rerun_command({"cloudai", "run"}, "a*[b]"), "cloudai run --filter 'a\\*\\[b\\]'");
}

TEST(RerunCommand, IsNoneWhereNothingWasRun) {
  EXPECT_EQ(rerun_command({"cloudai", "generate-report"}, "a"), "");
  EXPECT_EQ(rerun_command({}, "a"), "");
}

}  // namespace
}  // namespace cloudai::html
