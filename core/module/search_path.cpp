#include "core/module/search_path.hpp"

#include <sstream>
#include <string_view>
#include <system_error>

namespace cloudai::module {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "CLOUDAI_MODULE_PATH";

std::vector<fs::path> split(const std::string& list) {
  std::vector<fs::path> result;
  std::istringstream stream(list);
  for (std::string entry; std::getline(stream, entry, ':');) {
    if (!entry.empty()) result.push_back(fs::absolute(entry).lexically_normal());
  }
  return result;
}

// As the XDG base directory specification has it: a relative value counts as unset.
std::optional<fs::path> user_data(const std::function<std::optional<std::string>(const char*)>& environment) {
  const auto data = environment("XDG_DATA_HOME");
  if (data && fs::path(*data).is_absolute()) return fs::path(*data);
  const auto home = environment("HOME");
  if (home && fs::path(*home).is_absolute()) return fs::path(*home) / ".local/share";
  return std::nullopt;
}

}  // namespace

SearchPath search_path(const std::vector<fs::path>& options,
                       const std::function<std::optional<std::string>(const char*)>& environment, bool is_root,
                       const fs::path& executable) {
  SearchPath result;
  for (const auto& option : options) {
    result.directories.push_back(fs::absolute(option).lexically_normal());
    std::error_code failed;
    if (!fs::exists(option, failed)) {
      result.notes.push_back("the module directory " + option.string() + " (--module-path) does not exist.");
    }
  }
  const auto listed = environment(variable);
  if (is_root && listed && !listed->empty()) {
    result.notes.push_back(std::string(variable) + " is ignored, since cloudai runs as root. Use --module-path.");
  }
  if (!is_root) {
    for (auto& directory : split(listed.value_or(""))) result.directories.push_back(std::move(directory));
    if (const auto data = user_data(environment)) result.directories.push_back(*data / "cloudai/modules");
  }
  result.directories.push_back(built_in_directory(executable));
  return result;
}

fs::path built_in_directory(const fs::path& executable) {
  return (executable.parent_path() / "../lib/cloudai/modules").lexically_normal();
}

}  // namespace cloudai::module
