#include "core/run/results_directory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/core/scratch_directory.hpp"

namespace cloudai::run {
namespace {

const Clock::time_point noon{std::chrono::seconds{1772366400}};

TEST(ResultsDirectory, IsNamedAfterScenarioAndTimeAndNeverTakenTwice) {
  const testing::ScratchDirectory scratch;
  const std::string name = "nccl-test_" + directory_stamp(noon);
  EXPECT_EQ(make_results_directory(scratch.path(), "nccl-test", noon).value(), scratch / name);
  EXPECT_EQ(make_results_directory(scratch.path(), "nccl-test", noon).value(), scratch / (name + "-2"));
  EXPECT_EQ(make_results_directory(scratch.path(), "nccl-test", noon).value(), scratch / (name + "-3"));
}

TEST(ResultsDirectory, MakesTheLastComponentOfTheOutputPathOnly) {
  const testing::ScratchDirectory scratch;
  EXPECT_TRUE(make_results_directory(scratch / "out", "s", noon));
  const auto deep = make_results_directory(scratch / "a" / "b", "s", noon);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().kind, ErrorKind::usage);
  EXPECT_EQ(deep.error().message, "the output path '" + (scratch / "a" / "b").string() +
                                      "' cannot be made: its parent '" + (scratch / "a").string() +
                                      "' does not exist.");
}

TEST(ResultsDirectory, RefusesAFile) {
  const testing::ScratchDirectory scratch;
  std::ofstream(scratch / "file") << "x";
  EXPECT_EQ(make_results_directory(scratch / "file", "s", noon).error().message,
            "the output path '" + (scratch / "file").string() + "' exists but is not a directory.");
}

TEST(ResultsDirectory, SaysThatADirectoryIsNotWritable) {
  // /proc refuses even root.
  EXPECT_EQ(make_results_directory("/proc", "s", noon).error().message,
            "the output path '/proc' is not writable: No such file or directory.");
}

}  // namespace
}  // namespace cloudai::run
