// The markdown reporter as a module, on whole results directories.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// What is left of a line when every code span is taken out: this alone is Markdown.
std::string outside_of_code(const std::string& line) {
  std::string rest;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t open = line.find('`', at);
    if (open == std::string::npos) return rest + line.substr(at);
    rest += line.substr(at, open - at);
    const std::string fence = line.substr(open, line.find_first_not_of('`', open) - open);
    std::size_t close = open;
    do {
      close = line.find(fence, close == open ? open + fence.size() : line.find_first_not_of('`', close));
    } while (close != std::string::npos && close + fence.size() < line.size() && line[close + fence.size()] == '`');
    EXPECT_NE(close, std::string::npos) << line;
    if (close == std::string::npos) return rest;
    at = close + fence.size();
  }
  return rest;
}

class MarkdownReportTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name) {
    const testing::Reply reply = testing::write_report("markdown", directory.path(), host);
    EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    EXPECT_EQ(reply.json()["files"], Json::array({name}));
    return samples::read_file(directory.path() / name);
  }

  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
};

TEST_F(MarkdownReportTest, BeginsWithTheVerdictAndGoesOnWithWhatFailed) {
  samples::write_mixed(directory.path());
  samples::write_file(directory.path() / "stdout.txt", std::string(30, '\n') + "  4194304  12 wrong\n");
  const std::string text = write("nightly acceptance.md");
  EXPECT_THAT(text, StartsWith("# `nightly acceptance`: **ERROR**\n\n"
                               "3 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped, 1 cancelled; 201 s; started "
                               "`2026-03-01T12:00:00.000Z` on `example-cluster` (`slurm`), cloudai `0.1.0`\n\n"
                               "## What did not pass\n\n"
                               "- **FAILED** `reduce-scatter/0` (`nccl_test_reduce_scatter`): "
                               "`3 of 31 sizes have wrong values: the first is 4 MiB with 12 wrong elements.`\n"
                               "  - `Look for a link with errors between node017 and node018, then run the test on "
                               "each node alone.`\n"
                               "  - `stdout.txt:31`: `   4194304  12 wrong `\n"
                               "- **ERROR** `broadcast/0`"));
  EXPECT_THAT(text, HasSubstr("\n## What was skipped\n\n- **SKIPPED** `gather/0` (`nccl_test_gather`): "
                              "`It depends on broadcast, which did not pass.`\n"));
  EXPECT_THAT(text, HasSubstr("\n## Runs\n\n| Run | Test | Status | Time | Nodes | Measured |\n"
                              "|---|---|---|--:|--:|---|\n"
                              "| `all-reduce/0` | `nccl_test_all_reduce` | **PASSED** | 96.4 s | 2 | "
                              "`busbw (size 8 GiB)` `181.778 GB/s` |\n"));
  EXPECT_THAT(text, HasSubstr("| `sendrecv/0` | `nccl_test_sendrecv` | **INCONCLUSIVE** | 31 s | 2 |  |\n"));
  EXPECT_THAT(text, Not(HasSubstr("## Iterations")));
}

TEST_F(MarkdownReportTest, ListsEachCriterionWithItsResult) {
  samples::write_passed(directory.path());
  const Json run = samples::passed_run("Tests.1", "nccl_test_all_reduce", 187.4);
  Outcome outcome;
  outcome.facts = {{"min_busbw", "measured 181.78 >= limit 10 GB/s"}, {"ranks", "16"}};
  samples::write_file(directory.path() / "Tests.1/0/outcome.json", samples::run_outcome(run, outcome).dump());
  EXPECT_THAT(write("nccl-test.md"), HasSubstr("\n## Facts\n\n- `Tests.1/0`: `min_busbw` `measured 181.78 >= limit "
                                               "10 GB/s`; `ranks` `16`\n- `Tests.2/0`: "));
}

