#include <gmock/gmock.h>

#include <atomic>
#include <random>

#include "log_stream.hpp"
#include "log_text.hpp"
#include "tests/sdk/module_harness.hpp"

namespace runai {
namespace {

using std::chrono::milliseconds;

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string numbered_lines(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += "line " + std::to_string(i) + " größer\n";
  return text;
}

class LogTextTest : public ::testing::Test {
 protected:
  // What a connection tells, in pieces of this size.
  void tell(const std::string& text, std::size_t piece = 7) {
    log_.begin();
    for (std::size_t at = 0; at < text.size(); at += piece) log_.add(std::string_view(text).substr(at, piece));
    log_.end();
  }
  std::string content() const { return read(directory_.path() / "stdout.txt"); }

  cloudai::testing::TemporaryDirectory directory_;
  LogText log_{directory_.path() / "stdout.txt"};
};

TEST_F(LogTextTest, ToldOnceItIsThereOnce) {
  tell("one\ntwo\n");
  EXPECT_EQ(content(), "one\ntwo\n");
  EXPECT_EQ(log_.size(), 8);
}

TEST_F(LogTextTest, ToldAgainFromTheBeginningItIsContinued) {
  const std::string all = numbered_lines(1, 100);
  // Dropped in the middle of a line, and of a character.
  for (const std::size_t end : {std::size_t{0}, std::size_t{3}, all.find("ö") + 1, all.size() / 2, all.size()}) {
    tell(all.substr(0, end));
  }
  EXPECT_EQ(content(), all);
  EXPECT_FALSE(log_.has_gap());
}

TEST_F(LogTextTest, ToldLessThanBeforeItStays) {
  tell(numbered_lines(1, 10));
  tell(numbered_lines(1, 3));
  tell("");
  EXPECT_EQ(content(), numbered_lines(1, 10));
}

TEST_F(LogTextTest, WhatAServerNoLongerHasIsNotMissed) {
  tell(numbered_lines(1, 60));
  tell(numbered_lines(31, 90));
  EXPECT_EQ(content(), numbered_lines(1, 90));
  EXPECT_FALSE(log_.has_gap());
}

TEST_F(LogTextTest, AnEndThatIsKnownAddsNothing) {
  tell(numbered_lines(1, 60));
  tell(numbered_lines(55, 60));
  EXPECT_EQ(content(), numbered_lines(1, 60));
  EXPECT_FALSE(log_.has_gap());
}

TEST_F(LogTextTest, WhatJoinsOnToNothingIsKeptAndSaid) {
  tell(numbered_lines(1, 60));
  tell(numbered_lines(100, 160));
  EXPECT_EQ(content(), numbered_lines(1, 60) + numbered_lines(100, 160));
  EXPECT_TRUE(log_.has_gap());
}

TEST_F(LogTextTest, AFileThatCannotBeWrittenIsSaid) {
  LogText log(directory_.path() / "no" / "where");
  EXPECT_THAT(log.trouble(), ::testing::HasSubstr("cannot be written"));
}

TEST(LogTextRandom, CutAnywhereAnyNumberOfTimesNothingIsLostOrDoubled) {
  const unsigned seed = 20260203;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const std::string all = numbered_lines(1, 200);
  for (int round = 0; round < 30; ++round) {
    const cloudai::testing::TemporaryDirectory directory;
    LogText log(directory.path() / "stdout.txt");
    for (int connection = 0; connection < 6; ++connection) {
      const std::size_t end = connection == 5 ? all.size() : random() % (all.size() + 1);
      log.begin();
      for (std::size_t at = 0; at < end;) {
        const std::size_t size = std::min<std::size_t>(1 + random() % 300, end - at);
        log.add(std::string_view(all).substr(at, size));
        at += size;
      }
      log.end();
    }
    ASSERT_EQ(read(directory.path() / "stdout.txt"), all) << "round " << round;
  }
}

// A server of which a test says what each connection does.
class LogStreamTest : public ::testing::Test {
 protected:
  using Kind = WebSocketEnd::Kind;
  struct Connection {
    std::string text;
    WebSocketEnd end;
  };

