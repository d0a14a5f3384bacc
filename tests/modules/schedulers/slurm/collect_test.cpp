#include "recorded_cluster.hpp"

namespace slurm {
namespace {

using cloudai::JobEnd;
using ::testing::Contains;
using ::testing::ElementsAre;

class CollectTest : public slurm::testing::SlurmTest {
 protected:
  void SetUp() override { submit(); }
};

TEST_F(CollectTest, EveryEndOfSlurmWithItsReason) {
  const std::vector<std::tuple<std::string, JobEnd, std::string>> ends{
      {"TIMEOUT", JobEnd::time_limit, "TIMEOUT: the job's time limit has passed"},
      {"CANCELLED by 1000", JobEnd::cancelled, "CANCELLED: the job was cancelled"},
      {"NODE_FAIL", JobEnd::node_fail, "NODE_FAIL: a node of the job failed"},
      {"BOOT_FAIL", JobEnd::node_fail, "BOOT_FAIL: a node of the job did not boot"},
      {"PREEMPTED", JobEnd::failed, "PREEMPTED: the job was preempted by another one"},
      {"DEADLINE", JobEnd::failed, "DEADLINE: the job's deadline has passed"},
      {"OUT_OF_MEMORY", JobEnd::failed, "OUT_OF_MEMORY: the job ran out of memory"},
      {"REVOKED", JobEnd::cancelled, "REVOKED: the job was revoked: another cluster of the federation ran it"}};
  for (const auto& [state, end, reason] : ends) {
    submit();
    record(0, false);
    cluster_.say("squeue", {{""}});
    accounts({{"42", state}, {"42.batch", "CANCELLED", "0:15", "batch"}});
    const auto ended = result();
    EXPECT_EQ(ended.state, end) << state;
    EXPECT_EQ(ended.reason, reason);
    EXPECT_EQ(ended.stages.at(0).state, cloudai::StageState::unfinished);
  }
}

TEST_F(CollectTest, SlurmsOwnReasonIsAdded) {
  accounts({{"42", "CANCELLED by 0", "0:0", "test_tag1", "Unknown", "0:0", "JobHeldUser", "None assigned"}});
  cluster_.say("squeue", {{""}});
  const auto ended = result();
  EXPECT_EQ(ended.reason, "CANCELLED: the job was cancelled (JobHeldUser)");
  EXPECT_TRUE(ended.nodes.empty());
  EXPECT_EQ(ended.stages.at(0).state, cloudai::StageState::skipped);
}

TEST_F(CollectTest, AJobThatRanToItsEndIsCompletedWhateverItsExitStatus) {
  record(7);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "FAILED", "7:0", "test_tag1", "2026-03-01T12:00:00", "7:0"},
            {"42.batch", "FAILED", "7:0", "batch"},
            {"42.0", "FAILED", "7:0", "cloudai.1.main"}});
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::completed);
  EXPECT_EQ(ended.stages.at(0).exit_status, 7);
}

TEST_F(CollectTest, AStepKilledInACompletedJobIsAFailure) {
  record(0);
  cluster_.say("squeue", {{""}});
  for (const std::string name : {"cloudai.1.main", "node001"}) {
    submit();
    accounts({{"42", "COMPLETED"},
              {"42.batch", "COMPLETED", "0:0", "batch"},
              {"42.extern", "COMPLETED", "0:0", "extern"},
              {"42.0", "CANCELLED", "0:10", name}});
    const auto ended = result();
    EXPECT_EQ(ended.state, JobEnd::failed);
    EXPECT_EQ(ended.reason, "step 0 ('" + name + "') ended by signal 10, which the script did not notice");
  }
}

TEST_F(CollectTest, AStepThatTheScriptItselfEndedIsNone) {
  record(0);
  cluster_.say("squeue", {{""}});
  for (const std::string name : {"cloudai.metadata", "cloudai.background.server"}) {
    submit();
    accounts({{"42", "COMPLETED"}, {"42.0", "COMPLETED", "0:0", "cloudai.1.main"}, {"42.1", "CANCELLED", "0:9", name}});
    EXPECT_EQ(result().state, JobEnd::completed) << name;
  }
}

TEST_F(CollectTest, OfAStepWhoseStageFailedTheStageTells) {
  record(124);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "FAILED", "1:0"}, {"42.0", "CANCELLED", "0:15", "cloudai.1.main"}});
  EXPECT_EQ(result().state, JobEnd::completed);
}

