#include "core/config/file_names.hpp"

#include <algorithm>

namespace cloudai::config {

std::string fault_as_part_of_file_name(std::string_view name) {
  // File systems take 255 bytes; a stamp and a suffix are appended.
  constexpr std::size_t longest = 200;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (name.find_first_not_of(' ') == name.npos) return "is empty";
  if (name.find('/') != name.npos) return "contains a slash";
  if (std::any_of(name.begin(), name.end(), is_control)) return "contains a control character";
  if (name.size() > longest) return "is longer than " + std::to_string(longest) + " bytes";
  return {};
}

std::string fault_as_directory_name(std::string_view name) {
  std::string fault = fault_as_part_of_file_name(name);
  if (fault.empty() && name.starts_with('.')) fault = "begins with a dot";
  return fault;
}

}  // namespace cloudai::config
