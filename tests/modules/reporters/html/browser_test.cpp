// The page in a real browser, offline.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "tests/modules/reporters/support/child_process.hpp"
#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"

namespace cloudai {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string find_chromium() {
  const char* const path = std::getenv("PATH");
  std::istringstream directories(path == nullptr ? "" : path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    const fs::path file = fs::path(directory) / "chromium";
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
    chromium = find_chromium();
    if (chromium.empty()) GTEST_SKIP() << "There is no chromium in PATH.";
  }

  // The document after the browser has read it; what it says on its console goes to `console`.
  std::string dump_dom(const std::string& page) {
    const fs::path scratch = directory.path() / "browser";
    fs::create_directory(scratch);
    const std::vector<std::string> argv = {chromium,
                                           "--headless",
                                           "--no-sandbox",
                                           "--disable-gpu",
                                           "--no-first-run",
                                           "--disable-background-networking",
                                           "--disable-component-update",
                                           "--disable-sync",
                                           "--host-resolver-rules=MAP * ~NOTFOUND",
                                           "--enable-logging=stderr",
                                           "--user-data-dir=" + (scratch / "profile").string(),
                                           "--dump-dom",
                                           "file://" + (directory.path() / page).string()};
    const auto end = testing::in_child([&] {
      exec_to_files(argv, scratch / "dom.html", scratch / "errors.txt");
      throw std::runtime_error("not started");
    });
    EXPECT_TRUE(end.good);
    std::istringstream errors(samples::read_file(scratch / "errors.txt"));
    for (std::string line; std::getline(errors, line);) {
      if (line.find(":CONSOLE") != std::string::npos) console += line + "\n";
    }
    return samples::read_file(scratch / "dom.html");
  }

  std::string chromium;
  std::string console;
  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
};

TEST_F(BrowserTest, ShowsThePageAndAsksForNothing) {
  samples::write_passed(directory.path());
  ASSERT_EQ(testing::write_report("html", directory.path(), host).status, CLOUDAI_OK);
  const std::string dom = dump_dom("nccl-test.html");
  EXPECT_THAT(dom, HasSubstr("<strong>PASSED</strong>"));
  EXPECT_THAT(dom, HasSubstr("<svg class=\"chart\""));
  // A blocked request, a style sheet that does not match its hash and a broken policy would all be told here.
  EXPECT_EQ(console, "");
}

TEST_F(BrowserTest, RunsNothingOfAHostilePage) {
  samples::write_hostile(directory.path());
  ASSERT_EQ(testing::write_report("html", directory.path(), host).status, CLOUDAI_OK);
  fs::rename(directory.path() / "nemo2.0_llama3 70b fp8: <final> & \"x\".html", directory.path() / "hostile.html");
  const std::string dom = dump_dom("hostile.html");
  EXPECT_THAT(dom, HasSubstr("<strong>FAILED</strong>"));
  EXPECT_THAT(dom, Not(HasSubstr("<script")));
  EXPECT_EQ(console, "");
}

}  // namespace
}  // namespace cloudai
