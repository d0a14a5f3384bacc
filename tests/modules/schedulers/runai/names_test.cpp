#include <gmock/gmock.h>

#include "workload_names.hpp"

namespace runai {
namespace {

struct Row {
  const char* text;
  const char* name;
};
class WorkloadNames : public ::testing::TestWithParam<Row> {};

TEST_P(WorkloadNames, AreValidWhateverTheyAreMadeOf) {
  EXPECT_EQ(workload_name(GetParam().text, "k3x9a0b1c2d3e"), GetParam().name);
  EXPECT_LE(std::string(GetParam().name).size(), 34);
}

INSTANTIATE_TEST_SUITE_P(
    All, WorkloadNames,
    ::testing::Values(Row{"Tests.1", "tests-1-k3x9a0b1c2d3e"}, Row{"NCCL_AllReduce", "nccl-allreduce-k3x9a0b1c2d3e"},
                      Row{"-lead-and-trail-", "lead-and-trail-k3x9a0b1c2d3e"},
                      Row{"1starts-with-digit", "w-1starts-with-digit-k3x9a0b1c2d3e"},
                      Row{"nccl_a", "nccl-a-k3x9a0b1c2d3e"}, Row{"größe", "gr-e-k3x9a0b1c2d3e"},
                      Row{"very-long-very-long-very-long-very-long", "very-long-very-long-k3x9a0b1c2d3e"},
                      Row{"nineteen-characters-and", "nineteen-characters-k3x9a0b1c2d3e"}, Row{"", "w-k3x9a0b1c2d3e"},
                      Row{"...", "w-k3x9a0b1c2d3e"}, Row{"a..b__c", "a-b-c-k3x9a0b1c2d3e"}),
    [](const auto& row) { return "Row" + std::to_string(row.index); });

TEST(WorkloadNamesOf, TwoJobsAreTwo) {
  EXPECT_NE(workload_name("nccl_a", "tag1"), workload_name("nccl-a", "tag2"));
}

TEST(WorkloadNamesOf, OneThatIsTakenHasAnother) {
  EXPECT_EQ(other_workload_name("tests-1-tag1", "tag1"), "tests-1-2-tag1");
  const std::string longest = workload_name("very-long-very-long-very-long", "k3x9a0b1c2d3e");
  const std::string other = other_workload_name(longest, "k3x9a0b1c2d3e");
  EXPECT_NE(other, longest);
  EXPECT_LE(other.size(), 34);
  EXPECT_THAT(other, ::testing::EndsWith("-2-k3x9a0b1c2d3e"));
}

TEST(WorkloadNamesOf, HaveABeginningInCommon) {
  EXPECT_EQ(common_prefix({"scenario-a-1", "scenario-b-2"}), "scenario-");
  EXPECT_EQ(common_prefix({"a"}), "a");
  EXPECT_EQ(common_prefix({"ab", "a"}), "a");
  EXPECT_EQ(common_prefix({"x", "y"}), "");
  EXPECT_EQ(common_prefix({}), "");
}

}  // namespace
}  // namespace runai
