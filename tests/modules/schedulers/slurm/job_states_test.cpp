#include "job_states.hpp"

#include <gmock/gmock.h>

namespace slurm {
namespace {

using cloudai::JobEnd;

TEST(JobStates, KnowsLongShortCutAndExplainedForms) {
  const std::vector<std::pair<std::string, std::string>> forms{{"COMPLETED", "COMPLETED"},
                                                               {"CD", "COMPLETED"},
                                                               {"running", "RUNNING"},
                                                               {"R", "RUNNING"},
                                                               {"CANCELLED by 1000", "CANCELLED"},
                                                               {"CANCELLED+", "CANCELLED"},
                                                               {"CA", "CANCELLED"},
                                                               {"OUT_OF_ME+", "OUT_OF_MEMORY"},
                                                               {"OOM", "OUT_OF_MEMORY"},
                                                               {"OO", "OUT_OF_MEMORY"},
                                                               {" NODE_FAIL ", "NODE_FAIL"},
                                                               {"NF", "NODE_FAIL"},
                                                               {"TO", "TIMEOUT"},
                                                               {"PR", "PREEMPTED"},
                                                               {"BF", "BOOT_FAIL"},
                                                               {"DL", "DEADLINE"},
                                                               {"RV", "REVOKED"},
                                                               {"SE", "SPECIAL_EXIT"},
                                                               {"RQ", "REQUEUED"},
                                                               {"CG", "COMPLETING"},
                                                               {"CF", "CONFIGURING"},
                                                               {"PD", "PENDING"},
                                                               {"S", "SUSPENDED"}};
  for (const auto& [text, name] : forms) EXPECT_EQ(parse_job_state(text).name, name) << text;
}

TEST(JobStates, AnUnknownWordIsNoEndAndNoSuccess) {
  for (const std::string text : {"ZZ", "", "C+", "COMPLETININVALID"}) {
    EXPECT_EQ(parse_job_state(text).progress, Progress::unknown) << text;
  }
  EXPECT_EQ(end_in(parse_job_state("ZZ")), JobEnd::lost);
}

TEST(JobStates, EveryEndHasItsMeaning) {
  const std::vector<std::pair<std::string, JobEnd>> ends{
      {"COMPLETED", JobEnd::completed}, {"FAILED", JobEnd::failed},        {"CANCELLED", JobEnd::cancelled},
      {"TIMEOUT", JobEnd::time_limit},  {"DEADLINE", JobEnd::failed},      {"NODE_FAIL", JobEnd::node_fail},
      {"BOOT_FAIL", JobEnd::node_fail}, {"OUT_OF_MEMORY", JobEnd::failed}, {"PREEMPTED", JobEnd::failed},
      {"REVOKED", JobEnd::cancelled},   {"LAUNCH_FAILED", JobEnd::failed}, {"RECONFIG_FAIL", JobEnd::node_fail}};
  for (const auto& [name, end] : ends) {
    const JobState state = parse_job_state(name);
    EXPECT_EQ(state.progress, Progress::ended) << name;
    EXPECT_EQ(end_in(state), end) << name;
    EXPECT_EQ(meaning(state).empty(), name == "COMPLETED") << name;
  }
}

TEST(JobStates, ARequeuedJobComesAgain) {
  for (const std::string name : {"REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD", "SPECIAL_EXIT"}) {
    EXPECT_EQ(parse_job_state(name).progress, Progress::pending) << name;
  }
}

TEST(ExitCodes, TellSignalsInEverySpelling) {
  EXPECT_EQ(signal_of(*parse_exit_code("137:0")), 9);  // scontrol
  EXPECT_EQ(signal_of(*parse_exit_code("9:0")), 9);    // sacct
  EXPECT_EQ(signal_of(*parse_exit_code("0:9")), 9);
  EXPECT_EQ(signal_of(*parse_exit_code("143:0")), 15);
  EXPECT_EQ(signal_of(*parse_exit_code("3:0")), std::nullopt);
  EXPECT_EQ(signal_of(*parse_exit_code("0:125")), std::nullopt);  // out of memory
  EXPECT_EQ(describe(*parse_exit_code("3:0")), "exit status 3");
  EXPECT_EQ(describe(*parse_exit_code("0:11")), "signal 11");
  EXPECT_FALSE(parse_exit_code("").has_value());
  EXPECT_FALSE(parse_exit_code("x:0").has_value());
  EXPECT_FALSE(parse_exit_code("1:").has_value());
}

TEST(PendingReasons, OnlyTheJobsOwnSizeOrHoldingItDoesNotPass) {
  for (const std::string reason :
       {"PartitionNodeLimit", "PartitionTimeLimit", "QOSMaxWallDurationPerJobLimit", "AssocMaxNodePerJobLimit",
        "JobHeldUser", "JobHeldAdmin", "job requeued in held state", "DependencyNeverSatisfied", "AccountNotAllowed",
        "BadConstraints", "InvalidQOS"}) {
    EXPECT_TRUE(cannot_pass(reason)) << reason;
  }
  for (const std::string reason :
       {"Resources", "Priority", "None", "BeginTime", "Dependency", "QOSMaxJobsPerUserLimit", "AssocGrpNodeLimit",
        "ReqNodeNotAvail, UnavailableNodes:n2", "ReqNodeNotAvail, May be reserved for other job"}) {
    EXPECT_FALSE(cannot_pass(reason)) << reason;
  }
}

}  // namespace

}  // namespace slurm
