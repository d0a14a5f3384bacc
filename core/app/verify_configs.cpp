#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "core/app/commands.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/config/verify.hpp"
#include "core/support/log.hpp"

namespace cloudai::app {
namespace {

using config::FileKind;
using config::VerifiedFile;

Json to_json(const VerifiedFile& file) {
  Json problems = Json::array();
  for (const config::Diagnostic& problem : file.problems.all()) {
    Json entry = {{"severity", problem.severity == config::Severity::error ? "error" : "warning"}};
    if (problem.position.file) entry["file"] = *problem.position.file;
    if (problem.position.line != 0) {
      entry["line"] = problem.position.line;
      entry["column"] = problem.position.column;
    }
    entry["message"] = problem.message;
    if (!problem.code.empty()) entry["code"] = problem.code;
    problems.push_back(std::move(entry));
  }
  return {{"path", file.path.string()},
          {"kind", std::string(config::to_string(file.kind))},
          {"status", file.problems.has_errors() ? "failed" : "ok"},
          {"problems", std::move(problems)}};
}

struct Count {
  std::size_t checked = 0;
  std::size_t failed = 0;
};

Count count(const std::vector<VerifiedFile>& files, auto belongs) {
  Count result;
  for (const VerifiedFile& file : files) {
    if (!belongs(file)) continue;
    ++result.checked;
    if (file.problems.has_errors()) ++result.failed;
  }
  return result;
}

void print_json(const std::vector<VerifiedFile>& files) {
  Json list = Json::array();
  for (const VerifiedFile& file : files) list.push_back(to_json(file));
  const Count all = count(files, [](const VerifiedFile&) { return true; });
  const Json document = {{"schema", "cloudai.verification/1"},
                         {"files", std::move(list)},
                         {"checked", all.checked},
                         {"failed", all.failed}};
  std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_files(const std::vector<VerifiedFile>& files) {
  for (const VerifiedFile& file : files) {
    std::string kind(config::to_string(file.kind));
    kind.resize(10, ' ');
    std::cout << (file.problems.has_errors() ? "FAIL  " : "OK    ") << kind << file.path.string() << '\n';
    for (const config::Diagnostic& problem : file.problems.all()) std::cout << "      " << to_string(problem) << '\n';
    if (file.problems.left_out() > 0) std::cout << "      There are more problems in this file.\n";
  }
}

void print_counts(const std::vector<VerifiedFile>& files) {
  struct Words {
    FileKind kind;
    const char* name;
    const char* of_failed;
  };
  constexpr std::array all_words = {Words{FileKind::system, "systems", "system configurations"},
                                    Words{FileKind::test, "tests", "test configurations"},
                                    Words{FileKind::scenario, "scenarios", "test scenarios"},
                                    Words{FileKind::hook, "hooks", "hook scenarios"},
                                    Words{FileKind::unknown, "files of unknown kind", "files of unknown kind"}};
  for (const Words& words : all_words) {
    const Count own = count(files, [&](const VerifiedFile& file) { return file.kind == words.kind; });
    if (own.checked == 0) continue;
    if (own.failed == 0) {
      std::cout << "Checked " << words.name << ": " << own.checked << ", all passed\n";
    } else {
      std::cout << own.failed << " out of " << own.checked << ' ' << words.of_failed << " have issues.\n";
    }
  }
  const Count all = count(files, [](const VerifiedFile&) { return true; });
  if (all.failed == 0) {
    std::cout << "Checked " << all.checked << " configuration files, all passed\n";
  } else {
    std::cout << all.failed << " out of " << all.checked << " configuration files have issues.\n";
  }
}

}  // namespace

int verify_configs(const GlobalOptions& global, const VerifyOptions& options) {
  const auto opened = open_catalogue(global);
  if (!opened) return trouble;
  const module::Catalogue& modules = *opened;
  const config::VerifyPaths paths{options.configs, options.tests_dir, options.hook_dir};
  const auto files = config::verify(paths, modules, config::process_environment);
  if (!files) {
    log::error("{}", files.error().message);
    return ExitStatus::usage;
  }
  if (options.json) {
    print_json(*files);
  } else {
    print_files(*files);
    print_counts(*files);
  }
  const bool all_good =
      std::none_of(files->begin(), files->end(), [](const VerifiedFile& file) { return file.problems.has_errors(); });
  return all_good ? ExitStatus::success : ExitStatus::test_failed;
}

}  // namespace cloudai::app
