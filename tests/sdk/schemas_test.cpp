// The published schemas accept the documented examples and what the typed structs write, and refuse what is incomplete.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/reporter.hpp"
#include "cloudai/documents/scheduler.hpp"
#include "tests/paths.hpp"
#include "tests/sdk/documents_examples.hpp"
#include "tests/sdk/schema_check.hpp"

namespace cloudai::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

const std::map<std::string, Json>& examples() {
  static const auto all = documents_examples();
  return all;
}

// "cloudai.plan/1" → "plan".
std::string schema_name(const std::string& schema) {
  const std::string prefix = "cloudai.";
  return schema.substr(prefix.size(), schema.find('/') - prefix.size());
}

class Example : public ::testing::TestWithParam<std::string> {};

TEST_P(Example, SatisfiesItsSchema) {
  const Json& example = examples().at(GetParam());
  EXPECT_THAT(schema_violations(schema_name(GetParam()), example), IsEmpty()) << example.dump(2);
}

TEST_P(Example, IsRefusedWithoutAnyRequiredKey) {
  const std::string name = schema_name(GetParam());
  const Json required = schema(name).at("required");
  for (const Json& key : required) {
    Json incomplete = examples().at(GetParam());
    incomplete.erase(key.get<std::string>());
    EXPECT_THAT(schema_violations(name, incomplete), Not(IsEmpty())) << "without " << key;
  }
}

TEST_P(Example, IsRefusedWithAnotherMajorVersion) {
  Json other = examples().at(GetParam());
  other["schema"] = "cloudai." + schema_name(GetParam()) + "/2";
  EXPECT_THAT(schema_violations(schema_name(GetParam()), other), Not(IsEmpty()));
}

