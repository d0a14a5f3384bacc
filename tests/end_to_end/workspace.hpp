// A user's folder for one test: configuration files, the runs made from them, and what those left behind.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/end_to_end/program.hpp"
#include "tests/end_to_end/terminal_program.hpp"

namespace end_to_end {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

std::filesystem::path source_directory();
std::filesystem::path build_directory();

// Empty if there is no such file.
std::string read(const std::filesystem::path& path);

class Workspace {
 public:
  Workspace();
  ~Workspace();  // kills what is left of its runs; the folder stays if the test failed
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path output() const { return root_ / "results"; }
  std::filesystem::path marker(const std::string& name) const { return root_ / "marks" / name; }
  bool marked(const std::string& name) const { return std::filesystem::exists(marker(name)); }

  void write(const std::filesystem::path& relative, std::string_view content) const;

  // system.toml: standalone; `more` is TOML that follows.
  void system(std::string_view more = "") const;
  // A BashCmd test, `$MARKS` being the folder of the markers.
  void test(const std::string& name, const std::string& shell, std::string_view more = "") const;
  void hook_test(const std::string& name, const std::string& shell) const;
  // A hook scenario of these hook tests; `limit` is each one's time limit, if any.
  void hook(const std::string& name, const std::vector<std::string>& tests, const std::string& limit = "") const;
  // scenario.toml, named "scenario".
  void scenario(std::string_view text) const;

  // The command with the options that name the files above.
  Arguments command(const std::string& subcommand, const Arguments& more = {}) const;
  // In `directory`, the workspace's own if it is empty.
  std::unique_ptr<Program> start(const Arguments& arguments, const std::map<std::string, std::string>& environment = {},
                                 const std::filesystem::path& directory = {}) const;
  Ended cloudai(const Arguments& arguments, const std::map<std::string, std::string>& environment = {},
                const std::filesystem::path& directory = {}) const;
  // The same on a terminal of `columns` columns.
  std::unique_ptr<TerminalProgram> start_on_terminal(const Arguments& arguments, unsigned short columns,
                                                     const std::map<std::string, std::string>& environment = {}) const;
  Ended run(const Arguments& more = {}) const { return cloudai(command("run", more)); }

  // The results directories, oldest first; empty if there are none.
  std::vector<std::filesystem::path> all_results() const;
  // The one results directory.
  std::filesystem::path results() const;
  Json summary() const;
  // The run in the summary, e.g. "Tests.1/0".
  Json run_of(const std::string& id) const;

  // What runs with this workspace's environment, but for `except`.
  std::vector<pid_t> processes(pid_t except = 0) const;

 private:
  Launch launch(const Arguments& arguments, const std::map<std::string, std::string>& environment,
                const std::filesystem::path& directory) const;

  std::filesystem::path root_;
};

// The stage in a run of the summary.
Json stage_of(const Json& run, const std::string& kind);

// [[Tests]] with this id and test; `more` is TOML that follows.
std::string test_case(const std::string& id, const std::string& test, const std::string& more = "");
// [[Tests.dependencies]] on this case.
std::string after(const std::string& id);

// The first of `parts` that does not follow the ones before it in `text`; empty if all do.
std::string first_missing(const std::string& text, const std::vector<std::string>& parts);

}  // namespace end_to_end
