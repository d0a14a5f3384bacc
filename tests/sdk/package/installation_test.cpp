// What `cmake --install` leaves: an SDK without a file to link, and a program that finds its modules.
#include <gmock/gmock.h>

#include "tests/sdk/package/out_of_tree.hpp"

namespace sdk_package {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).string());
  }
  return files;
}

TEST(Installation, TheSdkHasEverythingAnAuthorNeedsAndNothingToLink) {
  const Workspace workspace;
  const auto files = files_below(install(workspace, "sdk"));
  for (const char* wanted :
       {"include/cloudai/abi/module.h", "include/cloudai/module.hpp", "include/cloudai/documents/plan.hpp",
        "share/cmake/cloudai-sdk/cloudai-sdkConfig.cmake", "share/cmake/cloudai-sdk/cloudai-sdkConfigVersion.cmake",
        "share/cmake/cloudai-sdk/CloudaiModule.cmake", "share/cmake/cloudai-sdk/module.version",
        "share/cloudai-sdk/schemas/manifest.schema.json", "share/cloudai-sdk/examples/README.md",
        "share/cloudai-sdk/examples/cpu_count/cpu_count.c", "share/cloudai-sdk/examples/idle_check/Cargo.toml",
        "share/doc/cloudai-sdk/module-author-guide.md"}) {
    EXPECT_THAT(files, testing::Contains(wanted));
  }
  for (const auto& file : files)
    EXPECT_EQ(end_to_end::read(workspace.root() / "prefix" / file)
                  .find("\x7f"
                        "ELF"),
              std::string::npos)
        << file;
}

TEST(Installation, TheProgramRunsFromWhereItWasInstalled) {
  const Workspace workspace;
  const fs::path prefix = install(workspace, "core");
  const std::string program = (prefix / "bin/cloudai").string();
  EXPECT_THAT(must_run(workspace, {program, "--version"}, workspace.root()), HasSubstr("CloudAI, version "));
  const std::string listed = must_run(workspace, {program, "modules", "list"}, workspace.root());
  EXPECT_THAT(listed, HasSubstr((prefix / "lib/cloudai/modules/nccl_test.so").string()));
  EXPECT_THAT(listed, testing::Not(HasSubstr(end_to_end::build_directory().string())));
  const fs::path conf = prefix / "share/cloudai/conf/common";
  workspace.write("tests/nap.toml",
                  "name = \"nap\"\ndescription = \"A nap\"\ntest_template_name = \"Sleep\"\n[cmd_args]\nseconds = 0\n");
  workspace.scenario(end_to_end::test_case("Tests.1", "nap"));
  must_run(workspace,
           {program, "run", "--system-config", (conf / "system/standalone_system.toml").string(), "--tests-dir",
            (workspace.root() / "tests").string(), "--test-scenario", (workspace.root() / "scenario.toml").string(),
            "--output-dir", workspace.output().string()},
           workspace.root());
  EXPECT_EQ(workspace.summary().at("status"), "passed");
}

TEST(Installation, AModuleInCppIsRefusedWithoutNlohmannJson) {
  const Workspace workspace;
  const fs::path prefix = install(workspace, "sdk");
  const fs::path example = copy_example(workspace, prefix, "disk_write");
  const Ended ended =
      run_alone(workspace,
                {"cmake", "-G", "Ninja", "-S", example.string(), "-B", (workspace.root() / "build").string(),
                 "-DCMAKE_PREFIX_PATH=" + prefix.string(), "-DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON"},
                workspace.root());
  EXPECT_EQ(ended.exit_status, 1);
  EXPECT_THAT(ended.err, HasSubstr("The module disk_write is written in C++"));
  EXPECT_THAT(ended.err, HasSubstr("nlohmann-json3-dev"));
}

}  // namespace
}  // namespace sdk_package
