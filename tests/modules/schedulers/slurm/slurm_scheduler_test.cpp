#include "slurm_scheduler.hpp"

#include "container_images.hpp"
#include "recorded_cluster.hpp"

namespace slurm {
namespace {

using slurm::testing::RecordedCluster;
using slurm::testing::refusal;

class SlurmSchedulerTest : public slurm::testing::SlurmTest {};

TEST_F(SlurmSchedulerTest, OfflineItRunsNoCommand) {
  scheduler_.emplace(RecordedCluster::open_request({{"gpus_per_node", 8}, {"ntasks_per_node", 4}}, true),
                     [this] { return cluster_.now; });
  EXPECT_EQ(scheduler_->facts().gpus_per_node, 8);
  EXPECT_EQ(scheduler_->facts().tasks_per_node, 4);
  EXPECT_EQ(scheduler_->facts().containers, cloudai::Containers::optional);
  EXPECT_TRUE(scheduler_->allocate({{99, {}, {}}, {}}).nodes.empty());
  EXPECT_TRUE(cluster_.commands().empty());
}

TEST_F(SlurmSchedulerTest, AControllerThatDoesNotAnswerIsSaidAtOnce) {
  cluster_.say("scontrol show config", {{"", "slurm_load_ctl_conf error: Unable to contact slurm controller\n", 1}});
  const auto error = refusal([&] { open(); });
  EXPECT_EQ(error.status(), cloudai::Status::unavailable);
  EXPECT_EQ(error.message(),
            "The cluster cannot be asked for its config: scontrol show config failed with exit status 1: "
            "slurm_load_ctl_conf error: Unable to contact slurm controller");
}

TEST_F(SlurmSchedulerTest, APartitionThatIsNotThereIsRefused) {
  const auto error = refusal([&] { open({{"default_partition", "mian"}}); });
  EXPECT_EQ(error.message(), "The cluster has no partition 'mian' (default_partition).");
  EXPECT_EQ(error.hint(), "It has: main.");
}

TEST_F(SlurmSchedulerTest, MoreThanThePartitionGivesIsRefusedBeforeItIsSubmitted) {
  open();
  EXPECT_EQ(refusal([&] {
              scheduler_->allocate({{5, {}, {}}, {}});
            }).message(),
            "5 nodes are asked for; a job in the partition 'main' gets at most 4.");
  cloudai::Job job;
  job.time_limit = 86400;
  EXPECT_EQ(refusal([&] { scheduler_->render(job); }).message(),
            "The job needs 1-00:05:00 (the time limits of its stages and 300 s to end); the partition 'main' allows "
            "1-00:00:00.");
}

TEST_F(SlurmSchedulerTest, AFailedQuestionForTheNodesChangesNothing) {
  const auto groups = cloudai::Json::parse(R"([{"name": "main", "groups": [{"name": "g", "nodes": ["n[1-2]"]}]}])");
  open({{"partitions", groups}});
  cluster_.say("sinfo", {{"", "sinfo: error: Unable to contact slurm controller (connect failure)\n", 1},
                         {"main*|idle|n1\nmain*|drained|n2\n"}});
  const auto error = refusal([&] { scheduler_->allocate({{1, {"main:g:1"}, {}}, {}}); });
  EXPECT_EQ(error.status(), cloudai::Status::unavailable);
  EXPECT_THAT(scheduler_->allocate({{1, {"main:g:1"}, {}}, {}}).nodes, ::testing::ElementsAre("n1"));
}

TEST_F(SlurmSchedulerTest, FindsAJobInTheQueueThenByItsRecordThenInTheAccounts) {
  open();
  EXPECT_EQ(scheduler_->find({"tag1", directory()}), std::nullopt);
  cluster_.say("sacct", {{"77|test_tag1\n"}});
  EXPECT_EQ(scheduler_->find({"tag1", directory()}), "77");
  record(0);
  EXPECT_EQ(scheduler_->find({"tag1", directory()}), "42");
  cluster_.say("squeue", {{"78|test_tag1\n"}});
  EXPECT_EQ(scheduler_->find({"tag1", directory()}), "78");
  EXPECT_EQ(scheduler_->poll({"78"}).jobs.size(), 1);
}

TEST_F(SlurmSchedulerTest, WhetherThereIsAJobMayBeUnknown) {
  open();
  cluster_.say("sacct", {{"", "sacct: error: Problem talking to the database: Connection refused\n", 1}});
  EXPECT_EQ(refusal([&] { scheduler_->find({"tag1", directory()}); }).status(), cloudai::Status::unavailable);
}

TEST(ContainerImages, AreCachedUnderANameThatTellsThem) {
  EXPECT_EQ(cache_file_name("nvcr.io/nvidia/pytorch:24.02-py3"), "nvcr.io_nvidia__pytorch__24.02-py3.sqsh");
  EXPECT_EQ(cache_file_name("docker://nvcr.io#nvidia/nccl:1"), "nvcr.io_nvidia__nccl__1.sqsh");
  EXPECT_EQ(cache_file_name("ubuntu"), "ubuntu__notag.sqsh");
  EXPECT_EQ(cache_file_name("localhost:5000/a/b"), "localhost_5000_a__b__notag.sqsh");
}

TEST(ContainerImages, AreReferredToAsTheyAreUnlessCached) {
  SystemOptions options;
  options.install_path = "/install";
  EXPECT_EQ(image_reference("nvcr.io#nvidia/nccl:1", options), "nvcr.io#nvidia/nccl:1");
  EXPECT_EQ(image_reference("", options), "");
  options.cache_docker_images_locally = true;
  EXPECT_EQ(image_reference("nvcr.io#nvidia/nccl:1", options), "/install/nvcr.io_nvidia__nccl__1.sqsh");
  EXPECT_EQ(image_reference("/images/a.sqsh", options), "/images/a.sqsh");
}

TEST_F(SlurmSchedulerTest, AnImageIsImportedOnANodeAndSeenOnlyWhenItIsWhole) {
  auto request = RecordedCluster::open_request({{"cache_docker_images_locally", true}, {"account", "acc"}});
  request.system.install_path = directory();
  scheduler_.emplace(request, [this] { return cluster_.now; });
  cloudai::ProvisionRequest provision;
  provision.item = {"i", "docker_image", "ubuntu:22.04", {}, {}, {}};
  EXPECT_FALSE(scheduler_->provision(provision).installed);
  provision.action = cloudai::ProvisionAction::install;
  cluster_.say("srun", {{"", "enroot: Write error\n"}});
  EXPECT_FALSE(scheduler_->provision(provision).installed);
  const std::string file = directory() + "/ubuntu__22.04.sqsh";
  EXPECT_EQ(cluster_.last("srun"),
            "srun --export=ALL --partition=main --account=acc -N1 --ntasks=1 "
            "--job-name=acc-CloudAI_install_docker_image enroot import -o " +
                file + ".part docker://ubuntu:22.04");
  cluster_.say("srun", {{""}});
  directory_.write("ubuntu__22.04.sqsh", "image");
  EXPECT_EQ(scheduler_->provision(provision).path, file);
}

}  // namespace
}  // namespace slurm
