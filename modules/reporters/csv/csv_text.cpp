#include "modules/reporters/csv/csv_text.hpp"

#include <charconv>

namespace cloudai::csv {

namespace {

bool is_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double ignored = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
  return error == std::errc{} && end == text.data() + text.size();
}

bool is_formula(std::string_view text) {
  constexpr std::string_view starts_a_formula = "=+-@\t\r";
  return !text.empty() && starts_a_formula.find(text.front()) != std::string_view::npos && !is_number(text);
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
  std::string result;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) result += ',';
    result += cell;
  }
  return result + '\n';
}

}  // namespace cloudai::csv
