#include "modules/reporters/html/overview.hpp"

#include <gmock/gmock.h>

namespace cloudai::html {
namespace {

Overview overview_of(const std::vector<std::string>& statuses) {
  Overview overview;
  for (const std::string& status : statuses) {
    results::RunSummary run;
    run.id = status;
    run.status = status;
    overview.add(run);
  }
  return overview;
}

ShownVerdict verdict(const std::string& status, const std::vector<std::string>& runs) {
  return verdict_of(status, overview_of(runs));
}

TEST(Verdict, IsWhatTheSummarySays) {
  EXPECT_EQ(verdict("passed", {"passed"}).word, "PASSED");
  EXPECT_EQ(verdict("passed", {"passed"}).sentence, "The one run passed.");
  EXPECT_EQ(verdict("passed", {"passed", "passed"}).sentence, "Both runs passed.");
  EXPECT_EQ(verdict("passed", {"passed", "passed", "passed"}).sentence, "All 3 runs passed.");
  EXPECT_EQ(verdict("passed", {"passed", "skipped"}).word, "PASSED");
  EXPECT_EQ(verdict("passed", {"passed", "skipped"}).sentence, "2 runs: 1 skipped, 1 passed.");
  EXPECT_EQ(verdict("failed", {"passed", "failed", "skipped"}).word, "FAILED");
  EXPECT_EQ(verdict("error", {"error", "inconclusive", "new"}).sentence,
            "3 runs: 1 ended in error, 1 inconclusive, 1 of unknown status.");
  EXPECT_EQ(verdict("cancelled", {"cancelled"}).word, "CANCELLED");
  EXPECT_EQ(verdict("cancelled", {"cancelled"}).caveat, "");
}

TEST(Verdict, IsNoPassWhereNothingWasChecked) {
  const ShownVerdict none = verdict("passed", {});
  EXPECT_EQ(none.word, "FAILED");
  EXPECT_EQ(none.sentence, "No test ran: nothing was checked.");
  EXPECT_EQ(none.caveat, "The summary says passed, but no run passed.");
  const ShownVerdict skipped = verdict("passed", {"skipped", "skipped"});
  EXPECT_EQ(skipped.word, "FAILED");
  EXPECT_EQ(skipped.sentence, "2 runs: 2 skipped. No test ran: nothing was checked.");
}

TEST(Verdict, IsNoPassWhereARunIsNotGood) {
  for (const char* bad : {"failed", "error", "inconclusive", "something new"}) {
    EXPECT_EQ(verdict("passed", {"passed", bad}).word, "FAILED") << bad;
    EXPECT_EQ(verdict("passed", {"passed", bad}).caveat, "The summary says passed, but not every run did.");
  }
}

TEST(Verdict, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(verdict("splendid", {"passed"}).word, "ERROR");
  EXPECT_EQ(verdict("splendid", {"passed"}).caveat,
            "The summary has the status 'splendid', which this report does not know.");
}

TEST(Problems, AreTheWorstFirst) {
  const auto problems = overview_of({"skipped", "passed", "cancelled", "error", "failed", "failed"}).problems();
  std::vector<std::size_t> numbers;
  for (const Problem& problem : problems) numbers.push_back(problem.number);
  EXPECT_THAT(numbers, ::testing::ElementsAre(5, 6, 4, 3, 1));
}

TEST(Problems, AreBounded) {
  const Overview overview = overview_of(std::vector<std::string>(1000, "failed"));
  EXPECT_EQ(overview.problems().size(), Overview::most_problems);
  EXPECT_EQ(overview.problem_count(), 1000U);
}

}  // namespace
}  // namespace cloudai::html
