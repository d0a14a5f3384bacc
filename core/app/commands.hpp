// The subcommands. Each takes its parsed options and returns the program's exit status.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cloudai::app {

// Exit statuses; a signal gives 128 + its number.
enum ExitStatus : int { success = 0, test_failed = 1, usage = 2, trouble = 3 };

struct LogOptions {
  bool quiet = false;
  bool verbose = false;
  std::optional<std::string> level;  // debug, info, warning, error or critical
  std::optional<std::filesystem::path> file;
};

struct GlobalOptions {
  std::vector<std::filesystem::path> module_path;
  bool strict_modules = false;         // a file on the search path that is not used is an error
  std::filesystem::path executable;    // absolute, resolved
  std::vector<std::string> arguments;  // argv as given
  LogOptions log;
};

struct RunOptions {
  std::filesystem::path system_config;
  std::filesystem::path test_scenario;
  std::optional<std::filesystem::path> tests_dir;
  std::optional<std::filesystem::path> hook_dir;
  std::optional<std::filesystem::path> output_dir;
  std::optional<int> max_parallel;
  bool keep_going = false;
  bool single_sbatch = false;  // all runs in one job
  bool dry_run = false;
  std::vector<std::string> filter;  // globs over case ids; empty: all
};

struct VerifyOptions {
  std::vector<std::filesystem::path> configs;  // files and directories, searched recursively
  std::optional<std::filesystem::path> tests_dir;
  std::optional<std::filesystem::path> hook_dir;
  bool json = false;
};

struct ModulesOptions {
  std::string name;  // of show
  bool all = false;  // list: ignored and hidden files too
  bool json = false;
};

struct NewModuleOptions {
  std::string name;
  std::string kind;                                // workload | scheduler | reporter
  std::optional<std::filesystem::path> directory;  // without: one of the module's name
};

struct VerifyModuleOptions {
  std::filesystem::path file;
  std::vector<std::string> only;  // names of checks; empty: all
  bool json = false;
};

// One check of `modules verify`, run by a child of it.
struct ModuleCheckOptions {
  std::string check;
  std::filesystem::path file;
  std::filesystem::path directory;  // where its report goes, and where it may work
};

struct SchemaOptions {
  std::string kind;  // test | scenario | system
  std::string name;  // of a workload or a scheduler; empty: all of them
};

struct ListOptions {
  std::string kind;  // reports | agents | workloads | schedulers
  bool json = false;
};

struct GenerateReportOptions {
  std::filesystem::path result_dir;
  std::vector<std::string> reports;  // names; empty: those that the run would have written
  std::optional<std::filesystem::path> system_config;
  bool reevaluate = false;
};

struct CompareOptions {
  std::vector<std::filesystem::path> directories;  // the first is the baseline
  std::vector<std::string> tolerance;              // PERCENT or METRIC=PERCENT
  bool all = false;
  bool markdown = false;
  bool json = false;
  std::vector<std::string> reports;  // names
  std::filesystem::path output_dir = ".";
};

int run(const GlobalOptions& global, const RunOptions& options);  // run and dry-run
int verify_configs(const GlobalOptions& global, const VerifyOptions& options);
int list_modules(const GlobalOptions& global, const ModulesOptions& options);
int show_module(const GlobalOptions& global, const ModulesOptions& options);
int new_module(const NewModuleOptions& options);
int verify_module(const GlobalOptions& global, const VerifyModuleOptions& options);
int check_module(const ModuleCheckOptions& options);
int schema(const GlobalOptions& global, const SchemaOptions& options);
int list(const GlobalOptions& global, const ListOptions& options);
int generate_report(const GlobalOptions& global, const GenerateReportOptions& options);
int compare(const GlobalOptions& global, const CompareOptions& options);

}  // namespace cloudai::app
