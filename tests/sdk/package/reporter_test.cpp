// A reporter is replaced without compiling anything of cloudai: built elsewhere, dropped on the path, chosen by its
// table, it writes from results that are older than it.
#include <gmock/gmock.h>

#include "tests/sdk/package/out_of_tree.hpp"

namespace sdk_package {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Reporter, IsDroppedOnThePathAndWritesFromOldResults) {
  const Workspace workspace;
  workspace.system();
  workspace.test("greet", "echo hello");
  workspace.test("refuse", "exit 3");
  workspace.scenario(end_to_end::test_case("Tests.1", "greet") + end_to_end::test_case("Tests.2", "refuse"));
  EXPECT_EQ(workspace.run().exit_status, 1);
  const fs::path old_results = workspace.root() / "moved";
  fs::rename(workspace.results(), old_results);

  const Arguments write{"generate-report", "--result-dir", old_results.string(), "--report", "plain"};
  const Ended unknown = workspace.cloudai(write);
  EXPECT_EQ(unknown.exit_status, 2) << unknown.err;
  EXPECT_THAT(unknown.err, HasSubstr("plain"));

  const fs::path prefix = install(workspace, "sdk");
  const fs::path example = copy_example(workspace, prefix, "plain");
  const fs::path modules = build(workspace, prefix, example);
  must_run(workspace, {"ctest", "--test-dir", modules.string(), "--output-on-failure", "--no-tests=error"},
           workspace.root());
  const fs::path dropped = workspace.root() / "dropped";
  fs::create_directory(dropped);
  fs::copy_file(modules / "plain.so", dropped / "any_name.so");

  workspace.system("[reports.plain]\nfile = \"mine.txt\"\n");
  Arguments with_module = write;
  with_module.insert(with_module.end(), {"--system-config", (workspace.root() / "system.toml").string(),
                                         "--module-path", dropped.string()});
  const Ended written = workspace.cloudai(with_module);
  EXPECT_EQ(written.exit_status, 0) << written.err;
  EXPECT_EQ(written.out, (old_results / "mine.txt").string() + "\n");
  EXPECT_EQ(end_to_end::read(old_results / "mine.txt"), "Tests.1/0 greet passed\nTests.2/0 refuse failed\n");

  // In a run of its own it writes beside the others, unasked.
  EXPECT_EQ(run_example(workspace, example, dropped).exit_status, 0);
  EXPECT_EQ(end_to_end::read(workspace.results() / "mine.txt"), "");
  EXPECT_EQ(end_to_end::read(workspace.results() / "runs.txt"), "Tests.1/0 do_nothing passed\n");
}

}  // namespace
}  // namespace sdk_package
