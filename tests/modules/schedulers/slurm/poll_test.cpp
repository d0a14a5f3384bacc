#include "recorded_cluster.hpp"

namespace slurm {
namespace {

using cloudai::JobEnd;
using cloudai::JobPhase;
using slurm::testing::Accounted;
using slurm::testing::refusal;
using slurm::testing::sacct_lines;

class PollTest : public slurm::testing::SlurmTest {
 protected:
  void SetUp() override { submit(); }
  const std::string no_controller_ = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n";
  const std::string no_database_ =
      "sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection to db1:6819: "
      "Connection refused\nsacct: error: Problem talking to the database: Connection refused\n";
};

TEST_F(PollTest, TwoCommandsWhateverTheNumberOfJobs) {
  std::vector<std::string> ids{"42"};
  std::string queue;
  std::vector<Accounted> accounts;
  for (int number = 100; number < 600; ++number) {
    const std::string id = std::to_string(number);
    submit("tag" + id, id);
    ids.push_back(id);
    if (number % 2 == 0) {
      queue += id + "|RUNNING|n1|N/A|N/A|None\n";
    } else {
      accounts.push_back({id, "COMPLETED", "0:0", "test_tag" + id});
    }
  }
  cluster_.say("squeue", {{queue}});
  cluster_.say("sacct", {{sacct_lines(accounts)}});
  const std::size_t before = cluster_.commands().size();
  const auto states = scheduler_->poll(ids);
  EXPECT_EQ(cluster_.commands().size() - before, 2);
  EXPECT_EQ(states.jobs.size(), 501);
  EXPECT_EQ(states.jobs[1].state, JobPhase::running);
  EXPECT_EQ(states.jobs[2].state, JobPhase::ended);
}

TEST_F(PollTest, TheQueriesAreInUtcAndWithoutTheUsersSettings) {
  ::setenv("SQUEUE_FORMAT", "%i", 1);
  open();
  submit();
  phase();
  ::unsetenv("SQUEUE_FORMAT");
  const auto& request = cluster_.host().process_calls.back().second;
  EXPECT_EQ(request.at("environment"), cloudai::Json::parse(R"({"SLURM_TIME_FORMAT": "standard", "TZ": "UTC"})"));
  EXPECT_THAT(request.at("unset").get<std::vector<std::string>>(), ::testing::Contains("SQUEUE_FORMAT"));
  const std::string text = cluster_.log();
  const std::string words = "Slurm's commands and the jobs do not get these variables of the environment: ";
  ASSERT_NE(text.find(words), std::string::npos) << text;
  EXPECT_EQ(text.find(words, text.find(words) + 1), std::string::npos) << "said twice: " << text;
}

TEST_F(PollTest, AFailedQueryIsNoState) {
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  for (const std::string& said : {no_controller_, std::string("slurm_load_jobs error: Socket timed out\n")}) {
    cluster_.say("squeue", {{"", said, 1}});
    const auto error = refusal([&] { phase(); });
    EXPECT_EQ(error.status(), cloudai::Status::unavailable);
    EXPECT_EQ(error.message(), "The state of the jobs is not known: squeue failed with exit status 1: " +
                                   said.substr(0, said.size() - 1));
  }
  EXPECT_EQ(cluster_.count("sacct"), 0);
}

TEST_F(PollTest, AWarningBesideAnAnswerIsNoFailure) {
  cluster_.say("squeue", {{"42|RUNNING|n1|N/A|N/A|None\n", "squeue: warning: something harmless\n"}});
  EXPECT_EQ(phase(), JobPhase::running);
}

TEST_F(PollTest, AnEmptyAnswerIsNoEndUntilTheAccountsSaySo) {
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "RUNNING"}});
  EXPECT_EQ(phase(), JobPhase::unknown);
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  // squeue's answer for one id that it does not know is a failure by its exit status.
  cluster_.say("squeue", {{"", "slurm_load_jobs error: Invalid job id specified\n", 1}});
  accounts({{"42", "COMPLETED"}});
  EXPECT_EQ(phase(), JobPhase::ended);
}

TEST_F(PollTest, AYoungJobsRowInTheAccountsIsNotBelieved) {
  record(0);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "COMPLETED", "0:0", "allocation"}});
  EXPECT_EQ(phase(), JobPhase::unknown);
  accounts({{"42", "PENDING", "0:0", "allocation"}});
  EXPECT_EQ(phase(), JobPhase::unknown);
  // An old job with the same number is not ours either.
  accounts({{"42", "FAILED", "1:0", "somebody_elses"}});
  EXPECT_EQ(phase(), JobPhase::unknown);
  accounts({{"42", "COMPLETED"}});
  EXPECT_EQ(result().state, JobEnd::completed);
}

