#include "modules/reporters/csv/csv_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace cloudai::csv {

namespace {

bool is_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double ignored = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
  return error == std::errc{} && end == text.data() + text.size();
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_formula(std::string_view text) {
  // The last four are the wide forms of = + - @, which some programs read as the plain ones.
  constexpr std::array<std::string_view, 11> starts{
      "=", "+", "-", "@", "\t", "\r", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
  return !is_number(text) &&
         std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return starts_with(text, start); });
}

}  // namespace

std::string text_cell(std::string_view text) {
  std::string cell = is_formula(text) ? "'" : "";
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted || c == ',' || c == '"' || c == '\n' || c == '\r';
    if (c == '"') cell += '"';
    if (c == '\0') continue;  // no program reads it as text
    cell += c;
  }
  return quoted ? '"' + cell + '"' : cell;
}

std::string json_cell(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? text_cell(value.get_ref<const std::string&>()) : text_cell(value.dump());
}

std::string number_cell(double value) {
  return Json(value).dump();
}

std::string line(const std::vector<std::string>& cells) {
  // An empty line would be none.
  if (cells.size() == 1 && cells.front().empty()) return "\"\"\n";
  std::string result;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) result += ',';
    result += cell;
  }
  return result + '\n';
}

}  // namespace cloudai::csv
