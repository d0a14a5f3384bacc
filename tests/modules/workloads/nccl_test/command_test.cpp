#include "modules/workloads/nccl_test/command.hpp"

#include <gtest/gtest.h>

#include "cloudai/error.hpp"
#include "tests/sdk/module_harness.hpp"

namespace cloudai::nccl_test {
namespace {

using testing::run_request;

// What the core hands over for a test that sets nothing.
Json default_options() {
  return Json::parse(R"({"subtest_name": "all_reduce_perf_mpi", "nthreads": 1, "ngpus": 1, "minbytes": "32M",
      "maxbytes": "32M", "stepbytes": "1M", "op": "sum", "datatype": "float", "root": 0, "iters": 20, "warmup_iters": 5,
      "agg_iters": 1, "average": 1, "parallel_init": 0, "check": 1, "blocking": 0, "cudagraph": 0,
      "use_deepep_matrix": false, "alltoallv_matrix_container_path": "/tmp/traffic_matrix.txt"})");
}

RunRequest request(Json changes = Json::object()) {
  Json options = default_options();
  options.update(changes);
  return run_request("NcclTest", options);
}

std::string joined(const std::vector<std::string>& argv) {
  std::string text;
  for (const std::string& argument : argv) text += (text.empty() ? "" : " ") + argument;
  return text;
}

std::string command_line(const RunRequest& run) {
  return joined(plan_of(run).steps.at(0).command.argv);
}

std::string refusal(const RunRequest& run) {
  try {
    plan_of(run);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::invalid_config);
    return error.message();
  }
  return "accepted";
}

TEST(Command, Defaults) {
  EXPECT_EQ(command_line(request()),
            "all_reduce_perf_mpi --nthreads 1 --ngpus 1 --minbytes 32M --maxbytes 32M --stepbytes 1M --op sum "
            "--datatype float "
            "--root 0 --iters 20 --warmup_iters 5 --agg_iters 1 --average 1 --parallel_init 0 --check 1 --blocking 0 "
            "--cudagraph 0");
}

TEST(Command, OptionsKeepTheirOrderAndExtrasFollow) {
  RunRequest run =
      request({{"stepfactor", 2}, {"zeta", "z"}, {"alpha", 1.5}, {"R", 1}, {"flag", true}, {"off", false}});
  run.test.extra_cmd_args = {{"--last", "of all"}, {"--bare", ""}};
  const auto argv = plan_of(run).steps.at(0).command.argv;
  const std::vector<std::string> tail(argv.end() - 15, argv.end());
  EXPECT_EQ(tail, (std::vector<std::string>{"--stepfactor", "2", "--zeta", "z", "--alpha", "1.5", "-R", "1", "--flag",
                                            "True", "--off", "False", "--last", "of all", "--bare"}));
}

TEST(Command, WithoutMpiOneProcessDrivesTheGpusOfTheNode) {
  RunRequest run = request({{"subtest_name", "all_gather_perf"}, {"ngpus", 8}, {"nthreads", 2}});
  run.system.tasks_per_node = 4;
  const Plan plan = plan_of(run);
  EXPECT_EQ(joined(plan.steps[0].command.argv).substr(0, 48), "all_gather_perf --nthreads 2 -g 8 --minbytes 32M");
  EXPECT_EQ(plan.steps[0].placement.launcher, Launcher::none);
  EXPECT_EQ(plan.steps[0].placement.nodes, PlacedOn::first);
  EXPECT_EQ(plan.steps[0].placement.tasks_per_node, 1);
  EXPECT_EQ(plan.expects.ranks, 16);
  EXPECT_EQ(plan.expects.nodes, 1);
}

