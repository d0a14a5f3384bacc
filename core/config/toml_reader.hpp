// TOML files as trees of nodes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/config/diagnostics.hpp"
#include "core/config/document.hpp"

namespace cloudai::config {

// The file as a tree whose root is a table and stands at line 0; positions name the path as it is given. A file that
// cannot be read, or is no TOML 1.0, is one error in `diagnostics`: the parser stops at the first.
std::optional<Node> read_toml(const std::filesystem::path& path, Diagnostics& diagnostics);

// Likewise for a text; `file` is what positions call it.
std::optional<Node> parse_toml(std::string_view text, std::string file, Diagnostics& diagnostics);

}  // namespace cloudai::config
