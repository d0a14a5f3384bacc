// What a configuration file is for.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/config/diagnostics.hpp"
#include "core/config/document.hpp"

namespace cloudai::config {

enum class FileKind { system, test, scenario, hook, unknown };

std::string_view to_string(FileKind kind);

// From the keys at the top of the file: `scheduler` makes a system, `Tests` a scenario, or a hook if it stands in a
// folder named hook, and `test_template_name` a test.
FileKind kind_of(const Node& root, const std::filesystem::path& path);

// Whether `path` stands in a folder named hook, or in one below it.
bool is_below_hook(const std::filesystem::path& path);

// Whether the file is not of the `expected` kind but of one of the others, as when two options are given each other's
// file: one error, in place of one for every key, that says where it belongs.
bool is_of_other_kind(const Node& root, FileKind expected, Diagnostics& diagnostics);

}  // namespace cloudai::config
