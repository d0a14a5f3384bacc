// The test files a scenario may refer to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/model.hpp"
#include "core/config/workloads.hpp"

namespace cloudai::config {

struct TestFile {
  std::filesystem::path path;
  std::string name;          // empty if the file has none that can be read
  std::optional<Node> keys;  // for overrides to be laid on
  std::optional<Test> test;
  Diagnostics problems;  // of this file alone
  bool is_used = false;
};

class TestLibrary {
 public:
  // Reads every file; problems wait in each until it is known whether the file matters. `place` is where they stand,
  // for messages.
  TestLibrary(const std::vector<std::filesystem::path>& files, std::string place, Workloads& workloads);

  const std::string& place() const { return place_; }
  std::vector<TestFile*> find(const std::string& name);  // more than one: the name is taken twice
  std::vector<std::string> names() const;
  const std::vector<TestFile>& files() const { return files_; }
  void forget_use();  // no file is used any more

  // The errors of files that were used, as they are; those of others as warnings, except that a module is missing: who
  // does not use a test need not have its workload. With `suspects`, files whose name is not known count as used: one
  // of them may hold a test that was looked for in vain.
  void report(bool suspects, Diagnostics& diagnostics) const;

 private:
  std::string place_;
  std::vector<TestFile> files_;
};

}  // namespace cloudai::config
