#include "core/run/results_directory.hpp"

#include <sys/stat.h>
#include <cerrno>
#include <system_error>

namespace cloudai::run {

namespace fs = std::filesystem;

namespace {

tl::unexpected<Error> unusable(const fs::path& path, const std::string& why) {
  return usage_error("the output path '" + path.string() + "' " + why + ".",
                     "Give a writable directory with --output-dir or as output_path in the system file.");
}

Result<void> make_output_path(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return {};
  if (fs::exists(status)) return unusable(path, "exists but is not a directory");
  if (!fs::exists(path.parent_path(), error)) {
    return unusable(path, "cannot be made: its parent '" + path.parent_path().string() + "' does not exist");
  }
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    return unusable(path, "cannot be made: " + std::generic_category().message(errno));
  }
  return {};
}

}  // namespace

Result<fs::path> make_results_directory(const fs::path& output_path, const std::string& scenario_name,
                                        Clock::time_point now) {
  if (auto made = make_output_path(output_path); !made) return tl::make_unexpected(made.error());
  const std::string name = scenario_name + "_" + directory_stamp(now);
  for (int attempt = 1; attempt < 10000; ++attempt) {
    const fs::path path = output_path / (attempt == 1 ? name : name + "-" + std::to_string(attempt));
    if (::mkdir(path.c_str(), 0777) == 0) return path;
    if (errno != EEXIST) {
      return unusable(output_path, "is not writable: " + std::generic_category().message(errno));
    }
  }
  return unusable(output_path, "holds too many results of this second");
}

}  // namespace cloudai::run
