// What a scheduler provisions unless it says otherwise.
#include "cloudai/scheduler.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

// Nothing but what every scheduler inherits.
class Plain : public Scheduler {
 public:
  Facts facts() const override { return {}; }
  Allocation allocate(const AllocateRequest&) override { return {}; }
  Rendering render(const Job&) const override { return {}; }
  Submitted submit(const SubmitRequest&) override { return {}; }
  States poll(const std::vector<std::string>&) override { return {}; }
  std::vector<NotCancelled> cancel(const std::vector<std::string>&) override { return {}; }
  JobResult collect(const std::string&) override { return {}; }
  std::optional<std::string> find(const FindRequest&) override { return std::nullopt; }
};

class Provision : public ::testing::Test {
 protected:
  Provision() : path_(std::getenv("PATH")) { ::setenv("PATH", ("/nowhere:" + directory_.path().string()).c_str(), 1); }
  ~Provision() override { ::setenv("PATH", path_.c_str(), 1); }

  static Provisioned program(const std::string& name) {
    ProvisionRequest request;
    request.item.id = "it";
    request.item.kind = "program";
    request.item.name = name;
    return Plain().provision(request);
  }

  TemporaryDirectory directory_;
  std::string path_;
};

TEST_F(Provision, FindsAProgramInPath) {
  directory_.write("tool", "#!/bin/sh\n");
  const std::string tool = (directory_.path() / "tool").string();
  ::chmod(tool.c_str(), 0755);
  EXPECT_TRUE(program("tool").installed);
  EXPECT_EQ(program("tool").path, tool);
  EXPECT_EQ(program(tool).path, tool);
}

TEST_F(Provision, ADirectoryOrAPlainFileIsNoProgram) {
  directory_.write("text", "");
  std::filesystem::create_directory(directory_.path() / "folder");
  EXPECT_FALSE(program("text").installed);
  EXPECT_FALSE(program("folder").installed);
  EXPECT_EQ(program("absent").message, "The program 'absent' is not in PATH.");
}

TEST_F(Provision, LooksForAFile) {
  directory_.write("data.bin", "x");
  ProvisionRequest request;
  request.item.kind = "file";
  request.item.path = (directory_.path() / "data.bin").string();
  EXPECT_EQ(Plain().provision(request).path, request.item.path);
  request.item.path = "/nowhere/data.bin";
  EXPECT_EQ(Plain().provision(request).message, "The file '/nowhere/data.bin' does not exist or cannot be read.");
}

TEST_F(Provision, RefusesOtherKinds) {
  ProvisionRequest request;
  request.item.id = "image";
  request.item.kind = "docker_image";
  try {
    Plain().provision(request);
    FAIL() << "was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::unsupported);
    EXPECT_EQ(error.message(), "This scheduler cannot provide a docker_image ('image').");
  }
}

}  // namespace
}  // namespace cloudai::testing
