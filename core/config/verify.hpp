// Checking configuration files by themselves, without a run in mind.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/path_expansion.hpp"
#include "core/module/catalogue.hpp"
#include "core/support/result.hpp"

namespace cloudai::config {

// From the keys at the top of the file: `scheduler` makes a system, `Tests` a scenario, or a hook if it stands in a
// folder named hook, and `test_template_name` a test.
enum class FileKind { system, test, scenario, hook, unknown };

std::string_view to_string(FileKind kind);

struct VerifiedFile {
  std::filesystem::path path;
  FileKind kind = FileKind::unknown;
  Diagnostics problems;  // of the file and of what it refers to
};

struct VerifyPaths {
  std::filesystem::path configs;  // a file, or a directory whose configuration files are checked, those below it too
  std::optional<std::filesystem::path> tests_dir;
  std::optional<std::filesystem::path> hook_dir;
};

// Each file, sorted by path. A scenario's tests come from `tests_dir`; else from test/ beside or in its folder; else
// they are all the tests below `configs` that are not a hook's. A scenario is checked for no system in particular, so
// not against what a scheduler can. An error is wrong use: there is nothing to check.
Result<std::vector<VerifiedFile>> verify(const VerifyPaths& paths, const module::Catalogue& modules,
                                         const Environment& environment);

}  // namespace cloudai::config
