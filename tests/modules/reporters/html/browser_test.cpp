// The page in a real browser, offline.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "modules/reporters/html/page_frame.hpp"
#include "tests/modules/reporters/support/child_process.hpp"
#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/modules/reporters/support/showcase.hpp"

namespace cloudai {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream directories(path == nullptr ? "" : path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    const fs::path file = fs::path(directory) / name;
    if (::access(file.c_str(), X_OK) == 0) return file.string();
  }
  return {};
}

void exec_to_files(const std::vector<std::string>& argv, const fs::path& output, const fs::path& errors) {
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  if (std::freopen(output.c_str(), "w", stdout) == nullptr || std::freopen(errors.c_str(), "w", stderr) == nullptr)
    return;
  ::execv(pointers[0], pointers.data());
}

class BrowserTest : public ::testing::Test {
 protected:
  void SetUp() override {
    chromium = find_program("chromium");
    node = find_program("node");
    modules = tree::build_directory() + "/npm/browser-test/node_modules";
    if (chromium.empty()) GTEST_SKIP() << "There is no chromium in PATH.";
    if (node.empty() || !fs::exists(modules))
      GTEST_SKIP() << "There is no node in PATH, or the build found no playwright-core.";
  }

  void write_report() { ASSERT_EQ(testing::write_report("html", directory.path(), host).status, CLOUDAI_OK); }

  // What look_at_page.mjs sees of the page, which is named relative to the results.
  Json look_at(const fs::path& page, Json how = Json::object()) {
    how["chromium"] = chromium;
    how["page"] = (directory.path() / page).string();
    const testing::TemporaryDirectory scratch;
    const std::vector<std::string> argv = {
        node, tree::source_directory() + "/tests/modules/reporters/html/look_at_page.mjs", modules, how.dump()};
    const auto end = testing::in_child([&] {
      exec_to_files(argv, scratch.path() / "seen.json", scratch.path() / "errors.txt");
      throw std::runtime_error("not started");
    });
    EXPECT_TRUE(end.good) << samples::read_file(scratch.path() / "errors.txt");
    Json seen = Json::parse(samples::read_file(scratch.path() / "seen.json"), nullptr, false);
    if (seen.is_discarded()) return Json::object();
    // A blocked request, a style or script that does not match its hash, a broken policy and an exception are all told
    // on the console.
    EXPECT_THAT(seen["console"], IsEmpty()) << seen["console"];
    EXPECT_EQ(seen["requests"].size(), 1U) << seen["requests"];
    EXPECT_EQ(seen["too_wide"], false);
    return seen;
  }

  std::string chromium;
  std::string node;
  std::string modules;
  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
};

TEST_F(BrowserTest, DrawsChartsAgainAndAsksForNothing) {
  samples::write_showcase(directory.path());
  write_report();
  for (const char* page : {"nightly acceptance.html", "all-gather/0/cloudai_nccl_test_report.html"}) {
    const Json seen = look_at(page);
    EXPECT_EQ(seen["verdict"], "FAILED");
    EXPECT_EQ(seen["charts"], 6);
    if (!html::has_chart_script()) continue;
    EXPECT_GE(seen["canvases"], 4);
  }
}

TEST_F(BrowserTest, ShowsEverythingWithoutScripts) {
  samples::write_showcase(directory.path());
  write_report();
  const Json scenario = look_at("nightly acceptance.html", {{"scripts", false}});
  EXPECT_EQ(scenario["verdict"], "FAILED");
  EXPECT_EQ(scenario["pictures"], 6);
  EXPECT_GE(scenario["tables"], 1);
  const Json run = look_at("all-reduce/0/cloudai_nccl_test_report.html", {{"scripts", false}, {"scheme", "dark"}});
  EXPECT_EQ(run["verdict"], "PASSED");
  EXPECT_EQ(run["pictures"], 6);
  EXPECT_EQ(run["tables"], 4);  // the stages, and what each of them measured
}

TEST_F(BrowserTest, ReadsAndZoomsAChartByKeyboard) {
  if (!html::has_chart_script()) GTEST_SKIP() << "The build had no uPlot.";
  samples::write_showcase(directory.path());
  write_report();
  const Json seen = look_at("all-gather/0/cloudai_nccl_test_report.html",
                            {{"keys", {"Home", "ArrowRight", "End", "ArrowLeft", "+", "Escape", "Home"}}});
  ASSERT_EQ(seen["readings"].size(), 7U);
  EXPECT_THAT(seen["label"].get<std::string>(), HasSubstr("Bus bandwidth. Busbw (GB/s) Out-of-place from "));
  EXPECT_THAT(seen["readings"][0].get<std::string>(), HasSubstr("At 8 B: Busbw (GB/s) Out-of-place "));
  EXPECT_THAT(seen["readings"][1].get<std::string>(), HasSubstr("At 16 B: "));
  EXPECT_THAT(seen["readings"][2].get<std::string>(), HasSubstr("At 8 GiB: "));
  EXPECT_THAT(seen["readings"][3].get<std::string>(), HasSubstr("At 4 GiB: "));
  EXPECT_EQ(seen["readings"][6], seen["readings"][0]);
}

TEST_F(BrowserTest, FitsASmallScreen) {
  samples::write_showcase(directory.path());
  write_report();
  look_at("nightly acceptance.html", {{"width", 390}});
  look_at("all-gather/0/cloudai_nccl_test_report.html", {{"width", 390}});
}

TEST_F(BrowserTest, RunsNothingOfAHostilePage) {
  samples::write_hostile(directory.path());
  write_report();
  const Json seen = look_at("nemo2.0_llama3 70b fp8: <final> & \"x\".html");
  EXPECT_EQ(seen["verdict"], "FAILED");
  for (const auto& entry : fs::directory_iterator(directory.path() / "Tests.1/0")) {
    if (entry.path().extension() == ".html") look_at(fs::relative(entry.path(), directory.path()));
  }
}

}  // namespace
}  // namespace cloudai
