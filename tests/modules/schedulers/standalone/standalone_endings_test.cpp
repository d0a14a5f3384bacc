// Jobs that are ended: by a time limit, by cancelling, by the death of their script, on real processes.
#include <signal.h>

#include "job_fixture.hpp"

namespace standalone {
namespace {

using cloudai::Gate;
using cloudai::JobEnd;
using cloudai::JobStage;
using cloudai::StageState;
using standalone::testing::argv_step;
using standalone::testing::content;
using standalone::testing::count_session;
using standalone::testing::epilogue;
using standalone::testing::eventually;
using standalone::testing::main_stage;
using standalone::testing::marker;
using standalone::testing::mpi_step;
using standalone::testing::prologue;
using standalone::testing::shell_step;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using StandaloneEndingsTest = standalone::testing::StandaloneTest;

TEST_F(StandaloneEndingsTest, AHungPrologueIsEndedByItsOwnLimit) {
  auto hung = prologue({argv_step({"sleep", "600"})});
  hung.time_limit = 1;
  const auto result = run({hung, main_stage({marker("main ran")})});
  EXPECT_TRUE(result.stages.at(0).timed_out);
  EXPECT_EQ(result.stages.at(0).exit_status, 124);
  EXPECT_EQ(result.stages.at(1).state, StageState::skipped);
  EXPECT_EQ(result.reason, "The gate of the prologue 'before' is closed: its time limit of 1 s has passed.");
  EXPECT_FALSE(exists("main ran"));
}

TEST_F(StandaloneEndingsTest, AHungMainThatIgnoresSigtermIsKilledAndTheEpiloguesRun) {
  auto hung = main_stage({shell_step("trap '' TERM; while :; do sleep 600; done")});
  hung.time_limit = 1;
  auto hung_epilogue = epilogue({argv_step({"sleep", "600"})});
  hung_epilogue.time_limit = 1;
  auto second = epilogue({marker("cleaned")});
  second.directory = "epilogue/after.2";
  second.time_limit = 60;
  const std::string id = submit({hung, hung_epilogue, second});
  const auto result = end(id);
  EXPECT_TRUE(result.stages.at(0).timed_out);
  EXPECT_TRUE(result.stages.at(1).timed_out);
  EXPECT_EQ(result.stages.at(2).gate, Gate::open);
  EXPECT_TRUE(exists("cleaned"));
  EXPECT_EQ(count_session(pid_of(id)), 0);
}

TEST_F(StandaloneEndingsTest, StepsShareTheLimitOfTheirStage) {
  auto hung = main_stage({argv_step({"true"}), argv_step({"sleep", "600"}), marker("third")});
  hung.time_limit = 1;
  const auto result = run({hung});
  EXPECT_TRUE(result.stages.at(0).timed_out);
  EXPECT_FALSE(exists("third"));
}

TEST_F(StandaloneEndingsTest, AnExitStatusOf124WithinTheLimitIsNoTimeOut) {
  auto stage = main_stage({shell_step("exit 124")});
  stage.time_limit = 60;
  const auto result = run({stage});
  EXPECT_FALSE(result.stages.at(0).timed_out);
  EXPECT_EQ(result.stages.at(0).exit_status, 124);
}

TEST_F(StandaloneEndingsTest, ATimeLimitReachesEveryRank) {
  auto hung = main_stage({mpi_step(4, {"sleep", "600"})});
  hung.time_limit = 2;
  const std::string id = submit({hung});
  const auto result = end(id);
  EXPECT_TRUE(result.stages.at(0).timed_out);
  EXPECT_EQ(count_session(pid_of(id)), 0);
}

TEST_F(StandaloneEndingsTest, CancelReachesEveryProcessInEveryStage) {
  const auto hung = [&](JobStage stage) {
    stage.plan.steps = {mpi_step(4, {"sh", "-c", ": >\"$CLOUDAI_RUN_DIR/rank.$OMPI_COMM_WORLD_RANK\"; sleep 600"})};
    return stage;
  };
  const auto good = [](JobStage stage) {
    stage.plan.steps = {argv_step({"true"})};
    return stage;
  };
  const std::vector<JobStage> stages{prologue({}), main_stage({}), epilogue({})};
  for (size_t hanging = 0; hanging < stages.size(); ++hanging) {
    std::vector<JobStage> job;
    for (size_t i = 0; i < stages.size(); ++i) job.push_back(i == hanging ? hung(stages[i]) : good(stages[i]));
    const std::string id = submit(job);
    for (int rank = 0; rank < 4; ++rank) {
      const std::string file = "rank." + std::to_string(rank);
      EXPECT_TRUE(eventually([&] { return exists(file); }));
      std::filesystem::remove(path(file));
    }
    EXPECT_EQ(scheduler_.poll({id}).jobs.at(0).state, cloudai::JobPhase::running);
    EXPECT_THAT(scheduler_.cancel({id}), IsEmpty());
    EXPECT_EQ(count_session(pid_of(id)), 0);
    const auto result = end(id);
    EXPECT_EQ(result.state, JobEnd::cancelled);
    EXPECT_EQ(result.stages.at(hanging).state, StageState::unfinished);
    for (size_t i = 0; i < hanging; ++i) EXPECT_EQ(result.stages.at(i).gate, Gate::open);
    for (size_t i = hanging + 1; i < stages.size(); ++i) EXPECT_EQ(result.stages.at(i).state, StageState::skipped);
  }
}

TEST_F(StandaloneEndingsTest, CancelEndsSeveralJobsWithinOneGrace) {
  std::vector<std::string> ids;
  std::vector<cloudai::testing::TemporaryDirectory> directories(3);
  for (auto& directory : directories) {
    const auto job = standalone::testing::job_of(
        {main_stage({shell_step("trap '' TERM; : >started; while :; do sleep 600; done")})}, directory.path());
    const auto rendering = scheduler_.render(job);
    standalone::testing::write_files(rendering, directory.path());
    ids.push_back(scheduler_.submit({job.tag, job.directory, rendering.submission}).id);
    EXPECT_TRUE(eventually([&] { return std::filesystem::exists(directory.path() / "started"); }));
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(scheduler_.cancel(ids), IsEmpty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  for (const std::string& id : ids) {
    EXPECT_EQ(end(id).state, JobEnd::cancelled);
    EXPECT_EQ(count_session(pid_of(id)), 0);
  }
}

// Leaves its session, as a daemon does, and tells its pid.
cloudai::Step daemon(const std::string& and_then) {
  return shell_step(
      "setsid bash -c 'trap \"\" HUP; echo $$ >daemon; exec sleep 600' & until [[ -s daemon ]]; do :; done; " +
      and_then);
}

bool runs(pid_t pid) {
  const std::string stat = content("/proc/" + std::to_string(pid) + "/stat");
  return !stat.empty() && stat[stat.rfind(')') + 2] != 'Z';
}

TEST_F(StandaloneEndingsTest, AProcessThatLeftItsSessionIsEndedWithItsJob) {
  const std::string id = submit({main_stage({daemon("exit 0")})});
  const auto result = end(id);
  EXPECT_EQ(result.stages.at(0).gate, Gate::open);
  EXPECT_THAT(result.warnings, ElementsAre("A process outlived the job and was ended."));
  EXPECT_FALSE(runs(std::stoi(content(path("daemon")))));
}

TEST_F(StandaloneEndingsTest, CancelReachesAProcessThatLeftItsSession) {
  const std::string id = submit({main_stage({daemon(": >started; sleep 600")})});
  EXPECT_TRUE(eventually([&] { return exists("started"); }));
  EXPECT_THAT(scheduler_.cancel({id}), IsEmpty());
  EXPECT_FALSE(runs(std::stoi(content(path("daemon")))));
  EXPECT_EQ(end(id).state, JobEnd::cancelled);
}

TEST_F(StandaloneEndingsTest, ATimeLimitReachesAProcessThatLeftItsSessionBeforeTheEpilogueRuns) {
  auto hung = main_stage({daemon("sleep 600")});
  hung.time_limit = 2;
  // The environment of a process that has ended is empty.
  auto waiting = epilogue({shell_step(
      "read -r pid <\"$CLOUDAI_RUN_DIR/daemon\"; while [[ -n $(tr -d '\\0' <\"/proc/$pid/environ\") ]]; do :; done")});
  waiting.time_limit = 60;
  const auto result = run({hung, waiting});
  EXPECT_TRUE(result.stages.at(0).timed_out);
  EXPECT_EQ(result.stages.at(1).gate, Gate::open) << content(path("epilogue/after/stderr.txt"));
}

TEST_F(StandaloneEndingsTest, TheMainStageIsEndedAloneAndTheEpilogueRuns) {
  const std::string id =
      submit({prologue({argv_step({"true"})}), main_stage({shell_step("echo out; : >started; sleep 600 & sleep 600")}),
              epilogue({marker("cleaned")})});
  EXPECT_TRUE(eventually([&] { return exists("started"); }));
  EXPECT_THAT(scheduler_.end_main({id}), IsEmpty());
  const auto result = end(id);
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.stages.at(0).gate, Gate::open);
  EXPECT_EQ(result.stages.at(1).state, StageState::ended);
  EXPECT_EQ(result.stages.at(1).signal, SIGTERM);
  EXPECT_EQ(result.stages.at(2).gate, Gate::open) << content(path("status/3")) << content(path("status/script.log"));
  EXPECT_TRUE(exists("cleaned"));
  EXPECT_EQ(content(path("stdout.txt")), "out\n");
  EXPECT_EQ(count_session(pid_of(id)), 0);
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(StandaloneEndingsTest, NoFurtherStepOfAnEndedMainStageStarts) {
  const std::string id =
      submit({main_stage({shell_step(": >started; sleep 600"), marker("second step")}), epilogue({marker("cleaned")})});
  EXPECT_TRUE(eventually([&] { return exists("started"); }));
  EXPECT_THAT(scheduler_.end_main({id}), IsEmpty());
  end(id);
  EXPECT_FALSE(exists("second step"));
  EXPECT_TRUE(exists("cleaned"));
}

TEST_F(StandaloneEndingsTest, AMainStageThatIgnoresSigtermOrLeftItsSessionIsEndedToo) {
  auto stubborn = main_stage({daemon("trap '' TERM; : >started; while :; do sleep 600; done")});
  stubborn.time_limit = 600;
  const std::string id = submit({stubborn, epilogue({marker("cleaned")})});
  EXPECT_TRUE(eventually([&] { return exists("started"); }));
  EXPECT_THAT(scheduler_.end_main({id}), IsEmpty());
  const auto result = end(id);
  EXPECT_FALSE(result.stages.at(0).timed_out);
  EXPECT_TRUE(exists("cleaned"));
  EXPECT_FALSE(runs(std::stoi(content(path("daemon")))));
}

TEST_F(StandaloneEndingsTest, AMainStageThatHasToEndBeforeItStartsNeverDoes) {
  const std::string id =
      submit({prologue({shell_step(": >\"$CLOUDAI_RUN_DIR/started\"; until [[ -e ../../go ]]; do :; done")}),
              main_stage({marker("main ran")}), epilogue({marker("cleaned")})});
  EXPECT_TRUE(eventually([&] { return exists("started"); }));
  EXPECT_THAT(scheduler_.end_main({id}), IsEmpty());
  std::ofstream(path("go")).put('\n');
  const auto result = end(id);
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.stages.at(0).gate, Gate::open);
  EXPECT_EQ(result.stages.at(1).state, StageState::skipped);
  EXPECT_EQ(result.stages.at(2).state, StageState::skipped);
  EXPECT_FALSE(exists("main ran"));
  EXPECT_FALSE(exists("cleaned"));
}

TEST_F(StandaloneEndingsTest, EndingAMainStageThatIsOverChangesNothing) {
  const std::string id =
      submit({main_stage({argv_step({"true"})}),
              epilogue({shell_step(": >\"$CLOUDAI_RUN_DIR/epilogue started\"; until [[ -e ../../go ]]; do :; done")})});
  EXPECT_TRUE(eventually([&] { return exists("epilogue started"); }));
  EXPECT_THAT(scheduler_.end_main({id}), IsEmpty());
  std::ofstream(path("go")).put('\n');
  const auto result = end(id);
  EXPECT_EQ(result.stages.at(0).gate, Gate::open);
  EXPECT_EQ(result.stages.at(1).gate, Gate::open);
  EXPECT_EQ(scheduler_.end_main({"nonsense"}).at(0).message,
            "No job with the id 'nonsense' was submitted or found by this system.");
}

TEST_F(StandaloneEndingsTest, TheLimitOfAStageCoversTheCommandsInItsEnvironment) {
  auto step = marker("ran");
  step.environment = {{"SLOW", "$(sleep 600; echo late)"}};
  auto hung = main_stage({step});
  hung.time_limit = 1;
  const std::string id = submit({hung, epilogue({marker("cleaned")})});
  const auto result = end(id);
  EXPECT_TRUE(result.stages.at(0).timed_out);
  EXPECT_EQ(result.stages.at(0).exit_status, 124);
  EXPECT_FALSE(exists("ran"));
  EXPECT_TRUE(exists("cleaned"));
  EXPECT_EQ(count_session(pid_of(id)), 0);
}

TEST_F(StandaloneEndingsTest, AStageWithALimitAndCommandsInItsEnvironmentKnowsItsJob) {
  auto step = shell_step("echo \"$A\" \"$CLOUDAI_JOB_ID\" \"$CLOUDAI_RUN_DIR\" \"$PWD\"");
  step.environment = {{"A", "$(echo 'two  words'; exit 3) '"}};
  auto stage = prologue({argv_step({"true"}), step});
  stage.time_limit = 600;
  const std::string id = submit({stage});
  EXPECT_EQ(end(id).stages.at(0).exit_status, 3) << "the command's";
  step.environment = {{"A", "$(echo 'two  words') '"}};
  stage.plan.steps[1] = step;
  const std::string good = submit({stage});
  EXPECT_EQ(end(good).stages.at(0).gate, Gate::open);
  EXPECT_EQ(content(path("prologue/before/stdout.txt")), "two  words ' " + std::to_string(pid_of(good)) + " " +
                                                             directory_.path().string() + " " +
                                                             path("prologue/before").string() + "\n");
}

TEST_F(StandaloneEndingsTest, AScriptThatWasKilledIsLostAndItsChildrenAreEnded) {
  const std::string id =
      submit({main_stage({shell_step(": >started; sleep 600; true")}), epilogue({marker("cleaned")})});
  EXPECT_TRUE(eventually([&] { return exists("started"); }));
  ::kill(pid_of(id), SIGKILL);
  const auto result = end(id);
  EXPECT_EQ(result.state, JobEnd::lost);
  EXPECT_EQ(result.reason, "The job's shell (process " + std::to_string(pid_of(id)) +
                               ") ended by signal 9 before the job was finished.");
  EXPECT_EQ(result.stages.at(0).state, StageState::unfinished);
  EXPECT_EQ(result.stages.at(1).state, StageState::skipped);
  EXPECT_THAT(result.warnings, ElementsAre("2 processes outlived the job and were ended."));
  EXPECT_EQ(count_session(pid_of(id)), 0);
}

TEST_F(StandaloneEndingsTest, AProcessThatOutlivesItsJobIsEndedWithAWarning) {
  const std::string id = submit({main_stage({shell_step("sleep 600 & exit 0")})});
  const auto result = end(id);
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.stages.at(0).gate, Gate::open);
  EXPECT_THAT(result.warnings, ElementsAre("A process outlived the job and was ended."));
  EXPECT_EQ(count_session(pid_of(id)), 0);
}

}  // namespace
}  // namespace standalone
