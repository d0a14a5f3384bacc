// Whether a module file is what a module has to be: all checks, or some, each in a child of this program.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/conformance/check.hpp"
#include "core/support/result.hpp"

namespace cloudai::conformance {

struct CheckResult {
  std::string name;
  Verdict verdict = Verdict::ok;
  std::vector<std::string> sentences;
  double seconds = 0;
};

// How a child that runs `check` is started: the whole command line.
using CommandOf = std::function<std::vector<std::string>(const Check& check, const std::filesystem::path& directory)>;

// The checks of these names in their order, all of them if there is none. One whose needs have failed is skipped.
// `heard` gets each result as it is known; `limit` replaces the time limits of the checks. An error is one of this
// machine (no room in the temporary directory).
Result<std::vector<CheckResult>> verify(const std::vector<std::string>& only, const CommandOf& command_of,
                                        const std::function<void(const CheckResult&)>& heard,
                                        std::optional<std::chrono::seconds> limit = {});

}  // namespace cloudai::conformance
