// Reading a JSON Schema (the subset of draft-07 that manifests may use) along a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/document.hpp"
#include "core/support/json.hpp"

namespace cloudai::config {

// The JSON Schema type of the node: "boolean", "integer", "number", "string", "array", "object" or "null".
std::string_view type_of(const Node& node);

// The types the schema allows, in its order; those of all alternatives of "anyOf" and "oneOf" together. Empty: any.
std::vector<std::string> allowed_types(const Json& schema);

// Whether a value of `type` is of one of `types`; an integer is a number, too.
bool allows(const std::vector<std::string>& types, std::string_view type);

// The alternatives of "anyOf" or "oneOf" that allow the node's type, or the schema itself if it has none.
std::vector<const Json*> alternatives_for(const Json& schema, const Node& node);

// The schema of the member `key`: from "properties", else a schema under "additionalProperties"; null if there is none.
const Json* member_schema(const Json& schema, std::string_view key);

// The names under "properties".
std::vector<std::string> member_names(const Json& schema);

// Whether a table may have keys that the schema does not name.
bool is_open(const Json& schema);

// Whether a list stands anywhere in the node.
bool contains_list(const Node& node);

}  // namespace cloudai::config