TEST_F(PollTest, WhenTheQueueKnowsTheEndTheAccountsGetTimeToFollow) {
  record(0);
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  queue("COMPLETED");
  accounts({{"42", "RUNNING"}});
  const auto states = scheduler_->poll({"42"});
  EXPECT_EQ(states.jobs[0].state, JobPhase::running);
  ASSERT_TRUE(states.poll_after.has_value());
  EXPECT_LT(*states.poll_after, 1);
  cluster_.pass(31);
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::completed);
  EXPECT_THAT(ended.warnings,
              ::testing::Contains("The accounting database has no final record of the job; its steps were not looked "
                                  "at."));
}

TEST_F(PollTest, ARequeuedJobGoesOn) {
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  queue("PENDING", "BeginTime");
  EXPECT_EQ(phase(), JobPhase::pending);
  EXPECT_EQ(cluster_.count("sacct"), 0);
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  record(0);
  cluster_.say("squeue", {{""}});
  accounts({{"42", "PREEMPTED", "0:0", "test_tag1", "2026-03-01T11:00:00"}, {"42", "COMPLETED"}});
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::completed);
  EXPECT_THAT(ended.warnings,
              ::testing::Contains("Slurm started the job 2 times; the result is that of the last attempt."));
}

TEST_F(PollTest, AnEarlierAttemptsEndIsNotTakenForTheLastOnes) {
  record(0);
  queue("COMPLETED");
  accounts({{"42", "PREEMPTED"}});  // the accounts lag behind
  EXPECT_EQ(phase(), JobPhase::pending);
  accounts({{"42", "PREEMPTED", "0:0", "test_tag1", "2026-03-01T11:00:00"}, {"42", "COMPLETED"}});
  EXPECT_EQ(result().state, JobEnd::completed);
}

TEST_F(PollTest, ARequeuedJobThatIsGoneIsLost) {
  cluster_.say("squeue", {{"", "slurm_load_jobs error: Invalid job id specified\n", 1}});
  accounts({{"42", "REQUEUED"}});
  EXPECT_EQ(phase(), JobPhase::unknown);
  EXPECT_EQ(phase(), JobPhase::unknown);
  const auto ended = scheduler_->collect("42");  // the core has lost its patience
  EXPECT_EQ(ended.state, JobEnd::lost);
  EXPECT_EQ(ended.reason, "the job was requeued and is not in the queue any more");
}

TEST_F(PollTest, ADatabaseThatDoesNotAnswerKeepsNothingFromGoingOn) {
  record(0);
  queue("COMPLETED");
  cluster_.say("sacct", {{"", no_database_, 1}});
  EXPECT_EQ(phase(), JobPhase::pending);
  EXPECT_EQ(phase(), JobPhase::pending);
  EXPECT_EQ(cluster_.log().find("Trying again."), cluster_.log().rfind("Trying again."));  // said once
  cluster_.pass(61);
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::completed);
  EXPECT_THAT(ended.warnings, ::testing::Contains("The accounting database does not answer; the steps of the job were "
                                                  "not looked at."));
}

TEST_F(PollTest, WithoutQueueAndDatabaseAJobStaysAsItWas) {
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  cluster_.say("squeue", {{""}});
  cluster_.say("sacct", {{"", no_database_, 1}});
  EXPECT_EQ(phase(), JobPhase::running);
  cluster_.pass(500);
  EXPECT_EQ(phase(), JobPhase::running);
  cluster_.say("sacct", {{sacct_lines({{"42", "COMPLETED"}})}});
  EXPECT_EQ(phase(), JobPhase::ended);
}

TEST_F(PollTest, AStateNobodyKnowsIsNoSuccessAndIsSaidOnce) {
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  queue("ZZ");
  EXPECT_EQ(phase(), JobPhase::running);
  EXPECT_EQ(phase(), JobPhase::running);
  const std::string text = cluster_.log();
  EXPECT_NE(text.find("squeue says that job 42 is 'ZZ'"), std::string::npos);
  EXPECT_EQ(text.find("'ZZ'"), text.rfind("'ZZ'"));
}

