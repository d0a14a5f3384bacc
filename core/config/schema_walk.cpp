#include "core/config/schema_walk.hpp"

#include <algorithm>

namespace cloudai::config {
namespace {

const Json* alternatives_of(const Json& schema) {
  if (!schema.is_object()) return nullptr;
  for (const char* keyword : {"anyOf", "oneOf"}) {
    const auto found = schema.find(keyword);
    if (found != schema.end() && found->is_array()) return &*found;
  }
  return nullptr;
}

void add_type(std::vector<std::string>& types, const std::string& type) {
  if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
}

std::string type_of_json(const Json& value) {
  if (value.is_boolean()) return "boolean";
  if (value.is_number_integer()) return "integer";
  if (value.is_number()) return "number";
  if (value.is_string()) return "string";
  if (value.is_array()) return "array";
  return value.is_object() ? "object" : "null";
}

}  // namespace

std::string_view type_of(const Node& node) {
  struct Names {
    std::string_view operator()(std::monostate) const { return "null"; }
    std::string_view operator()(bool) const { return "boolean"; }
    std::string_view operator()(std::int64_t) const { return "integer"; }
    std::string_view operator()(double) const { return "number"; }
    std::string_view operator()(const std::string&) const { return "string"; }
    std::string_view operator()(const Array&) const { return "array"; }
    std::string_view operator()(const Table&) const { return "object"; }
  };
  return std::visit(Names(), node.value);
}

std::vector<std::string> allowed_types(const Json& schema) {
  std::vector<std::string> types;
  if (!schema.is_object()) return types;
  if (const auto type = schema.find("type"); type != schema.end()) {
    if (type->is_string()) types.push_back(*type);
    if (type->is_array()) {
      for (const Json& name : *type) add_type(types, name.is_string() ? name.get<std::string>() : "");
    }
  } else if (const Json* alternatives = alternatives_of(schema)) {
    for (const Json& alternative : *alternatives) {
      const std::vector<std::string> own = allowed_types(alternative);
      if (own.empty()) return {};
      for (const std::string& name : own) add_type(types, name);
    }
  } else if (const auto values = schema.find("enum"); values != schema.end() && values->is_array()) {
    for (const Json& value : *values) add_type(types, type_of_json(value));
  }
  return types;
}

bool allows(const std::vector<std::string>& types, std::string_view type) {
  return types.empty() || std::any_of(types.begin(), types.end(), [&](const std::string& allowed) {
           return allowed == type || (allowed == "number" && type == "integer");
         });
}

std::vector<const Json*> alternatives_for(const Json& schema, const Node& node) {
  const Json* alternatives = alternatives_of(schema);
  if (alternatives == nullptr) return {&schema};
  std::vector<const Json*> fitting;
  for (const Json& alternative : *alternatives) {
    if (allows(allowed_types(alternative), type_of(node))) fitting.push_back(&alternative);
  }
  return fitting;
}

const Json* member_schema(const Json& schema, std::string_view key) {
  if (!schema.is_object()) return nullptr;
  if (const auto properties = schema.find("properties"); properties != schema.end() && properties->is_object()) {
    if (const auto member = properties->find(std::string(key)); member != properties->end()) return &*member;
  }
  const auto additional = schema.find("additionalProperties");
  return additional != schema.end() && additional->is_object() ? &*additional : nullptr;
}

std::vector<std::string> member_names(const Json& schema) {
  std::vector<std::string> names;
  if (!schema.is_object()) return names;
  if (const auto properties = schema.find("properties"); properties != schema.end() && properties->is_object()) {
    for (const auto& [name, member] : properties->items()) names.push_back(name);
  }
  return names;
}

bool is_open(const Json& schema) {
  return !schema.is_object() || schema.value("additionalProperties", Json(true)) != Json(false);
}

bool contains_list(const Node& node) {
  if (std::holds_alternative<Array>(node.value)) return true;
  const Table* table = std::get_if<Table>(&node.value);
  return table != nullptr &&
         std::any_of(table->begin(), table->end(), [](const Entry& entry) { return contains_list(entry.node); });
}

}  // namespace cloudai::config
