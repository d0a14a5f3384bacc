#include "core/support/time.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace cloudai {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Time, IsWrittenInUtcWithMilliseconds) {
  EXPECT_EQ(rfc3339(Clock::time_point{milliseconds{1772366400123}}), "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(rfc3339(Clock::time_point{}), "1970-01-01T00:00:00.000Z");
}

TEST(Time, IsReadBack) {
  const Clock::time_point time{milliseconds{1772366400123}};
  EXPECT_EQ(parse_rfc3339(rfc3339(time)), time);
  EXPECT_EQ(parse_rfc3339("2026-03-01T12:00:00Z"), Clock::time_point{seconds{1772366400}});
}

TEST(Time, RefusesOtherForms) {
  for (const char* text :
       {"", "2026-03-01", "2026-03-01 12:00:00Z", "2026-03-01T12:00:00+01:00", "2026-03-01T12:00:00Zx"}) {
    EXPECT_EQ(parse_rfc3339(text), std::nullopt) << text;
  }
}

TEST(Time, TheStampOfADirectoryIsLocal) {
  ::setenv("TZ", "UTC-2", 1);
  ::tzset();
  EXPECT_EQ(directory_stamp(Clock::time_point{seconds{1772366400}}), "2026-03-01_14-00-00");
}

TEST(Time, DurationsAreWrittenAsSlurmDoes) {
  EXPECT_EQ(slurm_duration(seconds{0}), "00:00:00");
  EXPECT_EQ(slurm_duration(seconds{3600}), "01:00:00");
  EXPECT_EQ(slurm_duration(seconds{86399}), "23:59:59");
  EXPECT_EQ(slurm_duration(seconds{604800}), "7-00:00:00");
}

}  // namespace
}  // namespace cloudai