TEST_F(PollTest, AJobThatWaitsForWhatWillNotComeIsGivenUp) {
  open({{"max_pending_time", 100}});
  submit();
  queue("PENDING", "Resources");
  cluster_.pass(1000);
  EXPECT_EQ(phase(), JobPhase::pending);
  queue("PENDING", "PartitionTimeLimit");
  EXPECT_EQ(phase(), JobPhase::pending);
  cluster_.pass(99);
  EXPECT_EQ(phase(), JobPhase::pending);
  EXPECT_EQ(cluster_.count("scancel"), 0);
  cluster_.pass(2);
  const auto ended = result();
  EXPECT_EQ(cluster_.last("scancel"), "scancel 42");
  EXPECT_EQ(ended.state, JobEnd::failed);
  EXPECT_EQ(ended.reason, "the job waited 100 s for a reason that does not pass by itself: PartitionTimeLimit");
}

TEST_F(PollTest, NodesThatDoNotFinishCleaningUpDoNotKeepTheResultBack) {
  record(0);
  queue("COMPLETING");
  accounts({{"42", "COMPLETED"}});
  EXPECT_EQ(phase(), JobPhase::running);
  EXPECT_EQ(cluster_.count("sacct"), 0);
  cluster_.pass(61);
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::completed);
  EXPECT_THAT(ended.warnings,
              ::testing::Contains("The nodes of the job had not finished cleaning up when it was judged."));
}

TEST_F(PollTest, AJobAboutToEndIsLookedAtAgainSoon) {
  queue("RUNNING");
  EXPECT_EQ(scheduler_->poll({"42"}).poll_after, std::nullopt);
  record(0);
  EXPECT_EQ(scheduler_->poll({"42"}).poll_after, 0.25);
  EXPECT_EQ(scheduler_->poll({"42"}).poll_after, 0.5);
}

class CancelTest : public PollTest {};

TEST_F(CancelTest, OneScancelForAllConfirmedByTheQueue) {
  submit("tag2", "43");
  cluster_.say("squeue", {{"42|CANCELLED|n1|N/A|N/A|None\n43|COMPLETING|n2|N/A|N/A|None\n"}});
  EXPECT_TRUE(scheduler_->cancel({"42", "43"}).empty());
  EXPECT_EQ(cluster_.last("scancel"), "scancel 42 43");
  EXPECT_EQ(cluster_.count("scancel"), 1);
  EXPECT_EQ(phase(), JobPhase::ended);
  EXPECT_EQ(scheduler_->collect("42").state, JobEnd::cancelled);
}

TEST_F(CancelTest, IsRepeatedForWhatIsStillThere) {
  submit("tag2", "43");
  cluster_.say("scancel", {{"", "scancel: error: Unable to contact slurm controller\n", 8}, {""}});
  cluster_.say("squeue", {{"", no_controller_, 1}, {"42|RUNNING|n1|N/A|N/A|None\n"}, {""}});
  EXPECT_TRUE(scheduler_->cancel({"42", "43"}).empty());
  EXPECT_EQ(cluster_.count("scancel"), 3);
  EXPECT_EQ(cluster_.last("scancel"), "scancel 42");
}

TEST_F(CancelTest, SaysWhatItCouldNotEnd) {
  queue("RUNNING");
  cluster_.host().cancelled = true;  // nobody waits any longer
  const auto left = scheduler_->cancel({"42"});
  ASSERT_EQ(left.size(), 1);
  EXPECT_EQ(left[0].message, "The end of job 42 is not confirmed: squeue still lists it after scancel.");
}

TEST_F(CancelTest, OnlyNumbersOfJobsAreEverCancelled) {
  for (const std::string id : {"0", "-1", "", "abc", "42 43", "000"}) {
    const auto left = scheduler_->cancel({id});
    ASSERT_EQ(left.size(), 1) << id;
    EXPECT_EQ(left[0].message, "'" + id + "' is no number of a Slurm job; nothing was cancelled.");
  }
  EXPECT_EQ(cluster_.count("scancel"), 0);
}

class WithoutAccountingTest : public slurm::testing::SlurmTest {
 protected:
  void SetUp() override {
    cluster_.say("scontrol show config", {{slurm::testing::config_without_accounting}});
    submit();
  }
};

TEST_F(WithoutAccountingTest, SacctIsNeverAsked) {
  record(0);
  queue("COMPLETED");
  EXPECT_EQ(result().state, JobEnd::completed);
  EXPECT_EQ(cluster_.count("sacct"), 0);
}

