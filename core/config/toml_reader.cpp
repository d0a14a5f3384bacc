#include "core/config/toml_reader.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "core/support/files.hpp"

namespace cloudai::config {
namespace {

// toml++ recurses once for each part of a dotted key, and so do we for each level of a tree: what no person writes is
// refused before it can exhaust the stack.
constexpr std::size_t max_key_parts = 32;
constexpr std::size_t max_depth = 64;

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
  Converter(File file, Diagnostics& diagnostics) : file_(std::move(file)), diagnostics_(diagnostics) {}

  Node convert(const toml::node& node, std::size_t depth = 0) {
    Node result{{}, at(node.source())};
    if (depth > max_depth) {
      diagnostics_.error(result.position,
                         "tables and lists are nested more than " + std::to_string(max_depth) + " deep.");
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
      if (text->get().find('\0') != std::string::npos) {
        diagnostics_.error(result.position,
                           "found a string with the character U+0000, which no command or variable can hold.");
      }
    } else if (const auto* integer = node.as_integer()) {
      result.value = integer->get();
    } else if (const auto* boolean = node.as_boolean()) {
      result.value = boolean->get();
    } else if (const auto* number = node.as_floating_point()) {
      result.value = number->get();
      if (!std::isfinite(number->get())) {
        diagnostics_.error(result.position, "found a number that is infinite or not a number, expected a finite one.");
      }
    } else {
      std::ostringstream text_of_date;
      node.visit([&](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (toml::is_date<Value> || toml::is_time<Value> || toml::is_date_time<Value>) text_of_date << value;
      });
      result.value = text_of_date.str();
    }
  }

  File file_;
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
  std::string message = "this is not valid TOML: " + std::string(description) + ".";
  if (description.find("cannot redefine") != description.npos) {
    position.column = first_word(text, begin.line);
    message += " A key or table may stand only once in a file.";
  }
  diagnostics.error(std::move(position), std::move(message));
}

}  // namespace

std::optional<Node> parse_toml(std::string_view text, std::string file_name, Diagnostics& diagnostics) {
  const auto file = std::make_shared<const std::string>(std::move(file_name));
  if (const std::uint32_t line = line_of_endless_key(text)) {
    diagnostics.error({file, line, 1}, "a key has more than " + std::to_string(max_key_parts) + " parts.");
    return std::nullopt;
  }
  const toml::parse_result parsed = toml::parse(text, std::string_view(*file));
  if (!parsed) {
    report(parsed.error(), text, file, diagnostics);
    return std::nullopt;
  }
  Diagnostics found;
  Node root = Converter(file, found).convert(parsed.table());
  root.position = {file, 0, 0};
  for (const Diagnostic& diagnostic : found.all()) diagnostics.add(diagnostic);
  if (found.has_errors()) return std::nullopt;
  return root;
}

std::optional<Node> read_toml(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const Result<std::string> text = files::read(path);
  if (!text) {
    diagnostics.error({}, text.error().message);
    return std::nullopt;
  }
  return parse_toml(*text, path.string(), diagnostics);
}

}  // namespace cloudai::config
