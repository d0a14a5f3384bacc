// Where modules are looked for.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cloudai::module {

struct SearchPath {
  std::vector<std::filesystem::path> directories;  // first match wins
  std::vector<std::string> notes;                  // for the log, e.g. what is ignored as root
};

// --module-path in order, then CLOUDAI_MODULE_PATH (colon-separated), ${XDG_DATA_HOME:-~/.local/share}/cloudai/modules,
// then
// ../lib/cloudai/modules beside the executable. As root the variable and the home directory are ignored.
// `environment` answers like std::getenv.
SearchPath search_path(const std::vector<std::filesystem::path>& options,
                       const std::function<std::optional<std::string>(const char*)>& environment, bool is_root,
                       const std::filesystem::path& executable);

// The last of them: that of the modules which come with the program.
std::filesystem::path built_in_directory(const std::filesystem::path& executable);

}  // namespace cloudai::module
