#include "modules/workloads/nccl_test/command.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

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

TEST(Command, AlltoallvWithMpiHasItsOwnFormOfFlags) {
  RunRequest run = request({{"subtest_name", "alltoallv_perf_mpi"},
                            {"ngpus", 2},
                            {"stepfactor", 2},
                            {"docker_image_url", "image"},
                            {"R", 1},
                            {"flag", true},
                            {"off", false}});
  run.test.extra_cmd_args = {{"-x", "y"}};
  run.system.tasks_per_node = 4;
  run.nodes.count = 2;
  const std::string flags =
      " -b 32M -e 32M -g 2 -w 5 -n 20 --nthreads 1 --stepbytes 1M --op sum --datatype float --root 0 --agg_iters 1 "
      "--average 1 --parallel_init 0 --check 1 --blocking 0 --cudagraph 0 --stepfactor 2 --R 1 --flag -x y";
  EXPECT_EQ(command_line(run), "alltoallv_perf_mpi" + flags);
  run.system.containers = Containers::optional;
  EXPECT_EQ(command_line(run), "/opt/nccl-tests/build/alltoallv_perf" + flags);
  EXPECT_EQ(plan_of(run).steps[0].placement.launcher, Launcher::mpi);
  EXPECT_EQ(plan_of(run).expects.ranks, 16);
  // The one without MPI is a program as any other.
  EXPECT_EQ(command_line(request({{"subtest_name", "alltoallv_perf"}})).substr(0, 43),
            "alltoallv_perf --nthreads 1 -g 1 --minbytes");
}

class DeepEpMatrix : public ::testing::Test {
 protected:
  // A run of a test before, and its output.
  Predecessor ran(const std::string& name, const std::string& output = "") const {
    std::filesystem::create_directories(results_.path() / name);
    results_.write(name + "/stdout.txt", output);
    return {name, (results_.path() / name).string()};
  }
  void write(const std::string& path, int age_in_hours = 0) const {
    std::filesystem::create_directories((results_.path() / path).parent_path());
    results_.write(path, "matrix");
    std::filesystem::last_write_time(results_.path() / path,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(age_in_hours));
  }
  RunRequest after(std::vector<Predecessor> predecessors) const {
    RunRequest run =
        request({{"subtest_name", "alltoallv_perf_mpi"}, {"use_deepep_matrix", true}, {"docker_image_url", "image"}});
    run.system.containers = Containers::optional;
    run.predecessors = std::move(predecessors);
    return run;
  }
  std::string at(const std::string& path) const { return (results_.path() / path).string(); }

  const std::string subject_ = "The option 'use_deepep_matrix' asks for the traffic matrix of a DeepEP benchmark, but ";
  testing::TemporaryDirectory results_;
};

TEST_F(DeepEpMatrix, IsMountedAndNamedToTheProgram) {
  write("moe/ucc/ucc_matrix.txt");
  write("moe/old/nccl_matrix.txt", 2);
  write("moe/new/nccl_matrix.txt", 1);
  RunRequest run = after({ran("sleep"), ran("moe")});
  run.test.extra_container_mounts = {"/host:/container"};
  const Step step = plan_of(run).steps[0];
  EXPECT_EQ(step.mounts,
            (std::vector<std::string>{"/host:/container", at("moe/new/nccl_matrix.txt") + ":/tmp/traffic_matrix.txt",
                                      at("moe") + ":/cloudai_moe_benchmark_prev:ro"}));
  ASSERT_EQ(step.environment.size(), 1U);
  EXPECT_EQ(step.environment[0].name, "ALLTOALLV_MATRIX_FILE");
  EXPECT_EQ(step.environment[0].value, "/tmp/traffic_matrix.txt");
}

TEST_F(DeepEpMatrix, ThatStandsAtTheTopIsPreferred) {
  write("moe/nccl_matrix.txt", 5);
  write("moe/new/nccl_matrix.txt");
  EXPECT_EQ(plan_of(after({ran("moe", "x\nBENCHMARK: DeepEP Results\n")})).steps[0].mounts.at(0),
            at("moe/nccl_matrix.txt") + ":/tmp/traffic_matrix.txt");
}

TEST_F(DeepEpMatrix, IsReadWhereItIsWithoutAContainer) {
  write("$moe/nccl_matrix.txt");
  RunRequest run = after({ran("$moe", "BENCHMARK: DeepEP Results")});
  EXPECT_EQ(plan_of(run).steps[0].mounts.at(1), results_.path().string() + "/\\$moe:/cloudai_moe_benchmark_prev:ro");
  run.system.containers = Containers::none;
  EXPECT_TRUE(plan_of(run).steps[0].mounts.empty());
  EXPECT_EQ(plan_of(run).steps[0].environment.at(0).value, at("$moe/nccl_matrix.txt"));
}

TEST_F(DeepEpMatrix, ThatIsMissingIsSaid) {
  EXPECT_EQ(refusal(after({})), subject_ + "the test starts after no other.");
  EXPECT_EQ(refusal(after({ran("a", "nothing"), ran("b")})),
            subject_ + "no test it starts after has left the results of one: 'a', 'b'.");
  EXPECT_EQ(refusal(after({ran("moe", "BENCHMARK: DeepEP Results")})),
            subject_ + "there is no nccl_matrix.txt in '" + at("moe") + "'.");
  write("a:b/nccl_matrix.txt");
  EXPECT_EQ(refusal(after({ran("a:b", "BENCHMARK: DeepEP Results")})),
            "The path '" + at("a:b/nccl_matrix.txt") +
                "' has a ',' or a ':' in it, so that it cannot be mounted into a container.");
}

TEST(Command, TheLimitOfTheBandwidthIsNoArgument) {
  const std::string line =
      command_line(request({{"min_busbw", 10.0}, {"min_busbw_size", "1G"}, {"min_busbw_tolerance", 5}}));
  EXPECT_EQ(line, command_line(request()));
}

}  // namespace
}  // namespace cloudai::nccl_test
