#include "core/report/recorded_reports.hpp"

#include <gtest/gtest.h>

namespace cloudai::report {
namespace {

module::Catalogue catalogue() {
  module::ModuleFile file;
  file.path = "mail.so";
  file.id = "test.mail";
  module::Provided mail;
  mail.interface_id = module::reporter_interface;
  mail.name = "mail";
  mail.config_schema = Json::parse(R"({"type": "object", "additionalProperties": false, "properties": {
      "to": {"type": "string", "default": "root"}, "api_token": {"type": "string"}, "lines": {"type": "integer"}}})");
  module::Provided plain = mail;
  plain.name = "plain";
  file.provides = {mail, plain};
  return module::Catalogue::of({file});
}

TEST(RecordOf, IsWhatAUserWouldWriteWithoutSecrets) {
  const std::vector<config::Report> reports = {
      {"mail", true, {{"to", "me"}, {"api_token", "hunter2"}, {"more", {{{"key", "hunter2"}, {"n", 1}}}}}},
      {"plain", false, Json::object()}};
  EXPECT_EQ(record_of(reports), Json::parse(R"({
      "mail": {"enable": true, "to": "me", "api_token": "redacted", "more": [{"key": "redacted", "n": 1}]},
      "plain": {"enable": false}})"));
}

TEST(RecordedReports, AreTheOnesThatWereRecorded) {
  const std::vector<config::Report> reports = {{"mail", true, {{"to", "me"}, {"lines", 3}}},
                                               {"plain", false, Json::object()}};
  const auto read = recorded_reports(record_of(reports), "r/inputs.json", catalogue());
  EXPECT_TRUE(read.failed.empty());
  ASSERT_EQ(read.reports.size(), 2U);
  EXPECT_EQ(read.reports[0].name, "mail");
  EXPECT_TRUE(read.reports[0].enable);
  EXPECT_EQ(read.reports[0].options, (Json{{"to", "me"}, {"lines", 3}}));
  EXPECT_FALSE(read.reports[1].enable);
}

std::string failure_of(const char* record) {
  const auto read = recorded_reports(Json::parse(record), "r/inputs.json", catalogue());
  EXPECT_TRUE(read.reports.empty());
  return read.failed.size() == 1 ? read.failed[0].name + ": " + read.failed[0].reason : "";
}

TEST(RecordedReports, WhatCannotBeUsedHasFailed) {
  EXPECT_EQ(failure_of(R"({"mail": {"enable": true, "lines": "many"}})"),
            "mail: r/inputs.json: error: 'reports.mail.lines': found the string \"many\", expected an integer.");
  EXPECT_EQ(failure_of(R"({"mail": {"enable": true, "form": 1}})"),
            "mail: r/inputs.json: error: unknown option 'form' of reporter mail. It may be one of 'to', 'api_token', "
            "'lines', 'enable'.");
  EXPECT_EQ(failure_of(R"({"mial": {"enable": true}})"),
            "mial: r/inputs.json: error: no module provides reporter 'mial'. Did you mean 'mail'? Known reporters: "
            "mail, plain.");
  EXPECT_EQ(failure_of(R"({"mail": {"enable": true, "api_token": "redacted"}})"),
            "mail: an option of it is a secret, which is not kept with results. Give the system file that holds it "
            "with --system-config.");
}

TEST(RecordedReports, WhatIsSwitchedOffIsNoFailure) {
  const auto read = recorded_reports(Json::parse(R"({"gone": {"enable": false}})"), "inputs.json", catalogue());
  EXPECT_TRUE(read.failed.empty());
  ASSERT_EQ(read.reports.size(), 1U);
  EXPECT_FALSE(read.reports[0].enable);
}

TEST(ReportsToWrite, TakesTheFirstEntryWholeElseTheDefaults) {
  const std::vector<config::Report> scenario = {{"mail", true, {{"lines", 3}}}};
  const std::vector<config::Report> system = {{"mail", false, {{"to", "me"}}}};
  const auto reports = reports_to_write({&scenario, &system}, catalogue());
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].name, "mail");
  EXPECT_TRUE(reports[0].enable);
  EXPECT_EQ(reports[0].options, (Json{{"lines", 3}}));
  EXPECT_EQ(reports[1].name, "plain");
  EXPECT_TRUE(reports[1].enable);
  EXPECT_EQ(reports[1].options, (Json{{"to", "root"}}));
}

}  // namespace
}  // namespace cloudai::report
