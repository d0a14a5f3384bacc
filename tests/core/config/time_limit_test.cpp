#include "core/config/time_limit.hpp"

#include <gtest/gtest.h>

namespace cloudai::config {
namespace {

// -1: unlimited, -2: refused.
struct Form {
  const char* text;
  long seconds;
};

class TimeLimitForms : public testing::TestWithParam<Form> {};

TEST_P(TimeLimitForms, HaveSlurmsMeaning) {
  const auto limit = parse_time_limit(GetParam().text);
  if (GetParam().seconds == -2) {
    EXPECT_FALSE(limit);
    return;
  }
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->limit ? limit->limit->count() : -1, GetParam().seconds);
}

INSTANTIATE_TEST_SUITE_P(All, TimeLimitForms,
                         testing::Values(Form{"30", 1800}, Form{"30:00", 1800}, Form{"01:30:00", 5400},
                                         Form{"1-12", 129600}, Form{"1-12:30", 131400}, Form{"1-12:30:45", 131445},
                                         Form{"00:00:30", 30}, Form{"100:00:00", 360000}, Form{"UNLIMITED", -1},
                                         Form{"infinite", -1}, Form{"0", -1}, Form{"00:00:00", -1}, Form{"90s", 90},
                                         Form{"90m", 5400}, Form{"2h", 7200}, Form{"1d", 86400}, Form{"1W", 604800},
                                         Form{"00:75:00", 4500}, Form{" 10:00 ", 600}, Form{"5:07", 307},
                                         Form{"-1", -2}, Form{"1:2:3:4", -2}, Form{"1.5h", -2}, Form{"", -2},
                                         Form{" ", -2}, Form{"h", -2}, Form{"1-", -2}, Form{"-", -2},
                                         Form{"1-2:3:4:5", -2}, Form{"1:", -2}, Form{":1", -2}, Form{"1h30m", -2},
                                         Form{"ten", -2}, Form{"1 h", -2}, Form{"99999999999999999999", -2},
                                         Form{"999999999w", -2}, Form{"3650d", 315360000}, Form{"3651d", -2}));

TEST(TimeLimit, TwoFieldsAreReadAsSlurmDoesAndWarnOfTheOtherReading) {
  EXPECT_EQ(
      parse_time_limit("20:00")->warning,
      "time limit '20:00' is taken as minutes and seconds, as Slurm takes it; the Python CloudAI takes it as hours and "
      "minutes. Write '00:20:00' or '20:00:00' to leave no doubt.");
  for (const char* clear : {"20", "00:20:00", "1-12:30", "20m", "UNLIMITED"}) {
    EXPECT_EQ(parse_time_limit(clear)->warning, "") << clear;
  }
}

TEST(TimeLimit, RefusalNamesTheFormsThereAre) {
  EXPECT_EQ(parse_time_limit("1.5h").error().message,
            "'1.5h' is no time limit. Write '30' (minutes), 'MM:SS', 'HH:MM:SS', 'D-HH', 'D-HH:MM', 'D-HH:MM:SS', a "
            "number with "
            "s, m, h, d or w ('90m'), or 'UNLIMITED'.");
  EXPECT_EQ(parse_time_limit("4000d").error().message, "time limit '4000d' is longer than 3650 days.");
}

}  // namespace
}  // namespace cloudai::config
