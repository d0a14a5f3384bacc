#include "timestamps.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <regex>

namespace runai {
namespace {

// "TzInfo(UTC)", "TzInfo(+02:00)"
std::string zone_of(const std::string& zone) {
  const bool is_utc = zone.empty() || zone == "Z" || zone == "z" || zone == "+00:00";
  return "TzInfo(" + (is_utc ? std::string("UTC") : zone) + ")";
}

std::string number(const std::string& digits) {
  return std::to_string(std::stoi(digits));
}

}  // namespace

std::string timestamp_now() {
  using namespace std::chrono;
  const auto now = system_clock::now();
  const std::time_t seconds = system_clock::to_time_t(now);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> date{};
  std::array<char, 48> text{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const auto part = static_cast<int>(duration_cast<milliseconds>(now.time_since_epoch()).count() % 1000);
  std::snprintf(text.data(), text.size(), "%s.%03dZ", date.data(), part);
  return text.data();
}

std::optional<std::string> python_time(std::string_view text) {
  static const std::regex pattern(
      R"((\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)?)");
  const std::string copy(text);
  std::smatch match;
  if (!std::regex_match(copy, match, pattern)) return std::nullopt;
  std::string result = "datetime.datetime(";
  for (const std::size_t part : {1U, 2U, 3U, 4U, 5U}) result += (part == 1 ? "" : ", ") + number(match[part]);
  std::string fraction = match[7];
  fraction = (fraction + "000000").substr(0, 6);
  const int microseconds = std::stoi(fraction);
  const int seconds = std::stoi(match[6]);
  if (seconds != 0 || microseconds != 0) result += ", " + std::to_string(seconds);
  if (microseconds != 0) result += ", " + std::to_string(microseconds);
  return result + ", tzinfo=" + zone_of(match[8]) + ")";
}

}  // namespace runai
