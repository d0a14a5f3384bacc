#include "core/conformance/verify.hpp"

#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/conformance/child_check.hpp"
#include "core/module/process_service.hpp"
#include "core/support/files.hpp"
#include "core/support/json.hpp"

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> make() {
    std::error_code failed;
    const fs::path parent = fs::temp_directory_path(failed);
    std::string pattern = (parent / "cloudai-verify-XXXXXX").string();
    if (!failed && ::mkdtemp(pattern.data()) != nullptr) return TemporaryDirectory(pattern);
    return trouble(
        fmt::format("No directory can be made in '{}': {}.", parent.string(), std::generic_category().message(errno)));
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  const fs::path& path() const { return path_; }

 private:
  explicit TemporaryDirectory(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(number);
}

// On one line, and not too much of it.
std::string quoted(std::string text) {
  constexpr std::size_t longest = 200;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

// What the child was doing when it ended, as the end of a sentence: " in plan() with an empty request".
std::string doing_of(const fs::path& directory) {
  const auto doing = files::read(directory / doing_file, 4096);
  return doing && !doing->empty() ? " in " + *doing : "";
}

void fail(CheckResult& result, std::string sentence) {
  result.verdict = Verdict::failed;
  result.sentences = {std::move(sentence)};
}

// What the child wrote before it ended; nothing if it did not come that far.
bool take_report(const fs::path& directory, CheckResult& result) {
  const auto text = files::read(directory / report_file);
  if (!text) return false;
  const Json report = Json::parse(*text, nullptr, false);
  const std::string verdict = report.is_object() ? text_of(report, "verdict") : "";
  if (verdict.empty()) return false;
  result.verdict = verdict == "ok" ? Verdict::ok : verdict == "failed" ? Verdict::failed : Verdict::skipped;
  result.sentences = report.value("sentences", std::vector<std::string>());
  return true;
}

void blame_output(const Json& end, CheckResult& result) {
  for (const char* stream : {"stdout", "stderr"}) {
    const std::string text = quoted(text_of(end, stream));
    if (text.empty()) continue;
    if (result.verdict != Verdict::failed) result.sentences.clear();
    result.verdict = Verdict::failed;
    result.sentences.push_back(
        fmt::format("The module writes to {}, which is not its own: '{}'. Use the host's log.", stream, text));
  }
}

CheckResult judge(const Check& check, std::chrono::seconds limit, const fs::path& directory, const Json& end) {
  CheckResult result{std::string(check.name), Verdict::failed, {}, end.value("seconds", 0.0)};
  const std::string where = doing_of(directory);
  if (end.value("timed_out", false)) {
    fail(result, fmt::format("The module did not come back within {} s{}.", limit.count(), where));
  } else if (const int signal = end.value("signal", 0); signal != 0) {
    const std::string said = quoted(text_of(end, "stderr"));
    fail(result, fmt::format("The module crashed ({}){}.{}", signal_name(signal), where,
                             said.empty() ? "" : " It said: '" + said + "'."));
  } else if (!take_report(directory, result)) {
    const std::string said = quoted(text_of(end, "stderr"));
    fail(result, fmt::format("The module ended the process (exit status {}){}.{}", end.value("exit_status", -1), where,
                             said.empty() ? "" : " It said: '" + said + "'."));
  } else {
    blame_output(end, result);
  }
  return result;
}

Result<CheckResult> run_child(const Check& check, std::chrono::seconds limit, const CommandOf& command_of,
                              const fs::path& directory, module::ProcessService& processes) {
  std::error_code failed;
  for (const char* name : {"cwd", "home", "tmp"}) fs::create_directories(directory / name, failed);
  if (failed) return trouble(fmt::format("'{}' cannot be made: {}.", directory.string(), failed.message()));
  // A home and a place for temporary files that can be looked at afterwards.
  const auto end = processes.run(
      {{"argv", command_of(check, directory)},
       {"directory", (directory / "cwd").string()},
       {"environment", {{"HOME", (directory / "home").string()}, {"TMPDIR", (directory / "tmp").string()}}},
       {"timeout", limit.count()}});
  if (end) return judge(check, limit, directory, *end);
  CheckResult result{std::string(check.name), Verdict::failed, {}, 0};
  fail(result, end.error().message);
  return result;
}

const CheckResult* failed_need(const Check& check, const std::vector<CheckResult>& results) {
  for (const CheckResult& result : results) {
    const bool is_needed = std::find(check.needs.begin(), check.needs.end(), result.name) != check.needs.end();
    if (is_needed && result.verdict != Verdict::ok) return &result;
  }
  return nullptr;
}

}  // namespace

Result<std::vector<CheckResult>> verify(const std::vector<std::string>& only, const CommandOf& command_of,
                                        const std::function<void(const CheckResult&)>& heard,
                                        std::optional<std::chrono::seconds> limit) {
  const auto scratch = TemporaryDirectory::make();
  if (!scratch) return tl::make_unexpected(scratch.error());
  const std::atomic<bool> cancelled{false};
  module::ProcessService processes(cancelled);
  std::vector<CheckResult> results;
  for (const Check& check : checks()) {
    if (!only.empty() && std::find(only.begin(), only.end(), check.name) == only.end()) continue;
    if (const CheckResult* need = failed_need(check, results)) {
      results.push_back({std::string(check.name), Verdict::skipped, {fmt::format("See '{}'.", need->name)}, 0});
    } else {
      auto result = run_child(check, limit.value_or(check.limit), command_of, scratch->path() / check.name, processes);
      if (!result) return tl::make_unexpected(result.error());
      results.push_back(std::move(*result));
    }
    heard(results.back());
  }
  return results;
}

}  // namespace cloudai::conformance
