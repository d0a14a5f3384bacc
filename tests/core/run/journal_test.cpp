#include "core/run/journal.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <vector>

#include "core/support/time.hpp"
#include "tests/core/scratch_directory.hpp"

namespace cloudai::run {
namespace {

std::vector<Json> records(const std::filesystem::path& path) {
  std::vector<Json> result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) result.push_back(Json::parse(line));
  return result;
}

TEST(Journal, HoldsOneRecordALineInOrder) {
  const testing::ScratchDirectory scratch;
  {
    auto journal = Journal::create(scratch / "journal.jsonl").value();
    ASSERT_TRUE(journal->append("submitting", {{"run", "A/0"}, {"tag", "x"}}));
    ASSERT_TRUE(journal->append_durably("submitted", {{"run", "A/0"}, {"job", "7\n8"}}));
  }
  const auto all = records(scratch / "journal.jsonl");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["event"], "submitting");
  EXPECT_EQ(all[0]["tag"], "x");
  EXPECT_EQ(all[1]["job"], "7\n8");
  EXPECT_TRUE(parse_rfc3339(all[1]["time"].get<std::string>()).has_value());
}

TEST(Journal, RecordsOfSeveralThreadsDoNotMix) {
  const testing::ScratchDirectory scratch;
  auto journal = Journal::create(scratch / "journal.jsonl").value();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i)
        ASSERT_TRUE(journal->append("finished", {{"run", std::string(200, 'r')}, {"t", t}}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(records(scratch / "journal.jsonl").size(), 800U);
}

TEST(Journal, TextThatIsNoUtf8IsKeptReadable) {
  const testing::ScratchDirectory scratch;
  auto journal = Journal::create(scratch / "journal.jsonl").value();
  ASSERT_TRUE(journal->append("finished", {{"reason", "\xff"}}));
  EXPECT_EQ(records(scratch / "journal.jsonl")[0]["reason"], "\xEF\xBF\xBD");
}

TEST(Journal, TellsAListenerOfEveryEvent) {
  const testing::ScratchDirectory scratch;
  auto journal = Journal::create(scratch / "journal.jsonl").value();
  std::vector<std::string> heard;
  journal->tell(
      [&](std::string_view event, const Json& fields) { heard.push_back(std::string(event) + fields.dump()); });
  ASSERT_TRUE(journal->append("running", {{"run", "a/0"}}));
  ASSERT_TRUE(journal->append_durably("signal", {{"signal", 2}}));
  journal->tell({});
  ASSERT_TRUE(journal->append("running", {{"run", "b/0"}}));
  EXPECT_EQ(heard, (std::vector<std::string>{R"(running{"run":"a/0"})", R"(signal{"signal":2})"}));
}

TEST(Journal, SaysWhenItCannotBeWritten) {
  const testing::ScratchDirectory scratch;
  const auto path = scratch / "none" / "journal.jsonl";
  EXPECT_EQ(Journal::create(path).error().message,
            "cannot write the journal '" + path.string() + "': No such file or directory.");
  auto full = Journal::create("/dev/full").value();
  EXPECT_EQ(full->append("x", Json::object()).error().message,
            "cannot write the journal '/dev/full': No space left on device.");
}

}  // namespace
}  // namespace cloudai::run
