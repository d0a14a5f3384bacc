#include "modules/reporters/results/evidence.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::results {
namespace {

class EvidenceTest : public ::testing::Test {
 protected:
  EvidenceTest() { samples::write_file(directory.path() / "a/stdout.txt", "one\ntwo\nthree"); }

  const testing::TemporaryDirectory directory;
};

TEST_F(EvidenceTest, IsAPlaceAndWhatStandsThere) {
  EXPECT_EQ(place_of({"a/stdout.txt", 2}), "a/stdout.txt:2");
  EXPECT_EQ(place_of({"a/stdout.txt", {}}), "a/stdout.txt");
  EXPECT_EQ(line_of(directory.path(), {"a/stdout.txt", 1}), "one");
  EXPECT_EQ(line_of(directory.path(), {"a/stdout.txt", 3}), "three");
}

TEST_F(EvidenceTest, IsEmptyWhereThereIsNone) {
  EXPECT_EQ(line_of(directory.path(), {"a/stdout.txt", {}}), "");
  EXPECT_EQ(line_of(directory.path(), {"a/stdout.txt", 0}), "");
  EXPECT_EQ(line_of(directory.path(), {"a/stdout.txt", 4}), "");
  EXPECT_EQ(line_of(directory.path(), {"a/none.txt", 1}), "");
  EXPECT_EQ(line_of(directory.path(), {"a", 1}), "");
}

TEST_F(EvidenceTest, StaysInsideAndWaitsForNobody) {
  EXPECT_EQ(line_of(directory.path() / "a", {"../a/stdout.txt", 1}), "");
  EXPECT_EQ(line_of(directory.path(), {"/etc/passwd", 1}), "");
  ASSERT_EQ(::mkfifo((directory.path() / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(line_of(directory.path(), {"fifo", 1}), "");
}

TEST_F(EvidenceTest, IsCutWhereItIsLong) {
  samples::write_file(directory.path() / "long.txt", std::string(5000, 'x') + "\nshort\n");
  EXPECT_EQ(line_of(directory.path(), {"long.txt", 1}), std::string(200, 'x'));
  EXPECT_EQ(line_of(directory.path(), {"long.txt", 2}), "short");
}

}  // namespace
}  // namespace cloudai::results