TEST_P(Example, MayHaveKeysNobodyKnows) {
  Json extended = examples().at(GetParam());
  extended["of_a_later_version"] = 1;
  EXPECT_THAT(schema_violations(schema_name(GetParam()), extended), IsEmpty());
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& [name, example] : examples()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Documents, Example, ::testing::ValuesIn(example_names()), [](const auto& parameter) {
  std::string name = schema_name(parameter.param);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(Schemas, EveryDocumentWithASchemaHasAnExample) {
  for (const std::string& name : schema_names()) {
    const Json document = schema(name);
    const Json properties = document.value("properties", Json::object());
    if (!properties.contains("schema") || name == "manifest" || name == "inputs") continue;
    EXPECT_EQ(examples().count(properties["schema"]["const"].get<std::string>()), 1U) << name;
  }
  EXPECT_EQ(examples().size(), 18U);
}

// Reads the example, writes it again, and checks what was written.
template <class T>
void expect_typed_output_fits(const std::string& schema) {
  const Json written = from_json<T>(examples().at(schema));
  EXPECT_THAT(schema_violations(schema_name(schema), written), IsEmpty()) << written.dump(2);
}

TEST(Schemas, AcceptWhatTheTypedStructsWrite) {
  expect_typed_output_fits<TestRequest>("cloudai.test/1");
  expect_typed_output_fits<Requirements>("cloudai.requirements/1");
  expect_typed_output_fits<RunRequest>("cloudai.run/1");
  expect_typed_output_fits<Plan>("cloudai.plan/1");
  expect_typed_output_fits<StageRequest>("cloudai.stage/1");
  expect_typed_output_fits<Outcome>("cloudai.outcome/1");
  expect_typed_output_fits<OpenRequest>("cloudai.scheduler.open/1");
  expect_typed_output_fits<Facts>("cloudai.facts/1");
  expect_typed_output_fits<Job>("cloudai.job/1");
  expect_typed_output_fits<Rendering>("cloudai.rendering/1");
  expect_typed_output_fits<States>("cloudai.states/1");
  expect_typed_output_fits<JobResult>("cloudai.job_result/1");
  expect_typed_output_fits<ReportRequest>("cloudai.report_request/1");
}

TEST(Schemas, AcceptTheSmallestDocumentsTheTypedStructsWrite) {
  Step step;
  step.command.shell = "true";
  Plan plan;
  plan.steps.push_back(step);
  EXPECT_THAT(schema_violations("plan", plan), IsEmpty());
  EXPECT_THAT(schema_violations("outcome", Outcome()), IsEmpty());
  EXPECT_THAT(schema_violations("requirements", Requirements()), IsEmpty());
  EXPECT_THAT(schema_violations("facts", Facts()), IsEmpty());
  EXPECT_THAT(schema_violations("rendering", Rendering()), IsEmpty());
}

TEST(Schemas, AVerdictThatIsNotPassedNeedsAReason) {
  Json outcome = {{"schema", "cloudai.outcome/1"}, {"verdict", "failed"}};
  EXPECT_THAT(schema_violations("outcome", outcome), Not(IsEmpty()));
  outcome["reason"] = {{"code", "exit_status"}, {"text", "exit status 1"}};
  EXPECT_THAT(schema_violations("outcome", outcome), IsEmpty());
  outcome["reason"]["code"] = "bad_luck";
  EXPECT_THAT(schema_violations("outcome", outcome), Not(IsEmpty()));
}

TEST(Schemas, ACommandIsEitherArgvOrShell) {
  Json plan = examples().at("cloudai.plan/1");
  plan["steps"][0]["command"] = {{"argv", {"true"}}, {"shell", "true"}};
  EXPECT_THAT(schema_violations("plan", plan), Not(IsEmpty()));
  plan["steps"][0]["command"] = Json::object();
  EXPECT_THAT(schema_violations("plan", plan), Not(IsEmpty()));
}

TEST(Schemas, CheckJournalRecordsByTheirEvent) {
  Json record = {{"time", "2026-03-01T12:00:00.000Z"}, {"event", "submitting"}, {"run", "Tests.1/0"}};
  EXPECT_THAT(schema_violations("journal_record", record), Not(IsEmpty()));
  record["tag"] = "k3x9a0b1c2d3e";
  EXPECT_THAT(schema_violations("journal_record", record), IsEmpty());
  record.erase("run");
  EXPECT_THAT(schema_violations("journal_record", record), Not(IsEmpty()));
  record["runs"] = {"Tests.1/0", "Tests.2/0"};
  EXPECT_THAT(schema_violations("journal_record", record), IsEmpty());
  record["time"] = "yesterday";
  EXPECT_THAT(schema_violations("journal_record", record), Not(IsEmpty()));
}

TEST(Schemas, CheckInputs) {
  Json inputs = {{"schema", "cloudai.inputs/1"}, {"system", Json::object()}, {"scenario", Json::object()}};
  EXPECT_THAT(schema_violations("inputs", inputs), IsEmpty());
  inputs.erase("system");
  EXPECT_THAT(schema_violations("inputs", inputs), Not(IsEmpty()));
}

Json manifest(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return Json::parse(stream);
}

TEST(ManifestSchema, AcceptsEveryManifestInTheTree) {
  int count = 0;
  for (const char* directory : {"/modules", "/tests/sdk/fixtures"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree::source_directory() + directory)) {
      if (entry.path().extension() != ".json" || entry.path().string().find("manifest") == std::string::npos) continue;
      ++count;
      EXPECT_THAT(schema_violations("manifest", manifest(entry.path())), IsEmpty()) << entry.path();
    }
  }
  EXPECT_GE(count, 2);
}

TEST(ManifestSchema, RefusesWhatIsNotInTheSubset) {
  const Json good = manifest(tree::source_directory() + "/modules/workloads/sleep/manifest.json");
  const auto refuses = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    EXPECT_THAT(schema_violations("manifest", bad), Not(IsEmpty())) << pointer << " = " << value;
  };
  refuses("/provides/0/config_schema/properties/seconds/multipleOf", 2);
  refuses("/provides/0/config_schema/properties/seconds/type", "seconds");
  refuses("/provides/0/config_schema/type", "array");
  refuses("/provides/0/interface", "cloudai.oracle/1");
  refuses("/provides/0/needs", {"miracles"});
  refuses("/provides/0/metrics", {{{"name", "busbw"}, {"unit", "GiB/s"}}});
  refuses("/provides", Json::array());
  refuses("/id", "a/b");
  refuses("/requires/abi_minor", -1);
}

}  // namespace
}  // namespace cloudai::testing
