// The html reporter as a module, on whole results directories; its page is read back as XML.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "modules/reporters/html/page_frame.hpp"
#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/modules/reporters/support/showcase.hpp"

namespace cloudai {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class HtmlReportTest : public ::testing::Test {
 protected:
  testing::Reply write() { return testing::write_report("html", directory.path(), host); }

  // Writes the report and reads the scenario's page.
  void load() {
    const testing::Reply reply = write();
    ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    files = reply.json()["files"].get<std::vector<std::string>>();
    ASSERT_THAT(files, Not(::testing::IsEmpty()));
    open(files[0]);
  }

  void open(const std::string& file) {
    text = samples::read_file(directory.path() / file);
    const auto result =
        page.load_string(text.c_str(), pugi::parse_default | pugi::parse_doctype | pugi::parse_ws_pcdata);
    ASSERT_TRUE(result) << result.description() << " at " << text.substr(static_cast<std::size_t>(result.offset), 80);
  }

  std::string at(const std::string& xpath) const {
    return pugi::xpath_query(("string(" + xpath + ")").c_str()).evaluate_string(page);
  }
  std::size_t count(const std::string& xpath) const { return page.select_nodes(xpath.c_str()).size(); }
  std::vector<std::string> all(const std::string& xpath) const {
    std::vector<std::string> result;
    for (const auto& node : page.select_nodes(xpath.c_str())) {
      result.emplace_back(node.attribute() ? node.attribute().value() : node.node().text().get());
    }
    return result;
  }