  LogConnection connection() {
    return [this](const std::function<void(std::string_view)>& on_data, const std::function<bool()>& stop) {
      const std::size_t number = std::min<std::size_t>(static_cast<std::size_t>(connections_++), script_.size() - 1);
      on_data(script_[number].text);
      while (script_[number].end.kind == Kind::stopped && !stop()) std::this_thread::sleep_for(milliseconds(5));
      return script_[number].end;
    };
  }
  void wait_for_connections(int count) const {
    while (connections_ < count) std::this_thread::sleep_for(milliseconds(2));
  }
  std::string run(std::vector<Connection> script, int connections_before_the_end) {
    script_ = std::move(script);
    LogStream stream(connection(), directory_.path() / "stdout.txt",
                     {milliseconds(5), milliseconds(20), milliseconds(50)});
    wait_for_connections(connections_before_the_end);
    return stream.finish();
  }
  std::string content() const { return read(directory_.path() / "stdout.txt"); }

  cloudai::testing::TemporaryDirectory directory_;
  std::vector<Connection> script_;
  std::atomic<int> connections_{0};
};

TEST_F(LogStreamTest, ThatIsDroppedThriceLosesAndDoublesNothing) {
  const std::string all = numbered_lines(1, 50);
  EXPECT_EQ(run({{all.substr(0, 5), {Kind::broken, 0, "reset"}},
                 {all.substr(0, 100), {Kind::broken, 0, "reset"}},
                 {all.substr(0, 333), {Kind::broken, 0, "1011"}},
                 {all, {Kind::closed, 0, ""}}},
                4),
            "");
  EXPECT_EQ(content(), all);
}

TEST_F(LogStreamTest, OfPodsThatAreGoneWasWholeIfTheServerSaidSo) {
  EXPECT_EQ(run({{"all\n", {Kind::closed, 0, ""}}, {"", {Kind::refused, 404, "status 404"}}}, 2), "");
  EXPECT_EQ(content(), "all\n");
}

TEST_F(LogStreamTest, ThatBrokeBeforeThePodsWereGoneIsNotKnownToBeWhole) {
  EXPECT_EQ(run({{"some\n", {Kind::broken, 0, "reset"}}, {"", {Kind::refused, 404, "status 404"}}}, 2), "status 404");
  EXPECT_EQ(content(), "some\n");
}

TEST_F(LogStreamTest, ThatWasNeverReachedIsNoEmptyLog) {
  EXPECT_EQ(run({{"", {Kind::refused, 500, "status 500"}}}, 1), "status 500");
}

TEST_F(LogStreamTest, ThatIsSilentAfterTheEndIsAskedOnceMore) {
  EXPECT_EQ(run({{"all\n", {Kind::stopped, 0, ""}}}, 1), "");
  EXPECT_EQ(connections_, 2);
  EXPECT_EQ(content(), "all\n");
}

TEST_F(LogStreamTest, ThatTellsNothingTheSecondTimeIsNotKnownToBeWhole) {
  EXPECT_EQ(run({{"some\n", {Kind::stopped, 0, ""}}, {"", {Kind::stopped, 0, ""}}}, 1),
            "the log did not end with its workload");
  EXPECT_EQ(connections_, 3);
}

TEST_F(LogStreamTest, ThatIsEmptyIsAskedThreeTimes) {
  EXPECT_EQ(run({{"", {Kind::closed, 0, ""}}}, 1), "");
  EXPECT_GE(connections_, 3);
}

TEST_F(LogStreamTest, EndsWithTheObject) {
  script_ = {{"some\n", {Kind::stopped, 0, ""}}};
  {
    const LogStream stream(connection(), directory_.path() / "stdout.txt");
    wait_for_connections(1);
  }
  EXPECT_EQ(content(), "some\n");
}

}  // namespace
}  // namespace runai
