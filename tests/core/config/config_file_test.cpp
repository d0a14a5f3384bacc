#include "core/config/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/core/config/fixture.hpp"

namespace cloudai::config {
namespace {

using testing::ElementsAre;

class ConfigFile : public testing::Test {
 protected:
  std::string read(const std::string& path) {
    Diagnostics diagnostics;
    const std::optional<Node> root = read_config_file(path, diagnostics);
    problems = fixture::shown(diagnostics);
    return root ? to_json(*root).dump() : "";
  }

  fixture::Files files;
  std::vector<std::string> problems;
};

TEST_F(ConfigFile, TheEndingOfTheNameTellsTheFormat) {
  for (const char* name : {"a.yaml", "a.yml", "a.YAML"}) {
    files.write(name, "a: 1\n");
    EXPECT_EQ(read(name), R"({"a":1})") << name;
  }
  for (const char* name : {"a.toml", "a.conf", "a"}) {
    files.write(name, "a = 1\n");
    EXPECT_EQ(read(name), R"({"a":1})") << name;
  }
  files.write("b.toml", "a: 1\n");
  EXPECT_EQ(read("b.toml"), "");
  EXPECT_THAT(problems, ElementsAre(testing::StartsWith("b.toml:1:2: error: this is not valid TOML: ")));
}

TEST_F(ConfigFile, DirectoriesGiveTheirFilesOfBothFormats) {
  for (const char* name : {"d/b.toml", "d/a.yaml", "d/c.yml", "d/D.TOML", "d/e.txt", "d/below/f.toml"})
    files.write(name, "");
  EXPECT_THAT(config_files("d"), ElementsAre("d/D.TOML", "d/a.yaml", "d/b.toml", "d/c.yml"));
  EXPECT_THAT(config_files("nowhere"), testing::IsEmpty());
}

TEST_F(ConfigFile, WhatIsNoFileIsOneErrorThatNamesThePath) {
  ASSERT_EQ(mkfifo("pipe.yaml", 0600), 0);
  std::filesystem::create_directory("folder.toml");
  std::filesystem::create_symlink("loop.toml", "loop.toml");
  read("absent.toml");
  EXPECT_THAT(problems, ElementsAre("error: cannot read 'absent.toml': No such file or directory."));
  read("folder.toml");
  EXPECT_THAT(problems, ElementsAre("error: cannot read 'folder.toml': it is a directory."));
  read("pipe.yaml");
  EXPECT_THAT(problems, ElementsAre("error: cannot read 'pipe.yaml': it is not a regular file."));
  read("/dev/zero");
  EXPECT_THAT(problems, ElementsAre("error: cannot read '/dev/zero': it is not a regular file."));
  read("loop.toml");
  EXPECT_THAT(problems, ElementsAre("error: cannot read 'loop.toml': Too many levels of symbolic links."));
}

// Sparse: the file takes no room, and reading it would show.
TEST_F(ConfigFile, ThatIsHugeIsRefusedUnread) {
  files.write("huge.yaml", "a: 1\n");
  std::filesystem::resize_file("huge.yaml", std::uintmax_t{1} << 40U);
  read("huge.yaml");
  EXPECT_THAT(problems, ElementsAre("error: cannot read 'huge.yaml': it is larger than 16 MiB."));
}

}  // namespace
}  // namespace cloudai::config
