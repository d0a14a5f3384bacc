// The page of a comparison, read back as XML.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_comparison.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/schema_check.hpp"

namespace cloudai {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ComparisonPage : public ::testing::Test {
 protected:
  testing::Reply write(const std::string& comparison) {
    const fs::path file = directory.path() / "comparison.json";
    samples::write_file(file, comparison);
    Json request = testing::report_request("html", directory.path());
    request["kind"] = "comparison";
    request["comparison"] = file.string();
    return testing::send_report_request("html", request, host);
  }

  void load(const Json& comparison) {
    const testing::Reply reply = write(comparison.dump());
    ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    ASSERT_EQ(reply.json()["files"], Json::array({"comparison.html"}));
    text = samples::read_file(directory.path() / "comparison.html");
    const auto result = page.load_string(text.c_str(), pugi::parse_default | pugi::parse_ws_pcdata);
    ASSERT_TRUE(result) << result.description() << " at " << text.substr(static_cast<std::size_t>(result.offset), 80);
  }

  std::string at(const std::string& xpath) const {
    return pugi::xpath_query(("string(" + xpath + ")").c_str()).evaluate_string(page);
  }
  std::size_t count(const std::string& xpath) const { return page.select_nodes(xpath.c_str()).size(); }

  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
  std::string text;
  pugi::xml_document page;
};

TEST_F(ComparisonPage, IsMadeFromAGoodDocument) {
  EXPECT_THAT(testing::schema_violations("comparison", samples::sample_comparison()), IsEmpty());
}

TEST_F(ComparisonPage, TellsTheVerdictFirst) {
  load(samples::sample_comparison());
  EXPECT_EQ(at("//strong[1]"), "REGRESSION");
  EXPECT_EQ(at("//div[@class='verdict-text']/p"), "1 test and 10 metrics got worse, compared with A.");
  EXPECT_EQ(at("//section[h2='Tests']//tr[th='all-gather']/td[1]"), "1 passed");
  EXPECT_EQ(at("//section[h2='Tests']//tr[th='all-gather']/td[2]"), "1 failedall-gather/0: Out of bounds values: 2");
  EXPECT_EQ(at("//section[h2='Tests']//tr[th='all-gather']/td[3]"), "REGRESSION");
}

TEST_F(ComparisonPage, LaysTheCurvesOverEachOtherWithTheDifferenceBelow) {
  load(samples::sample_comparison());
  ASSERT_EQ(count("//div[@class='pair']"), 1U);
  EXPECT_EQ(at("//div[@class='pair']/figure[1]/figcaption/b"), "busbw, all_reduce");
  EXPECT_EQ(count("//div[@class='pair']/figure[1]/svg/g[contains(@class, 'series')]"), 4U);
  EXPECT_EQ(count("//div[@class='pair']/figure[1]/svg/g[contains(@class, 'series-0 dashed')]"), 1U);
  EXPECT_EQ(count("//div[@class='pair']/figure[1]//polygon[@class='band']"), 2U);
  EXPECT_EQ(at("//div[@class='pair']/figure[2]/figcaption/b"), "Difference from A: busbw, all_reduce");
  EXPECT_EQ(count("//div[@class='pair']/figure[2]/svg/g[contains(@class, 'series-1')]"), 2U);
  EXPECT_EQ(count("//div[@class='pair']/figure[2]/svg/g[@class='reference']"), 2U);
}

TEST_F(ComparisonPage, ListsTheWorseAndThenEverything) {
  load(samples::sample_comparison());
  const std::string worse = "//table[thead/tr/th='Worse']/tbody/tr";
  EXPECT_EQ(count(worse), 10U);
  EXPECT_THAT(at(worse + "[1]/th"), HasSubstr("busbw all_reduce, 512 MiB, out of place"));
  EXPECT_EQ(at(worse + "[1]/td[3]"), "REGRESSION -16 %");
  EXPECT_THAT(at(worse + "[1]/td[1]"), HasSubstr(" GB/s (3: "));
  EXPECT_EQ(count("//details//table[thead/tr/th='Metric']/tbody/tr"), 48U);
}

TEST_F(ComparisonPage, HostileTextsStayText) {
  const std::string hostile = samples::hostile_text();
  Json document = samples::sample_comparison();
  for (Json& each : document["results"])
    each["directory"] = each["scenario"] = each["system"] = each["started"] = hostile;
  document["tolerance"]["metrics"][hostile] = 3;
  for (Json& each : document["cases"]) {
    each["case"] = hostile;
    for (Json& metric : each["metrics"]) {
      metric["name"] = metric["stage"] = hostile;
      metric["labels"][hostile] = hostile;
      metric["values"]["A"]["unit"] = metric["values"]["B"]["unit"] = hostile;
      metric["changes"]["B"]["note"] = hostile;
    }
  }
  document["cases"][1]["results"]["B"]["not_passed"][0]["reason"] = hostile;
  load(document);
  // The script of the page and the numbers of the two charts, as without hostile texts.
  EXPECT_LE(count("//script"), 3U);
  EXPECT_EQ(count("//script[not(@type='application/json')]/*"), 0U);
  EXPECT_EQ(count("//img | //iframe | //b[@onclick] | //*[@onerror]"), 0U);
  EXPECT_EQ(count("//div[@class='pair']"), 1U);
}

TEST_F(ComparisonPage, OfABrokenDocumentThereIsNone) {
  for (const std::string& broken : {std::string("{"), std::string("[]"), std::string("{\"schema\": \"other/1\"}"),
                                    std::string("{\"schema\": \"cloudai.comparison/1\", \"cases\": [{}]}")}) {
    EXPECT_NE(write(broken).status, CLOUDAI_OK) << broken;
    EXPECT_FALSE(fs::exists(directory.path() / "comparison.html"));
  }
}

TEST_F(ComparisonPage, OfAnotherKindIsRefused) {
  Json request = testing::report_request("html", directory.path());
  request["kind"] = "sweep";
  EXPECT_EQ(testing::send_report_request("html", request, host).status, CLOUDAI_UNSUPPORTED);
}

}  // namespace
}  // namespace cloudai
