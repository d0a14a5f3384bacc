#include "core/config/lenient_schema.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/schema_walk.hpp"

namespace cloudai::config {
namespace {

constexpr const char* integer_pattern = "^[ \\t]*[-+]?[0-9]+[ \\t]*$";
constexpr const char* number_pattern = "^[ \\t]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?[ \\t]*$";
constexpr const char* boolean_pattern =
    "^[ \\t]*([Tt]([Rr][Uu][Ee])?|[Yy]([Ee][Ss])?|[Oo][Nn]|1|[Ff]([Aa][Ll][Ss][Ee])?|[Nn][Oo]?|[Oo][Ff][Ff]|0)[ \\t]*$";

using Types = std::vector<std::string>;

bool has(const Types& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

void add(Types& types, const char* type) {
  if (!has(types, type)) types.emplace_back(type);
}

// The other types in which a scalar of one of `types` may be written. A keyword such as "pattern" or "minimum" says
// something of values of its own type alone, so one schema holds for all of them.
void widen(Json& schema, const Types& types) {
  Types wide = types;
  const bool takes_numbers = has(types, "integer") || has(types, "number");
  if (takes_numbers && !has(types, "string")) {
    add(wide, "string");
    schema["pattern"] = has(types, "number") ? number_pattern : integer_pattern;
  }
  if (has(types, "boolean") && !takes_numbers) {
    add(wide, "integer");
    if (!has(types, "string")) {
      add(wide, "string");
      schema["pattern"] = boolean_pattern;
      schema.update({{"minimum", 0}, {"maximum", 1}});
    }
  }
  if (has(types, "string")) add(wide, "number");
  if (takes_numbers) add(wide, "boolean");
  // A whole number may have a point: 3.0.
  if (has(types, "integer") && !has(wide, "number")) {
    add(wide, "number");
    schema["multipleOf"] = 1.0;
  }
  if (has(wide, "number")) std::erase(wide, "integer");
  schema["type"] = wide.size() == 1 ? Json(wide.front()) : Json(wide);
}

// The same values as other types: "2" for 2, and the other way round.
Json widened_choices(const Json& values) {
  Json wide = values;
  const auto add = [&wide](const Json& value) {
    const bool is_scalar = value.is_number() || value.is_boolean() || value.is_string();
    if (is_scalar && std::find(wide.begin(), wide.end(), value) == wide.end()) wide.push_back(value);
  };
  for (const Json& value : values) {
    add(value.is_string() ? Json::parse(value.get_ref<const std::string&>(), nullptr, false) : Json(value.dump()));
    if (value == Json(0) || value == Json(1)) add(value == Json(1));
  }
  return wide;
}

Json lenient_members(const Json& properties) {
  Json members = Json::object();
  for (const auto& [name, member] : properties.items()) members[name] = lenient_schema(member);
  return members;
}

Json lenient_alternatives(const Json& alternatives) {
  Json all = Json::array();
  for (const Json& alternative : alternatives) all.push_back(lenient_schema(alternative));
  return all;
}

}  // namespace

Json lenient_schema(const Json& schema) {
  if (!schema.is_object()) return schema;
  Json result = Json::object();
  for (const auto& [keyword, value] : schema.items()) {
    if (keyword.starts_with("x-") || keyword == "$schema") continue;
    if (keyword == "properties" && value.is_object()) {
      result[keyword] = lenient_members(value);
    } else if (keyword == "items" || keyword == "additionalProperties") {
      result[keyword] = lenient_schema(value);
    } else if ((keyword == "anyOf" || keyword == "oneOf") && value.is_array()) {
      // Of two types that are made wider both may fit.
      result["anyOf"] = lenient_alternatives(value);
    } else if (keyword == "enum" && value.is_array()) {
      result[keyword] = widened_choices(value);
    } else {
      result[keyword] = value;
    }
  }
  if (schema.contains("type")) widen(result, allowed_types(schema));
  return result;
}

}  // namespace cloudai::config
