// The tests' own Slurm cluster: that it is one, and that nothing of it stays.
#include "tests/slurm_cluster/cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/end_to_end/workspace.hpp"
#include "tests/paths.hpp"

namespace slurm_cluster {
namespace {

using end_to_end::eventually;
using end_to_end::Workspace;
using testing::HasSubstr;
using namespace std::chrono_literals;

class SlurmCluster : public testing::Test {
 protected:
  void start(const Options& options) {
    std::string why_not;
    cluster = Cluster::start(options, workspace.root() / "cluster", why_not);
    if (cluster == nullptr) GTEST_SKIP() << why_not;
  }

  Workspace workspace;
  std::unique_ptr<Cluster> cluster;
};

TEST_F(SlurmCluster, HasNodesWithNamesOfTheirOwnThatKnowEachOther) {
  start({.nodes = 2});
  if (cluster == nullptr) return;
  // Which node's line comes first is chance.
  EXPECT_EQ(cluster->ask({"bash", "-c", "srun --nodes=2 --label bash -c 'echo $(hostname) $(getent hosts n2)' | sort"}),
            "0: n1 127.0.0.1 n2\n1: n2 127.0.0.1 n2");
}

TEST_F(SlurmCluster, TakesContainerOptionsAndTellsTheTask) {
  start({.nodes = 2});
  if (cluster == nullptr) return;
  const auto seen = cluster->ask({"srun", "--container-image=registry#image:tag", "--container-mounts=/a b:/c,/d:/e",
                                  "--no-container-mount-home", "env"});
  EXPECT_THAT(seen, HasSubstr("CONTAINER_OPTION_IMAGE=registry#image:tag\n"));
  EXPECT_THAT(seen, HasSubstr("CONTAINER_OPTION_MOUNTS=/a b:/c,/d:/e\n"));
  EXPECT_THAT(seen, HasSubstr("CONTAINER_OPTION_NO_MOUNT_HOME=\n"));
}

TEST_F(SlurmCluster, KeepsAccounts) {
  start({.nodes = 2, .accounting = true});
  if (cluster == nullptr) return;
  cluster->ask({"srun", "--nodes=2", "true"});
  EXPECT_TRUE(eventually(
      [&] {
        const auto accounts = cluster->command({"sacct", "--noheader", "--parsable2", "--format=JobID,State,NodeList"});
        return accounts.out.find("1.0|COMPLETED|n[1-2]\n") != std::string::npos;
      },
      60s));
}

TEST_F(SlurmCluster, EndsWithItsOwner) {
  start({.nodes = 2});
  if (cluster == nullptr) return;
  // A second cluster beside it, whose owner is not this process.
  const auto directory = workspace.root() / "second";
  end_to_end::Launch launch;
  launch.command = {"sleep", "900"};
  launch.directory = workspace.root();
  end_to_end::Program owner(launch, workspace.root() / "scratch");
  launch.command = {tree::source_directory() + "/tests/slurm_cluster/start",
                    directory.string(),
                    "--nodes",
                    "2",
                    "--owner",
                    std::to_string(owner.pid())};
  ASSERT_EQ(end_to_end::Program(launch, workspace.root() / "scratch").wait(180s).exit_status, 0);
  const auto answers = [&] {
    return cluster->command({"env", "SLURM_CONF=" + (directory / "slurm.conf").string(), "scontrol", "ping"})
               .exit_status == 0;
  };
  EXPECT_TRUE(answers());

  owner.send(SIGKILL);
  owner.wait();
  EXPECT_TRUE(eventually([&] { return !answers(); }, 60s));
  EXPECT_EQ(cluster->command({"scontrol", "ping"}).exit_status, 0) << "the first one is nobody's business but ours";
}

}  // namespace
}  // namespace slurm_cluster
