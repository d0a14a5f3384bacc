#include "payload.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "fake_network.hpp"
#include "job_check.hpp"
#include "tests/paths.hpp"

namespace runai {
namespace {

using cloudai::Json;
using testing::refusal;

cloudai::Job job(int nodes = 1) {
  cloudai::Step step;
  step.command.argv = {"all_reduce_perf_mpi", "--minbytes", "32M", "it's"};
  step.image = "nvcr.io#nvidia/pytorch:26.01-py3";
  step.environment = {{"NCCL_IB_TIMEOUT", "20"}, {"PRICE", "5\\$"}, {"API_KEY", "a,b;c d"}};
  step.placement = {cloudai::PlacedOn::all, 8, cloudai::Launcher::mpi};
  cloudai::JobStage stage;
  stage.name = "nccl_test_all_reduce";
  stage.directory = ".";
  stage.time_limit = 1200;
  stage.plan.steps.push_back(step);
  cloudai::Job job;
  job.tag = "k3x9a0b1c2d3e";
  job.name = "nccl-test.Tests.1";
  job.nodes.count = nodes;
  job.directory = "/results/Tests.1/0";
  job.runs.push_back({"Tests.1/0", {}, {stage}});
  return job;
}

cloudai::JobStage& stage_of(cloudai::Job& job) {
  return job.runs.front().stages.front();
}
cloudai::Step& step_of(cloudai::Job& job) {
  return stage_of(job).plan.steps.front();
}

SystemOptions full_options() {
  SystemOptions options = testing::options();
  options.node_pools = {"h100", "default"};
  options.priority_class = "high";
  options.pvc_mounts = {{"data", "/data", true}};
  return options;
}

std::string golden(const std::string& name) {
  std::ifstream file(tree::source_directory() + "/tests/modules/schedulers/runai/golden/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Payload, OfOneNodeIsATraining) {
  cloudai::Job one = job();
  step_of(one).mounts = {"/host:/container:ro", "/scratch:/scratch"};
  const auto rendering = render_job(one, full_options());
  ASSERT_EQ(rendering.files.size(), 1);
  EXPECT_EQ(rendering.files[0].path, "runai-workload.json");
  EXPECT_TRUE(rendering.files[0].is_private);
  EXPECT_EQ(rendering.files[0].content, golden("training.json"));
  EXPECT_EQ(rendering.main_command,
            "mpirun --allow-run-as-root --bind-to none -np 8 --oversubscribe all_reduce_perf_mpi --minbytes 32M "
            "'it'\\''s'");
  EXPECT_EQ(rendering.command,
            "curl --header \"Authorization: Bearer $RUNAI_TOKEN\" --header 'Content-Type: application/json' --data "
            "@/results/Tests.1/0/runai-workload.json https://tenant.example.com/api/v1/workloads/trainings");
}

TEST(Payload, OfSeveralNodesIsADistributedOne) {
  cloudai::Job two = job(2);
  two.nodes.names = {"gpu-01", "gpu-02"};
  two.exclude_nodes = {"gpu-07"};
  const auto rendering = render_job(two, full_options());
  EXPECT_EQ(rendering.files[0].content, golden("distributed.json"));
}

TEST(Payload, IsTheSameForTheSameJob) {
  EXPECT_EQ(render_job(job(), full_options()).files[0].content, render_job(job(), full_options()).files[0].content);
}

TEST(Payload, OfAHookIsInItsDirectory) {
  cloudai::Job hook = job();
  stage_of(hook).kind = cloudai::StageKind::prologue;
  stage_of(hook).directory = "prologue/check";
  const auto rendering = render_job(hook, testing::options());
  EXPECT_EQ(rendering.files[0].path, "prologue/check/runai-workload.json");
  const Submission submission = read_submission(rendering.submission);
  EXPECT_EQ(submission.kind, WorkloadKind::training);
  EXPECT_EQ(submission.name, "nccl-test-tests-1-k3x9a0b1c2d3e");
  EXPECT_EQ(submission.stage, cloudai::StageKind::prologue);
  EXPECT_EQ(submission.stage_directory, "prologue/check");
  EXPECT_EQ(submission.time_limit, 1200);
}

TEST(Payload, OfAShellTextIsOneCommandOfBash) {
  cloudai::Job shell = job();
  step_of(shell).command = {{}, "echo $CLOUDAI_NUM_NODES; exit 3"};
  step_of(shell).placement = {};
  const auto document = Json::parse(render_job(shell, testing::options()).files[0].content);
  EXPECT_EQ(document["spec"]["command"], "bash");
  EXPECT_EQ(document["spec"]["args"], "-c 'echo $CLOUDAI_NUM_NODES; exit 3'");
}

TEST(Payload, TakesWithAStepOnTheFirstNodeOneNode) {
  cloudai::Job first = job(4);
  step_of(first).placement = {cloudai::PlacedOn::first, 1, cloudai::Launcher::none};
  EXPECT_EQ(read_submission(render_job(first, testing::options()).submission).kind, WorkloadKind::training);
}

TEST(Payload, CanHaveAnotherName) {
  const auto document = Json::parse(renamed_payload(render_job(job(), testing::options()).files[0].content, "other"));
  EXPECT_EQ(document["name"], "other");
  EXPECT_EQ(document["projectId"], "4201");
}

TEST(Images, AreNamedAsAClusterPullsThem) {
  cloudai::Job any = job();
  EXPECT_EQ(image_reference(stage_of(any), "nvcr.io#nvidia/nccl:1"), "nvcr.io/nvidia/nccl:1");
  EXPECT_EQ(image_reference(stage_of(any), "docker://nvcr.io#nvidia/nccl:1"), "nvcr.io/nvidia/nccl:1");
  EXPECT_EQ(image_reference(stage_of(any), "ubuntu:22.04"), "ubuntu:22.04");
}

struct Refusal {
  const char* name;
  void (*change)(cloudai::Job&);
  const char* message;
};
class PayloadRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(PayloadRefusals, AreSentences) {
  cloudai::Job bad = job();
  GetParam().change(bad);
  EXPECT_EQ(refusal([&] { render_job(bad, testing::options()); }).message(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, PayloadRefusals,
    ::testing::Values(
        Refusal{"Variable",
                [](cloudai::Job& job) {
                  step_of(job).environment = {{"A", "x${HOME}/y"}};
                },
                "The plan of 'nccl_test_all_reduce' has '${HOME}' in the environment variable 'A', but no shell starts "
                "a workload of Run:ai to expand it."},
        Refusal{"Command",
                [](cloudai::Job& job) {
                  step_of(job).environment = {{"A", "$(hostname)"}};
                },
                "The plan of 'nccl_test_all_reduce' has '$(hostname)' in the environment variable 'A', but no shell "
                "starts a workload of Run:ai to expand it."},
        Refusal{"MountVariable", [](cloudai::Job& job) { step_of(job).mounts = {"$HOME:/home"}; },
                "The plan of 'nccl_test_all_reduce' has '$HOME' in the mount '$HOME:/home', but no shell starts a "
                "workload of Run:ai to expand it."},
        Refusal{"Mount", [](cloudai::Job& job) { step_of(job).mounts = {"data:/data"}; },
                "The plan of 'nccl_test_all_reduce' has the mount 'data:/data'; for Run:ai it is written "
                "\"/path/on/the/node:/path/in/the/container\", with \":ro\" behind it where it is not written to."},
        Refusal{"NoImage", [](cloudai::Job& job) { step_of(job).image.clear(); },
                "The plan of 'nccl_test_all_reduce' names no image; Run:ai runs everything in containers."},
        Refusal{"ImageFile", [](cloudai::Job& job) { step_of(job).image = "/images/a.sqsh"; },
                "The plan of 'nccl_test_all_reduce' runs in the image file '/images/a.sqsh'; Run:ai pulls images from "
                "a registry."},
        Refusal{"Steps",
                [](cloudai::Job& job) { stage_of(job).plan.steps.push_back(stage_of(job).plan.steps.front()); },
                "The plan of 'nccl_test_all_reduce' has 2 steps; a workload of Run:ai is one command."},
        Refusal{"Files",
                [](cloudai::Job& job) {
                  stage_of(job).plan.files = {{"input.txt", "x"}};
                },
                "The plan of 'nccl_test_all_reduce' needs the file 'input.txt', which a workload of Run:ai does not "
                "see: nothing of this machine is mounted into it."},
        Refusal{"PassEnv", [](cloudai::Job& job) { step_of(job).pass_environment = {"HF_TOKEN"}; },
                "The plan of 'nccl_test_all_reduce' hands on the variable 'HF_TOKEN' (pass_env), which would have to "
                "be written down for Run:ai."},
        Refusal{
            "RunDirectory",
            [](cloudai::Job& job) {
              step_of(job).command = {{}, "ls $CLOUDAI_RUN_DIR"};
            },
            "The plan of 'nccl_test_all_reduce' uses $CLOUDAI_RUN_DIR, which is not known in a workload of Run:ai."},
        Refusal{"NodesWithoutMpi",
                [](cloudai::Job& job) {
                  job.nodes.count = 2;
                  step_of(job).placement = {};
                },
                "The plan of 'nccl_test_all_reduce' runs on 2 nodes without MPI; Run:ai starts programs on several "
                "nodes with MPI alone."},
        Refusal{"TasksWithoutMpi",
                [](cloudai::Job& job) {
                  step_of(job).placement = {cloudai::PlacedOn::all, 4, cloudai::Launcher::none};
                },
                "The plan of 'nccl_test_all_reduce' starts 4 tasks on a node without MPI; a workload of Run:ai starts "
                "one."},
        Refusal{"Stages", [](cloudai::Job& job) { job.runs.front().stages.push_back(job.runs.front().stages.front()); },
                "A workload of Run:ai is one stage of one run; this job has 1 runs, the first of 2 stages."},
        Refusal{"Tag", [](cloudai::Job& job) { job.tag = "A-1"; }, "The job's tag 'A-1' is not 1 to 13 of [a-z0-9]."}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace runai
