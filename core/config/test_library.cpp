#include "core/config/test_library.hpp"

#include <utility>

#include "core/config/config_file.hpp"
#include "core/config/test.hpp"

namespace cloudai::config {
namespace {

TestFile read_test_file(const std::filesystem::path& path, Workloads& workloads) {
  TestFile file;
  file.path = path;
  const std::optional<Node> root = read_config_file(path, file.problems);
  if (!root) return file;
  file.keys = read_test_keys(*root, file.problems);
  file.name = text_of(*file.keys, "name");
  file.test = read_test(*file.keys, workloads, file.problems);
  if (file.problems.has_errors()) file.test.reset();
  return file;
}

}  // namespace

TestLibrary::TestLibrary(const std::vector<std::filesystem::path>& files, std::string place, Workloads& workloads)
    : place_(std::move(place)) {
  files_.reserve(files.size());
  for (const std::filesystem::path& path : files) files_.push_back(read_test_file(path, workloads));
}

std::vector<TestFile*> TestLibrary::find(const std::string& name) {
  std::vector<TestFile*> found;
  for (TestFile& file : files_) {
    if (!file.name.empty() && file.name == name) found.push_back(&file);
  }
  return found;
}

std::vector<std::string> TestLibrary::names() const {
  std::vector<std::string> names;
  for (const TestFile& file : files_) {
    if (!file.name.empty()) names.push_back(file.name);
  }
  return names;
}

void TestLibrary::forget_use() {
  for (TestFile& file : files_) file.is_used = false;
}

void TestLibrary::report(bool suspects, Diagnostics& diagnostics) const {
  for (const TestFile& file : files_) {
    const bool matters = file.is_used || (suspects && file.name.empty());
    for (const Diagnostic& problem : file.problems.all()) {
      if (matters || problem.severity == Severity::warning) {
        diagnostics.add(problem);
      } else if (problem.code != module_missing) {
        diagnostics.warning(problem.position, problem.message + " (No test of this scenario uses the file.)");
      }
    }
  }
}

}  // namespace cloudai::config
