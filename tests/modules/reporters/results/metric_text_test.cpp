#include "modules/reporters/results/metric_text.hpp"

#include <gtest/gtest.h>

namespace cloudai::results {
namespace {

TEST(MetricText, TellsNameLabelsAndValue) {
  const Metric metric{"busbw", 181.7784, "GB/s", Better::higher, true, {{"placement", "in"}, {"size", "8589934592"}}};
  EXPECT_EQ(name_with_labels(metric), "busbw (placement in, size 8 GiB)");
  EXPECT_EQ(value_text(metric.value, metric.unit), "181.778 GB/s");
  EXPECT_EQ(value_text(3, "1"), "3");
  EXPECT_EQ(name_with_labels({"steps", 3, "1", Better::none, false, {}}), "steps");
}

TEST(MetricText, ShowsSizesThatAreNoWholeNumberOfUnitsInFull) {
  EXPECT_EQ(name_with_labels({"time", 1, "us", Better::lower, false, {{"size", "1537"}}}), "time (size 1537 B)");
  EXPECT_EQ(name_with_labels({"time", 1, "us", Better::lower, false, {{"size", "large"}}}), "time (size large)");
}

}  // namespace
}  // namespace cloudai::results
