// A directory for the files of one test, and modules to check them against that are only manifests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/config/diagnostics.hpp"
#include "core/config/load.hpp"
#include "core/module/catalogue.hpp"

namespace cloudai::config::fixture {

// Schedulers "standalone" (one node) and "cluster" (several nodes, containers); workloads "Collective" (closed
// options), "Open" (keeps unknown options) and "Boxed" (needs containers); reporter "table".
module::Catalogue modules();

// A fresh directory, which is the working directory while the object lives, so that messages show short paths.
class Files {
 public:
  Files();
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  // Writes a file; its directories are made.
  void write(const std::string& path, const std::string& content) const;
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
  std::filesystem::path previous_;
};

// Each diagnostic as the user sees it.
std::vector<std::string> shown(const Diagnostics& diagnostics);

// A standalone system, a directory of tests with "reduce" and "gather" (Collective) and "free" (Open), to which a test
// adds its scenario.
class ConfigTest : public testing::Test {
 protected:
  ConfigTest();

  // Loads scenario.toml; what is wrong is in `problems`.
  std::optional<Configuration> load();
  std::optional<Configuration> load_scenario(const std::string& content);

  Files files;
  Paths paths;
  std::vector<std::string> problems;
};

// A file that is good, for tests that change one thing in it.
extern const std::string good_system;
extern const std::string cluster_system;
extern const std::string reduce_test;

}  // namespace cloudai::config::fixture
