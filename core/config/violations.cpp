#include "core/config/violations.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "core/config/diagnostics.hpp"
#include "core/config/schema_walk.hpp"
#include "core/support/nearest.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::config {
namespace {

bool may_be_secret(std::string_view key, const Json& schema) {
  return is_secret_name(key) || (schema.is_object() && schema.value("writeOnly", Json(false)) == Json(true));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  const std::string shown = text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
  return Json(shown).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "an integer", "a list", …
std::string noun_of(std::string_view type) {
  if (type == "integer") return "an integer";
  if (type == "array") return "a list";
  if (type == "object") return "a table";
  return "a " + std::string(type);
}

std::string any_of_types(const std::vector<std::string>& types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += i + 1 == types.size() ? " or " : ", ";
    text += noun_of(types[i]);
  }
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

// Length in characters, as JSON Schema counts it.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string escaped(std::string_view key) {
  std::string token;
  for (const char c : key) token += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return token;
}

struct Place {
  std::string pointer;  // "/partitions/0/name"
  std::string shown;    // "partitions[0].name"
  std::string key;      // the last key on the way
  Position position;
};

class Walker {
 public:
  explicit Walker(const Subject& subject) : subject_(subject) {}

  void walk(const Node& node, const Json& schema, const Place& place) {
    if (!schema.is_object()) return;
    const std::vector<const Json*> alternatives = alternatives_for(schema, node);
    if (!allows(allowed_types(schema), type_of(node)) || alternatives.empty()) return wrong_type(node, schema, place);
    if (alternatives.front() != &schema) return walk_alternatives(node, alternatives, place);
    if (const auto values = schema.find("enum"); values != schema.end() && values->is_array()) {
      check_enum(node, *values, schema, place);
    }
    if (std::holds_alternative<Table>(node.value)) return walk_table(node, schema, place);
    if (const auto* array = std::get_if<Array>(&node.value)) return walk_array(*array, schema, place);
    if (const auto* text = std::get_if<std::string>(&node.value)) return check_text(node, *text, schema, place);
    if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
      check_range(node, static_cast<double>(*integer), schema, place);
    } else if (const auto* number = std::get_if<double>(&node.value)) {
      check_range(node, *number, schema, place);
    }
  }

  std::vector<Violation> take() { return std::move(found_); }

 private:
  void add(const Place& place, std::string sentence) {
    found_.push_back({place.pointer, place.position, std::move(sentence)});
  }

  void add_wrong(const Node& node, const Json& schema, const Place& place, const std::string& rest) {
    add(place, "'" + place.shown + "': found " + describe(node, place.key, schema) + ", expected " + rest);
  }

  void wrong_type(const Node& node, const Json& schema, const Place& place) {
    std::string rest = any_of_types(allowed_types(schema)) + ".";
    const bool is_sweep = schema.value("x-sweepable", Json(subject_.sweepable)) == Json(true);
    if (is_sweep && std::holds_alternative<Array>(node.value)) {
      rest += " " + std::string(no_sweeps);
    }
    add_wrong(node, schema, place, rest);
  }

  // The value is good if it fits one of them; if it fits none, the first one that allows its type says why.
  void walk_alternatives(const Node& node, const std::vector<const Json*>& alternatives, const Place& place) {
    std::optional<std::vector<Violation>> first;
    for (const Json* alternative : alternatives) {
      Walker walker(subject_);
      walker.walk(node, *alternative, place);
      if (walker.found_.empty()) return;
      if (!first) first = walker.take();
    }
    found_.insert(found_.end(), first->begin(), first->end());
  }

  void check_enum(const Node& node, const Json& values, const Json& schema, const Place& place) {
    const Json value = to_json(node);
    if (std::find(values.begin(), values.end(), value) != values.end()) return;
    std::vector<std::string> names;
    for (const Json& allowed : values)
      names.push_back(allowed.is_string() ? allowed.get<std::string>() : allowed.dump());
    const std::string advice = value.is_string() ? did_you_mean(value.get<std::string>(), names) : "";
    add_wrong(node, schema, place, "one of " + listed(names) + (advice.empty() ? "." : advice));
  }

  void check_range(const Node& node, double number, const Json& schema, const Place& place) {
    const auto bound = [&](const char* keyword, auto is_bad, const char* words) {
      const auto limit = schema.find(keyword);
      if (limit == schema.end() || !limit->is_number() || !is_bad(limit->template get<double>())) return;
      add_wrong(node, schema, place, words + limit->dump() + ".");
    };
    bound(
        "minimum", [&](double limit) { return number < limit; }, "at least ");
    bound(
        "maximum", [&](double limit) { return number > limit; }, "at most ");
    bound(
        "exclusiveMinimum", [&](double limit) { return number <= limit; }, "more than ");
    bound(
        "exclusiveMaximum", [&](double limit) { return number >= limit; }, "less than ");
  }

