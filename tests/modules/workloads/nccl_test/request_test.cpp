#include "modules/workloads/nccl_test/request.hpp"

#include <gtest/gtest.h>

namespace cloudai::nccl_test {
namespace {

Request request(std::vector<std::string> arguments, const std::string& program = "all_reduce_perf_mpi") {
  arguments.insert(arguments.begin(), program);
  return request_of(arguments);
}

std::vector<std::int64_t> sizes(const std::vector<std::string>& arguments) {
  std::vector<std::int64_t> result;
  const auto sweep = request(arguments).sweep;
  if (!sweep) return result;
  for (std::optional<std::int64_t> size = sweep->smallest; size; size = sweep->after(*size)) result.push_back(*size);
  EXPECT_EQ(result.back(), sweep->last());
  EXPECT_EQ(static_cast<std::int64_t>(result.size()), sweep->count());
  return result;
}

using Sizes = std::vector<std::int64_t>;

TEST(Request, Sizes) {
  EXPECT_EQ(sizes({}), Sizes{33554432});
  EXPECT_EQ(sizes({"--minbytes", "8", "--maxbytes", "128", "--stepfactor", "4"}), (Sizes{8, 32, 128}));
  EXPECT_EQ(sizes({"-b8", "-e", "100", "-f2"}), (Sizes{8, 16, 32, 64}));
  EXPECT_EQ(sizes({"--minbytes=8", "--maxbytes=100", "--stepbytes=40"}), (Sizes{8, 48, 88}));
  EXPECT_EQ(sizes({"-b", "1M", "-e", "2M", "-f", "2", "-e", "4M"}), (Sizes{1048576, 2097152, 4194304}));
  EXPECT_EQ(sizes({"-b", "0", "-e", "8", "-f", "2"}), Sizes{0});
  EXPECT_EQ(sizes({"-b", "8", "-e", "16", "-i", "0"}), Sizes{8});
  EXPECT_EQ(request({"-b", "64M"}).sweep, std::nullopt);
  EXPECT_EQ(request({"-b", "x"}).sweep, std::nullopt);
}

TEST(Request, WhatIsMeasured) {
  EXPECT_EQ(request({}).collective, "all_reduce");
  EXPECT_EQ(request({}).type, "float");
  EXPECT_EQ(request({}).redop, "sum");
  const Request other = request({"-d", "half", "--op=max"}, "/opt/nccl-tests/build/reduce_perf");
  EXPECT_EQ(other.collective, "reduce");
  EXPECT_EQ(other.type, "half");
  EXPECT_EQ(other.redop, "max");
}

TEST(Request, CollectiveOfAProgram) {
  EXPECT_EQ(collective_of("all_reduce_perf_mpi"), "all_reduce");
  EXPECT_EQ(collective_of("/opt/nccl-tests/build/alltoallv_perf"), "alltoallv");
  EXPECT_EQ(collective_of("other"), "other");
}

TEST(Request, RoundingFollowsTheCollective) {
  EXPECT_EQ(rounding(request({}), 16), 8);
  EXPECT_EQ(rounding(request({}, "alltoall_perf_mpi"), 16), 256);
  EXPECT_EQ(rounding(request({}, "hypercube_perf_mpi"), 16), 512);
  EXPECT_EQ(rounding(request({}, "alltoallv_perf_mpi"), 16), std::nullopt);
  EXPECT_EQ(rounding(request({}, "a_fork_of_it"), 0), 16);
}

}  // namespace
}  // namespace cloudai::nccl_test
