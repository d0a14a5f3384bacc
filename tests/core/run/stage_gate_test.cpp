#include "core/run/stage_gate.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/core/scratch_directory.hpp"

namespace cloudai::run {
namespace {

class StageGate : public ::testing::Test {
 protected:
  // Why the gate is closed, or an empty text.
  std::string why() { return why_gate_is_closed(success_, result_, scratch_.path()).value_or(""); }

  Json success_ = {{"exit_status", 0},
                   {"must_contain", {{{"file", "out"}, {"text", "good"}}}},
                   {"must_not_contain", {{{"file", "err"}, {"text", "bad"}}}}};
  Json result_ = {{"state", "ended"}, {"exit_status", 0}};
  testing::ScratchDirectory scratch_;
};

TEST_F(StageGate, IsOpenIfAllHolds) {
  std::ofstream(scratch_ / "out") << "all is good\n";
  EXPECT_EQ(why(), "");
  success_ = Json::object();
  EXPECT_EQ(why(), "") << "without a rule it is the exit status";
}

TEST_F(StageGate, IsClosedByATextThatIsMissingOrThereAgainstTheRule) {
  EXPECT_EQ(why(), "out does not contain 'good'") << "a file that cannot be read contains nothing";
  std::ofstream(scratch_ / "out") << "good";
  std::ofstream(scratch_ / "err") << "too bad";
  EXPECT_EQ(why(), "err contains 'bad'");
}

TEST_F(StageGate, IsClosedByAnotherEnd) {
  std::ofstream(scratch_ / "out") << "good";
  result_["exit_status"] = 3;
  EXPECT_EQ(why(), "exit status 3, expected 0");
  success_["exit_status"] = 3;
  EXPECT_EQ(why(), "");
  result_["timed_out"] = true;
  EXPECT_EQ(why(), "its time limit has passed");
  result_ = {{"state", "ended"}, {"signal", 9}};
  EXPECT_EQ(why(), "signal 9 ended it");
  result_ = {{"state", "ended"}, {"timed_out", false}};
  EXPECT_EQ(why(), "its exit status is not known");
  result_["state"] = "unfinished";
  EXPECT_EQ(why(), "how it ended is not known");
}

}  // namespace
}  // namespace cloudai::run
