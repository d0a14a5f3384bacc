#include "cloudai/stage_records.hpp"

#include <gmock/gmock.h>

#include "tests/sdk/module_harness.hpp"

namespace cloudai {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StageRecordsTest : public ::testing::Test {
 protected:
  StageRecordsTest() { std::filesystem::create_directory(directory_.path() / "status"); }
  void record(const std::string& name, const std::string& text) { directory_.write("status/" + name, text); }
  FinalStages read() { return final_stages(directory_.path(), stages_); }

  testing::TemporaryDirectory directory_;
  std::vector<ListedStage> stages_{{StageKind::main, "a"}};
};

constexpr const char* started = "started=1772366400123456\n";
constexpr const char* ended =
    "started=1772366400123456\nended=1772366401500000\nexit_status=0\ntimed_out=no\ngate=open\nwhy=\ncomplete\n";

TEST_F(StageRecordsTest, AStageThatEndedHasItsTimesAndStatus) {
  record("1", ended);
  record("finished", "");
  const auto final = read();
  EXPECT_THAT(final.warnings, IsEmpty());
  EXPECT_EQ(final.reason, "");
  const auto& stage = final.stages.at(0);
  EXPECT_EQ(stage.state, StageState::ended);
  EXPECT_EQ(stage.started, "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(stage.ended, "2026-03-01T12:00:01.500Z");
  EXPECT_EQ(stage.exit_status, 0);
  EXPECT_EQ(stage.signal, std::nullopt);
  EXPECT_EQ(stage.gate, cloudai::Gate::open);
}

TEST_F(StageRecordsTest, ASignalIsReadFromTheStatusUnlessTheTimeLimitSentIt) {
  const std::string head = "started=1\nended=2\n";
  const std::string tail = "gate=closed\nwhy=exit status 139, expected 0\ncomplete\n";
  record("1", head + "exit_status=139\ntimed_out=no\n" + tail);
  EXPECT_EQ(read().stages.at(0).signal, 11);
  EXPECT_EQ(read().reason, "The gate of the main 'a' is closed: exit status 139, expected 0.");
  record("1", head + "exit_status=255\ntimed_out=no\n" + tail);
  EXPECT_EQ(read().stages.at(0).signal, std::nullopt);
  record("1", head + "exit_status=137\ntimed_out=yes\n" + tail);
  EXPECT_EQ(read().stages.at(0).signal, std::nullopt);
  EXPECT_TRUE(read().stages.at(0).timed_out);
}

TEST_F(StageRecordsTest, WithoutARecordAStageDidNotStart) {
  stages_ = {{StageKind::main, "a"}, {StageKind::epilogue, "b"}};
  record("1", started);
  const auto final = read();
  EXPECT_THAT(final.warnings, IsEmpty());
  EXPECT_EQ(final.stages.at(0).state, StageState::unfinished);
  EXPECT_EQ(final.stages.at(0).started, "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(final.stages.at(1).state, StageState::skipped);
}

TEST_F(StageRecordsTest, AMissingRecordOfAFinishedJobIsAWarning) {
  record("finished", "");
  const auto final = read();
  EXPECT_EQ(final.stages.at(0).state, StageState::unfinished);
  EXPECT_THAT(final.warnings, ElementsAre("The record of the main 'a', '" + (directory_.path() / "status/1").string() +
                                          "', is missing; how the stage ended is not known."));
}

TEST_F(StageRecordsTest, GarbageIsAWarningAndNeverACrash) {
  const std::string whole = ended;
  std::vector<std::string> garbage{"",
                                   "\n",
                                   "=\n",
                                   std::string("\0\xff\n", 3),
                                   "started=x\n",
                                   "started=-5\ncomplete\n",
                                   "started=99999999999999999999\n",
                                   "started=1\nended=2\nexit_status=999\ncomplete\n",
                                   "started=1\nended=2\nexit_status=1\ntimed_out=no\ncomplete\n"};
  for (size_t size = 0; size < whole.size(); ++size) garbage.push_back(whole.substr(0, size));
  record("finished", "");
  for (const std::string& text : garbage) {
    record("1", text);
    const auto final = read();
    EXPECT_EQ(final.stages.at(0).state, StageState::unfinished) << text;
    EXPECT_THAT(final.warnings, ElementsAre(HasSubstr("is incomplete or not readable"))) << text;
  }
}

TEST_F(StageRecordsTest, WhileTheJobRunsOnlyWhatIsKnownIsToldAndWithoutWarning) {
  stages_ = {{StageKind::prologue, "a"}, {StageKind::main, "b"}, {StageKind::epilogue, "c"}};
  record("1", ended);
  record("2", started);
  const auto known = stages_so_far(directory_.path(), stages_);
  ASSERT_EQ(known.size(), 2);
  EXPECT_EQ(known[0].state, StageState::ended);
  EXPECT_EQ(known[1].state, StageState::unfinished);
  record("2", "");
  EXPECT_EQ(stages_so_far(directory_.path(), stages_).size(), 1);
}

TEST_F(StageRecordsTest, TheListOfStagesIsReadBack) {
  JobStage stage;
  stage.kind = StageKind::prologue;
  stage.name = "a \"b\"";
  Job job;
  job.runs.push_back({"Tests.1/0", {}, {stage}});
  const auto stages = read_stage_list(list_stages(job));
  ASSERT_EQ(stages.size(), 1);
  EXPECT_EQ(stages[0].kind, StageKind::prologue);
  EXPECT_EQ(stages[0].name, "a \"b\"");
  for (const char* text : {"{}", "[]", R"({"stages": [1]})", R"({"stages": [{"kind": "x", "name": "y"}]})"}) {
    EXPECT_THROW(read_stage_list(cloudai::Json::parse(text)), cloudai::Error) << text;
  }
}

TEST_F(StageRecordsTest, StagesOfRunsWithDirectoriesOfTheirOwnNameTheirRun) {
  JobStage stage;
  stage.name = "a";
  stage.directory = ".";
  Job job;
  job.runs.push_back({"Tests.1/0", {}, {stage}});
  EXPECT_EQ(read_stage_list(list_stages(job)).at(0).run, "");
  job.runs[0].stages[0].directory = "Tests.1/0";
  stages_ = read_stage_list(list_stages(job));
  EXPECT_EQ(stages_.at(0).run, "Tests.1/0");
  EXPECT_THAT(read().is_recorded, ElementsAre(false));
  record("1", ended);
  EXPECT_EQ(read().stages.at(0).run, "Tests.1/0");
  EXPECT_THAT(read().is_recorded, ElementsAre(true));
  record("id", "tag=t\nstage.1=main a\nrun.1=Tests.1/0\nid=1\n");
  EXPECT_EQ(read_script_identity(directory_.path())->stages.at(0).run, "Tests.1/0");
}

TEST_F(StageRecordsTest, AScriptsIdentityIsTakenOnlyWhole) {
  const std::string whole = "tag=t\nstage.1=prologue a b\nstage.2=main c\nid=4711:12-6c0e7e73\n";
  record("id", whole);
  const auto script = read_script_identity(directory_.path());
  ASSERT_TRUE(script);
  EXPECT_EQ(script->tag, "t");
  EXPECT_EQ(script->id, "4711:12-6c0e7e73");
  ASSERT_EQ(script->stages.size(), 2);
  EXPECT_EQ(script->stages[0].kind, StageKind::prologue);
  EXPECT_EQ(script->stages[0].name, "a b");
  for (size_t size = 0; size < whole.size(); ++size) {
    record("id", whole.substr(0, size));
    EXPECT_FALSE(read_script_identity(directory_.path())) << size;
  }
}

}  // namespace
}  // namespace cloudai