  void check_text(const Node& node, const std::string& text, const Json& schema, const Place& place) {
    const auto size_limit = [&](const char* keyword) {
      const auto limit = schema.find(keyword);
      return limit != schema.end() && limit->is_number_integer() ? limit->get<std::int64_t>() : std::int64_t{-1};
    };
    const auto length = static_cast<std::int64_t>(length_of(text));
    const std::int64_t least = size_limit("minLength");
    const std::int64_t most = size_limit("maxLength");
    if (length < least) {
      add_wrong(node, schema, place, least == 1 ? "some text." : "at least " + std::to_string(least) + " characters.");
    } else if (most >= 0 && length > most) {
      add_wrong(node, schema, place, "at most " + std::to_string(most) + " characters.");
    }
    const auto pattern = schema.find("pattern");
    if (pattern != schema.end() && pattern->is_string() && !matches(text, *pattern)) {
      const Json described = schema.value("description", Json());
      const std::string meaning = described.is_string() ? described.get<std::string>() : "";
      add_wrong(
          node, schema, place,
          "a text that matches the pattern " + pattern->get<std::string>() + (meaning.empty() ? "." : ": " + meaning));
    }
  }

  static bool matches(const std::string& text, const std::string& pattern) {
    try {
      return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript));
    } catch (const std::regex_error&) {
      return true;  // the schema is at fault, and its author is told by the check of the module
    }
  }

  void walk_array(const Array& array, const Json& schema, const Place& place) {
    const auto count_limit = [&](const char* keyword, const char* words, auto is_bad) {
      const auto limit = schema.find(keyword);
      if (limit == schema.end() || !limit->is_number_integer() || !is_bad(limit->template get<std::size_t>())) return;
      const std::string found = array.empty() ? "an empty list" : "a list of " + std::to_string(array.size());
      const std::string noun = limit->template get<int>() == 1 ? " item." : " items.";
      add(place, "'" + place.shown + "': found " + found + ", expected " + words + limit->dump() + noun);
    };
    count_limit("minItems", "at least ", [&](std::size_t limit) { return array.size() < limit; });
    count_limit("maxItems", "at most ", [&](std::size_t limit) { return array.size() > limit; });
    const auto items = schema.find("items");
    if (items == schema.end()) return;
    for (std::size_t i = 0; i < array.size(); ++i) {
      const std::string index = std::to_string(i);
      walk(array[i], *items,
           {place.pointer + "/" + index, place.shown + "[" + index + "]", place.key, array[i].position});
    }
  }

  // What is missing in a file has no line; editors and readers go to where one can be put.
  static Position start_of(Position position) {
    if (position.file && position.line == 0) position.line = position.column = 1;
    return position;
  }

  void walk_table(const Node& node, const Json& schema, const Place& place) {
    const Table& table = std::get<Table>(node.value);
    const std::string owner = place.pointer.empty() ? subject_.owner : "'" + place.shown + "'";
    for (const Json& required : schema.value("required", Json::array())) {
      if (!required.is_string() || node.find(required.get<std::string>()) != nullptr) continue;
      add({place.pointer + "/" + escaped(required.get<std::string>()), {}, {}, start_of(place.position)},
          "required " + subject_.noun + " '" + required.get<std::string>() + "' of " + owner + " is missing.");
    }
    for (const Entry& entry : table) {
      const Place member{place.pointer + "/" + escaped(entry.key),
                         place.shown.empty() ? entry.key : place.shown + "." + entry.key, entry.key,
                         entry.key_position};
      if (const Json* own = member_schema(schema, entry.key)) {
        walk(entry.node, *own, member);
      } else if (!is_open(schema)) {
        unknown(entry.key, schema, owner, member);
      }
    }
  }

  void unknown(const std::string& key, const Json& schema, const std::string& owner, const Place& place) {
    const Json unsupported = schema.value("x-unsupported", Json::array());
    if (std::find(unsupported.begin(), unsupported.end(), Json(key)) != unsupported.end()) {
      return add(place, "'" + place.shown + "' is not supported by this version.");
    }
    // Nobody reads more; and looking for the nearest name of millions of keys takes minutes.
    if (found_.size() > Diagnostics::most) return;
    const std::vector<std::string> names = member_names(schema);
    std::string advice = did_you_mean(key, names);
    if (advice.empty()) advice = names.empty() ? ": it takes none." : ". It may be one of " + listed(names) + ".";
    add(place, "unknown " + subject_.noun + " '" + key + "' of " + owner + advice);
  }

  const Subject& subject_;
  std::vector<Violation> found_;
};

}  // namespace

std::string describe(const Node& node, std::string_view key, const Json& schema) {
  const std::string_view type = type_of(node);
  const bool is_scalar = type == "string" || type == "integer" || type == "number" || type == "boolean";
  if (!is_scalar || may_be_secret(key, schema)) return noun_of(type);
  const auto* text = std::get_if<std::string>(&node.value);
  return "the " + std::string(type) + " " + (text != nullptr ? in_quotes(*text) : to_json(node).dump());
}

std::vector<Violation> violations(const Node& value, const Json& schema, const Subject& subject) {
  Walker walker(subject);
  walker.walk(value, schema, {"", subject.path, "", value.position});
  return walker.take();
}

}  // namespace cloudai::config