TEST_F(MarkdownReportTest, ShowsHowFarIterationsLieApart) {
  Json summary = samples::summary("repeated");
  for (int i = 0; i < 4; ++i) {
    Json run = i == 1 ? samples::unsuccessful_run("A", "t", "failed", {"exit_status", "exit status 1", "", {}})
                      : samples::passed_run("A", "t", 100);
    run["id"] = "A/" + std::to_string(i);
    run["iteration"] = i;
    if (i != 1) run["headline"][0]["value"] = 100 + i;
    if (i == 2) run.erase("headline");  // it measured nothing
    summary["runs"].push_back(run);
  }
  samples::write_results(directory.path(), summary);
  EXPECT_THAT(write("repeated.md"),
              HasSubstr("\n## Iterations\n\nOf those that passed.\n\n"
                        "| Case | Metric | Values | Median | Mean | Least | Most | Deviation |\n"
                        "|---|---|--:|--:|--:|--:|--:|--:|\n"
                        "| `A` | `busbw (size 8 GiB)` `GB/s` | 2 of 4 | 101.5 | 101.5 | 100 | 103 | 2.12132 |\n"));
}

TEST_F(MarkdownReportTest, KeepsHostileTextsInCode) {
  Json summary = samples::summary("a|b`c <b> @ada");
  const std::string hostile = "``` | <img src=x> @ada #1 [a](javascript:alert(1)) https://evil.example\n# big\n| x |";
  Json run = samples::unsuccessful_run("A", hostile, "failed", {hostile, hostile, hostile, {{hostile, {}}}});
  run["id"] = hostile;
  run["stages"][0]["name"] = hostile;
  run["stages"][0]["reason"]["text"] = hostile + "!";
  run["nodes"]["actual"][0]["name"] = hostile;
  Json passed = samples::passed_run("B", hostile, 9);
  passed["headline"][0]["name"] = hostile;
  passed["headline"][0]["labels"] = {{hostile, hostile}};
  summary["runs"] = {run, passed};
  summary["status"] = hostile;
  for (const char* key : {"name", "scheduler"}) summary["system"][key] = hostile;
  summary["started"] = hostile;
  samples::write_results(directory.path(), summary);
  Outcome outcome;
  outcome.facts = {{hostile, hostile}};
  samples::write_file(directory.path() / "B/0/outcome.json", samples::run_outcome(passed, outcome).dump());
  const std::string text = write("a|b`c <b> @ada.md");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string rest = outside_of_code(line);
    for (const char* part : {"<img", "@ada", "#1", "javascript", "http", "big"}) {
      EXPECT_EQ(rest.find(part), std::string::npos) << line;
    }
  }
  EXPECT_THAT(text, HasSubstr("| ```` ``` \\| <img src=x>"));
}

TEST_F(MarkdownReportTest, IsCutWhereItWouldNotFitIntoAComment) {
  Json summary = samples::summary("many");
  for (int i = 0; i < 150; ++i) {
    Json run = samples::unsuccessful_run("A", "t", "failed", {"exit_status", std::string(2000, 'x'), "", {}});
    run["id"] = "A/" + std::to_string(i);
    summary["runs"].push_back(run);
  }
  samples::write_results(directory.path(), summary);
  const std::string text = write("many.md");
  EXPECT_LT(text.size(), 65536U);
  EXPECT_THAT(text, HasSubstr("\n… and 130 more runs.\n"));
  EXPECT_THAT(text, HasSubstr("\n… and 50 more runs.\n"));
}

TEST_F(MarkdownReportTest, OfNoRunSaysSo) {
  samples::write_empty(directory.path());
  const std::string text = write("empty.md");
  EXPECT_THAT(text, HasSubstr(": **FAILED**\n\nno run; 201 s;"));
  EXPECT_THAT(text, HasSubstr("\nThe summary says passed, but no run passed.\n"));
}

TEST_F(MarkdownReportTest, FailsWithoutASummaryAndLeavesNothing) {
  const testing::Reply reply = testing::write_report("markdown", directory.path(), host);
  EXPECT_EQ(reply.status, CLOUDAI_FAILED);
  EXPECT_EQ(reply.message(), (directory.path() / "summary.json").string() + " does not exist.");
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace cloudai
