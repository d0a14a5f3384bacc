// The project of a new module: its names, and its files from templates.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/support/result.hpp"

namespace cloudai::app {

// A file of core/app/module_templates/. Its path begins with the kind of module it is for and may end in ".in", where
// it is not yet what its name says; placeholders are written <<LIKE_THIS>>, in names of files __LIKE_THIS__.
struct ModuleTemplate {
  const char* path;
  const char* text;
};

std::span<const ModuleTemplate> module_templates();

// What a module is called in the places where it needs a name.
struct ModuleNames {
  std::string provided;  // "DiskWrite", as it was given: in the user's files
  std::string target;    // "disk_write": files, the CMake target, the end of the module's id
  std::string type;      // "DiskWrite": the class
};

// An error is a sentence on what is wrong with `name`.
Result<ModuleNames> module_names(const std::string& name);

// The files of a module of this kind, by their paths in its project.
std::vector<std::pair<std::filesystem::path, std::string>> project_files(const std::string& kind,
                                                                         const ModuleNames& names);

}  // namespace cloudai::app
