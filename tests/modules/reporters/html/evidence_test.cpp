#include "modules/reporters/html/evidence.hpp"

#include <gtest/gtest.h>

#include "tests/sdk/module_harness.hpp"

namespace cloudai::html {
namespace {

class ExcerptTest : public ::testing::Test {
 protected:
  std::string excerpt_at(int line) { return excerpt(directory.path(), "log.txt", {"log.txt", line}); }

  const testing::TemporaryDirectory directory;
};

TEST_F(ExcerptTest, HasTheLineAndItsNeighbours) {
  directory.write("log.txt", "one\ntwo\r\nthree\nfour\nfive\nsix\n");
  EXPECT_EQ(excerpt_at(4), "     2  two\n     3  three\n>    4  four\n     5  five\n     6  six\n");
  EXPECT_EQ(excerpt_at(1), ">    1  one\n     2  two\n     3  three\n");
  EXPECT_EQ(excerpt_at(7), "");
}

TEST_F(ExcerptTest, CutsLongLinesBetweenCharacters) {
  directory.write("log.txt", std::string(239, 'x') + "\xC3\xA9\xC3\xA9\n");
  EXPECT_EQ(excerpt_at(1), ">    1  " + std::string(239, 'x') + " …\n");
}

TEST_F(ExcerptTest, LooksNowhereElse) {
  directory.write("log.txt", "one\n");
  EXPECT_EQ(excerpt(directory.path() / "log", "../log.txt", {"../log.txt", 1}), "");
  EXPECT_EQ(excerpt(directory.path(), "log.txt", {"log.txt", std::nullopt}), "");
  EXPECT_EQ(excerpt(directory.path(), ".", {".", 1}), "");
}

TEST_F(ExcerptTest, FindsWhatIsRelativeToTheStage) {
  std::filesystem::create_directory(directory.path() / "run");
  directory.write("run/stdout.txt", "x\n");
  EXPECT_EQ(evidence_path(directory.path(), {"stdout.txt", 1}, "run"), "run/stdout.txt");
  EXPECT_EQ(evidence_path(directory.path(), {"run/stdout.txt", 1}, "run"), "run/stdout.txt");
  EXPECT_EQ(evidence_path(directory.path(), {"../stdout.txt", 1}, "run"), "");
}

}  // namespace
}  // namespace cloudai::html
