#include "system_options.hpp"

#include <gmock/gmock.h>

#include "cloudai/error.hpp"

namespace slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SystemOptions options_of(const char* json) {
  cloudai::SystemSettings settings;
  settings.name = "cluster";
  settings.options.json = cloudai::Json::parse(json);
  return read_system_options(settings);
}

std::string refusal(const char* json) {
  try {
    options_of(json);
    return "no refusal";
  } catch (const cloudai::Error& error) {
    return error.message();
  }
}

TEST(SystemOptions, AreRead) {
  const SystemOptions options = options_of(R"({
    "default_partition": "p", "account": "acc", "mpi": "pmi2", "gpus_per_node": 8, "ntasks_per_node": 4,
    "partitions": [{"name": "p", "groups": [{"name": "g", "nodes": ["n[1-2]", "n2", "m"]}]}, {"name": "q"}]})");
  EXPECT_EQ(options.default_partition, "p");
  EXPECT_EQ(options.account, "acc");
  EXPECT_EQ(options.mpi, "pmi2");
  EXPECT_EQ(options.gpus_per_node, 8);
  EXPECT_EQ(options.tasks_per_node, 4);
  EXPECT_EQ(options.supports_gpu_directives, std::nullopt);
  ASSERT_EQ(options.partitions.size(), 2);
  EXPECT_THAT(options.partitions[0].groups[0].nodes, ElementsAre("n1", "n2", "m"));
}

TEST(SystemOptions, RefuseWhatTheSchemaCannotSee) {
  EXPECT_EQ(
      refusal(
          R"({"default_partition": "p", "partitions": [{"name": "p", "groups": [{"name": "g", "nodes": ["n[1-"]}]}]})"),
      "Group 'g' of partition 'p': 'n[1-' is not a host list: a '[' is not closed (at character 2).");
  EXPECT_EQ(refusal(R"({"default_partition": "p", "partitions": [{"name": "p"}, {"name": "p"}]})"),
            "Partition 'p' is there twice in the system file.");
  EXPECT_EQ(
      refusal(R"({"default_partition": "p", "partitions": [{"name": "p", "groups": [{"name": "g"}, {"name": "g"}]}]})"),
      "Of partition 'p', the group 'g' is there twice in the system file.");
}

TEST(SystemOptions, ExtraArgumentsMayNotTakeWhatCloudaiReliesOn) {
  const auto with = [](const std::string& argument) {
    return refusal(cloudai::Json{{"default_partition", "p"}, {"extra_sbatch_args", {argument}}}.dump().c_str());
  };
  for (const char* argument : {"--job-name=x", "--job-name x", "-J x", "-Jx", "--job-n=x", "--qos=a  -J x"}) {
    EXPECT_THAT(with(argument),
                HasSubstr("but cloudai itself decides the job's name, which ends with the tag it is found by."));
  }
  for (const char* argument : {"--output=x", "--out=x", "-o x", "--error=x", "-e x", "--array=1-2", "-a 1",
                               "--parsable", "--open-mode=truncate"}) {
    EXPECT_THAT(with(argument), HasSubstr("but cloudai itself decides")) << argument;
  }
  for (const char* argument :
       {"--qos=high", "--exclusive", "--jobid=1", "--comment=-J", "--export=ALL", "--requeue", "--mem=0"}) {
    EXPECT_EQ(with(argument), "no refusal") << argument;
  }
  EXPECT_EQ(with("--qos=a\n--job-name=x"),
            "'extra_sbatch_args' has '--qos=a --job-name=x', which is more than a line.");
}

TEST(RequestedReservation, IsFoundInEitherSpelling) {
  SystemOptions options;
  EXPECT_EQ(requested_reservation(options), "");
  options.extra_srun_args = "--mem=0 --reservation bench --overlap";
  EXPECT_EQ(requested_reservation(options), "bench");
  options.extra_srun_args = "--reservation='bench2'";
  EXPECT_EQ(requested_reservation(options), "bench2");
  options.extra_srun_args = "--reservation";
  EXPECT_EQ(requested_reservation(options), "");
  options.extra_sbatch_args = {"--qos=x", "--reservation=own"};
  EXPECT_EQ(requested_reservation(options), "own");
}

}  // namespace
}  // namespace slurm
