// The workload NcclTest, through the built module.
#include <gtest/gtest.h>

#include <filesystem>

#include "cloudai/documents/outcome.hpp"
#include "tests/modules/workloads/nccl_test/logs.hpp"
#include "tests/paths.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

class NcclTestModule : public ::testing::Test {
 protected:
  Json options() const {
    Json options = Json::object();
    const Json properties = schema_properties();
    for (const auto& [name, schema] : properties.items()) {
      if (schema.contains("default")) options[name] = schema["default"];
    }
    return options;
  }

  Json schema_properties() const {
    return Json::parse(module_.manifest())["provides"][0]["config_schema"]["properties"];
  }

  FakeHost host_;
  LoadedModule module_{tree::build_directory() + "/lib/cloudai/modules/nccl_test.so", host_};
};

TEST_F(NcclTestModule, TheDefaultsOfTheManifestMakeTheDefaultCommand) {
  const Reply reply = module_.plan(run_request("NcclTest", options()));
  ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  EXPECT_EQ(reply.json()["steps"][0]["command"]["argv"].size(), 33U);
  EXPECT_EQ(reply.json()["steps"][0]["placement"],
            Json::parse(R"({"nodes": "all", "tasks_per_node": 1, "launcher": "mpi"})"));
  EXPECT_EQ(reply.json()["expects"], Json::parse(R"({"ranks": 1, "nodes": 1})"));
}

TEST_F(NcclTestModule, EveryOptionIsDescribed) {
  const Json properties = schema_properties();
  EXPECT_EQ(properties.size(), 24U);
  EXPECT_EQ(properties["subtest_name"]["enum"].size(), 24U);
  for (const auto& [name, schema] : properties.items()) EXPECT_TRUE(schema.contains("description")) << name;
}

TEST_F(NcclTestModule, TheImageIsRequiredOnlyWhereItIsUsed) {
  Json with_image = options();
  with_image["docker_image_url"] = "example.org/nccl:1";
  TestRequest test = test_request("NcclTest", with_image);
  EXPECT_TRUE(module_.requirements(test).json()["items"].empty());
  test.system.containers = Containers::required;
  EXPECT_EQ(module_.requirements(test).json()["items"],
            Json::parse(R"([{"id": "image", "kind": "docker_image", "url": "example.org/nccl:1"}])"));
}

TEST_F(NcclTestModule, RefusalsNameTheOption) {
  Json matrix = options();
  matrix["use_deepep_matrix"] = true;
  const Reply reply = module_.plan(run_request("NcclTest", matrix));
  EXPECT_EQ(reply.status, CLOUDAI_INVALID_CONFIG);
  EXPECT_EQ(
      reply.message(),
      "The option 'use_deepep_matrix' asks for the traffic matrix of a DeepEP benchmark, but the test starts after "
      "no other.");
  EXPECT_EQ(reply.json()["path"], "/test/cmd_args/use_deepep_matrix");
}

TEST_F(NcclTestModule, APlannedRunIsJudgedByItsLog) {
  const TemporaryDirectory directory;
  Json sweep = options();
  sweep.update({{"minbytes", "8"}, {"maxbytes", "16G"}, {"stepfactor", 2}});
  RunRequest run = run_request("NcclTest", sweep, directory.path());
  run.nodes.count = 2;
  run.system.tasks_per_node = 8;
  const Plan plan = from_json<Plan>(module_.plan(run).json());
  directory.write("stdout.txt", nccl_test::log_text("invalid_utf8_and_ansi"));
  const Reply reply = module_.evaluate(stage_request(run, plan));
  ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  EXPECT_EQ(reply.json()["verdict"], "passed") << reply.text;

  directory.write("stdout.txt", "\xff\xfe Test failure \xc3\n");
  const Reply garbled = module_.evaluate(stage_request(run, plan));
  ASSERT_EQ(garbled.status, CLOUDAI_OK) << garbled.text;
  EXPECT_EQ(garbled.json()["verdict"], "failed");
  EXPECT_EQ(garbled.json()["reason"]["code"], "test_failure");
}

}  // namespace
}  // namespace cloudai::testing