TEST_F(CollectTest, MemoryThatOnlyAStepRanOutOfIsTheReason) {
  record(1);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "FAILED", "1:0", "test_tag1", "2026-03-01T12:00:00", "0:125"},
            {"42.batch", "FAILED", "1:0", "batch"},
            {"42.extern", "COMPLETED", "0:0", "extern"},
            {"42.0", "COMPLETED", "0:0", "all_reduce"},
            {"42.1", "OUT_OF_MEMORY", "0:125", "cloudai.1.all_gather"}});
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::failed);
  EXPECT_EQ(ended.reason, "out of memory in step 1 ('cloudai.1.all_gather')");
}

// A job of the runs A/0 and B/0, each with a prologue.
class CollectRunsTest : public slurm::testing::SlurmTest {
 protected:
  void SetUp() override {
    open();
    cluster_.say("sbatch", {{"42\n"}});
    cluster_.say("squeue", {{""}});
    cloudai::Json stages = cloudai::Json::array();
    std::string identity = "tag=tag1\n";
    int number = 0;
    for (const std::string run : {"A/0", "B/0"}) {
      for (const std::string kind : {"prologue", "main"}) {
        stages.push_back({{"kind", kind}, {"name", "test"}, {"run", run}});
        const std::string text = std::to_string(++number);
        identity += "stage." + text + "=" + kind + " test\nrun." + text + "=" + run + "\n";
      }
    }
    scheduler_->submit({"tag1", directory(), {{"script", directory() + "/x.sh"}, {"stages", stages}}});
    std::filesystem::create_directories(directory_.path() / "status");
    directory_.write("status/id", identity + "nodes=n[1-2]\nid=42\n");
  }

  // Stage `number` began in second `begin` of the job and ended 10 s later, if it did.
  void ran(int number, int begin, bool has_ended = true) {
    std::string text = "started=" + std::to_string(1772366400 + begin) + "000000\n";
    if (has_ended) {
      text += "ended=" + std::to_string(1772366410 + begin) +
              "000000\nexit_status=0\ntimed_out=no\ngate=open\nwhy=\ncomplete\n";
    }
    directory_.write("status/" + std::to_string(number), text);
  }
  void all_ran() {
    for (int number = 1; number <= 4; ++number) ran(number, 10 * (number - 1));
    directory_.write("status/finished", "");
  }
  std::vector<std::string> ends() {
    std::vector<std::string> texts;
    for (const auto& run : result().runs)
      texts.push_back(run.id + " " + std::string(to_string(run.state)) + " " + run.reason);
    return texts;
  }
};

TEST_F(CollectRunsTest, TellsEveryRunAndWhoseAStageIs) {
  all_ran();
  accounts({{"42", "COMPLETED"}});
  const auto ended = result();
  ASSERT_EQ(ended.runs.size(), 2);
  EXPECT_EQ(ended.runs[1].id, "B/0");
  EXPECT_EQ(ended.runs[1].state, JobEnd::completed);
  ASSERT_EQ(ended.stages.size(), 4);
  EXPECT_EQ(ended.stages[1].run, "A/0");
  EXPECT_EQ(ended.stages[2].run, "B/0");
}

TEST_F(CollectRunsTest, WhatAStepDidIsItsOwnRuns) {
  all_ran();
  accounts({{"42", "COMPLETED"},
            {"42.0", "COMPLETED", "0:0", "cloudai.2.main"},
            {"42.1", "CANCELLED", "0:9", "cloudai.4.main"}});
  EXPECT_THAT(ends(),
              ElementsAre("A/0 completed ",
                          "B/0 failed step 1 ('cloudai.4.main') ended by signal 9, which the script did not notice"));
}

TEST_F(CollectRunsTest, AStepOfATestsOwnProgramIsThatOfTheRunOfItsTime) {
  all_ran();
  accounts({{"42", "COMPLETED"}, {"42.0", "CANCELLED", "0:9", "theirs", "2026-03-01T12:00:15"}});
  EXPECT_THAT(ends(), ElementsAre("A/0 failed step 0 ('theirs') ended by signal 9, which the script did not notice",
                                  "B/0 completed "));
}

TEST_F(CollectRunsTest, TroubleThatIsNobodysMayHaveBeenAnybodys) {
  all_ran();
  accounts({{"42", "COMPLETED"}, {"42.batch", "OUT_OF_MEMORY", "0:125", "batch"}});
  EXPECT_THAT(ends(), ElementsAre("A/0 failed the job ran out of memory", "B/0 failed the job ran out of memory"));
}

