#include "core/app/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cloudai::app {
namespace {

// Without quotes; a list of choices is long enough.
std::string plain(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// "integer, 1 to 8", "list of string".
std::string type_of(const Json& schema) {
  if (!schema.is_object()) return "any";
  for (const char* key : {"oneOf", "anyOf"}) {
    if (const auto branches = schema.find(key); branches != schema.end() && branches->is_array()) {
      Row texts;
      for (const auto& branch : *branches) texts.push_back(type_of(branch));
      return fmt::format("{}", fmt::join(texts, " or "));
    }
  }
  const auto type = schema.find("type");
  if (type == schema.end()) return schema.contains("enum") ? "choice" : "any";
  std::string text = type->is_array() ? joined(*type, " or ") : plain(*type);
  if (text == "array") return schema.contains("items") ? "list of " + type_of(schema["items"]) : "list";
  const std::string least = one_line(schema, "minimum");
  const std::string most = one_line(schema, "maximum");
  if (!least.empty() && !most.empty()) return fmt::format("{}, {} to {}", text, least, most);
  if (!least.empty()) return fmt::format("{}, at least {}", text, least);
  if (!most.empty()) return fmt::format("{}, at most {}", text, most);
  return text;
}

// The choices stand behind the description: a column of them would be wider than any terminal.
std::string description_of(const Json& option) {
  std::string text = one_line(option, "description");
  if (const auto choices = option.find("enum"); choices != option.end() && choices->is_array()) {
    text += (text.empty() ? "One of: " : " One of: ") + joined(*choices, ", ") + ".";
  }
  return text;
}

// In the place of a scalar of a workload's a list is a sweep over its elements.
std::string sweepable(const Json& option) {
  if (!option.is_object() || option.value("x-sweepable", Json(true)) != Json(true)) return "no";
  const Json type = option.value("type", Json());
  return type == Json("array") || type == Json("object") ? "no" : "yes";
}

class Rows {
 public:
  explicit Rows(bool of_workload) : of_workload_(of_workload) {}

  void add(const Json& schema, const std::string& prefix) {
    const auto properties = schema.find("properties");
    if (properties == schema.end() || !properties->is_object()) return;
    const Json required = schema.value("required", Json::array());
    for (const auto& [name, option] : properties->items()) {
      const bool is_required = std::find(required.begin(), required.end(), Json(name)) != required.end();
      add_one(prefix + name, option, is_required);
      if (option.is_object()) add(option, prefix + name + ".");
    }
  }

  std::vector<Row> rows;

 private:
  void add_one(const std::string& name, const Json& option, bool is_required) {
    const std::string default_value = option.is_object() && option.contains("default") ? option["default"].dump() : "-";
    rows.push_back({name, type_of(option), default_value, one_line(option, "x-unit"),
                    of_workload_ ? sweepable(option) : "", is_required ? "yes" : "no",
                    option.is_object() ? description_of(option) : ""});
  }

  bool of_workload_;
};

// All but the first row, the heading, have nothing in it.
void remove_empty_column(std::vector<Row>& rows, std::size_t column) {
  if (std::any_of(rows.begin() + 1, rows.end(), [&](const Row& row) { return !row[column].empty(); })) return;
  for (Row& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
}

}  // namespace

std::string option_table(const Json& schema, std::string_view heading, bool of_workload) {
  Rows options(of_workload);
  options.rows.push_back({std::string(heading), "TYPE", "DEFAULT", "UNIT", "SWEEPABLE", "REQUIRED", "DESCRIPTION"});
  options.add(schema, "");
  if (options.rows.size() == 1) return {};
  remove_empty_column(options.rows, 4);
  remove_empty_column(options.rows, 3);
  return table(options.rows);
}

std::string joined(const Json& values, std::string_view separator) {
  Row texts;
  for (const auto& value : values) texts.push_back(plain(value));
  return fmt::format("{}", fmt::join(texts, separator));
}

}  // namespace cloudai::app
