#include "core/config/file_kind.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace cloudai::config {
namespace {

struct Mark {
  FileKind kind;
  const char* key;
  const char* belongs;
};

constexpr std::array marks = {
    Mark{FileKind::system, "scheduler", "Give a system as --system-config."},
    Mark{FileKind::scenario, "Tests", "Give a scenario as --test-scenario."},
    Mark{FileKind::test, "test_template_name", "Give the folder of the tests as --tests-dir."}};

const Mark* mark_of(FileKind kind) {
  return std::find_if(marks.begin(), marks.end(), [&](const Mark& mark) { return mark.kind == kind; });
}

}  // namespace

std::string_view to_string(FileKind kind) {
  switch (kind) {
    case FileKind::system:
      return "system";
    case FileKind::test:
      return "test";
    case FileKind::scenario:
      return "scenario";
    case FileKind::hook:
      return "hook";
    case FileKind::unknown:
      break;
  }
  return "unknown";
}

bool is_below_hook(const std::filesystem::path& path) {
  const std::filesystem::path directory = std::filesystem::absolute(path).lexically_normal().parent_path();
  return std::find(directory.begin(), directory.end(), std::filesystem::path("hook")) != directory.end();
}

FileKind kind_of(const Node& root, const std::filesystem::path& path) {
  for (const Mark& mark : marks) {
    if (root.find(mark.key) == nullptr) continue;
    return mark.kind == FileKind::scenario && is_below_hook(path) ? FileKind::hook : mark.kind;
  }
  return FileKind::unknown;
}

bool is_of_other_kind(const Node& root, FileKind expected, Diagnostics& diagnostics) {
  const Mark& wanted = *mark_of(expected);
  if (root.find(wanted.key) != nullptr) return false;
  for (const Mark& mark : marks) {
    if (root.find(mark.key) == nullptr) continue;
    diagnostics.error(root.position, "found a " + std::string(to_string(mark.kind)) + " (it has the key '" + mark.key +
                                         "'), expected a " + std::string(to_string(expected)) +
                                         ", which has the key '" + wanted.key + "'. " + mark.belongs);
    return true;
  }
  return false;
}

}  // namespace cloudai::config
