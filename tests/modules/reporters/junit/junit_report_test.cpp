// The junit reporter as a module, on whole results directories.
#include <gmock/gmock.h>

#include <cstdlib>
#include <pugixml.hpp>
#include <regex>
#include <set>

#include "tests/modules/reporters/support/reporter_call.hpp"
#include "tests/modules/reporters/support/sample_results.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai {
namespace {

using pugi::xml_node;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names_of_children(xml_node node) {
  std::vector<std::string> names;
  for (xml_node child : node.children()) names.emplace_back(child.name());
  return names;
}

void expect_attributes(xml_node node, const std::set<std::string>& required, const std::set<std::string>& optional) {
  for (const std::string& name : required) EXPECT_TRUE(node.attribute(name.c_str())) << node.name() << " " << name;
  for (pugi::xml_attribute attribute : node.attributes()) {
    EXPECT_EQ(required.count(attribute.name()) + optional.count(attribute.name()), 1U)
        << node.name() << " " << attribute.name();
  }
}

void expect_seconds(xml_node node) {
  EXPECT_TRUE(std::regex_match(node.attribute("time").value(), std::regex("[0-9]+\\.[0-9]{3}"))) << node.name();
}

// What the schemas of Surefire and of Jenkins have in common, for one test case.
void expect_valid_case(xml_node test_case) {
  expect_attributes(test_case, {"name", "classname", "time"}, {});
  expect_seconds(test_case);
  const std::set<std::string> known{"failure",    "error",        "skipped",    "rerunFailure",
                                    "rerunError", "flakyFailure", "flakyError", "system-out"};
  int verdicts = 0;
  for (xml_node child : test_case.children()) {
    const std::string name = child.name();
    EXPECT_EQ(known.count(name), 1U) << name;
    verdicts += name == "failure" || name == "error" || name == "skipped" ? 1 : 0;
    if (name == "skipped") expect_attributes(child, {"message"}, {});
    if (name != "skipped" && name != "system-out") expect_attributes(child, {"message", "type"}, {});
    if (name.rfind("rerun", 0) == 0 || name.rfind("flaky", 0) == 0) {
      EXPECT_THAT(names_of_children(child), ElementsAre("stackTrace"));
    }
  }
  EXPECT_LE(verdicts, 1);
}

int count(xml_node suite, const char* element) {
  int number = 0;
  for (xml_node test_case : suite.children("testcase")) number += test_case.child(element) ? 1 : 0;
  return number;
}

class JunitReportTest : public ::testing::Test {
 protected:
  // The one suite of the report, checked.
  xml_node write(const std::string& name) {
    const testing::Reply reply = testing::write_report("junit", directory.path(), host);
    EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    EXPECT_EQ(reply.json()["files"], Json::array({name}));
    file = directory.path() / name;
    const pugi::xml_parse_result parsed = document.load_file(file.c_str());
    EXPECT_TRUE(parsed) << parsed.description();
    const xml_node suites = document.child("testsuites");
    expect_attributes(suites, {"name", "tests", "failures", "errors", "skipped", "time"}, {});
    const xml_node suite = suites.child("testsuite");
    expect_attributes(suite, {"name", "tests", "failures", "errors", "skipped", "time"}, {"timestamp", "hostname"});
    expect_valid(suite);
    return suite;
  }

