#include "core/config/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace cloudai::config {
namespace {

using Value = decltype(Node::value);

template <std::size_t size>
bool is_one_of(std::string_view text, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text;
}

Value integer(std::string_view digits, int base) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc()) return std::numeric_limits<double>::infinity();
  return number;
}

std::optional<Value> as_integer(std::string_view text) {
  constexpr std::string_view decimal = "0123456789";
  if (text.starts_with("0o") && has_only(text.substr(2), "01234567")) return integer(text.substr(2), 8);
  if (text.starts_with("0x") && has_only(text.substr(2), "0123456789abcdefABCDEF")) return integer(text.substr(2), 16);
  if (!has_only(without_sign(text), decimal)) return std::nullopt;
  return integer(text.starts_with('+') ? text.substr(1) : text, 10);
}

std::optional<Value> as_number(std::string_view text) {
  const std::string_view unsigned_text = without_sign(text);
  if (is_one_of(unsigned_text, std::array<std::string_view, 3>{".inf", ".Inf", ".INF"})) {
    return std::numeric_limits<double>::infinity();
  }
  if (is_one_of(text, std::array<std::string_view, 3>{".nan", ".NaN", ".NAN"})) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // What the conversion would take beside these ("inf", "nan") is text.
  if (!has_only(unsigned_text.substr(0, 1), ".0123456789")) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(unsigned_text.data(), unsigned_text.data() + unsigned_text.size(), number);
  if (end != unsigned_text.data() + unsigned_text.size()) return std::nullopt;
  // Tells too large from too small, which is zero.
  if (error == std::errc::result_out_of_range) number = std::strtod(std::string(unsigned_text).c_str(), nullptr);
  return text.starts_with('-') ? -number : number;
}

}  // namespace

Node plain_scalar(std::string_view text, Position position) {
  Node node{std::string(text), std::move(position)};
  if (is_one_of(text, std::array<std::string_view, 3>{"true", "True", "TRUE"})) {
    node.value = true;
  } else if (is_one_of(text, std::array<std::string_view, 3>{"false", "False", "FALSE"})) {
    node.value = false;
  } else if (std::optional<Value> whole = as_integer(text)) {
    node.value = *std::move(whole);
    // "007" may be a name; signs and other bases are ways to write a number.
    const std::string_view digits = without_sign(text);
    const bool has_leading_zero = digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
    if (has_leading_zero) node.spelling = std::make_shared<const std::string>(text);
  } else if (std::optional<Value> number = as_number(text)) {
    node.value = *std::move(number);
    node.spelling = std::make_shared<const std::string>(text.starts_with('+') ? text.substr(1) : text);
  }
  return node;
}

}  // namespace cloudai::config
