#include "submission.hpp"

#include "recorded_cluster.hpp"

namespace slurm {
namespace {

using slurm::testing::refusal;

TEST(SbatchOutput, EveryFormOfTheNumberIsRead) {
  const std::vector<std::pair<std::string, std::string>> forms{
      {"Submitted batch job 812345\n", "812345"},
      {"Submitted batch job 3969755 on cluster north\n", "3969755"},
      {"812346;north\n", "812346"},
      {"15786755\n", "15786755"},
      {"Submitted batch job 127652 estimates 2 SUs from allocation abc_1. Estimated remaining SUs: 2306129\n"
       "JOBID      NAME                PARTITION  TIME_LIMIT  ST  NODES  REASON\n"
       "127652     nccl                single     2:00:00     PD  1      None\n",
       "127652"},
      {"Tue Mar  3 09:15:40 2026 [INFO4] [euid=20001,pid=733] auks_krb5_cred: kerberos context successfully "
       "initialized\n132826\n",
       "132826"},
      {"Submitted batch job 4362076161\n", "4362076161"},
      {"Your job was submitted with Job ID 99\n", "99"}};
  for (const auto& [output, id] : forms) {
    const auto number = parse_sbatch_output(output);
    ASSERT_TRUE(number.has_value()) << output;
    EXPECT_EQ(number->id, id);
  }
  EXPECT_EQ(parse_sbatch_output("812346;north\n")->cluster, "north");
  EXPECT_EQ(parse_sbatch_output("Submitted batch job 3969755 on cluster north\n")->cluster, "north");
  EXPECT_FALSE(parse_sbatch_output("").has_value());
  EXPECT_FALSE(parse_sbatch_output("no number here 12\n").has_value());
}

TEST(SbatchErrors, OnlyALimitOfHowManyJobsIsOne) {
  const std::string sentence =
      "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size "
      "and/or time limits)\n";
  EXPECT_EQ(named_submit_limit("sbatch: error: AssocMaxSubmitJobLimit\n" + sentence), "AssocMaxSubmitJobLimit");
  EXPECT_EQ(named_submit_limit("sbatch: error: QOSMaxSubmitJobPerUserLimit\n" + sentence),
            "QOSMaxSubmitJobPerUserLimit");
  EXPECT_EQ(named_submit_limit("sbatch: error: QOSMaxWallDurationPerJobLimit\n" + sentence), "");
  EXPECT_EQ(named_submit_limit(sentence), "");
}

class SubmissionTest : public slurm::testing::SlurmTest {
 protected:
  const std::string time_out_ = "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n";
  const std::string limit_ =
      "sbatch: error: AssocMaxSubmitJobLimit\n"
      "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size "
      "and/or time limits)\n";
};

TEST_F(SubmissionTest, AJobIsSubmittedOnceAndWatchedByTheFileItsScriptWritesLast) {
  const auto submitted = submit();
  EXPECT_EQ(submitted.id, "42");
  EXPECT_THAT(submitted.watch, ::testing::ElementsAre(directory() + "/status/finished"));
  EXPECT_EQ(cluster_.last("sbatch"), "sbatch --parsable " + directory() + "/cloudai_sbatch_script.sh");
}

TEST_F(SubmissionTest, WordsOnStderrAreNoNumber) {
  open();
  cluster_.say("sbatch", {{"Submitted batch job 1152535\n", "sbatch: error: \"SBATCH_EXCLUSIVE=true\" -- 77\n78\n"}});
  EXPECT_EQ(submit("tag1", "").id, "1152535");
}

TEST_F(SubmissionTest, ARefusalIsSaidInSlurmsWordsAndNotRepeated) {
  open();
  cluster_.say("sbatch", {{"",
                           "sbatch: error: Batch job submission failed: Requested node configuration is not "
                           "available\n",
                           1}});
  const auto error = refusal([&] { submit("tag1", ""); });
  EXPECT_EQ(error.message(),
            "The job was not submitted: sbatch failed with exit status 1: sbatch: error: Batch job submission failed: "
            "Requested node configuration is not available");
  EXPECT_EQ(cluster_.count("sbatch"), 1);
}

TEST_F(SubmissionTest, AnSbatchThatTimedOutAfterItSubmittedIsFoundByTheTag) {
  open();
  cluster_.say("sbatch", {{"", time_out_, 1}});
  cluster_.say("squeue", {{"812399|test_tag1\n812400|test_tag2\n"}});
  EXPECT_EQ(submit("tag1", "").id, "812399");
  EXPECT_EQ(cluster_.count("sbatch"), 1);
}

TEST_F(SubmissionTest, AnSbatchThatFailedAfterItSubmittedIsFoundByTheTag) {
  open();
  cluster_.say("sbatch", {{"", "sbatch: error: Batch job submission failed: Unexpected message received\n", 1}});
  cluster_.say("squeue", {{"812399|test_tag1\n"}});
  EXPECT_EQ(submit("tag1", "").id, "812399");
  EXPECT_EQ(cluster_.count("sbatch"), 1);
}

TEST_F(SubmissionTest, AfterATimeOutItIsLookedForThreeTimesBeforeAnotherAttempt) {
  open();
  cluster_.say("sbatch", {{"", time_out_, 1}, {"", {}, 0, true}, {"43\n"}});
  for (int look = 1; look <= 2; ++look) {
    EXPECT_EQ(submit("tag1", "").wait,
              "sbatch failed with exit status 1: sbatch: error: Batch job submission failed: "
              "Socket timed out on send/recv operation");
    EXPECT_EQ(submit("tag1", "").wait.empty(), false);  // too early: not even a question
    EXPECT_EQ(cluster_.count("squeue"), look);
    cluster_.pass(100);
  }
  EXPECT_EQ(submit("tag1", "").wait, "sbatch did not answer in time.");
  EXPECT_EQ(cluster_.count("sbatch"), 2);
  std::string id;
  for (int look = 0; look < 4 && id.empty(); ++look) {
    cluster_.pass(100);
    id = submit("tag1", "").id;
  }
  EXPECT_EQ(id, "43");
  EXPECT_EQ(cluster_.count("sbatch"), 3);
}

TEST_F(SubmissionTest, ThreeAttemptsWithoutAnAnswerAreAnError) {
  open();
  cluster_.say("sbatch", {{"", time_out_, 1}});
  cloudai::Error error(cloudai::Status::internal, "no refusal");
  for (int call = 0; call < 20 && error.message() == "no refusal"; ++call) {
    error = refusal([&] { submit("tag1", ""); });
    cluster_.pass(200);
  }
  EXPECT_EQ(error.message(),
            "The job was not submitted in 3 attempts; the last time sbatch failed with exit status 1: sbatch: error: "
            "Batch job submission failed: Socket timed out on send/recv operation");
  EXPECT_EQ(cluster_.count("sbatch"), 3);
}

TEST_F(SubmissionTest, WithoutAnyAnswerItIsNeverSubmittedAgain) {
  open();
  cluster_.say("sbatch", {{"", time_out_, 1}});
  cluster_.say("squeue", {{"", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 1}});
  EXPECT_FALSE(submit("tag1", "").wait.empty());
  cluster_.pass(300);
  EXPECT_FALSE(submit("tag1", "").wait.empty());
  cluster_.pass(400);
  const auto error = refusal([&] { submit("tag1", ""); });
  EXPECT_EQ(error.hint(), "Look for a job whose name ends with 'tag1' and cancel it.");
  EXPECT_EQ(cluster_.count("sbatch"), 1);
}

TEST_F(SubmissionTest, ZeroWithoutANumberIsFoundByTheTagOrAnError) {
  open();
  cluster_.say("sbatch", {{"", "site: thank you\n"}});
  cluster_.say("squeue", {{"812399|test_tag1\n"}});
  EXPECT_EQ(submit("tag1", "").id, "812399");
  cluster_.say("squeue", {{""}});
  EXPECT_EQ(refusal([&] { submit("tag2", ""); }).message(),
            "sbatch returned 0 without a job id (stdout: '', stderr: 'site: thank you'), and no job of this name is in "
            "the queue.");
}

TEST_F(SubmissionTest, ASubmitLimitKeepsTheJobWaitingWhileOthersOfOursLive) {
  submit();
  cluster_.say("sbatch", {{"", limit_, 1}});
  EXPECT_EQ(submit("tag2", "").wait, "Slurm's limit AssocMaxSubmitJobLimit is reached.");
  EXPECT_EQ(submit("tag3", "").wait, "Slurm's limit AssocMaxSubmitJobLimit is reached.");
  EXPECT_EQ(cluster_.count("sbatch"), 2);  // what the limit refuses to one it refuses to all
  record(0);
  queue("COMPLETED");
  accounts({{"42", "COMPLETED"}});
  EXPECT_EQ(phase(), cloudai::JobPhase::ended);
  EXPECT_EQ(submit("tag2", "43").id, "43");
}

TEST_F(SubmissionTest, ASubmitLimitIsNotWaitedForLongerThanMaxPendingTime) {
  open({{"max_pending_time", 100}});
  submit();
  cluster_.say("sbatch", {{"", limit_, 1}});
  EXPECT_FALSE(submit("tag2", "").wait.empty());
  cluster_.pass(101);
  const auto error = refusal([&] { submit("tag2", ""); });
  EXPECT_EQ(error.message().substr(0, 44), "The job could not be submitted for 100 s: sb");
}

TEST_F(SubmissionTest, ASubmitLimitWithNoJobOfOursIsAnError) {
  open();
  cluster_.say("sbatch", {{"", limit_, 1}});
  EXPECT_EQ(refusal([&] { submit("tag1", ""); }).hint(),
            "None of this scenario's jobs is in the queue; wait for other jobs of yours to end.");
}

}  // namespace
}  // namespace slurm
