// Times as documents have them, and as events of the original tool are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace runai {

// RFC 3339 in UTC with milliseconds.
std::string timestamp_now();

// "2026-02-03T04:05:06.7Z" as Python shows such a time: "datetime.datetime(2026, 2, 3, 4, 5, 6, 700000,
// tzinfo=TzInfo(UTC))". Nothing for a text that is no time.
std::optional<std::string> python_time(std::string_view text);

}  // namespace runai
