#include "modules/reporters/results/output_file.hpp"

#include <gmock/gmock.h>

#include "cloudai/error.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::results {
namespace {

namespace fs = std::filesystem;

TEST(OutputFile, AppearsWholeUnderItsName) {
  const testing::TemporaryDirectory directory;
  directory.write("page.html", "old");
  OutputFile file(directory.path());
  file.write("new");
  EXPECT_EQ(samples::read_file(directory.path() / "page.html"), "old");
  file.commit("page.html");
  EXPECT_EQ(samples::read_file(directory.path() / "page.html"), "new");
}

TEST(OutputFile, LeavesNothingWhereItWasNotCommitted) {
  const testing::TemporaryDirectory directory;
  {
    OutputFile file(directory.path());
    file.write("half");
  }
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

TEST(OutputFile, ReplacesALinkInsteadOfFollowingIt) {
  const testing::TemporaryDirectory directory;
  directory.write("target", "untouched");
  fs::create_symlink(directory.path() / "target", directory.path() / "page.html");
  OutputFile file(directory.path());
  file.write("page");
  file.commit("page.html");
  EXPECT_EQ(samples::read_file(directory.path() / "target"), "untouched");
  EXPECT_FALSE(fs::is_symlink(directory.path() / "page.html"));
}

TEST(OutputFile, SaysWhereAndWhyItCannotBeMade) {
  try {
    const OutputFile file("/nonexistent/directory");
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "A file cannot be made in /nonexistent/directory: No such file or directory.");
  }
}

TEST(OutputFile, LeavesNothingWhereItCannotBePutInItsPlace) {
  const testing::TemporaryDirectory directory;
  fs::create_directories(directory.path() / "page.html/in the way");
  try {
    OutputFile file(directory.path());
    file.write("page");
    file.commit("page.html");
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              (directory.path() / "page.html").string() + " cannot be put in its place: Is a directory.");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace cloudai::results
