// What cannot work is refused: with a sentence, the right exit status, and nothing begun.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// A scenario of one good test.
void write_good(const Workspace& workspace) {
  workspace.system();
  workspace.test("good", "touch \"$MARKS/good\"");
  workspace.scenario(test_case("Tests.1", "good"));
}

// Refused as wrong use, with `sentence`, and nothing begun.
void expect_refused(const Workspace& workspace, const Ended& ended, const std::string& sentence) {
  EXPECT_EQ(ended.exit_status, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(sentence));
  EXPECT_EQ(ended.out, "");
  EXPECT_FALSE(workspace.marked("good"));
  EXPECT_TRUE(workspace.all_results().empty());
}

TEST(Refusal, OfAWrongOptionNamesTheNearest) {
  const Workspace workspace;
  write_good(workspace);
  const auto ended = workspace.run({"--max-paralel", "2"});
  expect_refused(workspace, ended, "--max-paralel");
  EXPECT_THAT(ended.err, HasSubstr("Did you mean '--max-parallel'?"));
}

TEST(Refusal, OfOneJobWhereEveryTestIsAJobOfItsOwn) {
  const Workspace workspace;
  write_good(workspace);
  const std::string sentence = (workspace.root() / "system.toml").string() +
                               ": error: --single-sbatch asks for one job of all tests, but scheduler 'standalone' can "
                               "only run each test as a job of its own (it lacks the capability 'several_runs').";
  expect_refused(workspace, workspace.run({"--single-sbatch"}), sentence);
  expect_refused(workspace, workspace.cloudai(workspace.command("dry-run", {"--single-sbatch"})), sentence);
  expect_refused(workspace, workspace.run({"--single-sbatch", "--max-parallel", "2"}),
                 "--max-parallel excludes --single-sbatch");
}

TEST(Refusal, OfAWrongCommandNamesTheNearest) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"dryrun"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(ended.err, HasSubstr("Did you mean 'dry-run'?"));
}

TEST(Refusal, OfAMissingFileNamesIt) {
  const Workspace workspace;
  write_good(workspace);
  fs::remove(workspace.root() / "scenario.toml");
  expect_refused(workspace, workspace.run(), (workspace.root() / "scenario.toml").string());
}

TEST(Refusal, OfAMissingTestsDirectoryNamesIt) {
  const Workspace workspace;
  write_good(workspace);
  fs::remove_all(workspace.root() / "tests");
  expect_refused(workspace, workspace.run(), (workspace.root() / "tests").string());
}

TEST(Refusal, OfAnUnknownWorkloadNamesPlaceAndNearest) {
  const Workspace workspace;
  write_good(workspace);
  workspace.write("tests/bad.toml",
                  "name = \"bad\"\ndescription = \"Nobody knows it\"\ntest_template_name = "
                  "\"BashCmdd\"\n[cmd_args]\ncmd = \"true\"\n");
  workspace.scenario(test_case("Tests.1", "good") + test_case("Tests.2", "bad"));
  const auto ended = workspace.run();
  expect_refused(workspace, ended, (workspace.root() / "tests/bad.toml").string() + ":3:");
  EXPECT_THAT(ended.err, AllOf(HasSubstr("BashCmdd"), HasSubstr("Did you mean 'BashCmd'?")));
}

TEST(Refusal, TellsEveryProblemOfEveryFileAtOnce) {
  const Workspace workspace;
  workspace.system("monitor_intervall = 1\n");
  workspace.test("good", "true", "cdm = \"x\"\n");
  workspace.scenario(test_case("Tests.1", "goood") + test_case("Tests.1", "good") + after("Tests.9"));
  const auto ended = workspace.run();
  expect_refused(workspace, ended, "system.toml:5:1: error:");
  EXPECT_THAT(ended.err, AllOf(HasSubstr("'monitor_interval'"), HasSubstr("good.toml:6:1: error:"),
                               HasSubstr("scenario.toml:4:"), HasSubstr("'goood'"), HasSubstr("Tests.9")));
}

TEST(Refusal, OfADependencyCycle) {
  const Workspace workspace;
  write_good(workspace);
  workspace.scenario(test_case("a", "good") + after("b") + test_case("b", "good") + after("a"));
  expect_refused(workspace, workspace.run(), "these tests wait for each other and none could start: a -> b -> a");
}

TEST(Refusal, OfAnUnknownHookNamesTheNearest) {
  const Workspace workspace;
  write_good(workspace);
  workspace.hook_test("check", "true");
  workspace.hook("before", {"check"});
  workspace.scenario("prologue = \"befor\"\n" + test_case("Tests.1", "good"));
  const auto ended = workspace.run();
  expect_refused(workspace, ended, "scenario.toml:2:");
  EXPECT_THAT(ended.err, HasSubstr("Did you mean 'before'?"));
}

