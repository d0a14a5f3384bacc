// `cloudai modules new NAME --kind KIND`: the project of a module that does something, ready to be built and changed.
#include <fmt/format.h>

#include <system_error>

#include "core/app/commands.hpp"
#include "core/app/complaints.hpp"
#include "core/app/module_project.hpp"
#include "core/app/output.hpp"
#include "core/support/files.hpp"

namespace cloudai::app {
namespace {

namespace fs = std::filesystem;

// An empty directory is as good as none: nothing in it can be overwritten.
Result<void> make_room(const fs::path& directory) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed)
    return cloudai::trouble(
        fmt::format("The directory '{}' cannot be made: {}.", directory.string(), failed.message()));
  const bool is_empty = fs::is_empty(directory, failed);
  if (failed) return cloudai::trouble(fmt::format("'{}' cannot be read: {}.", directory.string(), failed.message()));
  if (is_empty) return {};
  return usage_error(fmt::format("'{}' is not empty, and nothing is overwritten.", directory.string()),
                     "Name another place with --directory.");
}

Result<void> write_project(const fs::path& directory, const std::string& kind, const ModuleNames& names) {
  for (const auto& [path, text] : project_files(kind, names)) {
    std::error_code failed;
    fs::create_directories((directory / path).parent_path(), failed);
    if (auto written = files::write(directory / path, text); !written) return written;
  }
  return {};
}

}  // namespace

int new_module(const NewModuleOptions& options) {
  const auto names = module_names(options.name);
  if (!names) return fail(names.error());
  const fs::path directory = options.directory.value_or(names->target);
  if (const auto room = make_room(directory); !room) return fail(room.error());
  if (const auto written = write_project(directory, options.kind, *names); !written) return fail(written.error());
  print(
      fmt::format("The {} '{}' is in {}. To build and test it:\n\n"
                  "  cmake -S {} -B {}/build && cmake --build {}/build\n"
                  "  ctest --test-dir {}/build --output-on-failure\n\n"
                  "README.md there says what to change.\n",
                  options.kind, names->provided, directory.string(), directory.string(), directory.string(),
                  directory.string(), directory.string()));
  return success;
}

}  // namespace cloudai::app
