// Configuration files: TOML, or YAML if the name ends in .yaml or .yml.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/document.hpp"

namespace cloudai::config {

// The file as a tree whose root is a table and stands at line 0; positions name the path as it is given. A file that
// cannot be read, or is larger than 16 MiB, is an error in `diagnostics`.
std::optional<Node> read_config_file(const std::filesystem::path& path, Diagnostics& diagnostics);

// Likewise of what a file of this name holds.
std::optional<Node> parse_config(std::string_view content, const std::string& file, Diagnostics& diagnostics);

// Whether files of this name are taken for configuration where a directory is searched.
bool is_config_file_name(const std::filesystem::path& path);

// Those files of `directory`, sorted, not those below it.
std::vector<std::filesystem::path> config_files(const std::filesystem::path& directory);

}  // namespace cloudai::config
