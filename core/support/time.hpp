// Times as documents carry them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace cloudai {

using Clock = std::chrono::system_clock;

// "2026-03-01T12:00:00.000Z".
std::string rfc3339(Clock::time_point time);

// The inverse of rfc3339; fractions of a second are optional. Nothing if `text` is not of that form.
std::optional<Clock::time_point> parse_rfc3339(std::string_view text);

// "2026-03-01_12-00-00" in local time: the stamp in a results directory's name.
std::string directory_stamp(Clock::time_point time);

// "01:02:03", or "1-02:03:04" from a day on: the form Slurm prints.
std::string slurm_duration(std::chrono::seconds duration);

}  // namespace cloudai
