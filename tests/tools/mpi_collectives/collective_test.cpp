#include "tools/mpi_collectives/collective.hpp"

#include <gtest/gtest.h>

namespace mpi_collectives {
namespace {

const Collective& named(const std::string& name) {
  const Collective* const found = collective_called(name + "_perf_mpi");
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

TEST(Collective, TheNameOfTheProgramPicksIt) {
  EXPECT_EQ(collective_called("/opt/bin/all_reduce_perf_mpi")->name, "all_reduce");
  EXPECT_EQ(collective_called("reduce_scatter_perf")->name, "reduce_scatter");
  EXPECT_EQ(collective_called("mpi_collectives"), nullptr);
  EXPECT_EQ(collective_called("all_reduce"), nullptr);
  EXPECT_EQ(collective_called("/all_reduce_perf_mpi/x"), nullptr);
  EXPECT_EQ(collectives().size(), 9U);
}

TEST(Collective, BusBandwidthFactorsOfNcclTests) {
  const auto factor = [](const std::string& name, int ranks) { return named(name).bus_factor(ranks); };
  EXPECT_DOUBLE_EQ(factor("all_reduce", 4), 1.5);
  EXPECT_DOUBLE_EQ(factor("all_reduce", 16), 1.875);
  for (const char* const name : {"all_gather", "reduce_scatter", "alltoall", "gather", "scatter"}) {
    EXPECT_DOUBLE_EQ(factor(name, 4), 0.75) << name;
    EXPECT_DOUBLE_EQ(factor(name, 1), 0.0) << name;
  }
  EXPECT_DOUBLE_EQ(factor("all_reduce", 1), 0.0);
  for (const char* const name : {"broadcast", "reduce", "sendrecv"}) EXPECT_DOUBLE_EQ(factor(name, 4), 1.0) << name;
}

TEST(Collective, WholeMessages) {
  for (const char* const name : {"all_reduce", "broadcast", "reduce", "sendrecv"}) {
    const Shape shape = shape_of(named(name), 1027, 4, 3);
    EXPECT_EQ(shape.count, 256U) << name;
    EXPECT_EQ(shape.sent, 256U) << name;
    EXPECT_EQ(shape.received, 256U) << name;
  }
}

TEST(Collective, SharedMessagesAreRoundedDownToEqualShares) {
  for (const char* const name : {"all_gather", "gather"}) {
    const Shape shape = shape_of(named(name), 1024, 4, 3);
    EXPECT_EQ(shape.count, 85U) << name;
    EXPECT_EQ(shape.sent, 85U) << name;
    EXPECT_EQ(shape.received, 255U) << name;
  }
  for (const char* const name : {"reduce_scatter", "scatter"}) {
    const Shape shape = shape_of(named(name), 1024, 4, 3);
    EXPECT_EQ(shape.count, 85U) << name;
    EXPECT_EQ(shape.sent, 255U) << name;
    EXPECT_EQ(shape.received, 85U) << name;
  }
  EXPECT_EQ(shape_of(named("alltoall"), 1024, 4, 3).sent, 255U);
  EXPECT_EQ(shape_of(named("alltoall"), 1024, 4, 3).received, 255U);
  EXPECT_EQ(shape_of(named("all_gather"), 8, 4, 4).count, 0U);
}

}  // namespace
}  // namespace mpi_collectives
