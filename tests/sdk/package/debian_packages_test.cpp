// The packages CPack makes, installed on a Debian that has nothing else. Needs root, debootstrap and Debian's archive.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/sdk/package/out_of_tree.hpp"

namespace sdk_package {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DebianPackages : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "SKIPPED: only root can make a system to install the packages on.";
    if (run_alone(workspace_, {"sh", "-c", "PATH=$PATH:/usr/sbin command -v debootstrap"}, "/").exit_status != 0) {
      GTEST_SKIP() << "SKIPPED: there is no debootstrap; scripts/setup --tests installs it.";
    }
    make_packages();
    const Ended made = run_alone(
        workspace_,
        {"env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "debootstrap", "--variant=minbase", "bookworm", root_.string()},
        workspace_.root());
    if (made.exit_status != 0) GTEST_SKIP() << "SKIPPED: debootstrap makes no Debian here: " << made.out << made.err;
    if (run_alone(workspace_, {"unshare", "--mount", "true"}, "/").exit_status != 0) {
      GTEST_SKIP() << "SKIPPED: a root that may not mount cannot give the system its /proc.";
    }
  }

  void make_packages() {
    must_run(
        workspace_,
        {"cpack", "--config", (end_to_end::build_directory() / "CPackConfig.cmake").string(), "-B", packages_.string()},
        end_to_end::build_directory());
    for (const auto& entry : fs::directory_iterator(packages_)) {
      if (entry.is_regular_file()) files_.push_back(entry.path().filename().string());
    }
  }

  // With a /proc of its own, which is gone with the command.
  std::string inside(const std::string& script) const {
    return must_run(workspace_,
                    {"unshare", "--mount", "--pid", "--fork", "--mount-proc=" + (root_ / "proc").string(),
                     "/usr/sbin/chroot", root_.string(), "/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                     "DEBIAN_FRONTEND=noninteractive", "bash", "-ec", script},
                    workspace_.root());
  }

  Workspace workspace_;
  fs::path packages_ = workspace_.root() / "packages";
  fs::path root_ = workspace_.root() / "debian";
  std::vector<std::string> files_;
};

TEST_F(DebianPackages, InstallAndRunOnACleanSystem) {
  const auto is_package = [](const std::string& beginning) {
    return testing::Contains(testing::StartsWith(beginning));
  };
  EXPECT_THAT(files_, is_package("cloudai_0."));
  EXPECT_THAT(files_, is_package("cloudai-sdk_0."));
  EXPECT_THAT(files_, is_package("cloudai-sdk-0."));
  fs::create_directory(root_ / "packages");
  for (const auto& file : files_) fs::copy_file(packages_ / file, root_ / "packages" / file);

  // Without the namespace of its own that apt wants to download in.
  inside(
      "apt-get -qq update && apt-get -qq -y --no-install-recommends -o APT::Sandbox::User=root install "
      "/packages/*.deb >/dev/null 2>&1");
  EXPECT_THAT(inside("dpkg-query --show --showformat='${Depends}' cloudai"), HasSubstr("libssl3"));
  EXPECT_THAT(inside("cloudai --version"), HasSubstr("CloudAI, version "));
  EXPECT_THAT(inside("cloudai modules list"), HasSubstr("/usr/lib/cloudai/modules/nccl_test.so"));
  inside(
      "cp -r /usr/share/cloudai/conf/common /tmp/conf && cd /tmp && sed -i 's/^seconds.*/seconds = 0/' "
      "conf/test/sleep.toml conf/test_scenario/sleep.toml");
  inside(
      "cd /tmp && cloudai run --system-config conf/system/standalone_system.toml --tests-dir conf/test "
      "--test-scenario conf/test_scenario/sleep.toml");
  EXPECT_THAT(inside("cat /tmp/results/*/summary.json"), HasSubstr("\"passed\""));

  inside(
      "apt-get -qq -y --no-install-recommends -o APT::Sandbox::User=root install gcc libc6-dev cmake make "
      ">/dev/null 2>&1");
  EXPECT_THAT(inside("cp -r /usr/share/cloudai-sdk/examples/cpu_count /tmp && cd /tmp/cpu_count && "
                     "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure"),
              HasSubstr("100% tests passed"));
}

}  // namespace
}  // namespace sdk_package
