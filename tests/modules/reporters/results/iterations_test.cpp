#include "modules/reporters/results/iterations.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace cloudai::results {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class IterationsTest : public ::testing::Test {
 protected:
  void run(const std::string& test_case, int iteration, const std::string& status, std::optional<double> busbw) {
    RunSummary summary;
    summary.test_case = test_case;
    summary.iteration = iteration;
    summary.id = test_case + "/" + std::to_string(iteration);
    summary.status = status;
    iterations.begin(summary);
    if (busbw) iterations.add("main/t", {"busbw", *busbw, "GB/s", Better::higher, true, {}});
  }

  std::vector<RepeatedCase> cases;
  Iterations iterations{[this](const RepeatedCase& repeated) { cases.push_back(repeated); }};
};

TEST(SpreadOf, IsThatOfASample) {
  const Spread spread = spread_of({4, 1, 3, 8});
  EXPECT_EQ(spread.least, 1);
  EXPECT_EQ(spread.median, 3.5);
  EXPECT_EQ(spread.mean, 4);
  EXPECT_EQ(spread.most, 8);
  EXPECT_NEAR(spread.deviation.value(), 2.9439, 0.0001);
  EXPECT_EQ(spread_of({3, 1, 2}).median, 2);
}

TEST(SpreadOf, OneValueHasNoDeviation) {
  const Spread spread = spread_of({7});
  EXPECT_EQ(spread.median, 7);
  EXPECT_EQ(spread.deviation, std::nullopt);
}

// Four iterations: one failed without a value, one measured "nan".
TEST_F(IterationsTest, CountWhatWasMeasuredOnly) {
  run("A", 0, "passed", 100);
  run("A", 1, "failed", std::nullopt);
  run("A", 2, "passed", std::numeric_limits<double>::quiet_NaN());
  run("A", 3, "passed", 102);
  iterations.end();
  ASSERT_THAT(cases, SizeIs(1));
  EXPECT_EQ(cases[0].iterations, 4U);
  EXPECT_THAT(cases[0].not_passed, ElementsAre("A/1 failed"));
  ASSERT_THAT(cases[0].metrics, SizeIs(1));
  EXPECT_THAT(cases[0].metrics[0].values, ElementsAre(100, 102));
  EXPECT_EQ(spread_of(cases[0].metrics[0].values).mean, 101);
}

TEST_F(IterationsTest, LeaveOutWhatAFailedOneMeasured) {
  run("A", 0, "failed", 5);
  run("A", 1, "error", 6);
  iterations.end();
  ASSERT_THAT(cases, SizeIs(1));
  EXPECT_THAT(cases[0].metrics, IsEmpty());
  EXPECT_THAT(cases[0].not_passed, ElementsAre("A/0 failed", "A/1 error"));
}

TEST_F(IterationsTest, AreThoseOfOneCase) {
  run("A", 0, "passed", 1);
  run("B", 0, "passed", 2);
  run("B", 1, "passed", 3);
  run("C", 0, "passed", 4);
  iterations.end();
  ASSERT_THAT(cases, SizeIs(1));
  EXPECT_EQ(cases[0].test_case, "B");
  EXPECT_THAT(cases[0].metrics[0].values, ElementsAre(2, 3));
}

}  // namespace
}  // namespace cloudai::results
