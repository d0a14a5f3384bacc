#include "modules/workloads/nccl_test/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace cloudai::nccl_test {

namespace {

// Control characters are blanks, too.
constexpr bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "23.50": up to 15 characters, of which a division makes the nearest double, far faster than a general reader of
// numbers.
std::optional<double> plain_decimal(std::string_view text) {
  constexpr std::array<double, 16> powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (text.empty() || text.size() >= powers.size() || !is_digit(text.front())) return std::nullopt;
  const char* at = text.data();
  const char* const end = at + text.size();
  std::int64_t digits = 0;
  for (; at != end && is_digit(*at); ++at) digits = digits * 10 + (*at - '0');
  if (at == end) return static_cast<double>(digits);
  if (*at++ != '.' || at == end) return std::nullopt;
  const char* const decimals = at;
  for (; at != end && is_digit(*at); ++at) digits = digits * 10 + (*at - '0');
  if (at != end) return std::nullopt;
  return static_cast<double>(digits) / powers[static_cast<std::size_t>(end - decimals)];
}

}  // namespace

void Words::split(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  std::size_t size = 0;
  while (size < words_.size()) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) break;
    const char* const begin = at;
    while (at != end && !is_blank(*at)) ++at;
    words_[size++] = {begin, static_cast<std::size_t>(at - begin)};
  }
  size_ = size;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view text_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + key.size());
}

std::string_view word_after(std::string_view text, std::string_view key) {
  const std::string_view rest = trimmed(text_after(text, key));
  return rest.substr(0, rest.find_first_of(" \t"));
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  if (!text.empty() && text.size() <= 18) {
    // Too few digits to overflow.
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end && is_digit(*at)) value = value * 10 + (*at++ - '0');
    if (at == end) return value;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> number(std::string_view text) {
  if (const auto plain = plain_decimal(text)) return plain;
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
