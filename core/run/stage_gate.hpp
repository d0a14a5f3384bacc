// The gate between two stages, decided here where the stages are jobs of their own: as the scripts of schedulers that
// keep them in one job decide it (sdk/include/cloudai/stage_script.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/support/json.hpp"

namespace cloudai::run {

// Why the gate of a stage is closed; nothing if it is open. `success` is the rule of its plan, `result` its stage
// result, and `directory` where its output is.
std::optional<std::string> why_gate_is_closed(const Json& success, const Json& result,
                                              const std::filesystem::path& directory);

}  // namespace cloudai::run
