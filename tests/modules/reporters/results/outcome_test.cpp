#include "modules/reporters/results/outcome.hpp"

#include <gmock/gmock.h>

#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::results {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class OutcomeTest : public ::testing::Test {
 protected:
  void write(const Outcome& outcome) const {
    const Json run = samples::passed_run("Tests.1", "t", 12);
    directory.write("outcome.json", samples::run_outcome(run, outcome).dump());
  }

  std::string refusal(const std::string& path = "outcome.json") const {
    try {
      read_outcome(directory.path(), path);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::failed);
      return error.message();
    }
    return "not refused";
  }

  std::string file() const { return (directory.path() / "outcome.json").string(); }

  const cloudai::testing::TemporaryDirectory directory;
};

TEST_F(OutcomeTest, ReadsEveryStage) {
  write(samples::collective_outcome("all_reduce", 5, 12));
  const auto stages = read_outcome(directory.path(), "outcome.json");
  ASSERT_THAT(stages, SizeIs(3));
  EXPECT_EQ(stages[0].kind, "prologue");
  EXPECT_EQ(stages[0].directory, "Tests.1/0/prologue/nccl_test_all_reduce");
  EXPECT_THAT(stages[1].outcome.metrics, SizeIs(5));
  EXPECT_THAT(stages[1].outcome.tables.at(0).rows, SizeIs(5));
}

TEST_F(OutcomeTest, LeavesOutWhatIsNotAskedFor) {
  write(samples::collective_outcome("all_reduce", 5, 12));
  const auto stages = read_outcome(directory.path(), "outcome.json", {false, false});
  ASSERT_THAT(stages, SizeIs(3));
  EXPECT_THAT(stages[1].outcome.metrics, IsEmpty());
  EXPECT_THAT(stages[1].outcome.tables, IsEmpty());
  EXPECT_THAT(stages[1].outcome.plots, IsEmpty());
  EXPECT_THAT(stages[1].outcome.facts, SizeIs(2));
}

TEST_F(OutcomeTest, RefusesWhatIsBroken) {
  EXPECT_EQ(refusal(), file() + " does not exist.");
  directory.write("outcome.json", "{\"schema\": \"cloudai.run_outcome/1\", \"sta");
  EXPECT_EQ(refusal(), file() + " is cut off: it ends in the middle of the document.");
  directory.write("outcome.json", R"({"schema": "cloudai.run_outcome/1", "stages": [{"kind": "main", "name": "t",
    "directory": ".", "outcome": {"verdict": "good"}}]})");
  EXPECT_EQ(refusal(), file() +
                           " is broken: /stages/0/outcome/verdict is the text 'good'; expected one of 'passed', "
                           "'failed', 'error', 'inconclusive'.");
}

TEST_F(OutcomeTest, RefusesAPathToSomewhereElse) {
  EXPECT_EQ(refusal("../outcome.json"),
            "The path '../outcome.json' leaves the results directory " + directory.path().string() + ".");
}

}  // namespace
}  // namespace cloudai::results