TEST_F(CollectRunsTest, OfAJobThatEndedInTheMiddleWhatHadEndedIsComplete) {
  ran(1, 0);
  ran(2, 10);
  ran(3, 20, false);
  accounts({{"42", "TIMEOUT"}});
  const auto ended = result();
  ASSERT_EQ(ended.runs.size(), 2);
  EXPECT_EQ(ended.runs[0].state, JobEnd::completed);
  EXPECT_EQ(ended.runs[1].state, JobEnd::time_limit);
  EXPECT_EQ(ended.runs[1].reason, "TIMEOUT: the job's time limit has passed");
  EXPECT_EQ(ended.stages[2].state, cloudai::StageState::unfinished);
  EXPECT_EQ(ended.stages[3].state, cloudai::StageState::skipped);
}

TEST_F(CollectRunsTest, WhatTheScriptRecordedWhenSlurmHadEndedTheJobDoesNotCount) {
  ran(1, 0);
  ran(2, 10);
  ran(3, 590);  // until the job's end
  ran(4, 600);
  directory_.write("status/finished", "");
  accounts({{"42", "NODE_FAIL"}});
  const auto ended = result();
  ASSERT_EQ(ended.runs.size(), 2);
  EXPECT_EQ(ended.runs[0].state, JobEnd::completed);
  EXPECT_EQ(ended.runs[1].state, JobEnd::node_fail);
  EXPECT_EQ(ended.stages[2].state, cloudai::StageState::ended);
  EXPECT_EQ(ended.stages[3].state, cloudai::StageState::skipped);
  EXPECT_EQ(ended.stages[3].run, "B/0");
}

TEST_F(CollectRunsTest, WhereTheEndOfTheJobIsNotKnownTheLastRunIsTheOneItBefell) {
  for (int number = 1; number <= 3; ++number) ran(number, 10 * (number - 1));
  ran(4, 30);
  cluster_.say("squeue", {{"42|NODE_FAIL|n[1-2]|2026-03-01T12:00:00|N/A|None\n"}});
  cluster_.say("sacct", {{"", "sacct: error: Slurm accounting storage is disabled\n", 1}});
  const auto ended = result();
  ASSERT_EQ(ended.runs.size(), 2);
  EXPECT_EQ(ended.runs[0].state, JobEnd::completed);
  EXPECT_EQ(ended.runs[1].state, JobEnd::node_fail);
}

TEST_F(CollectRunsTest, APollTellsHowFarItHasCome) {
  ran(1, 0);
  ran(2, 10, false);
  queue("RUNNING");
  const auto job = scheduler_->poll({"42"}).jobs.at(0);
  ASSERT_EQ(job.stages.size(), 2);
  EXPECT_EQ(job.stages[1].run, "A/0");
  EXPECT_EQ(job.stages[1].state, cloudai::StageState::unfinished);
}

TEST_F(CollectTest, AScriptThatDiedIsNoCompletedJob) {
  record(0, false);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "FAILED", "9:0"}});
  auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::failed);
  EXPECT_EQ(ended.reason, "the job's script ended before it was finished, by signal 9");
  submit();
  accounts({{"42", "COMPLETED"}});
  ended = result();
  EXPECT_EQ(ended.state, JobEnd::lost);
  EXPECT_EQ(ended.reason, "Slurm says that the job is completed, but its script did not record its end");
}

TEST_F(CollectTest, TheRecordsOfAnotherJobInTheSamePlaceAreNotRead) {
  record(0, true, "41");
  cluster_.say("squeue", {{""}});
  accounts({{"42", "NODE_FAIL"}});
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::node_fail);
  EXPECT_EQ(ended.stages.at(0).state, cloudai::StageState::skipped);
}

TEST_F(CollectTest, EveryNodeTellsItsFactsAndDifferencesAreSaid) {
  record(0);
  std::filesystem::create_directories(directory_.path() / "metadata");
  directory_.write(
      "metadata/node-n1.toml",
      "user = \"me\"\n[system]\nlinux_kernel_version = \"6.1.0\"\n[cuda]\ncuda_driver_version = \"null\"\n");
  directory_.write("metadata/node-n2.toml", "user = \"me\"\n[system]\nlinux_kernel_version = \"6.1.2\"\n");
  cluster_.say("squeue", {{""}});
  accounts({{"42", "COMPLETED"}});
  const auto ended = result();
  ASSERT_EQ(ended.nodes.size(), 2);
  EXPECT_EQ(ended.nodes[0].name, "n1");
  EXPECT_EQ(ended.nodes[0].facts,
            (std::map<std::string, std::string>{{"system.linux_kernel_version", "6.1.0"}, {"user", "me"}}));
  EXPECT_THAT(ended.warnings,
              ElementsAre("The nodes differ in system.linux_kernel_version: 6.1.0 on n1, 6.1.2 on n2."));
}

