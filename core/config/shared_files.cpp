#include "core/config/shared_files.hpp"

#include <system_error>

#include "core/config/config_file.hpp"

namespace cloudai::config {

void SharedFiles::begin_scenario() {
  for (auto& [place, library] : tests_) library.forget_use();
  for (auto& [directory, library] : hook_tests_) library.forget_use();
}

TestLibrary& SharedFiles::tests(const std::string& place, const std::vector<std::filesystem::path>& files) {
  return tests_.try_emplace(place, files, place, workloads_).first->second;
}

TestLibrary* SharedFiles::hook_tests(const std::filesystem::path& directory) {
  const auto known = hook_tests_.find(directory);
  if (known != hook_tests_.end()) return &known->second;
  if (std::error_code error; !std::filesystem::is_directory(directory, error)) return nullptr;
  return &hook_tests_.try_emplace(directory, config_files(directory), directory.string(), workloads_).first->second;
}

HookFinder& SharedFiles::hooks(const std::vector<std::filesystem::path>& places) {
  return hooks_.try_emplace(places, places).first->second;
}

}  // namespace cloudai::config
