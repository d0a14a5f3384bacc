// Time limits as users write them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/result.hpp"

namespace cloudai::config {

struct TimeLimit {
  std::optional<std::chrono::seconds> limit;  // absent: unlimited
  std::string warning;                        // a sentence about a form that can be misread, or empty
};

// With Slurm's meaning: "30" and "30:00" are 30 minutes, "01:30:00" is an hour and a half, "1-12", "1-12:30" and
// "1-12:30:45" begin with days; "0", "UNLIMITED" and "INFINITE" are no limit. And "90s", "90m", "2h", "1d", "1w".
Result<TimeLimit> parse_time_limit(std::string_view text);

}  // namespace cloudai::config
