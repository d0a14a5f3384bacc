// TOML files as trees of nodes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/config/diagnostics.hpp"
#include "core/config/document.hpp"

namespace cloudai::config {

// The text as a tree whose root is a table and stands at line 0; `file` is what positions call it. What is no TOML 1.0
// is one error in `diagnostics`: the parser stops at the first.
std::optional<Node> parse_toml(std::string_view text, std::string file, Diagnostics& diagnostics);

}  // namespace cloudai::config
