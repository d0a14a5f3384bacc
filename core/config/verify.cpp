#include "core/config/verify.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/config/config_file.hpp"
#include "core/config/scenario_loader.hpp"
#include "core/config/system.hpp"
#include "core/config/test.hpp"
#include "core/config/test_library.hpp"
#include "core/support/nearest.hpp"

namespace cloudai::config {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_to_check(const fs::path& configs) {
  std::error_code error;
  const fs::file_status status = fs::status(configs, error);
  if (!fs::exists(status)) return usage_error(configs.string() + " does not exist.");
  if (!fs::is_directory(status)) return std::vector<fs::path>{configs};
  std::vector<fs::path> files;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(configs, options, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;  // a link to nowhere is told when it is read
    if (is_config_file_name(entry->path()) && !entry->is_directory(ignored)) files.push_back(entry->path());
  }
  if (error) return usage_error(configs.string() + " cannot be searched: " + error.message() + ".");
  if (files.empty()) return usage_error("there is no *.toml, *.yaml or *.yml file in " + configs.string() + ".");
  return files;
}

// Each once, however often it is named.
Result<std::vector<fs::path>> files_to_check(const std::vector<fs::path>& configs) {
  std::vector<fs::path> files;
  for (const fs::path& path : configs) {
    const Result<std::vector<fs::path>> found = files_to_check(path);
    if (!found) return tl::make_unexpected(found.error());
    for (const fs::path& file : *found) files.push_back(file.lexically_normal());
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

std::string joined(const std::vector<fs::path>& paths) {
  std::string text;
  for (const fs::path& path : paths) text += (text.empty() ? "" : ", ") + path.string();
  return text;
}

void report_unknown_kind(const Node& root, Diagnostics& diagnostics) {
  const Table& table = std::get<Table>(root.value);
  if (table.empty()) return diagnostics.error(root.position, "the file is of an unknown kind: it has no keys.");
  std::string keys;
  std::string advice;
  for (const Entry& entry : table) {
    keys += (keys.empty() ? "'" : ", '") + entry.key + "'";
    if (advice.empty()) advice = did_you_mean(entry.key, {"scheduler", "Tests", "test_template_name"});
  }
  diagnostics.error(root.position,
                    "the file is of an unknown kind: a system has the key 'scheduler', a scenario 'Tests' and a test "
                    "'test_template_name'; this file has " +
                        keys + (advice.empty() ? "." : advice));
}

class Verifier {
 public:
  Verifier(const VerifyPaths& paths, const module::Catalogue& modules, const Environment& environment)
      : paths_(paths), modules_(modules), environment_(environment), workloads_(modules), shared_(workloads_) {}

  std::vector<VerifiedFile> verify(const std::vector<fs::path>& files) {
    std::vector<VerifiedFile> verified;
    std::vector<std::optional<Node>> roots;
    for (const fs::path& path : files) {
      VerifiedFile& file = verified.emplace_back();
      file.path = path;
      roots.push_back(read_config_file(path, file.problems));
      if (roots.back()) file.kind = kind_of(*roots.back(), path);
      if (file.kind == FileKind::test && !is_below_hook(path)) all_tests_.push_back(path);
    }
    for (std::size_t i = 0; i < verified.size(); ++i) {
      if (!roots[i]) continue;
      check(verified[i], *roots[i]);
      find_repeated_name(verified[i], *roots[i]);
    }
    return verified;
  }

 private:
  void check(VerifiedFile& file, const Node& root) {
    switch (file.kind) {
      case FileKind::system:
        read_system(root, file.path, modules_, environment_, file.problems);
        break;
      case FileKind::test:
        read_test(read_test_keys(root, file.problems), workloads_, file.problems);
        break;
      case FileKind::scenario:
      case FileKind::hook:
        check_scenario(file);
        break;
      case FileKind::unknown:
        report_unknown_kind(root, file.problems);
        break;
    }
  }

  // A name may be taken once among the tests of a directory, and among its hooks.
  void find_repeated_name(VerifiedFile& file, const Node& root) {
    if (file.kind != FileKind::test && file.kind != FileKind::hook) return;
    const std::string name = text_of(root, "name");
    const auto [first, is_new] = named_.try_emplace({file.kind, file.path.parent_path(), name}, file.path);
    if (is_new || name.empty()) return;
    file.problems.error(position_of(root, "/name"), std::string(to_string(file.kind)) + " '" + name +
                                                        "' is there twice: first in " + first->second.string() +
                                                        ". Rename or remove one.");
  }

  void check_scenario(VerifiedFile& file) {
    const ScenarioPaths scenario = sources_of(file.path);
    Diagnostics found;
    if (file.kind == FileKind::hook) {
      load_hook_scenario(scenario, shared_, modules_, found);
    } else {
      load_scenario(scenario, shared_, nullptr, modules_, environment_, found);
    }
    // What is only a warning in another file is no matter of this one, and told where that is checked.
    for (const Diagnostic& problem : found.all()) {
      const bool is_own = problem.position.file && *problem.position.file == file.path.string();
      if (is_own || problem.severity == Severity::error) file.problems.add(problem);
    }
  }

  const std::vector<fs::path>& files_in(const fs::path& directory) {
    const auto known = listed_.find(directory);
    return known != listed_.end() ? known->second : listed_.emplace(directory, config_files(directory)).first->second;
  }

  ScenarioPaths sources_of(const fs::path& scenario) {
    ScenarioPaths sources{scenario, paths_.hook_dir, {}, {}};
    std::vector<fs::path> directories = {scenario.parent_path() / ".." / "test", scenario.parent_path() / "test"};
    if (paths_.tests_dir) directories = {*paths_.tests_dir};
    for (const fs::path& directory : directories) {
      std::error_code error;
      if (!fs::is_directory(directory, error)) continue;
      sources.tests_place = directory.lexically_normal().string();
      sources.test_files = files_in(directory.lexically_normal());
      return sources;
    }
    if (!all_tests_.empty()) sources.tests_place = joined(paths_.configs);
    sources.test_files = all_tests_;
    return sources;
  }

  const VerifyPaths& paths_;
  const module::Catalogue& modules_;
  const Environment& environment_;
  Workloads workloads_;
  SharedFiles shared_;
  std::vector<fs::path> all_tests_;
  std::map<fs::path, std::vector<fs::path>> listed_;  // by directory
  std::map<std::tuple<FileKind, fs::path, std::string>, fs::path> named_;
};

}  // namespace

Result<std::vector<VerifiedFile>> verify(const VerifyPaths& paths, const module::Catalogue& modules,
                                         const Environment& environment) {
  for (const auto* directory : {&paths.tests_dir, &paths.hook_dir}) {
    std::error_code error;
    if (*directory && !fs::is_directory(**directory, error)) {
      return usage_error((*directory)->string() + " is not a directory.");
    }
  }
  const Result<std::vector<fs::path>> files = files_to_check(paths.configs);
  if (!files) return tl::make_unexpected(files.error());
  return Verifier(paths, modules, environment).verify(*files);
}

}  // namespace cloudai::config
