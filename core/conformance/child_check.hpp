// One check, in the process that was started for it.
#pragma once

#include <filesystem>

#include "core/conformance/check.hpp"

namespace cloudai::conformance {

// Files in the directory of a check: what it is doing, and what came of it. Written by the child, read by its parent.
inline constexpr const char* doing_file = "doing";
inline constexpr const char* report_file = "report.json";

// Runs the check on `file`. What came of it goes to `directory`; nothing goes to stdout or stderr, so that what appears
// there is the module's.
void run_in_this_process(const Check& check, const std::filesystem::path& file, const std::filesystem::path& directory);

}  // namespace cloudai::conformance