  void expect_valid(xml_node suite) const {
    expect_seconds(suite);
    EXPECT_TRUE(std::regex_match(suite.attribute("timestamp").value(),
                                 std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}")));
    EXPECT_EQ(suite.attribute("failures").as_int(), count(suite, "failure"));
    EXPECT_EQ(suite.attribute("errors").as_int(), count(suite, "error"));
    EXPECT_EQ(suite.attribute("skipped").as_int(), count(suite, "skipped"));
    int cases = 0;
    for (xml_node child : suite.children()) {
      if (child.type() != pugi::node_element || std::string_view(child.name()) == "properties") continue;
      EXPECT_STREQ(child.name(), "testcase");
      expect_valid_case(child);
      ++cases;
    }
    EXPECT_EQ(suite.attribute("tests").as_int(), cases);
  }

  static xml_node case_of(xml_node suite, const std::string& run) {
    return suite.find_child_by_attribute("testcase", "name", run.c_str());
  }

  testing::FakeHost host;
  const testing::TemporaryDirectory directory;
  std::filesystem::path file;
  pugi::xml_document document;
};

TEST_F(JunitReportTest, HasOneTestCaseForEachRunOfEveryStatus) {
  samples::write_mixed(directory.path());
  const xml_node suite = write("nightly acceptance-junit.xml");
  EXPECT_STREQ(suite.attribute("name").value(), "nightly acceptance");
  EXPECT_EQ(suite.attribute("tests").as_int(), 8);
  EXPECT_EQ(suite.attribute("failures").as_int(), 2);
  EXPECT_EQ(suite.attribute("errors").as_int(), 2);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  EXPECT_STREQ(suite.attribute("timestamp").value(), "2026-03-01T12:00:00");
  EXPECT_STREQ(suite.attribute("time").value(), "201.000");

  const xml_node passed = case_of(suite, "all-reduce/0");
  EXPECT_THAT(names_of_children(passed), ElementsAre("system-out"));
  EXPECT_STREQ(passed.attribute("time").value(), "96.400");
  const xml_node failure = case_of(suite, "reduce-scatter/0").child("failure");
  EXPECT_STREQ(failure.attribute("type").value(), "out_of_bounds");
  EXPECT_STREQ(failure.attribute("message").value(),
               "3 of 31 sizes have wrong values: the first is 4 MiB with 12 wrong elements.");
  EXPECT_THAT(failure.text().get(), HasSubstr("\nLook for a link with errors between node017 and node018"));
  EXPECT_THAT(failure.text().get(), HasSubstr("\nstdout.txt:31"));
  EXPECT_STREQ(case_of(suite, "broadcast/0").child("error").attribute("type").value(), "node_fail");
  EXPECT_STREQ(case_of(suite, "alltoall/0").child("error").attribute("message").value(),
               "cancelled: It was stopped after a signal.");
  EXPECT_STREQ(case_of(suite, "sendrecv/0").child("failure").attribute("message").value(),
               "inconclusive: 5 repetitions differ by more than 20 %.");
  EXPECT_STREQ(case_of(suite, "gather/0").child("skipped").attribute("message").value(),
               "It depends on broadcast, which did not pass.");
}

TEST_F(JunitReportTest, TellsStagesNodesAndMeasurements) {
  samples::write_passed(directory.path());
  const std::string text = case_of(write("nccl-test-junit.xml"), "Tests.1/0").child("system-out").text().get();
  EXPECT_EQ(text,
            "status: passed\ntest: nccl_test_all_reduce (NcclTest)\njob: 4711\nnodes: node017 node018\n"
            "prologue nccl_test_all_reduce: passed, 12.1 s, exit status 0\n"
            "  Tests.1/0/prologue/nccl_test_all_reduce/stdout.txt\n"
            "  Tests.1/0/prologue/nccl_test_all_reduce/stderr.txt\n"
            "main nccl_test_all_reduce: passed, 76.2 s, exit status 0\n"
            "  Tests.1/0/stdout.txt\n  Tests.1/0/stderr.txt\n"
            "epilogue nccl_test_all_gather: passed, 8.1 s, exit status 0\n"
            "  Tests.1/0/epilogue/nccl_test_all_gather/stdout.txt\n"
            "  Tests.1/0/epilogue/nccl_test_all_gather/stderr.txt\n"
            "main/nccl_test_all_reduce: busbw (size 8 GiB) = 181.778 GB/s\n"
            "attempt 1 of 1: passed, job 4711, 96.4 s, Tests.1/0\n");
}

Json attempt(const std::string& directory, const std::string& status) {
  return {{"directory", directory}, {"status", status}};
}

TEST_F(JunitReportTest, TellsEarlierAttemptsAsSurefireDoes) {
  Json summary = samples::summary("again");
  summary["runs"].push_back(samples::passed_run("A", "t", 9));
  summary["runs"][0]["attempts"] = {attempt("A/0", "failed"), attempt("A/0/attempt-2", "error"),
                                    attempt("A/0/attempt-3", "passed")};
  summary["runs"].push_back(samples::unsuccessful_run("B", "t", "failed", {"exit_status", "exit status 1", "", {}}));
  summary["status"] = "failed";
  summary["runs"][1]["attempts"] = {attempt("B/0", "cancelled"), attempt("B/0/attempt-2", "inconclusive"),
                                    attempt("B/0/attempt-3", "failed")};
  samples::write_results(directory.path(), summary);
  const xml_node suite = write("again-junit.xml");
  const xml_node flaky = case_of(suite, "A/0");
  EXPECT_THAT(names_of_children(flaky), ElementsAre("flakyFailure", "flakyError", "system-out"));
  EXPECT_STREQ(flaky.child("flakyFailure").attribute("message").value(), "attempt 1: failed");
  EXPECT_STREQ(flaky.child("flakyError").child("stackTrace").text().get(), "A/0/attempt-2");
  EXPECT_THAT(names_of_children(case_of(suite, "B/0")),
              ElementsAre("failure", "rerunError", "rerunFailure", "system-out"));
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("errors").as_int(), 0);
}

TEST_F(JunitReportTest, KeepsHostileTextsAsTexts) {
  samples::write_hostile(directory.path());
  const xml_node suite = write("nemo2.0_llama3 70b fp8: <final> & \"x\"-junit.xml");
  EXPECT_STREQ(suite.attribute("name").value(), "nemo2.0_llama3 70b fp8: <final> & \"x\"");
  const std::string hostile = "<script>alert(1)</script> & \"x\" 'y' ]]> {{id}} {{{style}}}";
  EXPECT_EQ(suite.child("testcase").attribute("name").value(), hostile + " ␁<U+202E>end");
  EXPECT_THAT(case_of(suite, "Tests.2/0").child("failure").text().get(), HasSubstr(hostile + "\n␁<U+202E>end"));
  const std::string content = samples::read_file(file);
  EXPECT_EQ(content.find("<script"), std::string::npos);
  EXPECT_EQ(content.find('\x01'), std::string::npos);
}

TEST_F(JunitReportTest, ReplacesWhatXmlForbids) {
  Json summary = samples::summary("forbidden");
  std::string all;
  for (char c = 1; c < 32; ++c) all += c;
  all += "\x7f\xEF\xBF\xBE\xEF\xBF\xBF";
  summary["runs"].push_back(samples::unsuccessful_run("A", all, "failed", {"exit_status", all, all, {{all, 1}}}));
  samples::write_results(directory.path(), summary);
  const xml_node failure = case_of(write("forbidden-junit.xml"), "A/0").child("failure");
  EXPECT_THAT(failure.text().get(), HasSubstr("␁␂␃␄␅␆␇␈\t\n␋␌␍␎"));
  EXPECT_THAT(failure.text().get(), HasSubstr("␡\uFFFD\uFFFD"));
}

TEST_F(JunitReportTest, IsWellFormedToAnotherParser) {
  if (std::system("command -v xmllint >/dev/null") != 0) GTEST_SKIP() << "xmllint is not installed";
  samples::write_hostile(directory.path());
  write("nemo2.0_llama3 70b fp8: <final> & \"x\"-junit.xml");
  std::filesystem::rename(file, directory.path() / "report.xml");
  EXPECT_EQ(std::system(("xmllint --noout '" + (directory.path() / "report.xml").string() + "'").c_str()), 0);
}

TEST_F(JunitReportTest, ASummaryThatSaysPassedWithoutARunIsAnError) {
  samples::write_empty(directory.path());
  const pugi::xml_node suite = write("empty-junit.xml");
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_STREQ(suite.child("testcase").child("error").attribute("message").value(),
               "The summary says passed, but no run passed.");
}

TEST_F(JunitReportTest, FailsWithoutASummaryAndLeavesNothing) {
  const testing::Reply reply = testing::write_report("junit", directory.path(), host);
  EXPECT_EQ(reply.status, CLOUDAI_FAILED);
  EXPECT_EQ(reply.message(), (directory.path() / "summary.json").string() + " does not exist.");
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace cloudai
