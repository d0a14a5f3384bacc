// The subcommands. Each takes its parsed options and returns the program's exit status.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cloudai::app {

// Exit statuses; a signal gives 128 + its number.
enum ExitStatus : int { success = 0, test_failed = 1, usage = 2, trouble = 3 };

struct GlobalOptions {
  std::vector<std::filesystem::path> module_path;
  std::filesystem::path executable;    // absolute, resolved
  std::vector<std::string> arguments;  // argv as given
};

struct RunOptions {
  std::filesystem::path system_config;
  std::filesystem::path test_scenario;
  std::optional<std::filesystem::path> tests_dir;
  std::optional<std::filesystem::path> hook_dir;
  std::optional<std::filesystem::path> output_dir;
  std::optional<int> max_parallel;
  bool keep_going = false;
  bool dry_run = false;
  std::vector<std::string> filter;  // globs over case ids; empty: all
};

struct VerifyOptions {
  std::filesystem::path configs;  // a file or a directory, searched recursively
  std::optional<std::filesystem::path> tests_dir;
  std::optional<std::filesystem::path> hook_dir;
  bool json = false;
};

struct ModulesOptions {
  std::string action;  // list | show
  std::string name;    // of show
  bool all = false;    // list: ignored and hidden files too
  bool json = false;
};

int run(const GlobalOptions& global, const RunOptions& options);  // run and dry-run
int verify_configs(const GlobalOptions& global, const VerifyOptions& options);
int modules(const GlobalOptions& global, const ModulesOptions& options);

}  // namespace cloudai::app
