// The examples, each built outside of the tree against the installed SDK, tested by its own tests, and run. (The
// reporter: reporter_test.cpp.)
#include <gmock/gmock.h>

#include "cloudai/scheduler.hpp"
#include "tests/sdk/package/out_of_tree.hpp"

namespace sdk_package {
namespace {

namespace fs = std::filesystem;
using end_to_end::Json;

class Example : public testing::Test {
 protected:
  // Builds the example, passes its own tests, and runs its scenario.
  void build_and_run(const std::string& name) {
    example_ = copy_example(workspace_, prefix_, name);
    build_ = build(workspace_, prefix_, example_);
    must_run(workspace_, {"ctest", "--test-dir", build_.string(), "--output-on-failure", "--no-tests=error"},
             workspace_.root());
    run(name);
  }

  void run(const std::string& name) {
    const Ended ended = run_example(workspace_, example_, build_);
    ASSERT_EQ(ended.exit_status, 0) << ended.err;
    EXPECT_EQ(workspace_.summary().at("status"), "passed");
    const Json module = module_of(workspace_, "org.example." + name);
    ASSERT_TRUE(module.is_object()) << workspace_.summary().at("modules");
    EXPECT_EQ(module.at("version"), "1.0.0");
    EXPECT_EQ(module.at("path"), (build_ / (name + ".so")).string());
  }

  Json headline() const { return workspace_.run_of("Tests.1/0").at("headline").at(0); }

  Workspace workspace_;
  fs::path prefix_ = install(workspace_, "sdk");
  fs::path example_;
  fs::path build_;
};

TEST_F(Example, AWorkloadInCpp) {
  build_and_run("disk_write");
  EXPECT_EQ(headline().at("name"), "bandwidth");
  EXPECT_EQ(headline().at("unit"), "GB/s");
  EXPECT_GT(headline().at("value").get<double>(), 0);
}

TEST_F(Example, ASchedulerInCpp) {
  build_and_run("local");
  EXPECT_EQ(workspace_.summary().at("system").at("scheduler"), "local");
  EXPECT_TRUE(fs::exists(workspace_.results() / "Tests.1/0/status/finished"));
}

TEST_F(Example, AWorkloadInC99) {
  build_and_run("cpu_count");
  workspace_.write("cpu_count/test/one_cpu.toml",
                   "name = \"one_cpu\"\ndescription = \"More than there are\"\ntest_template_name = \"CpuCount\"\n"
                   "[cmd_args]\ncpus = 99999\n");
  fs::remove_all(workspace_.output());
  EXPECT_EQ(run_example(workspace_, example_, build_).exit_status, 1);
  const Json run = workspace_.run_of("Tests.1/0");
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(run.at("reason").at("text"), "a node has fewer CPUs than the test asks for");
}

TEST_F(Example, AWorkloadInRust) {
  const auto rustc = cloudai::find_program("rustc");
  if (!rustc) GTEST_SKIP() << "There is no rustc in PATH; scripts/setup --tests installs it.";
  example_ = copy_example(workspace_, prefix_, "idle_check");
  build_ = workspace_.root() / "build_idle_check";
  fs::create_directory(build_);
  must_run(workspace_,
           {*rustc, "--edition", "2021", "--crate-type", "cdylib", "-O", "-C", "strip=symbols",
            (example_ / "src/lib.rs").string(), "-o", (build_ / "idle_check.so").string()},
           workspace_.root());
  const Ended verified = workspace_.cloudai({"modules", "verify", (build_ / "idle_check.so").string()});
  EXPECT_EQ(verified.exit_status, 0) << verified.out << verified.err;
  run("idle_check");
  EXPECT_EQ(headline().at("name"), "load");
}

// The guide's reader and the SDK's see the same workload.
TEST(Guide, ShowsTheExampleAsItIs) {
  const fs::path source = end_to_end::source_directory();
  const std::string guide = end_to_end::read(source / "docs/module-author-guide.md");
  for (const char* file :
       {"disk_write.cpp", "manifest.json", "CMakeLists.txt", "scenario.toml", "test/write_a_file.toml"}) {
    const std::string text = end_to_end::read(source / "examples/disk_write" / file);
    ASSERT_FALSE(text.empty()) << file;
    EXPECT_NE(guide.find("\n" + text + "```\n"), std::string::npos) << file << " differs from what the guide shows.";
  }
}

}  // namespace
}  // namespace sdk_package
