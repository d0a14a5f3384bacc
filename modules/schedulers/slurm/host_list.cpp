#include "host_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"

namespace slurm {
namespace {

constexpr size_t most_names = 65536;  // Slurm's limit for a range
constexpr size_t most_digits = 18;    // what fits 64 bits

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= most_digits && std::all_of(text.begin(), text.end(), is_digit);
}

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::string padded(std::uint64_t number, size_t width) {
  std::string digits = std::to_string(number);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

// One list, read from left to right.
class Expansion {
 public:
  explicit Expansion(std::string_view text) : text_(text) {}

  std::vector<std::string> names() {
    std::vector<std::string> names;
    std::set<std::string> seen;
    do {
      skip_blanks();
      for (std::string& name : read_element()) {
        if (seen.insert(name).second) names.push_back(std::move(name));
      }
      skip_blanks();
    } while (take(','));
    if (position_ < text_.size()) refuse("there is a blank inside a name", position_);
    return names;
  }

 private:
  [[noreturn]] void refuse(const std::string& what, size_t position) const {
    throw cloudai::Error(cloudai::Status::invalid_config,
                         "'" + cloudai::one_line(text_) + "' is not a host list: " + what + " (at character " +
                             std::to_string(position + 1) + ").",
                         "Write names and ranges like \"node[001-004,7],login\".");
  }

  bool take(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }

  // A name with any number of brackets; each multiplies the names.
  std::vector<std::string> read_element() {
    const size_t begin = position_;
    std::vector<std::string> names{""};
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == ',' || c == ' ' || c == '\t') break;
      if (c == ']') refuse("there is a ']' without a '['", position_);
      if (take('[')) {
        names = combined(names, read_ranges(), begin);
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) refuse("there is a control character", position_);
      for (std::string& name : names) name += c;
      ++position_;
    }
    if (position_ == begin) refuse("a name is empty", begin);
    return names;
  }

  std::vector<std::string> combined(const std::vector<std::string>& heads, const std::vector<std::string>& tails,
                                    size_t begin) const {
    if (heads.size() * tails.size() > most_names) refuse("it names more than 65536 hosts", begin);
    std::vector<std::string> names;
    names.reserve(heads.size() * tails.size());
    for (const std::string& head : heads) {
      for (const std::string& tail : tails) names.push_back(head + tail);
    }
    return names;
  }

  // What stands between '[' and ']'.
  std::vector<std::string> read_ranges() {
    const size_t open = position_ - 1;
    const size_t close = text_.find(']', position_);
    if (close == std::string_view::npos) refuse("a '[' is not closed", open);
    std::vector<std::string> numbers;
    do {
      const size_t begin = position_;
      const size_t end = std::min(text_.find(',', position_), close);
      add_range(text_.substr(begin, end - begin), begin, numbers);
      position_ = end;
    } while (take(','));
    position_ = close + 1;
    return numbers;
  }

  void add_range(std::string_view range, size_t position, std::vector<std::string>& numbers) const {
    if (range.empty()) refuse("a range is empty", position);
    const size_t dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
    const std::string shown = "'" + cloudai::one_line(range) + "'";
    if (!is_number(first) || !is_number(last)) refuse(shown + " is neither a number nor two with a '-'", position);
    const std::uint64_t low = number_of(first);
    const std::uint64_t high = number_of(last);
    if (high < low) refuse("the range " + shown + " ends before it starts", position);
    if (high - low >= most_names - numbers.size()) refuse("it names more than 65536 hosts", position);
    for (std::uint64_t number = low; number <= high; ++number) numbers.push_back(padded(number, first.size()));
  }

  std::string_view text_;
  size_t position_ = 0;
};

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// A number in a name and what stands around it.
struct SplitName {
  std::string prefix;
  std::string digits;  // empty: none that a range could hold
  std::string suffix;
};

// Takes the number that is `skipped` numbers before the last, or the first if there are not so many.
SplitName split(const std::string& name, int skipped) {
  SplitName parts{name, "", ""};
  size_t end = name.size();
  for (; skipped >= 0; --skipped) {
    while (end > 0 && !is_digit(name[end - 1])) --end;
    size_t begin = end;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    if (begin == end) break;
    if (end - begin <= most_digits) parts = {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
    end = begin;
  }
  return parts;
}

// "001-003,7" for the numbers of one prefix and suffix.
std::string ranges_of(std::vector<std::string> numbers) {
  const auto key = [](const std::string& digits) { return std::make_tuple(number_of(digits), digits.size()); };
  std::sort(numbers.begin(), numbers.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    // A range goes on as long as its lower bound's width gives the very digits.
    while (last + 1 < numbers.size() &&
           numbers[last + 1] == padded(number_of(numbers[i]) + (last + 1 - i), numbers[i].size())) {
      ++last;
    }
    text += (text.empty() ? "" : ",") + numbers[i];
    if (last > i) text += "-" + numbers[last];
    i = last + 1;
  }
  return text;
}

// With the brackets around the same number of each name.
std::string compressed(const std::vector<std::string>& names, int skipped) {
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> numbers;
  for (const std::string& name : names) {
    const SplitName parts = split(name, skipped);
    const auto [entry, is_new] = numbers.try_emplace({parts.prefix, parts.suffix});
    if (is_new) order.push_back(entry->first);
    if (!parts.digits.empty()) entry->second.push_back(parts.digits);
  }
  std::string text;
  for (const auto& around : order) {
    const std::string ranges = ranges_of(numbers.at(around));
    const bool is_one = ranges.find_first_of(",-") == std::string::npos;
    text += (text.empty() ? "" : ",") + around.first + (is_one ? ranges : "[" + ranges + "]") + around.second;
  }
  return text;
}

size_t digits_at(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  return static_cast<size_t>(end - text.begin());
}

std::string_view without_zeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

std::vector<std::string> expand_host_list(std::string_view expression) {
  constexpr std::array<std::string_view, 4> fillers{"", "(null)", "None assigned", "n/a"};
  const std::string_view text = trimmed(expression);
  if (std::find(fillers.begin(), fillers.end(), text) != fillers.end()) return {};
  return Expansion(text).names();
}

std::string compress_host_list(const std::vector<std::string>& names) {
  constexpr int most_numbers = 4;
  std::string shortest = compressed(names, 0);
  for (int skipped = 1; skipped < most_numbers; ++skipped) {
    std::string text = compressed(names, skipped);
    if (text.size() < shortest.size()) shortest = std::move(text);
  }
  return shortest;
}

bool host_less(std::string_view left, std::string_view right) {
  const std::string_view whole_left = left;
  const std::string_view whole_right = right;
  while (!left.empty() && !right.empty()) {
    const size_t left_digits = digits_at(left);
    const size_t right_digits = digits_at(right);
    if (left_digits == 0 || right_digits == 0) {
      if (left.front() != right.front()) return left.front() < right.front();
      left.remove_prefix(1);
      right.remove_prefix(1);
      continue;
    }
    const std::string_view a = without_zeros(left.substr(0, left_digits));
    const std::string_view b = without_zeros(right.substr(0, right_digits));
    if (a != b) return a.size() != b.size() ? a.size() < b.size() : a < b;
    left.remove_prefix(left_digits);
    right.remove_prefix(right_digits);
  }
  if (left.empty() != right.empty()) return left.empty();
  return whole_left < whole_right;
}

}  // namespace slurm