TEST(Command, WithMpiEveryNodeRunsItsTasks) {
  RunRequest run = request({{"ngpus", 2}});
  run.system.tasks_per_node = 4;
  run.nodes.count = 3;
  const Plan plan = plan_of(run);
  EXPECT_EQ(plan.steps[0].placement.launcher, Launcher::mpi);
  EXPECT_EQ(plan.steps[0].placement.nodes, PlacedOn::all);
  EXPECT_EQ(plan.steps[0].placement.tasks_per_node, 4);
  EXPECT_EQ(plan.expects.ranks, 24);
  EXPECT_EQ(plan.expects.nodes, 3);
}

TEST(Command, OneTaskWhereTheSystemDoesNotSay) {
  EXPECT_EQ(plan_of(request()).steps[0].placement.tasks_per_node, 1);
  EXPECT_EQ(plan_of(request()).expects.ranks, 1);
}

TEST(Command, TheGate) {
  // The main test's output may be JSON, and no gate follows it that the words of a text could close.
  EXPECT_TRUE(plan_of(request()).success.must_contain.empty());
  RunRequest hook = request();
  hook.stage.kind = StageKind::prologue;
  const Success gate = plan_of(hook).success;
  EXPECT_EQ(gate.exit_status, 0);
  ASSERT_EQ(gate.must_contain.size(), 2U);
  EXPECT_EQ(gate.must_contain[0].text, "Out of bounds values : 0 OK");
  EXPECT_EQ(gate.must_contain[1].text, "Avg bus bandwidth");
  ASSERT_EQ(gate.must_not_contain.size(), 3U);
  EXPECT_EQ(gate.must_not_contain[0].text, "Test NCCL failure");
  EXPECT_EQ(gate.must_not_contain[1].text, "Test CUDA failure");
  EXPECT_EQ(gate.must_not_contain[2].text, "Test failure");
}

TEST(Command, TheImageIsUsedWhereTheSystemRunsContainers) {
  RunRequest run = request({{"docker_image_url", "nvcr.io/nvidia/pytorch:24.02-py3"}});
  run.test.extra_container_mounts = {"/host:/container"};
  EXPECT_EQ(plan_of(run).steps[0].image, "");
  EXPECT_TRUE(plan_of(run).steps[0].mounts.empty());
  run.system.containers = Containers::required;
  EXPECT_EQ(plan_of(run).steps[0].image, "nvcr.io/nvidia/pytorch:24.02-py3");
  EXPECT_EQ(plan_of(run).steps[0].mounts, std::vector<std::string>{"/host:/container"});
  run.provisioned["image"] = "/install/pytorch.sqsh";
  EXPECT_EQ(plan_of(run).steps[0].image, "/install/pytorch.sqsh");
  EXPECT_EQ(command_line(run).find("docker"), std::string::npos);
}

TEST(Command, Refusals) {
  EXPECT_EQ(refusal(request({{"use_deepep_matrix", true}})),
            "The option 'use_deepep_matrix' is not supported by this version.");
  EXPECT_EQ(refusal(request({{"extra", Json::array({1, 2})}})),
            "The option 'extra' of the test is no number, text or boolean, and cannot be an argument.");
  EXPECT_EQ(refusal(request({{"min_busbw_size", "1G"}})),
            "The option 'min_busbw_size' has no effect without 'min_busbw'.");
  RunRequest two_nodes = request({{"subtest_name", "all_gather_perf"}});
  two_nodes.nodes.count = 2;
  EXPECT_EQ(refusal(two_nodes), "'all_gather_perf' runs on one node, and the test asks for 2.");
  RunRequest run = request();
  run.system.containers = Containers::required;
  EXPECT_EQ(refusal(run), "The system 'a_system' runs every test in a container, and this test names no image.");
}

TEST(Command, TheLimitOfTheBandwidthIsNoArgument) {
  const std::string line =
      command_line(request({{"min_busbw", 10.0}, {"min_busbw_size", "1G"}, {"min_busbw_tolerance", 5}}));
  EXPECT_EQ(line, command_line(request()));
}

}  // namespace
}  // namespace cloudai::nccl_test
