#include "modules/reporters/results/summary.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"
#include "tests/sdk/schema_check.hpp"

namespace cloudai::results {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SummaryTest : public ::testing::Test {
 protected:
  // The whole sentence of the refusal, without the file's name before it.
  std::string refusal() const {
    try {
      read_summary(directory.path(), [](const RunSummary&, std::size_t) {});
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::failed);
      const std::string start = (directory.path() / "summary.json").string() + " ";
      EXPECT_THAT(error.message(), ::testing::StartsWith(start));
      return error.message().substr(start.size());
    }
    return "not refused";
  }

  const cloudai::testing::TemporaryDirectory directory;
};

TEST(SampleResults, FollowThePublishedSchemas) {
  Json json = samples::summary("nccl-test");
  json["runs"].push_back(samples::passed_run("Tests.1", "nccl_test_all_reduce", 187));
  json["runs"].push_back(samples::unsuccessful_run("Tests.2", "t", "failed", {"out_of_bounds", "Wrong.", "", {}}));
  EXPECT_THAT(cloudai::testing::schema_violations("summary", json), IsEmpty());
  const Json outcome = samples::run_outcome(json["runs"][0], samples::collective_outcome("all_reduce", 5, 12));
  EXPECT_THAT(cloudai::testing::schema_violations("run_outcome", outcome), IsEmpty());
}

TEST_F(SummaryTest, ReadsTheHeader) {
  samples::write_passed(directory.path());
  const Header header = read_summary(directory.path(), [](const RunSummary&, std::size_t) {});
  EXPECT_EQ(header.scenario, "nccl-test");
  EXPECT_EQ(header.status, "passed");
  EXPECT_EQ(header.user, "ada");
  EXPECT_EQ(header.scheduler, "slurm");
  EXPECT_EQ(header.modules.at(0).id, "cloudai.nccl_test");
  EXPECT_EQ(header.seconds, 201.0);
}

TEST_F(SummaryTest, HandsOverTheRunsInOrder) {
  samples::write_mixed(directory.path());
  std::vector<std::string> ids;
  read_summary(directory.path(), [&](const RunSummary& run, std::size_t index) {
    EXPECT_EQ(index, ids.size());
    ids.push_back(run.id);
    if (index != 0) return;
    EXPECT_THAT(run.nodes, ElementsAre("node017", "node018"));
    EXPECT_EQ(run.nodes_requested, 2);
    EXPECT_EQ(run.stages.at(0).kind, "prologue");
    EXPECT_EQ(run.stages.at(1).standard_output, "all-reduce/0/stdout.txt");
    EXPECT_EQ(run.stages.at(1).exit_status, 0);
    EXPECT_FALSE(run.reason.has_value());
  });
  EXPECT_THAT(ids, ElementsAre("all-reduce/0", "all-gather/0", "reduce-scatter/0", "broadcast/0", "alltoall/0",
                               "sendrecv/0", "gather/0", "scatter/0"));
}

TEST_F(SummaryTest, DoesNotCareForTheOrderOfKeysAndIgnoresUnknownOnes) {
  directory.write("summary.json", R"({"runs": [{"id": "a/0", "status": "passed", "news": {"runs": [{}]}}], "news": [{}],
    "status": "passed", "scenario": {"name": "s"}, "schema": "cloudai.summary/1"})");
  std::size_t runs = 0;
  EXPECT_EQ(read_summary(directory.path(), [&](const RunSummary&, std::size_t) { ++runs; }).scenario, "s");
  EXPECT_EQ(runs, 1U);
}

TEST_F(SummaryTest, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal(), "does not exist.");
}

TEST_F(SummaryTest, RefusesWhatIsNoFileWithoutWaiting) {
  ASSERT_EQ(::mkfifo((directory.path() / "summary.json").c_str(), 0600), 0);
  EXPECT_EQ(refusal(), "is not a regular file.");
}

TEST_F(SummaryTest, RefusesWhatIsCutOff) {
  samples::write_passed(directory.path());
  const std::string whole = samples::read_file(directory.path() / "summary.json");
  for (std::size_t size = 0; size < whole.size() - 2; size += 101) {
    directory.write("summary.json", whole.substr(0, size));
    EXPECT_EQ(refusal(), "is cut off: it ends in the middle of the document.") << size;
  }
}

TEST_F(SummaryTest, RefusesWhatIsNoJson) {
  directory.write("summary.json", "{\"schema\": yes}");
  EXPECT_EQ(refusal(), "is not JSON: it breaks at byte 12.");
  directory.write("summary.json", "{\"a\": \"\xFF\"}");
  EXPECT_THAT(refusal(), ::testing::StartsWith("is not JSON"));
  directory.write("summary.json", "{\"a\": 1e999}");
  EXPECT_EQ(refusal(), "holds a number too large to be read.");
  directory.write("summary.json", "[]");
  EXPECT_EQ(refusal(), "does not hold a JSON object.");
  directory.write("summary.json", std::string(100000, '['));
  EXPECT_EQ(refusal(), "is nested deeper than 64 levels.");
}

TEST_F(SummaryTest, NamesThePlaceThatIsWrong) {
  directory.write("summary.json", R"({"schema": "cloudai.summary/2"})");
  EXPECT_EQ(refusal(), "is broken: The document has the schema 'cloudai.summary/2'; expected 'cloudai.summary/1'.");
  directory.write("summary.json",
                  R"({"schema": "cloudai.summary/1", "runs": [{"id": "a/0", "status": "passed"}, {"id": 7}]})");
  EXPECT_EQ(refusal(), "is broken: /runs/1/id is the number 7; expected text.");
  directory.write("summary.json", R"({"schema": "cloudai.summary/1", "scenario": {"name": "s"}})");
  EXPECT_EQ(refusal(), "is broken: /status is missing.");
}

}  // namespace
}  // namespace cloudai::results
