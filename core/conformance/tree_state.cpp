#include "core/conformance/tree_state.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <system_error>

namespace cloudai::conformance {

namespace fs = std::filesystem;

TreeState tree_state(const fs::path& directory) {
  TreeState state;
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    struct stat status {};
    if (::lstat(entry->path().c_str(), &status) != 0) continue;
    const std::string path = entry->path().lexically_relative(directory).string();
    // The time of a directory changes with what is in it, which is listed itself.
    const bool is_directory = S_ISDIR(status.st_mode);
    state[path] = is_directory ? "directory"
                               : fmt::format("{:o} {} {}.{}", status.st_mode, status.st_size, status.st_mtim.tv_sec,
                                             status.st_mtim.tv_nsec);
  }
  return state;
}

std::string first_difference(const TreeState& before, const TreeState& after) {
  for (const auto& [path, state] : after) {
    const auto found = before.find(path);
    if (found == before.end() || found->second != state) return path;
  }
  for (const auto& [path, state] : before) {
    if (!after.contains(path)) return path;
  }
  return {};
}

}  // namespace cloudai::conformance
