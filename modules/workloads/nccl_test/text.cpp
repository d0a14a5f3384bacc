#include "modules/workloads/nccl_test/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace cloudai::nccl_test {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> byte_size(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    constexpr std::string_view suffixes = "KkMmGg";
    const std::size_t suffix = suffixes.find(text.back());
    if (suffix != std::string_view::npos) {
      unit = std::pow(1024.0, static_cast<double>(suffix / 2 + 1));
      text.remove_suffix(1);
    }
  }
  const auto value = number(text);
  // 2^53: a double counts single bytes up to there.
  if (!value || *value < 0 || *value * unit > 9007199254740992.0) return std::nullopt;
  return static_cast<std::int64_t>(*value * unit);
}

std::string human_size(std::int64_t bytes) {
  constexpr std::array<const char*, 7> units{"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), value == std::floor(value) ? "%.0f%s" : "%.1f%s", value, units[unit]);
  return text.data();
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace cloudai::nccl_test
