// `cloudai modules verify FILE`, and the check of it that a child of it runs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/app/commands.hpp"
#include "core/app/complaints.hpp"
#include "core/app/output.hpp"
#include "core/conformance/child_check.hpp"
#include "core/conformance/verify.hpp"
#include "core/support/log.hpp"
#include "core/support/nearest.hpp"
#include "core/support/terminal.hpp"

namespace cloudai::app {
namespace {

using conformance::CheckResult;
using conformance::Verdict;

const char* word_for(Verdict verdict) {
  return verdict == Verdict::ok ? "ok" : verdict == Verdict::failed ? "failed" : "skipped";
}

std::string coloured(Verdict verdict, const std::string& word) {
  const char* colour = verdict == Verdict::ok ? "\x1b[32m" : verdict == Verdict::failed ? "\x1b[31m" : "\x1b[33m";
  return colour + word + "\x1b[0m";
}

// One line, and one more for each further sentence.
void print_line(const CheckResult& result, bool in_colour) {
  const std::string word = fmt::format("{:<8}", word_for(result.verdict));
  std::string line = fmt::format("{:<10} {}", result.name, in_colour ? coloured(result.verdict, word) : word);
  for (std::size_t i = 0; i < result.sentences.size(); ++i) {
    line += (i == 0 ? " " : "\n" + std::string(20, ' ')) + result.sentences[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  print(line + "\n");
  std::fflush(stdout);
}

std::size_t count(const std::vector<CheckResult>& results, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(results.begin(), results.end(),
                                                [&](const CheckResult& result) { return result.verdict == verdict; }));
}

Json document_of(const std::filesystem::path& file, const std::vector<CheckResult>& results) {
  Json checks = Json::array();
  for (const CheckResult& result : results) {
    checks.push_back({{"name", result.name},
                      {"verdict", word_for(result.verdict)},
                      {"sentences", result.sentences},
                      {"seconds", result.seconds}});
  }
  return {{"file", file.string()}, {"passed", count(results, Verdict::failed) == 0}, {"checks", std::move(checks)}};
}

bool are_checks(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& check : conformance::checks()) known.emplace_back(check.name);
  for (const std::string& name : names) {
    if (conformance::find_check(name) != nullptr) continue;
    const std::string advice = did_you_mean(name, known);
    log::error("There is no check '{}'{}", name,
               advice.empty() ? fmt::format("; there are {}.", fmt::join(known, ", ")) : advice);
    return false;
  }
  return true;
}

}  // namespace

int verify_module(const GlobalOptions& global, const VerifyModuleOptions& options) {
  if (!are_checks(options.only)) return usage;
  const std::filesystem::path file = std::filesystem::absolute(options.file).lexically_normal();
  const bool in_colour = terminal::takes_colour(STDOUT_FILENO);
  const auto command_of = [&](const conformance::Check& check, const std::filesystem::path& directory) {
    return std::vector<std::string>{global.executable.string(), "module-check", std::string(check.name), file.string(),
                                    directory.string()};
  };
  const auto results = conformance::verify(options.only, command_of, [&](const CheckResult& result) {
    if (!options.json) print_line(result, in_colour);
  });
  if (!results) return fail(results.error());
  const std::size_t failed = count(*results, Verdict::failed);
  if (options.json) {
    print_json(document_of(file, *results));
  } else {
    print(fmt::format("{}: {} ok, {} failed, {} skipped\n", file.string(), count(*results, Verdict::ok), failed,
                      count(*results, Verdict::skipped)));
  }
  return failed == 0 ? success : test_failed;
}

int check_module(const ModuleCheckOptions& options) {
  const conformance::Check* check = conformance::find_check(options.check);
  if (check == nullptr) return usage;
  conformance::run_in_this_process(*check, options.file, options.directory);
  return success;
}

}  // namespace cloudai::app
