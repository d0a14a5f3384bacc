// The workload Sleep, through the built module.
#include <gtest/gtest.h>

#include "cloudai/documents/outcome.hpp"
#include "tests/paths.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

class SleepTest : public ::testing::Test {
 protected:
  Plan plan(const RunRequest& run) const {
    const Reply reply = module_.plan(run);
    EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    return from_json<Plan>(reply.json());
  }
  Outcome evaluate(const StageRequest& stage) const {
    const Reply reply = module_.evaluate(stage);
    EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    return from_json<Outcome>(reply.json());
  }

  FakeHost host_;
  LoadedModule module_{tree::build_directory() + "/lib/cloudai/modules/sleep.so", host_};
};

TEST_F(SleepTest, SleepsTheSecondsOfTheTest) {
  const Plan plan = this->plan(run_request("Sleep", {{"seconds", 5}}));
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_EQ(plan.steps[0].command.argv, (std::vector<std::string>{"sleep", "5"}));
  EXPECT_EQ(plan.steps[0].image, "");
  EXPECT_EQ(plan.steps[0].placement.launcher, Launcher::none);
}

TEST_F(SleepTest, SleepsPartsOfASecond) {
  const Plan plan = this->plan(run_request("Sleep", {{"seconds", 0.25}}));
  EXPECT_EQ(plan.steps.at(0).command.argv, (std::vector<std::string>{"sleep", "0.25"}));
}

TEST_F(SleepTest, UsesTheImageOnlyWhereTheSystemRunsContainers) {
  RunRequest run = run_request("Sleep", {{"seconds", 1}, {"docker_image_url", "ubuntu:22.04"}});
  EXPECT_EQ(plan(run).steps.at(0).image, "");
  run.system.containers = Containers::optional;
  EXPECT_EQ(plan(run).steps.at(0).image, "ubuntu:22.04");
  run.system.containers = Containers::required;
  EXPECT_EQ(plan(run).steps.at(0).image, "ubuntu:22.04");
}

TEST_F(SleepTest, RefusesExtraArguments) {
  RunRequest run = run_request("Sleep", {{"seconds", 1}});
  run.test.extra_cmd_args = {{"--verbose", ""}};
  const Reply reply = module_.plan(run);
  EXPECT_EQ(reply.status, CLOUDAI_INVALID_CONFIG);
  EXPECT_EQ(reply.message(), "Sleep takes no extra_cmd_args.");
}

TEST_F(SleepTest, NeedsNothing) {
  const Reply reply = module_.requirements(test_request("Sleep", {{"seconds", 1}}));
  EXPECT_EQ(reply.json(), Json::parse(R"({"schema": "cloudai.requirements/1", "items": []})"));
}

TEST_F(SleepTest, ExitStatusDecides) {
  const RunRequest run = run_request("Sleep", {{"seconds", 0}});
  EXPECT_EQ(evaluate(stage_request(run, plan(run), 0)).verdict, Verdict::passed);

  const Outcome failed = evaluate(stage_request(run, plan(run), 1));
  EXPECT_EQ(failed.verdict, Verdict::failed);
  ASSERT_TRUE(failed.reason);
  EXPECT_EQ(failed.reason->code, "exit_status");
  EXPECT_EQ(failed.reason->text, "exit status 1");
}

}  // namespace
}  // namespace cloudai::testing