TEST_F(CollectTest, NodesWithoutAFileAreNamed) {
  record(0);
  std::filesystem::create_directories(directory_.path() / "metadata");
  directory_.write("metadata/node-n1.toml", "user = [\n");
  cluster_.say("squeue", {{""}});
  accounts({{"42", "COMPLETED"}});
  const auto warnings = result().warnings;
  ASSERT_EQ(warnings.size(), 2);
  EXPECT_THAT(warnings[0], ::testing::StartsWith("The file '" + directory() + "/metadata/node-n1.toml' about node n1"));
  EXPECT_THAT(warnings[1], ::testing::StartsWith("Nothing is known of the software of n"));
}

TEST_F(CollectTest, SlurmsAccountIsWrittenDown) {
  record(0);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "COMPLETED"},
            {"42.0", "COMPLETED", "0:0", "cloudai.1.main", "2026-03-01T12:00:01", "0:0", "None", "n[1-2]",
             "srun bash -c set -e\necho \"a\\b\" | tee log"}});
  result();
  std::ifstream file(directory_.path() / "slurm-job.toml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text,
            "job_id = 42\nname = \"test_tag1\"\nstate = \"COMPLETED\"\nstart_time = \"2026-03-01T12:00:00\"\n"
            "end_time = \"2026-03-01T12:10:00\"\nelapsed_time_sec = 600\nexit_code = \"0:0\"\n"
            "srun_cmd = \"srun bash -c set -e\\necho \\\"a\\\\b\\\" | tee log\"\ntest_cmd = \"\"\n"
            "is_single_sbatch = false\njob_root = \"" +
                directory() +
                "\"\n\n[[job_steps]]\njob_id = 42\nname = \"cloudai.1.main\"\nstate = \"COMPLETED\"\n"
                "start_time = \"2026-03-01T12:00:01\"\nend_time = \"2026-03-01T12:10:00\"\nelapsed_time_sec = 600\n"
                "exit_code = \"0:0\"\nstep_id = \"0\"\n"
                "submit_line = \"srun bash -c set -e\\necho \\\"a\\\\b\\\" | tee log\"\n");
}

TEST_F(CollectTest, TheCommandsOfTheTestAreWrittenDownForItsOwnerAlone) {
  cloudai::Json with_commands = submission();
  with_commands["srun_cmd"] = "srun --mpi=pmix all_reduce_perf --token 'a b'";
  with_commands["test_cmd"] = "all_reduce_perf --token 'a b'";
  scheduler_->submit({"tag1", directory(), with_commands});
  record(0);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "COMPLETED"}});
  result();
  const auto path = directory_.path() / "slurm-job.toml";
  EXPECT_THAT(cloudai::records::read_file(path).value_or(""),
              ::testing::HasSubstr("srun_cmd = \"srun --mpi=pmix all_reduce_perf --token 'a b'\"\n"
                                   "test_cmd = \"all_reduce_perf --token 'a b'\"\n"));
  EXPECT_EQ(std::filesystem::status(path).permissions() & std::filesystem::perms::mask,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(CollectTest, AJobWithoutALogMayHaveNoDirectoryOnTheNode) {
  cluster_.say("squeue", {{""}});
  accounts({{"42", "FAILED", "0:53", "test_tag1", "2026-03-01T12:00:00", "0:0", "JobLaunchFailure"}});
  auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::failed);
  EXPECT_EQ(ended.reason, "the job's script did not start, and no log was written: check that '" + directory() +
                              "' exists on the compute node and can be written there (JobLaunchFailure)");
  EXPECT_EQ(ended.stages.at(0).state, cloudai::StageState::skipped);
  directory_.write("stdout.txt", "");
  submit();
  ended = result();
  EXPECT_EQ(ended.reason, "the job's script did not start (JobLaunchFailure)");
}

TEST_F(CollectTest, TheExitStatusOfTheTestDecidesNotThatThereIsAnEnd) {
  record(1);
  cluster_.say("squeue", {{""}});
  accounts(
      {{"42", "FAILED", "1:0"}, {"42.batch", "FAILED", "1:0", "batch"}, {"42.0", "FAILED", "1:0", "cloudai.1.main"}});
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::completed);
  EXPECT_EQ(ended.reason, "The gate of the main 'test' is closed: exit status 1, expected 0.");
  EXPECT_EQ(ended.stages.at(0).exit_status, 1);
  EXPECT_EQ(ended.stages.at(0).gate, cloudai::Gate::closed);
}

}  // namespace
}  // namespace slurm
