#include "core/config/path_expansion.hpp"

#include <gtest/gtest.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

std::optional<std::string> environment(const std::string& name) {
  if (name == "HOME") return "/home/me";
  if (name == "RESULTS_DIR") return "/data/$HOME";
  if (name == "EMPTY") return "";
  return std::nullopt;
}

std::string expanded(const std::string& text) {
  const auto path = expand_path(text, environment);
  return path ? path->string() : path.error().message;
}

TEST(PathExpansion, ReplacesHomeAndVariablesOnce) {
  EXPECT_EQ(expanded("~"), "/home/me");
  EXPECT_EQ(expanded("~/install"), "/home/me/install");
  EXPECT_EQ(expanded("$RESULTS_DIR/out"), "/data/$HOME/out");
  EXPECT_EQ(expanded("/x/${HOME}y/$HOME"), "/x/home/mey/home/me");
  EXPECT_EQ(expanded("/a~b/c$/d$$HOME"), "/a~b/c$/d$/home/me");
}

TEST(PathExpansion, RelativePathsAreTakenFromTheWorkingDirectory) {
  const fixture::Files files;
  EXPECT_EQ(expanded("out/../results"), (std::filesystem::current_path() / "results").string());
}

TEST(PathExpansion, RefusesWhatItCannotReplace) {
  EXPECT_EQ(expanded("$NOWHERE/out"), "the environment variable 'NOWHERE' in '$NOWHERE/out' is not set.");
  EXPECT_EQ(expanded("/x/${EMPTY}"), "the environment variable 'EMPTY' in '/x/${EMPTY}' is empty.");
  EXPECT_EQ(expanded("~you/out"), "'~you/out' names another user's home; only '~/' is supported.");
  EXPECT_EQ(expanded("/x/${HOME"), "'/x/${HOME' has a '${' without a name and '}'.");
  EXPECT_EQ(expanded("/x/${}"), "'/x/${}' has a '${' without a name and '}'.");
}

}  // namespace
}  // namespace cloudai::config
