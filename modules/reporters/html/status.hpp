// The statuses of runs and stages, as the page shows them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace cloudai::html {

// In the order in which a person wants to hear of them. `unknown` is a status this reporter has never heard of.
enum class RunStatus { failed, error, inconclusive, unknown, cancelled, skipped, passed };
inline constexpr std::size_t status_count = 7;
inline constexpr std::array<std::string_view, status_count> status_names = {
    "failed", "error", "inconclusive", "unknown", "cancelled", "skipped", "passed"};

RunStatus to_status(std::string_view name);
inline std::string_view name_of(RunStatus status) {
  return status_names[static_cast<std::size_t>(status)];
}

// "FAILED"; an unknown status as the document has it.
std::string word_of(RunStatus status, std::string_view name);

}  // namespace cloudai::html