TEST_F(WithoutAccountingTest, AForgottenJobIsWhatItsScriptRecorded) {
  queue("RUNNING");
  EXPECT_EQ(phase(), JobPhase::running);
  cluster_.say("squeue", {{"", "slurm_load_jobs error: Invalid job id specified\n", 1}});
  EXPECT_EQ(phase(), JobPhase::unknown);
  record(3);
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::completed);
  EXPECT_EQ(ended.reason, "The gate of the main 'test' is closed: exit status 3, expected 0.");
  EXPECT_EQ(ended.stages.at(0).exit_status, 3);
}

TEST_F(WithoutAccountingTest, AForgottenJobThatRecordedNothingIsLost) {
  cluster_.say("squeue", {{""}});
  EXPECT_EQ(phase(), JobPhase::unknown);
  const auto ended = scheduler_->collect("42");
  EXPECT_EQ(ended.state, JobEnd::lost);
  EXPECT_EQ(ended.reason, "Slurm does not know how the job ended, and its script did not record its end");
}

TEST_F(WithoutAccountingTest, TheControllerTellsWhatEndedAScript) {
  record(0, false);
  queue("FAILED", "JobLaunchFailure");
  cluster_.say("scontrol --oneliner show job 42", {{"JobId=42 JobName=x Restarts=0 ExitCode=0:11 RunTime=00:00:01\n"}});
  const auto ended = result();
  EXPECT_EQ(ended.state, JobEnd::failed);
  EXPECT_EQ(ended.reason, "the job's script ended before it was finished, by signal 11 (JobLaunchFailure)");
}

TEST_F(WithoutAccountingTest, TheOutputTellsThatAStepRanOutOfMemory) {
  cloudai::Json two_stages = submission();
  two_stages["stages"] = {{{"kind", "prologue"}, {"name", "check"}, {"directory", "prologue/check"}},
                          {{"kind", "main"}, {"name", "test"}, {"directory", "."}}};
  const auto collected = [&](const std::string& of_prologue, const std::string& of_main) {
    scheduler_->submit({"tag1", directory(), two_stages});
    std::filesystem::create_directories(directory_.path() / "prologue/check");
    record(0);
    std::filesystem::copy_file(directory_.path() / "status/1", directory_.path() / "status/2",
                               std::filesystem::copy_options::overwrite_existing);
    directory_.write("prologue/check/stderr.txt", of_prologue);
    directory_.write("stderr.txt", of_main);
    queue("FAILED", "NonZeroExitCode");
    return result();
  };
  const std::string killed =
      "slurmstepd: error: Detected 1 oom_kill event in StepId=42.2. Some of the step tasks have been OOM Killed.";
  auto ended = collected("", "x\n" + killed + "\nsrun: error: n1: task 0: Out Of Memory\n");
  EXPECT_EQ(ended.state, JobEnd::failed);
  EXPECT_EQ(ended.reason, "out of memory in the main 'test': " + killed);
  ended = collected("0: srun: error: n1: task 0: Out Of Memory\n", "");
  EXPECT_EQ(ended.reason, "out of memory in the prologue 'check': 0: srun: error: n1: task 0: Out Of Memory");
  // What a program says of memory itself is none of Slurm's words.
  ended = collected("Out Of Memory\n", "CUDA error: out of memory\nthe oom_kill counter is 0\n");
  EXPECT_EQ(ended.state, JobEnd::completed);
}

TEST(AccountingSwitchedOff, IsFoundOutFromSacctOnce) {
  slurm::testing::RecordedCluster cluster;
  cluster.say("sbatch", {{"37\n"}});
  cluster.say("sacct", {{"", "Slurm accounting storage is disabled\n", 1}});
  cluster.say("squeue", {{"37|COMPLETED|n1|N/A|N/A|None\n"}});
  SlurmScheduler scheduler(slurm::testing::RecordedCluster::open_request(), [&] { return cluster.now; });
  const cloudai::Json submission = {{"script", "/nowhere/x.sh"}, {"name", "n"}, {"stages", cloudai::Json::array()}};
  scheduler.submit({"tag1", "/nowhere", submission});
  EXPECT_EQ(scheduler.poll({"37"}).jobs.at(0).state, JobPhase::ended);
  EXPECT_NE(cluster.log().find("The cluster keeps no accounts of jobs"), std::string::npos);
}

}  // namespace
}  // namespace slurm
