#include "modules/reporters/results/paths.hpp"

#include <gmock/gmock.h>

#include "cloudai/error.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::results {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& directory, const std::string& relative) {
  try {
    path_inside(directory, relative);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::failed);
    return error.message();
  }
  return "not refused";
}

TEST(FileName, KeepsWhatAPathMayHold) {
  EXPECT_EQ(file_name("nemo2.0_llama3 70b fp8: <final> & \"x\""), "nemo2.0_llama3 70b fp8: <final> & \"x\"");
  EXPECT_EQ(file_name("a.b.c"), "a.b.c");
}

TEST(FileName, TakesOutWhatAPathMayNotHold) {
  EXPECT_EQ(file_name("a/b\nc\x7f"), "a_b_c_");
  EXPECT_EQ(file_name(std::string("a\0b", 3)), "a_b");
  EXPECT_EQ(file_name(""), "_");
  EXPECT_EQ(file_name(".."), "_..");
  EXPECT_EQ(file_name("../x"), ".._x");
}

TEST(FileName, CutsBetweenCharacters) {
  EXPECT_EQ(file_name("abcd", 3), "abc");
  EXPECT_EQ(file_name("ab\xC3\xA4", 3), "ab");
  EXPECT_EQ(file_name("ab\xC3\xA4", 4), "ab\xC3\xA4");
}

TEST(PathInside, GoesToWhatIsBelow) {
  const testing::TemporaryDirectory directory;
  EXPECT_EQ(path_inside(directory.path(), "Tests.1/0"), directory.path() / "Tests.1/0");
  EXPECT_EQ(path_inside(directory.path(), "."), directory.path() / ".");
}

TEST(PathInside, RefusesEveryWayOut) {
  const testing::TemporaryDirectory directory;
  fs::create_directory_symlink("/etc", directory.path() / "link");
  const std::string end = " leaves the results directory " + directory.path().string() + ".";
  EXPECT_EQ(refusal(directory.path(), "/etc/passwd"), "The path '/etc/passwd'" + end);
  EXPECT_EQ(refusal(directory.path(), "a/../../b"), "The path 'a/../../b'" + end);
  EXPECT_EQ(refusal(directory.path(), "link/passwd"), "The path 'link/passwd'" + end);
}

}  // namespace
}  // namespace cloudai::results
