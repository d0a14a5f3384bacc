#include "phases.hpp"

#include <gtest/gtest.h>

namespace runai {
namespace {

using cloudai::JobEnd;
using cloudai::JobPhase;
using std::chrono::seconds;

struct Row {
  const char* phase;
  Meaning meaning;
};
class PhaseTable : public ::testing::TestWithParam<Row> {};

TEST_P(PhaseTable, SaysWhatAPhaseMeans) {
  EXPECT_EQ(meaning_of(GetParam().phase), GetParam().meaning) << GetParam().phase;
}

INSTANTIATE_TEST_SUITE_P(All, PhaseTable,
                         ::testing::Values(Row{"Creating", Meaning::pending}, Row{"Pending", Meaning::pending},
                                           Row{"Initializing", Meaning::pending}, Row{"Resuming", Meaning::pending},
                                           Row{"Running", Meaning::running}, Row{"Updating", Meaning::running},
                                           Row{"Degraded", Meaning::degraded}, Row{"Stopping", Meaning::stopping},
                                           Row{"Suspending", Meaning::stopping}, Row{"Deleting", Meaning::stopping},
                                           Row{"Terminating", Meaning::stopping}, Row{"Stopped", Meaning::stopped},
                                           Row{"Completed", Meaning::succeeded}, Row{"Failed", Meaning::failed},
                                           Row{"Unknown", Meaning::unknown}, Row{"", Meaning::unknown},
                                           Row{"Levitating", Meaning::unknown}, Row{"running", Meaning::unknown}),
                         [](const auto& row) { return "Row" + std::to_string(row.index); });

class PhaseHistoryTest : public ::testing::Test {
 protected:
  std::optional<JobFinish> see(const std::string& phase, int after = 0, const std::string& message = "",
                               const std::string& desired = "") {
    now_ += seconds(after);
    return history_.observe({phase, message, desired}, now_);
  }

  SteadyTime now_ = std::chrono::steady_clock::now();
  PhaseHistory history_{PhaseLimits{}};
};

TEST_F(PhaseHistoryTest, OfAGoodRun) {
  EXPECT_FALSE(see("Creating"));
  EXPECT_EQ(history_.state(), JobPhase::pending);
  EXPECT_FALSE(see("Pending", 60));
  EXPECT_FALSE(history_.has_run());
  EXPECT_FALSE(see("Running", 60));
  EXPECT_EQ(history_.state(), JobPhase::running);
  EXPECT_EQ(history_.starts(), 1);
  const auto finish = see("Completed", 60);
  ASSERT_TRUE(finish);
  EXPECT_EQ(finish->end, JobEnd::completed);
  EXPECT_EQ(now_ - history_.running_since(), seconds(60));
}

TEST_F(PhaseHistoryTest, AFailureTellsWhatRunaiSays) {
  see("Running");
  const auto finish = see("Failed", 60, "BackoffLimitExceeded");
  ASSERT_TRUE(finish);
  EXPECT_EQ(finish->end, JobEnd::failed);
  EXPECT_EQ(finish->reason, "Run:ai's workload is Failed (BackoffLimitExceeded).");
  EXPECT_FALSE(finish->must_delete);
}

struct Limit {
  const char* phase;
  int seconds;
  JobEnd end;
  const char* reason;
};
class PhaseLimitTest : public PhaseHistoryTest, public ::testing::WithParamInterface<Limit> {};

TEST_P(PhaseLimitTest, NoPhaseButTheLastIsForEver) {
  const Limit& limit = GetParam();
  see("Creating");
  see("Running");
  EXPECT_FALSE(see(limit.phase));
  EXPECT_FALSE(see(limit.phase, limit.seconds - 1));
  const auto finish = see(limit.phase, 1, "why");
  ASSERT_TRUE(finish);
  EXPECT_EQ(finish->end, limit.end);
  EXPECT_EQ(finish->reason, limit.reason);
  EXPECT_TRUE(finish->must_delete);
}

INSTANTIATE_TEST_SUITE_P(
    All, PhaseLimitTest,
    ::testing::Values(
        Limit{"Pending", 3600, JobEnd::failed, "Run:ai's workload was Pending (why) for 3600 s (pending_timeout)."},
        Limit{"Degraded", 600, JobEnd::failed, "Run:ai's workload was Degraded (why) for 600 s (degraded_timeout)."},
        Limit{"Stopping", 600, JobEnd::cancelled, "Run:ai's workload was Stopping (why) for 600 s (stopping_timeout)."},
        Limit{"Stopped", 600, JobEnd::cancelled, "Run:ai's workload was Stopped (why) for 600 s (stopping_timeout)."},
        Limit{"Deleting", 600, JobEnd::cancelled, "Run:ai's workload was Deleting (why) for 600 s (stopping_timeout)."},
        Limit{"Unknown", 600, JobEnd::lost, "Run:ai's workload was Unknown (why) for 600 s (unknown_timeout)."},
        Limit{"", 600, JobEnd::lost, "Run:ai's workload was in no phase (why) for 600 s (unknown_timeout)."}),
    [](const auto& row) { return "Row" + std::to_string(row.index); });

TEST_F(PhaseHistoryTest, PhasesOfOneMeaningShareTheLimit) {
  see("Creating");
  EXPECT_FALSE(see("Pending", 1800));
  EXPECT_TRUE(see("Initializing", 1800));
}

TEST_F(PhaseHistoryTest, ADegradedWorkloadMayRecover) {
  see("Running");
  EXPECT_FALSE(see("Degraded", 60));
  EXPECT_EQ(history_.state(), JobPhase::running);
  EXPECT_FALSE(see("Running", 300));
  EXPECT_FALSE(see("Degraded", 400));
  EXPECT_EQ(see("Completed", 10)->end, JobEnd::completed);
  EXPECT_EQ(history_.starts(), 1);
}

TEST_F(PhaseHistoryTest, AnUnknownPhaseChangesNothing) {
  see("Running");
  EXPECT_FALSE(see("Levitating", 60));
  EXPECT_EQ(history_.state(), JobPhase::running);
  EXPECT_FALSE(see("Suspending", 60));
  EXPECT_EQ(history_.state(), JobPhase::running);
}

TEST_F(PhaseHistoryTest, WhatSomebodyStoppedHasEnded) {
  see("Running");
  const auto finish = see("Stopped", 60, "", "Stopped");
  ASSERT_TRUE(finish);
  EXPECT_EQ(finish->end, JobEnd::cancelled);
  EXPECT_EQ(finish->reason, "Run:ai's workload was stopped by someone else, or by a rule: it is Stopped.");
  EXPECT_TRUE(finish->must_delete);
}

TEST_F(PhaseHistoryTest, WhatIsToRunAgainIsWaitedFor) {
  see("Running");
  EXPECT_FALSE(see("Stopped", 60, "", "Running"));
  EXPECT_FALSE(see("Resuming", 60));
  EXPECT_EQ(history_.state(), JobPhase::pending);
  EXPECT_FALSE(see("Running", 60));
  EXPECT_EQ(history_.starts(), 2);
  EXPECT_EQ(now_ - history_.running_since(), seconds(180)) << "since the first time";
}

}  // namespace
}  // namespace runai
