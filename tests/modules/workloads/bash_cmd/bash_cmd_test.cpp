// The workload BashCmd, through the built module.
#include <gtest/gtest.h>

#include "cloudai/documents/outcome.hpp"
#include "tests/paths.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

class BashCmdTest : public ::testing::Test {
 protected:
  Outcome evaluate(int exit_status) const {
    const RunRequest run = run_request("BashCmd", {{"cmd", "nvidia-smi -q"}}, directory_.path());
    const Reply reply = module_.evaluate(stage_request(run, from_json<Plan>(module_.plan(run).json()), exit_status));
    EXPECT_EQ(reply.status, CLOUDAI_OK) << reply.text;
    return from_json<Outcome>(reply.json());
  }

  FakeHost host_;
  LoadedModule module_{tree::build_directory() + "/lib/cloudai/modules/bash_cmd.so", host_};
  TemporaryDirectory directory_;
};

TEST_F(BashCmdTest, HandsTheTextToOneShellOnTheFirstNode) {
  const std::string cmd = "echo \"$HOME\" 'a b' | tee x; exit 3";
  const Reply reply = module_.plan(run_request("BashCmd", {{"cmd", cmd}}));
  ASSERT_EQ(reply.status, CLOUDAI_OK) << reply.text;
  const auto plan = from_json<Plan>(reply.json());
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_EQ(plan.steps[0].command.shell, cmd);
  EXPECT_TRUE(plan.steps[0].command.argv.empty());
  EXPECT_EQ(plan.steps[0].placement.nodes, PlacedOn::first);
  EXPECT_EQ(plan.steps[0].placement.tasks_per_node, 1);
  EXPECT_EQ(plan.steps[0].image, "");
}

TEST_F(BashCmdTest, RefusesExtraArguments) {
  RunRequest run = run_request("BashCmd", {{"cmd", "true"}});
  run.test.extra_cmd_args = {{"--verbose", ""}};
  const Reply reply = module_.plan(run);
  EXPECT_EQ(reply.status, CLOUDAI_INVALID_CONFIG);
  EXPECT_EQ(reply.json(), Json::parse(R"({"message": "BashCmd takes no extra_cmd_args.",
    "hint": "Write the whole command into 'cmd'.", "path": "/test/extra_cmd_args"})"));
}

TEST_F(BashCmdTest, ACommandThatIsMissingIsADefectOfTheRequest) {
  const Reply reply = module_.plan(run_request("BashCmd", Json::object()));
  EXPECT_EQ(reply.status, CLOUDAI_INVALID_DOCUMENT);
  EXPECT_EQ(reply.message(), "/cmd is missing.");
}

TEST_F(BashCmdTest, ExitStatusDecides) {
  EXPECT_EQ(evaluate(0).verdict, Verdict::passed);
  const Outcome failed = evaluate(3);
  EXPECT_EQ(failed.verdict, Verdict::failed);
  ASSERT_TRUE(failed.reason);
  EXPECT_EQ(failed.reason->code, "exit_status");
  EXPECT_EQ(failed.reason->text, "exit status 3");
}

TEST_F(BashCmdTest, NamesTheCommandBashDidNotFind) {
  directory_.write("stderr.txt", "a warning\nbash: line 1: nvidia-smi: command not found\n");
  const Outcome failed = evaluate(127);
  EXPECT_EQ(failed.verdict, Verdict::failed);
  ASSERT_TRUE(failed.reason);
  EXPECT_EQ(failed.reason->code, "command_not_found");
  EXPECT_EQ(failed.reason->text, "command not found: nvidia-smi (exit status 127)");
  ASSERT_EQ(failed.reason->evidence.size(), 1U);
  EXPECT_EQ(failed.reason->evidence[0].path, "stderr.txt");
  EXPECT_EQ(failed.reason->evidence[0].line, 2);
}

}  // namespace
}  // namespace cloudai::testing
