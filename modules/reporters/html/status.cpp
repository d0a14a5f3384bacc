#include "modules/reporters/html/status.hpp"

#include <algorithm>

namespace cloudai::html {

RunStatus to_status(std::string_view name) {
  const auto* const found = std::find(status_names.begin(), status_names.end(), name);
  if (found == status_names.end()) return RunStatus::unknown;
  return static_cast<RunStatus>(found - status_names.begin());
}

std::string word_of(RunStatus status, std::string_view name) {
  if (status == RunStatus::unknown) return std::string(name);
  std::string word(name_of(status));
  for (char& c : word) c = static_cast<char>(c - 'a' + 'A');
  return word;
}

}  // namespace cloudai::html
