#include <gmock/gmock.h>

#include "accounting_query.hpp"
#include "cluster_facts.hpp"
#include "queue_query.hpp"
#include "slurm_commands.hpp"

namespace slurm {
namespace {

using ::testing::ElementsAre;

TEST(Queue, ReadsRowsWhoseReasonsHoldAnything) {
  const auto rows = parse_queue(
      "42|PENDING||N/A|N/A|ReqNodeNotAvail, UnavailableNodes:n2|x\n"
      "43|RUNNING|n[1-2]|2026-03-01T12:00:00|2026-03-01T13:00:00|None\n");
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].reason, "ReqNodeNotAvail, UnavailableNodes:n2|x");
  EXPECT_EQ(rows[0].state.progress, Progress::pending);
  EXPECT_EQ(rows[1].nodes, "n[1-2]");
}

TEST(Queue, SkipsWhatIsNoRow) {
  EXPECT_TRUE(parse_queue("CLUSTER: north\n"
                          "JOBID       CLUSTER  PARTITION  QOS         USER                STATE    TIME_LEFT\n"
                          "135087666   c5       batch      normal      First.Last          COMPLETININVALID     3\n"
                          "\n42|RUNNING\n")
                  .empty());
}

TEST(Queue, FindsTheNewestJobWithATag) {
  EXPECT_EQ(newest_with_tag("9|a_tag1\n10|b_tag1\n11|b_tag2\nx|c_tag1\n", "tag1"), "10");
  EXPECT_EQ(newest_with_tag("11|tag1_b\n", "tag1"), "");
}

const std::vector<std::string> metadata_columns{"JobID", "JobName", "State",      "ExitCode",
                                                "Start", "End",     "ElapsedRaw", "SubmitLine"};

TEST(Accounting, ASubmitLineOfSeveralLinesStaysInItsRecord) {
  const auto rows = parse_accounting(
      "2968718|job:run|COMPLETED|0:0|2025-06-16T07:40:16|2025-06-16T07:49:08|532|sbatch run.sh|\n"
      "2968718.batch|batch|COMPLETED|0:0|2025-06-16T07:40:16|2025-06-16T07:49:08|532||\n"
      "2968718.extern|extern|COMPLETED|0:0|2025-06-16T07:40:16|2025-06-16T07:49:08|532||\n"
      "2968718.0|bash|COMPLETED|0:0|2025-06-16T07:40:54|2025-06-16T07:49:11|497|srun bash -c set -e\n"
      "export A=1\n"
      "run | tee log |\n",
      metadata_columns, '|');
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].step, "");
  EXPECT_EQ(rows[1].step, "batch");
  EXPECT_EQ(rows[3].step, "0");
  EXPECT_EQ(rows[3].elapsed, 497);
  EXPECT_EQ(rows[3].name, "bash");
  EXPECT_EQ(rows[3].submit_line, "srun bash -c set -e\nexport A=1\nrun | tee log |");
}

TEST(Accounting, FieldsThatAreNotThereAreNotMadeUp) {
  const std::vector<std::string> columns{"JobID", "State", "ExitCode", "Start", "End", "Elapsed", "NodeList"};
  const auto rows = parse_accounting(
      "700304|COMPLETED|0:0|2026-02-03T04:05:06|2026-02-03T05:05:06|3600|node[001-002]\n"
      "700304|COMPLETED|0:0|2026-02-03T04:05:06|2026-02-04T05:05:06|1-01:00:00|node001\n"
      "700304|RUNNING|0:0|2026-02-03T04:05:06|Unknown|  |None assigned\n"
      "700304|TIMEOUT|0:0|1770091506|1770095106|3600|node001\n",
      columns, '|');
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].elapsed, 3600);
  EXPECT_EQ(rows[1].elapsed, 90000);
  EXPECT_EQ(rows[2].elapsed, std::nullopt);
  EXPECT_EQ(rows[3].elapsed, 3600);
  EXPECT_EQ(rows[0].nodes, "node[001-002]");
  EXPECT_EQ(rows[2].nodes, "");
}

TEST(Accounting, TheRawIdNamesTheJob) {
  const auto rows = parse_accounting(
      "1043074_91|1043166|COMPLETED\n1043074_91.batch|1043166.batch|COMPLETED\n1043074_91.0|1043166.0|COMPLETED\n",
      {"JobID", "JobIDRaw", "State"}, '|');
  const auto record = last_attempt(rows, "1043166");
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->job.state.name, "COMPLETED");
  EXPECT_EQ(record->steps.size(), 2);
}

