#include "core/app/module_project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace cloudai::app {
namespace {

constexpr std::size_t longest_name = 64;

bool is_upper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}

bool is_letter_or_digit(char c) {
  return c < 0x7f && std::isalnum(static_cast<unsigned char>(c)) != 0;
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// "DiskWrite" → "disk_write", "NCCLTest" → "nccl_test".
std::string snake_case(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool starts_word =
        i > 0 && is_upper(name[i]) && name[i - 1] != '_' &&
        (!is_upper(name[i - 1]) || (i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1])) != 0));
    if (starts_word) text += '_';
    text += lower(name[i]);
  }
  return text;
}

// "disk_write" → "DiskWrite".
std::string camel_case(const std::string& name) {
  std::string text;
  bool starts_word = true;
  for (const char c : name) {
    if (c == '_') {
      starts_word = true;
      continue;
    }
    text += starts_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    starts_word = false;
  }
  return text;
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::string filled(std::string text, const ModuleNames& names) {
  replace_all(text, "<<NAME>>", names.provided);
  replace_all(text, "<<TARGET>>", names.target);
  replace_all(text, "<<TYPE>>", names.type);
  replace_all(text, "__TARGET__", names.target);
  return text;
}

}  // namespace

Result<ModuleNames> module_names(const std::string& name) {
  const auto is_legal = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  const bool is_name = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
                       std::all_of(name.begin(), name.end(), is_legal);
  if (!is_name || name.size() > longest_name) {
    return usage_error(fmt::format(
        "'{}' is no name for a module: expected letters, digits and '_', a letter first, and at most {} of them.", name,
        longest_name));
  }
  ModuleNames names{name, snake_case(name), camel_case(name)};
  // CMake keeps these names of targets to itself.
  static constexpr std::array<std::string_view, 9> taken = {
      "all", "clean", "edit_cache", "help", "install", "package", "test", "rebuild_cache", "package_source"};
  if (std::find(taken.begin(), taken.end(), names.target) == taken.end()) return names;
  return usage_error(
      fmt::format("A module cannot be called '{}': the build has a target of that name already. Try '{}_module'.", name,
                  names.target));
}

std::vector<std::pair<std::filesystem::path, std::string>> project_files(const std::string& kind,
                                                                         const ModuleNames& names) {
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  for (const ModuleTemplate& part : module_templates()) {
    const std::string path = part.path;
    const std::size_t slash = path.find('/');
    const std::string of = path.substr(0, slash);
    if (of != kind) continue;
    std::filesystem::path place = filled(path.substr(slash + 1), names);
    if (place.extension() == ".in") place.replace_extension();
    files.emplace_back(std::move(place), filled(part.text, names));
  }
  return files;
}

}  // namespace cloudai::app
