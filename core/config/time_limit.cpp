#include "core/config/time_limit.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace cloudai::config {
namespace {

constexpr std::int64_t longest = std::int64_t{3650} * 24 * 3600;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<std::int64_t> digits(std::string_view text) {
  // Nine digits cannot overflow below, and are years too many already.
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::optional<std::vector<std::int64_t>> fields(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (true) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto number = digits(text.substr(0, colon));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (colon == text.size()) return numbers;
    text.remove_prefix(colon + 1);
  }
}

std::optional<std::int64_t> with_suffix(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto number = digits(text.substr(0, text.size() - 1));
  if (!number) return std::nullopt;
  switch (std::tolower(static_cast<unsigned char>(text.back()))) {
    case 's':
      return *number;
    case 'm':
      return *number * 60;
    case 'h':
      return *number * 3600;
    case 'd':
      return *number * 24 * 3600;
    case 'w':
      return *number * 7 * 24 * 3600;
    default:
      return std::nullopt;
  }
}

// days-hours[:minutes[:seconds]]
std::optional<std::int64_t> with_days(std::string_view days_text, std::string_view rest) {
  const auto days = digits(days_text);
  const auto parts = fields(rest);
  if (!days || !parts || parts->size() > 3) return std::nullopt;
  std::int64_t seconds = *days * 24 * 3600;
  std::int64_t unit = 3600;
  for (const std::int64_t part : *parts) {
    seconds += part * unit;
    unit /= 60;
  }
  return seconds;
}

// minutes[:seconds] or hours:minutes:seconds
std::optional<std::int64_t> without_days(std::string_view text) {
  const auto parts = fields(text);
  if (!parts || parts->size() > 3) return std::nullopt;
  std::int64_t seconds = 0;
  std::int64_t unit = parts->size() == 3 ? 3600 : 60;
  for (const std::int64_t part : *parts) {
    seconds += part * unit;
    unit /= 60;
  }
  return seconds;
}

bool is_word_for_unlimited(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return upper == "UNLIMITED" || upper == "INFINITE";
}

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

// A limit of two fields has two readings among the users of this tool.
std::string warning_about(std::string_view text) {
  const auto parts = fields(text);
  if (!parts || parts->size() != 2) return {};
  const std::int64_t first = (*parts)[0];
  const std::int64_t second = (*parts)[1];
  const std::string shown(text);
  const std::string tail = ":" + two_digits(second);
  return "time limit '" + shown +
         "' is taken as minutes and seconds, as Slurm takes it; the Python CloudAI takes it as hours and " +
         "minutes. Write '00:" + two_digits(first) + tail + "' or '" + two_digits(first) + tail +
         ":00' to leave no doubt.";
}

}  // namespace

Result<TimeLimit> parse_time_limit(std::string_view whole) {
  const std::string_view text = trimmed(whole);
  if (is_word_for_unlimited(text)) return TimeLimit{};
  const std::size_t dash = text.find('-');
  std::optional<std::int64_t> seconds =
      dash == text.npos ? without_days(text) : with_days(text.substr(0, dash), text.substr(dash + 1));
  if (!seconds) seconds = with_suffix(text);
  if (!seconds) {
    return usage_error("'" + std::string(whole) +
                       "' is no time limit. Write '30' (minutes), 'MM:SS', 'HH:MM:SS', 'D-HH', 'D-HH:MM', " +
                       "'D-HH:MM:SS', a number with s, m, h, d or w ('90m'), or 'UNLIMITED'.");
  }
  if (*seconds > longest) return usage_error("time limit '" + std::string(text) + "' is longer than 3650 days.");
  if (*seconds == 0) return TimeLimit{};
  return TimeLimit{std::chrono::seconds(*seconds), warning_about(text)};
}

}  // namespace cloudai::config
