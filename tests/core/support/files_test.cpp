#include "core/support/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "tests/core/scratch_directory.hpp"

namespace cloudai::files {
namespace {

TEST(Files, WhatWasWrittenIsRead) {
  const testing::ScratchDirectory scratch;
  const std::string content("a\0b\n", 4);
  ASSERT_TRUE(write(scratch / "file", content));
  EXPECT_EQ(read(scratch / "file").value(), content);
}

TEST(Files, ModeIsAsGivenWhateverTheUmask) {
  const testing::ScratchDirectory scratch;
  ASSERT_TRUE(write(scratch / "file", "", 0700));
  struct stat status {};
  ASSERT_EQ(::stat((scratch / "file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0700U);
}

TEST(Files, ReplacesAFileAndLeavesNothingBeside) {
  const testing::ScratchDirectory scratch;
  ASSERT_TRUE(write(scratch / "file", "old"));
  ASSERT_TRUE(write(scratch / "file", "new"));
  EXPECT_EQ(read(scratch / "file").value(), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

TEST(Files, AWriteThatFailsKeepsTheOldFile) {
  const testing::ScratchDirectory scratch;
  ASSERT_TRUE(write(scratch / "file", "old"));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tiny{16, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tiny), 0);
  const auto written = write(scratch / "file", std::string(100, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot write '" + (scratch / "file").string() + "': File too large.");
  EXPECT_EQ(read(scratch / "file").value(), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

TEST(Files, ReadSaysWhyItCannot) {
  const testing::ScratchDirectory scratch;
  const std::string place = scratch.path().string();
  EXPECT_EQ(read(scratch / "none").error().message, "cannot read '" + place + "/none': No such file or directory.");
  EXPECT_EQ(read(scratch.path()).error().message, "cannot read '" + place + "': it is a directory.");
  ASSERT_EQ(::mkfifo((scratch / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read(scratch / "fifo").error().message, "cannot read '" + place + "/fifo': it is not a regular file.");
}

TEST(Files, HashesAreSha256) {
  const testing::ScratchDirectory scratch;
  ASSERT_TRUE(write(scratch / "file", "abc"));
  const std::string expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  EXPECT_EQ(sha256(scratch / "file").value(), expected);
  EXPECT_EQ(sha256_of("abc"), expected);
}

}  // namespace
}  // namespace cloudai::files
