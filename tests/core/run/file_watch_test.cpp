#include "core/run/file_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "tests/core/scratch_directory.hpp"

namespace cloudai::run {
namespace {

using std::chrono::seconds;

class FileWatchTest : public ::testing::Test {
 protected:
  // Runs the loop until a change was told or the deadline passed.
  bool told() {
    loop_.restart();
    const int before = changes_;
    loop_.run_for(seconds(10));
    return changes_ > before;
  }

  testing::ScratchDirectory scratch_;
  boost::asio::io_context loop_;
  int changes_ = 0;
  FileWatch watch_{loop_, [this] {
                     ++changes_;
                     loop_.stop();
                   }};
};

TEST_F(FileWatchTest, TellsOfAFileThatIsWritten) {
  watch_.add(scratch_ / "finished");
  std::ofstream(scratch_ / "finished") << "x";
  EXPECT_TRUE(told());
}

TEST_F(FileWatchTest, TellsOfAFileThatIsRenamedIntoPlace) {
  watch_.add(scratch_ / "finished");
  std::ofstream(scratch_ / "other") << "x";
  std::filesystem::rename(scratch_ / "other", scratch_ / "finished");
  EXPECT_TRUE(told());
}

TEST_F(FileWatchTest, TellsAtOnceOfAFileThatIsThereAlready) {
  std::ofstream(scratch_ / "finished") << "x";
  watch_.add(scratch_ / "finished");
  EXPECT_EQ(changes_, 1);
}

TEST_F(FileWatchTest, SaysNothingOfOtherFilesAndOfRemovedWatches) {
  watch_.add(scratch_ / "a");
  watch_.add(scratch_ / "b");
  watch_.remove(scratch_ / "a");
  std::ofstream(scratch_ / "a") << "x";
  std::ofstream(scratch_ / "other") << "x";
  std::ofstream(scratch_ / "b") << "x";
  EXPECT_TRUE(told());
  EXPECT_EQ(changes_, 1);
}

TEST_F(FileWatchTest, ADirectoryThatDoesNotExistIsNotWatched) {
  watch_.add(scratch_ / "none" / "finished");
  watch_.remove(scratch_ / "none" / "finished");
  EXPECT_EQ(changes_, 0);
}

}  // namespace
}  // namespace cloudai::run