  // Whether a link of a page leads to something among the results.
  static bool results_path(const std::string& page, const std::string& target) {
    if (target.rfind('#', 0) == 0) return true;
    const fs::path path = (fs::path(page).parent_path() / target).lexically_normal();
    return path.begin() != path.end() && *path.begin() != "..";
  }

  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
  std::vector<std::string> files;
  std::string text;
  pugi::xml_document page;
};

TEST_F(HtmlReportTest, SaysTheVerdictFirst) {
  samples::write_passed(directory.path());
  load();
  EXPECT_EQ(at("//title"), "PASSED: nccl-test");
  EXPECT_EQ(at("//header/@class"), "verdict passed");
  EXPECT_EQ(at("//header//strong"), "PASSED");
  EXPECT_EQ(at("//h1"), "nccl-test");
  EXPECT_EQ(at("//header//h1/following-sibling::p"), "Both runs passed.");
  EXPECT_THAT(all("//main/dl[1]/div/dd/text()[1]"),
              ElementsAre("example-cluster ", "2026-03-01 12:00:00 UTC", "3 min 21 s", "40.4 s ", "ada "));
  EXPECT_EQ(count("//*[@id='problems']"), 0U);
}

TEST_F(HtmlReportTest, ShowsEveryRunWithItsStages) {
  samples::write_passed(directory.path());
  load();
  ASSERT_EQ(count("//tbody[starts-with(@class,'run ')]"), 2U);
  const std::string run = "//tbody[@id='run-1']";
  EXPECT_EQ(at(run + "/tr[1]/th"), "Tests.1/0");
  EXPECT_EQ(at(run + "/tr[1]/td[@data-label='Result']//b"), "181.8 GB/s");
  EXPECT_EQ(at(run + "/tr[1]/td[@data-label='Nodes']"), "node017, node018");
  EXPECT_EQ(at(run + "/tr[1]/td[@data-label='Time']"), "1 min 36 s");
  EXPECT_THAT(all(run + "/tr[1]//a/@href"),
              ElementsAre("./Tests.1/0/cloudai_collective_report.html", "./Tests.1/0/stdout.txt",
                          "./Tests.1/0/stderr.txt", "./Tests.1/0"));
  EXPECT_THAT(all(run + "//table[@class='stages']/tbody/tr/th/span"), ElementsAre("prologue", "main", "epilogue"));
  EXPECT_THAT(all(run + "//table[@class='stages']//td[@class='share']/text()"), ElementsAre(" 13 %", " 79 %", " 8 %"));
  EXPECT_EQ(at("//tbody[@id='run-2']//dl/div[dt='Depends on']/dd"), "start_post_comp Tests.1");
  EXPECT_EQ(at("//table[@class='plain'][1]//td[@data-label='SHA-256']"),
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
}

Json headline(const std::string& stage, double value) {
  return {{"name", "busbw"},
          {"value", value},
          {"unit", "GB/s"},
          {"labels", {{"collective", "all_gather"}, {"placement", "in"}, {"size", "1048576"}}},
          {"stage", stage}};
}

TEST_F(HtmlReportTest, ShowsTheMainStagesMetricsAsTheRunsAndEachHooksWithItsStage) {
  Json summary = samples::summary("hooked");
  Json run = samples::passed_run("Tests.1", "t", 100);
  run["headline"] = {headline("prologue/nccl_test_all_reduce", 1), headline("main/t", 2),
                     headline("epilogue/nccl_test_all_gather", 3)};
  summary["runs"].push_back(run);
  samples::write_results(directory.path(), summary);
  load();
  const std::string row = "//tbody[@id='run-1']/tr[1]/td[@data-label='Result']";
  EXPECT_THAT(all(row + "//b"), ElementsAre("2 GB/s"));
  EXPECT_EQ(at(row), "2 GB/s busbw all_gather, 1 MiB, in place");
  EXPECT_THAT(all("//table[@class='stages']//td[@data-label='Result']//b"), ElementsAre("1 GB/s", "2 GB/s", "3 GB/s"));
}

TEST_F(HtmlReportTest, TellsOneShareOfTheHooksAtTheTopAndBelow) {
  Json summary = samples::summary("hooked");
  Json run = samples::unsuccessful_run("Tests.1", "t", "failed", {"prologue_failed", "The prologue failed.", "", {}});
  run["stages"][0]["kind"] = "prologue";
  run["stages"][0]["seconds"] = 20.0;  // of a job of 31 s
  run["hook_share"] = 1.0;
  summary["runs"].push_back(run);
  samples::write_results(directory.path(), summary);
  load();
  EXPECT_EQ(at("//main/dl[1]/div[dt='Prologues and epilogues']/dd"), "20.0 s 100 % of the stages' time");
  EXPECT_EQ(at("//tbody//dl/div[dt='Prologue and epilogue']/dd"), "100 % of the stages' time");
}

TEST_F(HtmlReportTest, PutsWhatWentWrongAtTheTop) {
  samples::write_mixed(directory.path());
  load();
  EXPECT_EQ(at("//header//strong"), "ERROR");
  EXPECT_THAT(all("//ul[@class='counts']//a/@class"), ElementsAre("badge failed", "badge error", "badge inconclusive",
                                                                  "badge cancelled", "badge skipped", "badge passed"));
  EXPECT_THAT(all("//ul[@class='counts']//a/@href"),
              ElementsAre("#run-3", "#run-4", "#run-6", "#run-5", "#run-7", "#run-1"));
  EXPECT_THAT(all("//ol[@class='problems']//span[@class='id']"),
              ElementsAre("reduce-scatter/0", "broadcast/0", "sendrecv/0", "alltoall/0", "gather/0"));
  EXPECT_EQ(at("//ol/li[1]/p[@class='reason']"),
            "3 of 31 sizes have wrong values: the first is 4 MiB with 12 wrong elements.");
  for (const std::string& target : all("//a[starts-with(@href,'#')]/@href")) {
    EXPECT_EQ(count("//*[@id='" + target.substr(1) + "']"), 1U) << target;
  }
}

TEST_F(HtmlReportTest, DrawsOneSetOfCurvesForEachTest) {
  samples::write_showcase(directory.path());
  load();
  EXPECT_THAT(all("//section[@class='curves']/h3/text()"),
              ElementsAre("nccl_all_reduce ", "nccl_all_gather ", "nccl_reduce_scatter "));
  EXPECT_EQ(at("//section[@class='curves'][1]/h3/span"), "5 runs on 2 nodes");
  EXPECT_EQ(count("//section[@class='curves']//figure"), 6U);
  const std::string first = "//section[@class='curves'][1]//figure[1]";
  EXPECT_EQ(count(first + "//polygon[@class='band']"), 2U);
  EXPECT_THAT(all(first + "//g[@class='reference']/text"),
              ElementsAre("min_busbw 330 GB/s", "speed of light 450 GB/s"));
  EXPECT_EQ(count("//section[@class='curves'][2]//figure[1]//g[@class='marks']/path"), 3U);
  EXPECT_EQ(count("//section[@class='curves'][3]//figure[1]//g[@class='marks']/path"), 2U);
  EXPECT_EQ(count("//section[@class='curves'][3]//figure[2]//g[@class='marks']"), 0U);
}

TEST_F(HtmlReportTest, ShowsEvidenceAndHowToRunAgain) {
  samples::write_showcase(directory.path());
  load();
  const std::string problem = "//ol[@class='problems']/li[1]";
  EXPECT_EQ(at(problem + "//span[@class='id']"), "all-gather/0");
  EXPECT_EQ(at(problem + "/span[@class='quiet']"), "in main nccl_all_gather");
  EXPECT_EQ(at(problem + "/p[@class='where']/a/@href"), "./all-gather/0/stdout.txt");
  EXPECT_THAT(at(problem + "/pre"), HasSubstr(">   24       4194304      1048576   float"));
  EXPECT_EQ(at(problem + "/p[@class='rerun']/code"),
            "cloudai run --system-config conf/common/system/example_slurm_cluster.toml --filter all-gather");
  EXPECT_EQ(at("//ol/li[3]/span[@class='quiet']"), "in prologue nccl_test_all_reduce");
}

TEST_F(HtmlReportTest, MarksWhatDiffersBetweenNodes) {
  samples::write_showcase(directory.path());
  load();
  EXPECT_EQ(at("//p[@class='differences']"), "\u2260 The nodes differ in one fact.");
  EXPECT_EQ(at("//table[@class='plain node-facts']//strong"), "\u2260 535.161.08 differs");
}

TEST_F(HtmlReportTest, GivesEachRunWithTablesAPageOfItsOwn) {
  samples::write_showcase(directory.path());
  load();
  EXPECT_THAT(files, SizeIs(1 + 8));
  EXPECT_THAT(files, ::testing::Contains("all-reduce/4/cloudai_nccl_test_report.html"));
  open("all-gather/0/cloudai_nccl_test_report.html");
  EXPECT_EQ(at("//title"), "FAILED: all-gather/0");
  EXPECT_EQ(at("//h1"), "all-gather/0");
  EXPECT_EQ(at("//p[@class='up']/a/@href"), "./../../nightly%20acceptance.html");
  EXPECT_THAT(at("//section[1]//p[@class='reason']"), HasSubstr("11 elements at size 4194304"));
  EXPECT_EQ(at("//section[1]//p[@class='where']/a/@href"), "./stdout.txt");
  EXPECT_THAT(all("//h2[starts-with(@id,'measured')]/text()"),
              ElementsAre(" nccl_all_gather", " nccl_test_all_reduce", " nccl_test_all_gather"));
  EXPECT_EQ(count("//section[@aria-labelledby='measured-1']//figure"), 2U);
  EXPECT_EQ(count("//section[@aria-labelledby='measured-1']//table[@class='plain data']/tbody/tr"), 31U);
  EXPECT_THAT(all("//section[@aria-labelledby='measured-1']//td[@class='number bad']"),
              ElementsAre("\u2717 11", "\u2717 12", "\u2717 13"));
  EXPECT_THAT(at("//section[@aria-labelledby='measured-1']//caption"), HasSubstr("In every row · Type float"));
  EXPECT_EQ(at("//dl/div[dt='nccl_version']/dd"), "2.21.5");
}

TEST_F(HtmlReportTest, ARunWithoutTablesHasNoPage) {
  Json summary = samples::summary("plain");
  summary["runs"].push_back(samples::passed_run("Tests.1", "t", 1));
  samples::write_results(directory.path(), summary);
  samples::write_file(directory.path() / "Tests.1/0/outcome.json",
                      samples::run_outcome(summary["runs"][0], Outcome{}).dump());
  load();
  EXPECT_THAT(files, ElementsAre("plain.html"));
  EXPECT_EQ(count("//script"), 0U);
  EXPECT_EQ(count("//*[@id='curves']"), 0U);
}

TEST_F(HtmlReportTest, CutsLongTablesAndSaysSo) {
  Json summary = samples::summary("long");
  summary["runs"].push_back(samples::passed_run("Tests.1", "t", 1));
  samples::write_results(directory.path(), summary);
  Outcome outcome;
  outcome.tables = {{"t", {{"n", "", ColumnType::integer}}, {}}};
  for (int i = 0; i < 2001; ++i) outcome.tables[0].rows.push_back({i});
  samples::write_file(directory.path() / "Tests.1/0/outcome.json",
                      samples::run_outcome(summary["runs"][0], outcome).dump());
  load();
  open("Tests.1/0/cloudai_t_report.html");
  EXPECT_EQ(count("//section[@aria-labelledby='measured-1']//tbody/tr"), 2000U);
  EXPECT_THAT(at("//section[@aria-labelledby='measured-1']//caption"),
              HasSubstr("2001 rows. Here are the first 2000; all are in outcome.json."));
}

TEST_F(HtmlReportTest, UnfoldsWhatNeedsALook) {
  samples::write_mixed(directory.path());
  load();
  EXPECT_THAT(all("//tbody[tr[2]/td/details/@open]/tr[1]/th"),
              ElementsAre("reduce-scatter/0", "broadcast/0", "alltoall/0", "sendrecv/0"));
}

TEST_F(HtmlReportTest, LinksTheEvidence) {
  samples::write_mixed(directory.path());
  load();
  EXPECT_EQ(at("//tbody[@id='run-3']//table//td[@data-label='Result']//a"), "stdout.txt:31");
  EXPECT_EQ(at("//tbody[@id='run-3']//table//td[@data-label='Result']//a/@href"), "./reduce-scatter/0/stdout.txt");
}

TEST_F(HtmlReportTest, ShowsHostileTextsAsTheyAre) {
  samples::write_hostile(directory.path());
  load();
  EXPECT_EQ(at("//h1"), "nemo2.0_llama3 70b fp8: <final> & \"x\"");
  std::string shown = samples::hostile_text();
  shown.replace(shown.find("\x01\xE2\x80\xAE"), 4, "\uFFFD\uFFFD");
  EXPECT_EQ(at("//tbody[@id='run-1']/tr[1]/th"), shown);
  EXPECT_EQ(at("//tbody[@id='run-2']/tr[1]/td[@data-label='Result']/span"), shown);
  EXPECT_EQ(at("//figcaption/b"), shown);
  EXPECT_TRUE(fs::exists(directory.path() / "nemo2.0_llama3 70b fp8: <final> & \"x\".html"));
  for (const std::string& file : files) {
    open(file);
    EXPECT_THAT(text, Not(HasSubstr("<script>alert"))) << file;
    EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE"))) << file;
    for (const std::string& target : all("//a/@href")) {
      EXPECT_TRUE(target.rfind("./", 0) == 0 || target.rfind('#', 0) == 0) << target;
      // Up from the run's page, but never out of the results.
      EXPECT_TRUE(results_path(file, target)) << file << " links " << target;
    }
  }
}

TEST_F(HtmlReportTest, NeedsNothingFromOutside) {
  samples::write_showcase(directory.path());
  load();
  for (const std::string& file : files) {
    open(file);
    EXPECT_EQ(count("//img | //link | //iframe | //object | //embed | //base | //*[@src] | //*[@style] | //form"), 0U);
    EXPECT_EQ(count("//script[not(@type='application/json')]"), html::has_chart_script() ? 1U : 0U);
    for (const std::string& target : all("//*[local-name()='use']/@href"))
      EXPECT_EQ(target.rfind("#icon-", 0), 0U) << target;
    EXPECT_THAT(text, Not(HasSubstr("url(")));
    EXPECT_THAT(text, Not(HasSubstr("@import")));
    EXPECT_THAT(at("//meta[@http-equiv='Content-Security-Policy']/@content"),
                ::testing::MatchesRegex("default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; (script-src "
                                        "'sha256-[A-Za-z0-9+/]{43}='; )?base-uri 'none'; form-action 'none'"));
  }
}

TEST_F(HtmlReportTest, NeverShowsNothingAsAPass) {
  samples::write_empty(directory.path());
  load();
  EXPECT_EQ(at("//header//strong"), "FAILED");
  EXPECT_EQ(at("//header//h1/following-sibling::p[1]"), "No test ran: nothing was checked.");
  EXPECT_EQ(count("//table[@class='runs']"), 0U);
  EXPECT_EQ(at("//p[@class='empty']"), "The scenario has no runs. Nothing was checked.");
}

TEST_F(HtmlReportTest, SaysWhichOutcomeIsBroken) {
  samples::write_passed(directory.path());
  const fs::path file = directory.path() / "Tests.1/0/outcome.json";
  const std::string whole = samples::read_file(file);
  samples::write_file(file, whole.substr(0, whole.size() / 2));
  fs::remove(directory.path() / "Tests.2/0/outcome.json");
  load();
  EXPECT_EQ(at("//tbody[@id='run-1']//span[@class='broken line']"),
            "Its measurements are not shown: " + file.string() + " is cut off: it ends in the middle of the document.");
  EXPECT_EQ(
      at("//tbody[@id='run-2']//span[@class='broken line']"),
      "Its measurements are not shown: " + (directory.path() / "Tests.2/0/outcome.json").string() + " does not exist.");
  EXPECT_EQ(count("//table[@class='stages']"), 2U);
}

TEST_F(HtmlReportTest, LinksOnlyFilesThatAreThere) {
  samples::write_passed(directory.path());
  fs::remove(directory.path() / "Tests.1/0/stderr.txt");
  load();
  EXPECT_THAT(all("//tbody[@id='run-1']/tr[1]//a/@href"),
              ElementsAre("./Tests.1/0/cloudai_collective_report.html", "./Tests.1/0/stdout.txt", "./Tests.1/0"));
}

TEST_F(HtmlReportTest, IsTheSameEveryTimeAndWhereverItIs) {
  samples::write_mixed(directory.path());
  load();
  const std::string first = text;
  const testing::TemporaryDirectory elsewhere;
  fs::copy(directory.path(), elsewhere.path(), fs::copy_options::recursive);
  ASSERT_EQ(testing::write_report("html", elsewhere.path(), host).status, CLOUDAI_OK);
  EXPECT_EQ(samples::read_file(elsewhere.path() / "nightly acceptance.html"), first);
}

TEST_F(HtmlReportTest, LinksFromTheFolderItIsWrittenTo) {
  samples::write_passed(directory.path());
  fs::create_directory(directory.path() / "reports");
  Json request = testing::report_request("html", directory.path());
  request["directory"] = (directory.path() / "reports").string();
  ASSERT_EQ(testing::send_report_request("html", request, host).status, CLOUDAI_OK);
  EXPECT_THAT(samples::read_file(directory.path() / "reports/nccl-test.html"),
              HasSubstr("href=\"./../Tests.1/0/stdout.txt\""));
}

TEST_F(HtmlReportTest, DrawsManyRunsOfATestAsOneSet) {
  samples::write_many(directory.path(), 200, 3);
  load();
  EXPECT_EQ(count("//tbody[starts-with(@class,'run ')]"), 200U);
  // Those with a page of their own need no stages here, unless something went wrong.
  EXPECT_EQ(count("//tbody[starts-with(@class,'run passed')]//details"), 138U);
  EXPECT_EQ(count("//tbody[starts-with(@class,'run failed')]//details"), 3U);
  EXPECT_THAT(at("//table[@class='runs']/caption"), HasSubstr("A run's report has its stages, tables and charts"));
  EXPECT_EQ(count("//figure"), 2U);
  EXPECT_EQ(at("//section[@class='curves']/h3/span"), "60 runs on 2 nodes");
  EXPECT_LT(text.size(), 2'000'000U);
}

TEST_F(HtmlReportTest, FailsWithoutASummaryAndLeavesNothing) {
  const testing::Reply reply = write();
  EXPECT_EQ(reply.status, CLOUDAI_FAILED);
  EXPECT_EQ(reply.message(), (directory.path() / "summary.json").string() + " does not exist.");
  directory.write("summary.json", "{\"schema\": \"cloudai.summary/1\", \"runs\": [{}]}");
  EXPECT_EQ(write().message(), (directory.path() / "summary.json").string() + " is broken: /runs/0/id is missing.");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace cloudai
