#include "core/config/toml_reader.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

// toml++ asserts that a key follows '[' before it looks ("[=" ends a debug build), and with NDEBUG lets the compiler
// count on it. Without either it goes on to its own error.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "core/config/source_text.hpp"

namespace cloudai::config {
namespace {

// toml++ recurses once for each part of a dotted key.
constexpr std::size_t max_key_parts = 32;

using File = std::shared_ptr<const std::string>;

// The line of the first key with too many parts, or 0. Looks at dots between the characters that end a key; a text full
// of single dots would have to have as many between two commas to be taken for one.
std::uint32_t line_of_endless_key(std::string_view text) {
  std::uint32_t line = 1;
  std::size_t dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    const bool is_repeated = c == '.' && i + 1 < text.size() && text[i + 1] == '.';
    if (c == '\n' || c == '=' || c == '{' || c == ',' || c == ' ' || is_repeated) {
      // A blank may stand around the dots of a key, so it ends one only if the next word does not go on with a dot.
      const std::size_t next = c == ' ' ? text.find_first_not_of(' ', i) : i;
      const bool goes_on = c == ' ' && ((next < text.size() && text[next] == '.') || (i > 0 && text[i - 1] == '.'));
      if (!goes_on) dots = 0;
    } else if (c == '.' && ++dots >= max_key_parts) {
      return line;
    }
  }
  return 0;
}

class Converter {
 public:
  Converter(std::string_view text, File file, Diagnostics& diagnostics)
      : file_(std::move(file)), places_(text), diagnostics_(diagnostics) {}

  Node convert(const toml::node& node, std::size_t depth = 0) {
    Node result{{}, at(node.source())};
    if (depth > deepest_nesting) {
      diagnostics_.error(result.position, std::string(nested_too_deep));
    } else if (const auto* table = node.as_table()) {
      result.value = convert_table(*table, depth);
    } else if (const auto* array = node.as_array()) {
      Array items;
      for (const toml::node& item : *array) items.push_back(convert(item, depth + 1));
      result.value = std::move(items);
    } else {
      convert_scalar(node, result);
    }
    return result;
  }

 private:
  Position at(const toml::source_region& region) const { return {file_, region.begin.line, region.begin.column}; }

  Table convert_table(const toml::table& table, std::size_t depth) {
    Table entries;
    for (const auto& [key, value] : table) {
      entries.push_back({std::string(key.str()), at(key.source()), convert(value, depth + 1)});
    }
    // toml++ sorts by name; the order of the file is that of the positions.
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.key_position.line, a.key_position.column) <
             std::pair(b.key_position.line, b.key_position.column);
    });
    return entries;
  }

  void convert_scalar(const toml::node& node, Node& result) {
    if (const auto* text = node.as_string()) {
      result.value = text->get();
      if (text->get().find('\0') != std::string::npos) diagnostics_.error(result.position, std::string(holds_nul));
    } else if (const auto* integer = node.as_integer()) {
      result.value = integer->get();
    } else if (const auto* boolean = node.as_boolean()) {
      result.value = boolean->get();
    } else if (const auto* number = node.as_floating_point()) {
      result.value = number->get();
      result.spelling = spelling_at(result.position);
      if (!std::isfinite(number->get())) diagnostics_.error(result.position, std::string(not_finite));
    } else {
      std::ostringstream text_of_date;
      node.visit([&](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (toml::is_date<Value> || toml::is_time<Value> || toml::is_date_time<Value>) text_of_date << value;
      });
      result.value = text_of_date.str();
    }
  }

  // Of a floating-point number, without what only groups its digits.
  std::shared_ptr<const std::string> spelling_at(const Position& position) {
    const std::string_view rest = places_.from(position.line, position.column);
    std::string number(rest.substr(0, rest.find_first_not_of("+-.0123456789_eE")));
    std::erase(number, '_');
    if (number.starts_with('+')) number.erase(0, 1);
    return std::make_shared<const std::string>(std::move(number));
  }

  File file_;
  TextPlaces places_;
  Diagnostics& diagnostics_;
};

// Where the line's first word stands: toml++ names the end of a key that is there twice.
std::uint32_t first_word(std::string_view text, std::uint32_t line) {
  for (; line > 1; --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return static_cast<std::uint32_t>(text.find_first_not_of(" \t")) + 1;
}

void report(const toml::parse_error& error, std::string_view text, const File& file, Diagnostics& diagnostics) {
  std::string_view description = error.description();
  // "Error while parsing table header: cannot …" says no more than the rest.
  if (description.starts_with("Error while parsing ")) description.remove_prefix(description.find(": ") + 2);
  const toml::source_position begin = error.source().begin;
  Position position{file, begin.line, begin.column};
  if (description.find("TOML_MAX_NESTED_VALUES") != description.npos) {
    return diagnostics.error(std::move(position), std::string(nested_too_deep));
  }
  std::string message = "this is not valid TOML: " + std::string(description) + ".";
  if (description.find("cannot redefine") != description.npos) {
    position.column = first_word(text, begin.line);
    message += " A key or table may stand only once in a file.";
  }
  diagnostics.error(std::move(position), std::move(message));
}

}  // namespace

std::optional<Node> parse_toml(std::string_view content, std::string file_name, Diagnostics& diagnostics) {
  const auto file = std::make_shared<const std::string>(std::move(file_name));
  const std::optional<std::string_view> text = as_text(content, file, diagnostics);
  if (!text) return std::nullopt;
  if (const std::uint32_t line = line_of_endless_key(*text)) {
    diagnostics.error({file, line, 1}, "a key has more than " + std::to_string(max_key_parts) + " parts.");
    return std::nullopt;
  }
  const toml::parse_result parsed = toml::parse(*text, std::string_view(*file));
  if (!parsed) {
    report(parsed.error(), *text, file, diagnostics);
    return std::nullopt;
  }
  Diagnostics found;
  Node root = Converter(*text, file, found).convert(parsed.table());
  root.position = {file, 0, 0};
  for (const Diagnostic& diagnostic : found.all()) diagnostics.add(diagnostic);
  if (found.has_errors()) return std::nullopt;
  return root;
}

}  // namespace cloudai::config
