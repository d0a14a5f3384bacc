#include "core/report/summary.hpp"

#include <gtest/gtest.h>

#include "core/support/files.hpp"
#include "tests/core/report/ending_fixture.hpp"
#include "tests/core/scratch_directory.hpp"

namespace cloudai::report {
namespace {

using run::Status;
using testing::Finished;

TEST(ExitStatus, TheStrongerWins) {
  EXPECT_EQ(exit_status(Finished({Status::passed, Status::passed}).ending), 0);
  EXPECT_EQ(exit_status(Finished({Status::passed, Status::failed}).ending), 1);
  EXPECT_EQ(exit_status(Finished({Status::passed, Status::skipped}).ending), 1);
  EXPECT_EQ(exit_status(Finished({Status::inconclusive}).ending), 1);
  EXPECT_EQ(exit_status(Finished({Status::failed, Status::error}).ending), 3);
  Finished stopped({Status::error, Status::cancelled});
  stopped.ending.signal = 15;
  EXPECT_EQ(exit_status(stopped.ending), 143);
}

TEST(ExitStatus, TheIterationsLeftOfATestThatEndedWithAnotherAreNotMissing) {
  Finished finished({Status::passed, Status::skipped});
  finished.ending.records[1].reason.code = "dependency_ended";
  EXPECT_EQ(exit_status(finished.ending), 1) << "the test never ran";
  finished.runs[1].iteration = 1;
  EXPECT_EQ(exit_status(finished.ending), 0);
}

TEST(ExitStatus, NothingRanIsNoPass) {
  EXPECT_EQ(exit_status(Finished({}).ending), 1);
  EXPECT_EQ(overall_status(Finished({}).ending), "failed");
}

TEST(OverallStatus, IsOneWord) {
  EXPECT_EQ(overall_status(Finished({Status::passed}).ending), "passed");
  EXPECT_EQ(overall_status(Finished({Status::error}).ending), "error");
  Finished stopped({Status::cancelled});
  stopped.ending.signal = 2;
  EXPECT_EQ(overall_status(stopped.ending), "cancelled");
}

Json written_summary(const Finished& finished, const std::filesystem::path& directory) {
  EXPECT_TRUE(write_summary(directory, finished.configuration, finished.ending, {{"cloudai", "run"}, {}}));
  return Json::parse(files::read(directory / "summary.json").value());
}

TEST(Summary, TellsEveryRun) {
  const testing::ScratchDirectory scratch;
  Finished finished({Status::passed, Status::failed, Status::skipped});
  finished.configuration.scenario.cases[1].dependencies = {{config::DependencyType::start_post_comp, "0", {}}};
  const Json summary = written_summary(finished, scratch.path());
  EXPECT_EQ(summary["schema"], "cloudai.summary/1");
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["exit_status"], 1);
  EXPECT_EQ(summary["seconds"], 2.5);
  EXPECT_EQ(summary["counts"], (Json{{"passed", 1}, {"failed", 1}, {"skipped", 1}}));
  ASSERT_EQ(summary["runs"].size(), 3U);
  EXPECT_EQ(summary["runs"][0]["id"], "0/0");
  EXPECT_EQ(summary["runs"][0]["seconds"], 2.5);
  EXPECT_FALSE(summary["runs"][0].contains("reason"));
  EXPECT_EQ(summary["runs"][0]["attempts"].size(), 1U);
  EXPECT_EQ(summary["runs"][1]["reason"], (Json{{"code", "code"}, {"text", "text of 1"}}));
  EXPECT_EQ(summary["runs"][1]["dependencies"], (Json{{{"type", "start_post_comp"}, {"case", "0"}}}));
  EXPECT_EQ(summary["runs"][2]["status"], "skipped");
  EXPECT_FALSE(summary["runs"][2].contains("seconds"));
  EXPECT_FALSE(summary["runs"][2]["stages"][0].contains("stdout"));
}

TEST(Summary, NamesTheFilesItReadByAbsolutePaths) {
  const testing::ScratchDirectory scratch;
  ASSERT_TRUE(files::write(scratch / "test.toml", ""));
  Finished finished({});
  finished.configuration.files = {"conf/./system.toml", scratch / "test.toml"};
  const Json read = written_summary(finished, scratch.path())["files"];
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0], (Json{{"path", (std::filesystem::current_path() / "conf/system.toml").string()}}));
  EXPECT_EQ(read[1]["path"], (scratch / "test.toml").string());
  EXPECT_EQ(read[1]["sha256"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Summary, WithoutRunsIsStillADocument) {
  const testing::ScratchDirectory scratch;
  EXPECT_EQ(written_summary(Finished({}), scratch.path())["runs"], Json::array());
}

TEST(Summary, GivesTheShareOfTheHooks) {
  const testing::ScratchDirectory scratch;
  Finished finished({Status::passed});
  auto& stages = finished.ending.records[0].stages;
  stages.push_back(stages[0]);
  stages[0].kind = pipeline::StageKind::prologue;
  stages[0].result = {{"started", "2026-03-01T12:00:00.000Z"}, {"ended", "2026-03-01T12:00:01.000Z"}};
  stages[1].result = {{"started", "2026-03-01T12:00:01.000Z"}, {"ended", "2026-03-01T12:00:04.000Z"}};
  const Json run = written_summary(finished, scratch.path())["runs"][0];
  EXPECT_EQ(run["hook_share"], 0.25);
  EXPECT_EQ(run["stages"][1]["seconds"], 3.0);
}

TEST(Summary, NamesTheReportsThatFailed) {
  const testing::ScratchDirectory scratch;
  const Finished finished({Status::passed});
  EXPECT_FALSE(written_summary(finished, scratch.path()).contains("failed_reports"));
  ASSERT_TRUE(
      write_summary(scratch.path(), finished.configuration, finished.ending, {}, {{"csv", "The disk is full."}}));
  const Json summary = Json::parse(files::read(scratch / "summary.json").value());
  EXPECT_EQ(summary["failed_reports"], Json::parse(R"([{"name": "csv", "reason": "The disk is full."}])"));
  EXPECT_EQ(summary["runs"].size(), 1U);
}

TEST(Inputs, KeepWhatIsSaidOfReports) {
  const testing::ScratchDirectory scratch;
  Finished finished({Status::passed});
  finished.configuration.system.reports = {{"csv", false, Json::object()}};
  finished.configuration.scenario.reports = {{"mail", true, {{"to", "me"}, {"password", "hunter2"}}}};
  ASSERT_TRUE(write_inputs(scratch.path(), finished.configuration));
  const Json inputs = Json::parse(files::read(scratch / "inputs.json").value());
  EXPECT_EQ(inputs["system"]["reports"], Json::parse(R"({"csv": {"enable": false}})"));
  EXPECT_EQ(inputs["scenario"]["reports"],
            Json::parse(R"({"mail": {"enable": true, "to": "me", "password": "redacted"}})"));
}

TEST(Inputs, KeepNoSecret) {
  const testing::ScratchDirectory scratch;
  Finished finished({Status::passed});
  finished.configuration.system.global_env_vars = {{"HF_TOKEN", "hunter2"}, {"PLAIN", "seen"}};
  finished.configuration.scenario.cases[0].test.extra_env_vars = {{"my_password", "hunter2"}};
  config::Test& test = finished.configuration.scenario.cases[0].test;
  test.cmd_args = {{"url", "seen"}, {"login", {{"user", "seen"}, {"phrase", "hunter2"}}}};
  test.secret_options = {"/login/phrase"};
  test.pass_env = {"GITLAB_TOKEN"};
  finished.configuration.system.options = {{"app_secret", "hunter2"}};
  finished.configuration.system.secret_options = {"/app_secret"};
  ASSERT_TRUE(write_inputs(scratch.path(), finished.configuration));
  const std::string text = files::read(scratch / "inputs.json").value();
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
  const Json inputs = Json::parse(text);
  EXPECT_EQ(inputs["system"]["global_env_vars"][0]["value"], "redacted");
  EXPECT_EQ(inputs["system"]["global_env_vars"][1]["value"], "seen");
  EXPECT_EQ(inputs["system"]["options"]["app_secret"], "redacted");
  const Json& shown = inputs["scenario"]["cases"][0]["test"];
  EXPECT_EQ(shown["cmd_args"], (Json{{"url", "seen"}, {"login", {{"user", "seen"}, {"phrase", "redacted"}}}}));
  EXPECT_EQ(shown["pass_env"], (Json{"GITLAB_TOKEN"}));
}

}  // namespace
}  // namespace cloudai::report
