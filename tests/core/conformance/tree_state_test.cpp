#include "core/conformance/tree_state.hpp"

#include <gtest/gtest.h>

#include "tests/core/module/scratch.hpp"

namespace cloudai::conformance {
namespace {

TEST(TreeState, NamesWhatIsNewChangedOrGone) {
  const module::test::Scratch scratch;
  scratch.directory("a");
  scratch.write("a/file", "one");
  const TreeState before = tree_state(scratch.path());
  EXPECT_EQ(first_difference(before, tree_state(scratch.path())), "");
  scratch.write("a/file", "other");
  EXPECT_EQ(first_difference(before, tree_state(scratch.path())), "a/file");
  std::filesystem::remove(scratch / "a/file");
  EXPECT_EQ(first_difference(before, tree_state(scratch.path())), "a/file");
  scratch.write("new", "");
  EXPECT_EQ(first_difference(before, tree_state(scratch.path())), "new");
}

}  // namespace
}  // namespace cloudai::conformance
