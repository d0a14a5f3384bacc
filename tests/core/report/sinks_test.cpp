// Every place where a person or a program reads how a run ended says the same of it.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <pugixml.hpp>
#include <sstream>

#include "core/module/catalogue.hpp"
#include "core/module/host.hpp"
#include "core/report/reporters.hpp"
#include "core/report/result_table.hpp"
#include "core/report/summary.hpp"
#include "core/support/files.hpp"
#include "tests/core/report/ending_fixture.hpp"
#include "tests/core/scratch_directory.hpp"
#include "tests/paths.hpp"

namespace cloudai::report {
namespace {

namespace fs = std::filesystem;
using run::Status;

// Id of the run → its status.
using Told = std::map<std::string, std::string>;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

// Runs of every status in one results directory, with every report of the built-in modules.
class Sinks : public ::testing::Test {
 protected:
  Sinks() {
    for (const auto& record : finished.ending.records) {
      const fs::path directory = scratch / record.run->id;
      fs::create_directories(directory);
      std::ofstream(directory / "stdout.txt") << "output\n";
      expected[record.run->id] = run::to_string(record.status);
    }
  }

  void SetUp() override {
    ASSERT_TRUE(write_summary(scratch.path(), finished.configuration, finished.ending, {}));
    ASSERT_TRUE(write_inputs(scratch.path(), finished.configuration));
    const auto catalogue = module::Catalogue::scan({fs::path(tree::build_directory()) / "lib/cloudai/modules"});
    module::Host host;
    module::Loader loader(catalogue, host);
    const auto written = write_reports(scratch.path(), reports_to_write({}, catalogue), loader);
    for (const auto& failed : written.failed) ADD_FAILURE() << failed.name << ": " << failed.reason;
    ASSERT_GE(written.files.size(), 6U);
  }

  std::string read(const std::string& name) const { return files::read(scratch / name).value_or(""); }

  testing::ScratchDirectory scratch;
  testing::Finished finished{
      {Status::passed, Status::failed, Status::error, Status::inconclusive, Status::skipped, Status::cancelled}};
  Told expected;
};

TEST_F(Sinks, TheSummarySaysIt) {
  Told told;
  const Json summary = Json::parse(read("summary.json"));
  for (const Json& run : summary.at("runs")) told[run.at("id")] = run.at("status");
  EXPECT_EQ(told, expected);
}

TEST_F(Sinks, TheTerminalSaysIt) {
  Told told;
  for (const std::string& line : split(result_table(finished.ending, scratch.path(), false, "again"), '\n')) {
    std::istringstream words(line);
    std::string test;
    std::string status;
    words >> test >> status;
    if (status == lower(status) || expected.count(test + "/0") == 0) continue;
    told[test + "/0"] = lower(status);
  }
  EXPECT_EQ(told, expected);
}

TEST_F(Sinks, CsvSaysIt) {
  Told told;
  auto lines = split(read("scenario.csv"), '\n');
  lines.erase(lines.begin());
  for (const std::string& line : lines) told[split(line, ',').at(0)] = split(line, ',').at(6);
  EXPECT_EQ(told, expected);
}

TEST_F(Sinks, JunitSaysIt) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file((scratch / "scenario-junit.xml").c_str()));
  Told told;
  std::map<std::string, int> verdicts;
  for (pugi::xml_node test_case : document.child("testsuites").child("testsuite").children("testcase")) {
    const std::string output = test_case.child("system-out").text().get();
    told[test_case.attribute("name").value()] = output.substr(8, output.find('\n') - 8);  // "status: "
    for (const char* verdict : {"failure", "error", "skipped"}) verdicts[verdict] += test_case.child(verdict) ? 1 : 0;
  }
  EXPECT_EQ(told, expected);
  EXPECT_EQ(verdicts, (std::map<std::string, int>{{"failure", 2}, {"error", 2}, {"skipped", 1}}));
}

TEST_F(Sinks, MarkdownSaysIt) {
  Told told;
  for (const std::string& line : split(read("scenario.md"), '\n')) {
    const auto cells = split(line, '|');
    if (cells.size() < 4 || cells[1].find('`') == std::string::npos) continue;
    told[cells[1].substr(2, cells[1].size() - 4)] = lower(cells[3].substr(3, cells[3].size() - 6));
  }
  EXPECT_EQ(told, expected);
}

TEST_F(Sinks, HtmlHasEveryStatus) {
  const std::string page = lower(read("scenario.html"));
  for (const auto& [id, status] : expected) EXPECT_NE(page.find(status), std::string::npos) << status;
}

TEST_F(Sinks, TheTarballHasThoseThatRanAndDidNotPass) {
  const std::string command = "tar tzf '" + (scratch / scratch.path().filename()).string() + ".tgz'";
  const std::unique_ptr<FILE, int (*)(FILE*)> listing(::popen(command.c_str(), "r"), ::pclose);
  ASSERT_NE(listing, nullptr);
  std::string text;
  for (int c = 0; (c = std::fgetc(listing.get())) != EOF;) text += static_cast<char>(c);
  const std::string root = scratch.path().filename().string();
  for (const auto& [id, status] : expected) {
    const bool is_in = text.find("\n" + root + "/" + id + "/stdout.txt\n") != std::string::npos;
    EXPECT_EQ(is_in, status != "passed" && status != "skipped") << status;
  }
}

}  // namespace
}  // namespace cloudai::report
