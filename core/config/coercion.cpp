#include "core/config/coercion.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/config/schema_walk.hpp"

namespace cloudai::config {
namespace {

using Value = decltype(Node::value);
using Types = std::vector<std::string>;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<bool> parse_boolean(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* yes : {"true", "yes", "on", "t", "y", "1"}) {
    if (lower == yes) return true;
  }
  for (const char* no : {"false", "no", "off", "f", "n", "0"}) {
    if (lower == no) return false;
  }
  return std::nullopt;
}

bool wants(const Types& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

std::optional<Value> from_text(const std::string& whole, const Types& types) {
  const std::string_view text = trimmed(whole);
  if (wants(types, "integer") || wants(types, "number")) {
    if (const auto integer = parse<std::int64_t>(text)) return *integer;
  }
  if (wants(types, "number")) {
    if (const auto number = parse<double>(text); number && std::isfinite(*number)) return *number;
  }
  if (wants(types, "boolean")) {
    if (const auto boolean = parse_boolean(text)) return *boolean;
  }
  return std::nullopt;
}

// A number where a text is wanted: as it was written, since "24.10" may be a version.
std::string text_of_number(const Node& number) {
  return number.spelling ? *number.spelling : to_json(number).dump();
}

std::optional<Value> from_number(const Node& node, double number, const Types& types) {
  // 2^63, the first value too large for the integer type, is exact as a double.
  constexpr double limit = 9223372036854775808.0;
  const bool is_integral = number == std::trunc(number) && number >= -limit && number < limit;
  if (wants(types, "integer") && is_integral) return static_cast<std::int64_t>(number);
  if (wants(types, "string")) return text_of_number(node);
  if (wants(types, "boolean") && (number == 0 || number == 1)) return number == 1;
  return std::nullopt;
}

std::optional<Value> from_integer(const Node& node, std::int64_t integer, const Types& types) {
  if (wants(types, "string")) return text_of_number(node);
  if (wants(types, "boolean") && (integer == 0 || integer == 1)) return integer == 1;
  return std::nullopt;
}

std::optional<Value> convert(const Node& node, const Types& types) {
  if (const auto* text = std::get_if<std::string>(&node.value)) return from_text(*text, types);
  if (const auto* number = std::get_if<double>(&node.value)) return from_number(node, *number, types);
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return from_integer(node, *integer, types);
  const bool takes_numbers = wants(types, "integer") || wants(types, "number");
  if (const auto* boolean = std::get_if<bool>(&node.value); boolean != nullptr && takes_numbers) {
    return std::int64_t{*boolean ? 1 : 0};
  }
  return std::nullopt;
}

void coerce_in_place(Node& node, const Json& schema) {
  const Types types = allowed_types(schema);
  if (!allows(types, type_of(node))) {
    if (std::optional<Value> value = convert(node, types)) node.value = std::move(*value);
    return;
  }
  const std::vector<const Json*> alternatives = alternatives_for(schema, node);
  if (alternatives.empty()) return;
  const Json& own = *alternatives.front();
  if (auto* table = std::get_if<Table>(&node.value)) {
    for (Entry& entry : *table) {
      if (const Json* member = member_schema(own, entry.key)) coerce_in_place(entry.node, *member);
    }
  } else if (auto* array = std::get_if<Array>(&node.value)) {
    const auto items = own.find("items");
    if (items == own.end() || !items->is_object()) return;
    for (Node& item : *array) coerce_in_place(item, *items);
  }
}

}  // namespace

Node coerce(const Node& node, const Json& schema) {
  Node copy = node;
  coerce_in_place(copy, schema);
  return copy;
}

}  // namespace cloudai::config