TEST(Accounting, IdsOfArraysAreReadAsTheNumberBeforeTheTask) {
  const auto rows = parse_accounting(
      "20956421_0|RUNNING\n20956421_1|COMPLETED\n20956421_[2-4%25]|PENDING\n20956421_[7,9-10]|PENDING\n"
      "20956421_5|FAILED\n20956421_5.batch|FAILED\n",
      {"JobID", "State"}, '|');
  ASSERT_EQ(rows.size(), 6);
  for (const AccountingRow& row : rows) EXPECT_EQ(row.job, "20956421");
  EXPECT_EQ(rows[2].state.progress, Progress::pending);
  EXPECT_EQ(rows[2].step, "");
  EXPECT_EQ(rows[5].step, "batch");
  EXPECT_FALSE(last_attempt(rows, "2095642").has_value());
}

TEST(Accounting, OfARestartedJobTheLastAttemptCounts) {
  const std::vector<std::string> columns{"JobID", "State", "Start"};
  const auto ended = parse_accounting(
      "700301|PREEMPTED|2026-03-14T01:00:00\n700301.0|CANCELLED|2026-03-14T01:00:01\n"
      "700301|COMPLETED|2026-03-14T01:05:00\n700301.0|COMPLETED|2026-03-14T01:05:01\n",
      columns, '|');
  const auto record = last_attempt(ended, "700301");
  EXPECT_EQ(record->job.state.name, "COMPLETED");
  EXPECT_EQ(record->attempts, 2);
  ASSERT_EQ(record->steps.size(), 1);
  EXPECT_EQ(record->steps[0].state.name, "COMPLETED");

  const auto pending = parse_accounting("42|NODE_FAIL|2026-11-30T03:25:54\n42|PENDING|Unknown\n", columns, '|');
  EXPECT_EQ(last_attempt(pending, "42")->job.state.name, "PENDING");
}

TEST(Accounting, TruncatedStatesAreRead) {
  const auto rows = parse_accounting("1|OUT_OF_ME+ \n1.batch|OUT_OF_ME+ \n1.0| COMPLETED \n", {"JobID", "State"}, '|');
  EXPECT_EQ(last_attempt(rows, "1")->job.state.name, "OUT_OF_MEMORY");
}

TEST(ClusterFacts, ReadsTheConfiguration) {
  const ClusterConfig config = parse_config(
      "GresTypes               = gpu,craynetwork\nMinJobAge               = 300 sec\n"
      "SLURM_VERSION           = 24.05.2\nSelectType              = select/cons_tres\n"
      "AccountingStorageType   = accounting_storage/none\nMaxArraySize            = 1001\n");
  EXPECT_FALSE(config.has_accounting);
  EXPECT_TRUE(config.schedules_gpus);
  EXPECT_EQ(config.min_job_age, 300);
  EXPECT_EQ(config.version, "24.05.2");
  EXPECT_FALSE(parse_config("GresTypes               = (null)\n").schedules_gpus);
}

TEST(ClusterFacts, ReadsPartitions) {
  const auto partitions = parse_partitions(
      "PartitionName=batch\n   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n   AllocNodes=ALL Default=YES QoS=N/A\n"
      "   DefaultTime=01:00:00 DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO\n"
      "   MaxNodes=UNLIMITED MaxTime=6-00:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED\n"
      "   Nodes=node[001-004],gpu[01-02]\n   State=UP TotalCPUs=1344 TotalNodes=6 SelectTypeParameters=NONE\n\n"
      "PartitionName=drained\n   AllocNodes=ALL Default=NO\n   MaxTime=UNLIMITED Nodes=(null)\n"
      "   State=DRAIN TotalNodes=0\n");
  ASSERT_EQ(partitions.size(), 2);
  EXPECT_TRUE(partitions[0].is_default);
  EXPECT_EQ(partitions[0].total_nodes, 6);
  EXPECT_EQ(partitions[0].max_seconds, 518400);
  EXPECT_EQ(partitions[0].max_nodes, std::nullopt);
  EXPECT_FALSE(partitions[1].is_up);
  EXPECT_FALSE(partitions[1].is_default);
  EXPECT_EQ(partitions[1].max_seconds, std::nullopt);
}

TEST(Environment, WhatWouldChangeSlurmsCommandsIsNamed) {
  const char* const environment[] = {"PATH=/bin",
                                     "SQUEUE_FORMAT=%i",
                                     "SLURM_CONF=/etc/slurm.conf",
                                     "SLURM_JOB_ID=7",
                                     "SBATCH_ACCOUNT=a",
                                     "SLURM_TIME_FORMAT=%s",
                                     "PMIX_RANK=0",
                                     "SACCT_FORMAT=x",
                                     "SINFO_FORMAT=y",
                                     "NOT_SLURM_X=1",
                                     nullptr};
  EXPECT_THAT(misleading_variables(environment),
              ElementsAre("PMIX_RANK", "SACCT_FORMAT", "SBATCH_ACCOUNT", "SINFO_FORMAT", "SLURM_JOB_ID",
                          "SLURM_TIME_FORMAT", "SQUEUE_FORMAT"));
}

}  // namespace
}  // namespace slurm
