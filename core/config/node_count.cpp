#include "core/config/node_count.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace cloudai::config {
namespace {

constexpr std::int64_t most_nodes = 1000000;

std::optional<std::int64_t> digits(std::string_view text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// "001-003,007" is 4.
std::optional<std::int64_t> count_ranges(std::string_view ranges) {
  std::int64_t count = 0;
  while (true) {
    const std::size_t comma = std::min(ranges.find(','), ranges.size());
    const std::string_view range = ranges.substr(0, comma);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const auto first = digits(range.substr(0, dash));
    const auto last = dash == range.size() ? first : digits(range.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    count += *last - *first + 1;
    if (comma == ranges.size()) return count;
    ranges.remove_prefix(comma + 1);
  }
}

// One name with any number of brackets: the product of their counts.
std::optional<std::int64_t> count_name(std::string_view name) {
  if (name.empty()) return std::nullopt;
  std::int64_t count = 1;
  while (true) {
    const std::size_t open = name.find('[');
    if (open == name.npos) return name.find(']') == name.npos ? std::optional(count) : std::nullopt;
    const std::size_t close = name.find(']', open);
    if (close == name.npos) return std::nullopt;
    const auto own = count_ranges(name.substr(open + 1, close - open - 1));
    if (!own || *own > most_nodes / count) return std::nullopt;
    count *= *own;
    name.remove_prefix(close + 1);
  }
}

std::optional<std::int64_t> count_group(std::string_view expression) {
  const std::size_t last = expression.rfind(':');
  return digits(expression.substr(last + 1));
}

// Names separated by the commas outside brackets.
std::optional<std::int64_t> count_names(std::string_view expression) {
  std::int64_t count = 0;
  std::size_t begin = 0;
  bool is_inside = false;
  for (std::size_t i = 0; i <= expression.size(); ++i) {
    const char c = i < expression.size() ? expression[i] : ',';
    if (c == '[') is_inside = true;
    if (c == ']') is_inside = false;
    if (c != ',' || (is_inside && i < expression.size())) continue;
    std::string_view name = expression.substr(begin, i - begin);
    while (name.starts_with(' ')) name.remove_prefix(1);
    const auto own = count_name(name);
    if (!own) return std::nullopt;
    count += *own;
    begin = i + 1;
  }
  return count;
}

}  // namespace

std::optional<int> node_count(const std::vector<std::string>& expressions) {
  std::int64_t count = 0;
  for (const std::string& expression : expressions) {
    const bool is_group = expression.find(':') != expression.npos;
    const auto own = is_group ? count_group(expression) : count_names(expression);
    if (!own) return std::nullopt;
    count += *own;
  }
  if (count > most_nodes) return std::nullopt;
  return static_cast<int>(count);
}

}  // namespace cloudai::config
