#include "core/support/time.hpp"

#include <date/date.h>
#include <cstdio>
#include <ctime>
#include <sstream>

namespace cloudai {

using std::chrono::milliseconds;

std::string rfc3339(Clock::time_point time) {
  return date::format("%FT%TZ", date::floor<milliseconds>(time));
}

std::optional<Clock::time_point> parse_rfc3339(std::string_view text) {
  std::istringstream stream{std::string(text)};
  date::sys_time<milliseconds> time;
  stream >> date::parse("%FT%TZ", time);
  if (stream.fail() || stream.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
  return time;
}

std::string directory_stamp(Clock::time_point time) {
  const std::time_t seconds = Clock::to_time_t(time);
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%d_%H-%M-%S", &local);
  return {text, size};
}

std::string slurm_duration(std::chrono::seconds duration) {
  const auto total = duration.count();
  const auto days = total / 86400;
  char text[64];
  const int size = days > 0 ? std::snprintf(text, sizeof text, "%lld-%02d:%02d:%02d", static_cast<long long>(days),
                                            static_cast<int>(total / 3600 % 24), static_cast<int>(total / 60 % 60),
                                            static_cast<int>(total % 60))
                            : std::snprintf(text, sizeof text, "%02d:%02d:%02d", static_cast<int>(total / 3600),
                                            static_cast<int>(total / 60 % 60), static_cast<int>(total % 60));
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace cloudai
