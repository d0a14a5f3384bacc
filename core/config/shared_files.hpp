// Test files and hooks by their places, read once however many scenarios look there.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/config/hooks.hpp"
#include "core/config/test_library.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {

// References stay good for as long as the object lives.
class SharedFiles {
 public:
  explicit SharedFiles(Workloads& workloads) : workloads_(workloads) {}
  SharedFiles(const SharedFiles&) = delete;
  SharedFiles& operator=(const SharedFiles&) = delete;

  Workloads& workloads() { return workloads_; }

  // Another scenario is loaded from here on: no test counts as used by it so far.
  void begin_scenario();

  // The tests in `files`, the files that stand in `place`.
  TestLibrary& tests(const std::string& place, const std::vector<std::filesystem::path>& files);

  // The tests beside hooks, in `directory`; null if there is no such directory.
  TestLibrary* hook_tests(const std::filesystem::path& directory);

  HookFinder& hooks(const std::vector<std::filesystem::path>& places);

 private:
  Workloads& workloads_;
  std::map<std::string, TestLibrary> tests_;
  std::map<std::filesystem::path, TestLibrary> hook_tests_;
  std::map<std::vector<std::filesystem::path>, HookFinder> hooks_;
};

}  // namespace cloudai::config
