#include "core/config/defaults.hpp"

namespace cloudai::config {
namespace {

// Of "anyOf" and "oneOf": the alternative for tables or for lists, the only ones with something to fill in.
const Json& alternative_for(const Json& schema, const char* type) {
  for (const char* keyword : {"anyOf", "oneOf"}) {
    const auto alternatives = schema.find(keyword);
    if (alternatives == schema.end() || !alternatives->is_array()) continue;
    for (const Json& alternative : *alternatives) {
      if (alternative.is_object() && alternative.value("type", Json()) == Json(type)) return alternative;
    }
  }
  return schema;
}

Json complete_table(const Json& value, const Json& schema) {
  Json complete = Json::object();
  // push_back, since looking for the key first would make a long table quadratic; no name comes twice.
  auto& members = complete.get_ref<Json::object_t&>();
  static const Json none = Json::object();
  const auto named = schema.find("properties");
  const Json& properties = named != schema.end() && named->is_object() ? *named : none;
  for (const auto& [name, member] : properties.items()) {
    if (const auto given = value.find(name); given != value.end()) {
      members.push_back({name, with_defaults(*given, member)});
    } else if (member.is_object() && member.contains("default")) {
      members.push_back({name, with_defaults(member["default"], member)});
    }
  }
  const auto additional = schema.find("additionalProperties");
  for (const auto& [name, member] : value.items()) {
    if (properties.contains(name)) continue;
    members.push_back({name, additional != schema.end() ? with_defaults(member, *additional) : member});
  }
  return complete;
}

}  // namespace

Json with_defaults(const Json& value, const Json& schema) {
  if (!schema.is_object()) return value;
  if (value.is_object()) return complete_table(value, alternative_for(schema, "object"));
  if (!value.is_array()) return value;
  const Json& own = alternative_for(schema, "array");
  const auto items = own.find("items");
  if (items == own.end()) return value;
  Json complete = Json::array();
  for (const Json& item : value) complete.push_back(with_defaults(item, *items));
  return complete;
}

}  // namespace cloudai::config
