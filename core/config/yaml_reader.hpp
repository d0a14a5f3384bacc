// YAML files as trees of nodes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/config/diagnostics.hpp"
#include "core/config/document.hpp"

namespace cloudai::config {

// The text as a tree whose root is a table and stands at line 0; `file` is what positions call it. YAML 1.2 with its
// core schema, as far as TOML has the same: one document, keys that are strings, no tags, no merge keys, no nulls.
// Aliases repeat what they name. Problems are errors in `diagnostics`; at what is no YAML the parser stops.
std::optional<Node> parse_yaml(std::string_view text, std::string file, Diagnostics& diagnostics);

}  // namespace cloudai::config
