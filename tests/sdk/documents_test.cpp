// Documents survive reading and writing, and a wrong one is refused with the place that is at fault.
#include <gtest/gtest.h>

#include <limits>

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/reporter.hpp"
#include "cloudai/documents/scheduler.hpp"
#include "tests/sdk/documents_examples.hpp"

namespace cloudai::testing {
namespace {

const Json& example(const std::string& schema) {
  static const auto all = documents_examples();
  return all.at(schema);
}

// Everything `part` says stands in `whole` too; what was left out because it is empty counts as said.
void expect_contains(const Json& whole, const Json& part, const std::string& path) {
  if (part.is_object()) {
    for (const auto& [key, value] : part.items()) {
      if (!whole.contains(key)) {
        EXPECT_TRUE(value.empty()) << path << "/" << key << " got lost";
      } else {
        expect_contains(whole.at(key), value, path + "/" + key);
      }
    }
  } else if (part.is_array()) {
    ASSERT_EQ(whole.size(), part.size()) << path;
    for (std::size_t i = 0; i < part.size(); ++i) expect_contains(whole[i], part[i], path + "/" + std::to_string(i));
  } else {
    EXPECT_EQ(whole, part) << path;
  }
}

template <class T>
void expect_round_trip(const std::string& schema) {
  SCOPED_TRACE(schema);
  const Json once = from_json<T>(example(schema));
  expect_contains(once, example(schema), "");
  EXPECT_EQ(Json(from_json<T>(once)), once);
}

TEST(Documents, SurviveReadingAndWriting) {
  expect_round_trip<TestRequest>("cloudai.test/1");
  expect_round_trip<Requirements>("cloudai.requirements/1");
  expect_round_trip<RunRequest>("cloudai.run/1");
  expect_round_trip<Plan>("cloudai.plan/1");
  expect_round_trip<StageRequest>("cloudai.stage/1");
  expect_round_trip<Outcome>("cloudai.outcome/1");
  expect_round_trip<OpenRequest>("cloudai.scheduler.open/1");
  expect_round_trip<Facts>("cloudai.facts/1");
  expect_round_trip<Job>("cloudai.job/1");
  expect_round_trip<Rendering>("cloudai.rendering/1");
  expect_round_trip<States>("cloudai.states/1");
  expect_round_trip<JobResult>("cloudai.job_result/1");
  expect_round_trip<ReportRequest>("cloudai.report_request/1");
}

TEST(Documents, ARunRequestIsReadWhole) {
  const auto run = from_json<RunRequest>(example("cloudai.run/1"));
  EXPECT_EQ(run.provider, "NcclTest");
  EXPECT_EQ(run.case_id, "Tests.1");
  EXPECT_EQ(run.stage.kind, StageKind::prologue);
  EXPECT_EQ(run.stage.time_limit, 1200);
  EXPECT_EQ(run.nodes.names, std::vector<std::string>{"node001"});
  EXPECT_EQ(run.system.gpus_per_node, 8);
  EXPECT_EQ(run.test.extra_env_vars.at(0).name, "NCCL_DEBUG");
  EXPECT_EQ(run.predecessors.at(0).case_id, "Tests.0");
  EXPECT_EQ(run.provisioned.at("image"), "/path/of/the/item");
}

TEST(Documents, LeaveOutWhatCouldNotBeComputed) {
  Outcome outcome;
  outcome.metrics.resize(2);
  outcome.metrics[0].name = "lost";
  outcome.metrics[0].value = std::numeric_limits<double>::infinity();
  outcome.metrics[1].name = "kept";
  const Json json = outcome;
  ASSERT_EQ(json["metrics"].size(), 1U);
  EXPECT_EQ(json["metrics"][0]["name"], "kept");
}

TEST(Documents, OptionsHaveTypes) {
  const Options options{
      Json::parse(R"({"seconds": 0.5, "name": "x", "list": [1, 2], "on": true, "big": 9223372036854775808})")};
  EXPECT_EQ(options.get<double>("seconds"), 0.5);
  EXPECT_EQ(options.get<std::string>("name"), "x");
  EXPECT_EQ(options.get<std::vector<int>>("list"), (std::vector<int>{1, 2}));
  EXPECT_TRUE(options.get<bool>("on"));
  EXPECT_EQ(options.find<std::string>("image"), std::nullopt);
  EXPECT_THROW(options.get<std::int64_t>("big"), Error);
  EXPECT_THROW(options.get<int>("seconds"), Error);
}

// The refusal of `json` read as a T: its message, and the pointer to the place.
template <class T>
std::pair<std::string, std::string> refusal(const Json& json) {
  try {
    from_json<T>(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::invalid_document);
    return {error.message(), error.path()};
  }
  return {};
}

using Refusal = std::pair<std::string, std::string>;

TEST(Refusals, NameTheMissingMember) {
  Json run = example("cloudai.run/1");
  run["stage"].erase("directory");
  EXPECT_EQ(refusal<RunRequest>(run), Refusal("/stage/directory is missing.", "/stage/directory"));
}

TEST(Refusals, NameTheMistypedMember) {
  Json run = example("cloudai.run/1");
  run["nodes"]["names"] = {"node001", 2};
  EXPECT_EQ(refusal<RunRequest>(run), Refusal("/nodes/names/1 is the number 2; expected text.", "/nodes/names/1"));
  run["nodes"]["names"] = "node001";
  EXPECT_EQ(refusal<RunRequest>(run),
            Refusal("/nodes/names is the text 'node001'; expected an array.", "/nodes/names"));
  run["nodes"] = nullptr;
  EXPECT_EQ(refusal<RunRequest>(run), Refusal("/nodes is null; expected an object.", "/nodes"));
}

TEST(Refusals, ListTheNamesOfAnEnumeration) {
  Json run = example("cloudai.run/1");
  run["stage"]["kind"] = "encore";
  EXPECT_EQ(
      refusal<RunRequest>(run),
      Refusal("/stage/kind is the text 'encore'; expected one of 'prologue', 'main', 'epilogue'.", "/stage/kind"));
}

TEST(Refusals, EscapeThePointer) {
  Json run = example("cloudai.run/1");
  run["provisioned"]["a/b~c"] = 1;
  EXPECT_EQ(refusal<RunRequest>(run).second, "/provisioned/a~1b~0c");
}

TEST(Refusals, NameTheOtherSchema) {
  Json run = example("cloudai.run/1");
  run["schema"] = "cloudai.run/2";
  EXPECT_EQ(refusal<RunRequest>(run),
            Refusal("The document has the schema 'cloudai.run/2'; expected 'cloudai.run/1'.", "/schema"));
  EXPECT_EQ(refusal<RunRequest>(Json::array()).first, "The document is an array; expected an object.");
}

TEST(Refusals, ACommandIsEitherArgvOrShell) {
  Json plan = example("cloudai.plan/1");
  plan["steps"][0]["command"] = Json::object();
  EXPECT_EQ(refusal<Plan>(plan), Refusal("/steps/0/command is an object; expected a command with either argv or shell.",
                                         "/steps/0/command"));
}

TEST(Refusals, NumbersOutOfRange) {
  Json run = example("cloudai.run/1");
  run["iteration"] = 3000000000;
  EXPECT_EQ(refusal<RunRequest>(run).first, "/iteration is the number 3000000000; expected a 32-bit integer.");
  run["iteration"] = 0.5;
  EXPECT_EQ(refusal<RunRequest>(run).first, "/iteration is the number 0.5; expected an integer.");
}

}  // namespace
}  // namespace cloudai::testing