TEST(Refusal, OfAScenarioNameWithASlash) {
  const Workspace workspace;
  write_good(workspace);
  workspace.write("scenario.toml", "name = \"nightly/70b\"\n" + test_case("Tests.1", "good"));
  expect_refused(workspace, workspace.run(), "scenario.toml:1:");
}

TEST(Refusal, OfACaseIdThatLeavesTheDirectory) {
  const Workspace workspace;
  write_good(workspace);
  workspace.scenario(test_case("Tests.1/../../etc", "good"));
  expect_refused(workspace, workspace.run(), "scenario.toml:3:");
}

TEST(Refusal, OfMoreThanOneNodeOnStandalone) {
  const Workspace workspace;
  write_good(workspace);
  workspace.scenario(test_case("Tests.1", "good", "num_nodes = 2\n"));
  const auto ended = workspace.run();
  expect_refused(workspace, ended,
                 "scenario.toml:5:1: error: scheduler 'standalone' runs on one node; num_nodes is 2.");
}

TEST(Refusal, OfAFilterThatMatchesNothing) {
  const Workspace workspace;
  write_good(workspace);
  expect_refused(workspace, workspace.run({"--filter", "Tests.9"}), "Tests.9");
}

TEST(BrokenModule, IsReportedWithItsReasonAndNotInTheWay) {
  const Workspace workspace;
  write_good(workspace);
  const auto whole = build_directory() / "lib/cloudai/modules/sleep.so";
  const auto content = read(whole);
  ASSERT_GT(content.size(), 8192U) << whole;
  workspace.write("modules/broken.so", std::string_view(content).substr(0, 8192));
  const auto broken = (workspace.root() / "modules/broken.so").string();

  const Arguments module_path{"--module-path", (workspace.root() / "modules").string()};
  auto run = workspace.command("run");
  run.insert(run.begin(), module_path.begin(), module_path.end());
  const auto ended = workspace.cloudai(run);
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr(broken), HasSubstr("truncated")));

  const auto listed = workspace.cloudai({module_path[0], module_path[1], "modules", "list", "--all"});
  EXPECT_EQ(listed.exit_status, 0) << listed.err;
  EXPECT_THAT(listed.out + listed.err, AllOf(HasSubstr(broken), HasSubstr("truncated")));
}

TEST(OutputDirectory, ThatIsAFileIsRefused) {
  const Workspace workspace;
  write_good(workspace);
  workspace.write("results", "");
  expect_refused(workspace, workspace.run(), workspace.output().string());
}

TEST(OutputDirectory, ThatCannotBeWrittenIsRefused) {
  const Workspace workspace;
  write_good(workspace);
  // Nobody writes to /proc, not even root.
  expect_refused(workspace, workspace.run({"--output-dir", "/proc"}), "/proc");
  if (::geteuid() == 0) return;
  fs::create_directory(workspace.root() / "locked");
  fs::permissions(workspace.root() / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  expect_refused(workspace, workspace.run({"--output-dir", (workspace.root() / "locked").string()}), "locked");
}

// A file system of its own, of a given size, for as long as the object lives.
class SmallDisk {
 public:
  SmallDisk(const fs::path& where, const std::string& size) : where_(where) {
    fs::create_directories(where_);
    mounted_ = ::mount("cloudai-test", where_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(where_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  fs::path where_;
  bool mounted_ = false;
};

TEST(FullDisk, DuringARunEndsItWithASentence) {
  const Workspace workspace;
  write_good(workspace);
  const SmallDisk disk(workspace.output(), "256k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs root";
  workspace.test("flood", "head -c 1000000 /dev/zero");
  workspace.scenario(test_case("Tests.1", "flood") + test_case("Tests.2", "good"));
  const auto ended = workspace.run();
  EXPECT_FALSE(ended.timed_out);
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("No space left on device"));
  EXPECT_FALSE(workspace.marked("good"));
  // A document is whole or not there.
  for (const auto& entry : fs::recursive_directory_iterator(workspace.output())) {
    if (entry.path().extension() != ".json") continue;
    EXPECT_TRUE(Json::accept(read(entry.path()))) << entry.path();
  }
}

TEST(FullDisk, FromTheStartIsRefusedWithoutStartingATest) {
  const Workspace workspace;
  write_good(workspace);
  const SmallDisk disk(workspace.output(), "64k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs root";
  workspace.write("results/filler", std::string(65536, 'x'));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("No space left on device"));
  EXPECT_FALSE(workspace.marked("good"));
}

TEST(Trouble, OfTheSchedulerIsAnErrorAndNoFailure) {
  const Workspace workspace;
  write_good(workspace);
  const auto ended = workspace.cloudai(workspace.command("run"), {{"PATH", "/nowhere"}});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("The command 'bash' was not found in PATH (/nowhere)."));
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "error");
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("reason").at("code"), "submission_failed");
  EXPECT_EQ(workspace.summary().at("status"), "error");
  EXPECT_EQ(workspace.summary().at("exit_status"), 3);
}

}  // namespace
}  // namespace end_to_end
