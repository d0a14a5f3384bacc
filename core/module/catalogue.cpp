#include "core/module/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "core/module/preflight.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::module {
namespace {

namespace fs = std::filesystem;

std::string described(const Provided& provided) {
  return fmt::format("{} '{}'", kind_of(provided.interface_id), provided.name);
}

std::string conflict_sentence(const fs::path& directory, const Provided& provided,
                              const std::vector<const ModuleFile*>& files) {
  std::vector<std::string> names;
  for (const auto* file : files) names.push_back(fmt::format("{} ({})", file->path.filename().string(), file->version));
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} modules in {} provide {}: {} and {}. {}.", names.size() == 1 ? "two" : "several",
                     directory.string(), described(provided), fmt::join(names, ", "), last,
                     names.size() == 1 ? "Remove one" : "Keep one");
}

// "NcclTest" may well be what nccl_test.so was meant to provide.
std::string only_letters(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') result += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) result += c;
  }
  return result;
}

}  // namespace

std::string_view kind_of(std::string_view interface_id) {
  if (interface_id == workload_interface) return "workload";
  if (interface_id == scheduler_interface) return "scheduler";
  if (interface_id == reporter_interface) return "reporter";
  return interface_id;
}

Catalogue Catalogue::scan(const std::vector<fs::path>& directories) {
  Catalogue catalogue;
  for (const auto& directory : directories) {
    std::error_code failed;
    const fs::path resolved = fs::canonical(directory, failed);
    if (failed == std::errc::no_such_file_or_directory) continue;
    if (!failed && !catalogue.seen_.insert(resolved).second) continue;
    catalogue.add_directory(directory);
  }
  return catalogue;
}

Catalogue Catalogue::of(std::vector<ModuleFile> files) {
  Catalogue catalogue;
  catalogue.add_files({}, std::move(files));
  return catalogue;
}

void Catalogue::add_directory(const fs::path& directory) {
  std::error_code failed;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (entry->path().extension() == ".so") paths.push_back(entry->path());
  }
  if (failed) {
    ignored_.push_back(
        {directory, fmt::format("the module directory {} cannot be read: {}.", directory.string(), failed.message()),
         Ignored::broken});
    return;
  }
  directories_.push_back(directory);
  std::sort(paths.begin(), paths.end());

  std::vector<ModuleFile> found;
  for (const auto& path : paths) {
    auto file = preflight(path);
    if (!file) {
      ignored_.push_back(std::move(file.error()));
      continue;
    }
    const fs::path resolved = fs::canonical(path, failed);
    if (!seen_.insert(resolved).second) {
      ignored_.push_back(
          {path, fmt::format("{} is {} under another name.", path.string(), resolved.string()), Ignored::same_file});
      continue;
    }
    file->directory = directory;
    found.push_back(std::move(*file));
  }
  add_files(directory, std::move(found));
}

void Catalogue::add_files(const fs::path& directory, std::vector<ModuleFile> found) {
  std::map<Key, std::vector<const ModuleFile*>> providers;
  for (const auto& file : found) {
    for (const auto& provided : file.provides) providers[{provided.interface_id, provided.name}].push_back(&file);
  }
  for (auto& file : found) {
    const auto is_hidden = [&](const Provided& provided) {
      const auto first = taken_.find({provided.interface_id, provided.name});
      if (first == taken_.end()) return false;
      ignored_.push_back(
          {file.path,
           fmt::format("{} of {} is hidden by {}.", described(provided), file.path.string(), first->second.string()),
           Ignored::hidden, described(provided), first->second});
      return true;
    };
    file.provides.erase(std::remove_if(file.provides.begin(), file.provides.end(), is_hidden), file.provides.end());
    for (const auto& provided : file.provides) {
      const Key key{provided.interface_id, provided.name};
      if (providers[key].size() == 1 || conflict_of_.count(key) != 0) continue;
      conflicts_.push_back(conflict_of_[key] = conflict_sentence(directory, provided, providers[key]));
    }
  }
  for (auto& file : found) {
    if (file.provides.empty()) continue;
    for (const auto& provided : file.provides) taken_.emplace(Key{provided.interface_id, provided.name}, file.path);
    files_.push_back(std::move(file));
  }
}

Result<ProviderRef> Catalogue::find(std::string_view interface_id, std::string_view name) const {
  const auto conflict = conflict_of_.find({std::string(interface_id), std::string(name)});
  if (conflict != conflict_of_.end()) return trouble(conflict->second);
  for (const auto& file : files_) {
    for (const auto& provided : file.provides) {
      if (provided.interface_id == interface_id && provided.name == name) return ProviderRef{&file, &provided};
    }
  }
  for (const auto& file : ignored_) {
    if (file.why == Ignored::broken && only_letters(file.path.stem().string()) == only_letters(name)) {
      return trouble(fmt::format("module '{}' cannot be loaded: {}", name, file.reason));
    }
  }
  return tl::make_unexpected(unknown(interface_id, name));
}

Error Catalogue::unknown(std::string_view interface_id, std::string_view name) const {
  const auto known = names(interface_id);
  const std::string suggestion = did_you_mean(name, known);
  Error error{
      ErrorKind::usage,
      fmt::format("no module provides {} '{}'{}", kind_of(interface_id), name, suggestion.empty() ? "." : suggestion),
      {}};
  if (!known.empty()) {
    error.hint = fmt::format("Known {}s: {}.", kind_of(interface_id), fmt::join(known, ", "));
  } else {
    std::vector<std::string> searched;
    for (const auto& directory : directories_) searched.push_back(directory.string());
    error.hint = searched.empty()
                     ? "No module directory exists. Name one with --module-path."
                     : fmt::format("No {} was found in {}.", kind_of(interface_id), fmt::join(searched, ", "));
  }
  for (const auto& file : ignored_) {
    if (file.why == Ignored::broken || file.why == Ignored::no_module) error.hint += "\n" + file.reason;
  }
  return error;
}

std::vector<std::string> Catalogue::names(std::string_view interface_id) const {
  std::vector<std::string> result;
  for (const auto& [key, path] : taken_) {
    if (key.first == interface_id) result.push_back(key.second);
  }
  return result;
}

}  // namespace cloudai::module
