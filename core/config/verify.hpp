// Checking configuration files by themselves, without a run in mind.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/file_kind.hpp"
#include "core/config/path_expansion.hpp"
#include "core/module/catalogue.hpp"
#include "core/support/result.hpp"

namespace cloudai::config {

struct VerifiedFile {
  std::filesystem::path path;
  FileKind kind = FileKind::unknown;
  Diagnostics problems;  // of the file and of what it refers to
};

struct VerifyPaths {
  // Files, and directories whose configuration files are checked, those below them too.
  std::vector<std::filesystem::path> configs;
  std::optional<std::filesystem::path> tests_dir;
  std::optional<std::filesystem::path> hook_dir;
};

// Each file, sorted by path. A scenario's tests come from `tests_dir`; else from test/ beside or in its folder; else
// they are all the tests below `configs` that are not a hook's. A scenario is checked for no system in particular, so
// not against what a scheduler can. An error is wrong use: there is nothing to check.
Result<std::vector<VerifiedFile>> verify(const VerifyPaths& paths, const module::Catalogue& modules,
                                         const Environment& environment);

}  // namespace cloudai::config
