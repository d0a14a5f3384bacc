// The verdict every workload starts from: what the scheduler and the exit status say, before any output is read.
#pragma once

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/workload.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

namespace detail {

// "SIGSEGV", or the number for a signal without a common name.
inline std::string signal_name(int signal) {
  constexpr std::pair<int, const char*> names[] = {{SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"},
                                                   {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},
                                                   {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"},
                                                   {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}};
  for (const auto& [number, name] : names) {
    if (number == signal) return name;
  }
  return "signal " + std::to_string(signal);
}

// "01:02:03"; hours may have more digits.
inline std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(seconds);
  char text[48];
  std::snprintf(text, sizeof text, "%02lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  return text;
}

struct FoundLine {
  int number = 0;
  std::string text;
};

// The first line of the file that contains `text`. Looks at the first mebibyte only: a shell's complaint stands
// early.
inline std::optional<FoundLine> find_line(const std::filesystem::path& file, std::string_view text) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file);
  std::string line;
  std::size_t bytes = 0;
  for (int number = 1; bytes < (1U << 20U) && std::getline(stream, line); ++number) {
    if (line.find(text) != std::string::npos) return FoundLine{number, line};
    bytes += line.size() + 1;
  }
  return std::nullopt;
}

// Where to look first: what the stage wrote to stderr, else to stdout.
inline std::vector<Evidence> output_evidence(const StageRequest& stage) {
  std::vector<Evidence> evidence;
  for (const char* name : {"stderr.txt", "stdout.txt"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(std::filesystem::path(stage.stage.directory) / name, error);
    if (!error && size > 0) evidence.push_back({name, std::nullopt});
  }
  return evidence;
}

inline Outcome judged(const StageRequest& stage, Verdict verdict, const char* code, std::string text,
                      std::string hint = {}) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.reason = Reason{code, std::move(text), std::move(hint), output_evidence(stage)};
  return outcome;
}

// Exit status 127: the command the shell complained about, or the only one there is.
inline Outcome command_not_found(const StageRequest& stage) {
  std::string command;
  const auto complaint = find_line(std::filesystem::path(stage.stage.directory) / "stderr.txt", ": command not found");
  if (complaint) {
    command = complaint->text.substr(0, complaint->text.find(": command not found"));
    const std::size_t colon = command.rfind(": ");
    if (colon != std::string::npos) command.erase(0, colon + 2);
  } else if (stage.plan.steps.size() == 1 && !stage.plan.steps[0].command.argv.empty()) {
    command = stage.plan.steps[0].command.argv[0];
  }
  Outcome outcome = judged(stage, Verdict::failed, reason_code::command_not_found,
                           command.empty() ? "a command was not found (exit status 127)"
                                           : "command not found: " + command + " (exit status 127)",
                           "Install it where the job runs, or correct its name or PATH.");
  if (complaint) outcome.reason->evidence = {{"stderr.txt", complaint->number}};
  return outcome;
}

inline std::string exit_status_text(int found, int expected) {
  std::string text = "exit status " + std::to_string(found);
  // A shell reports a command that a signal ended as 128 + the signal.
  if (found > 128 && found <= 128 + 31) text += " (" + signal_name(found - 128) + ")";
  if (expected != 0) text += ", expected " + std::to_string(expected);
  return text;
}

}  // namespace detail

// Passed, or the reason why the stage cannot have passed whatever its output says. Reasons point at stderr.txt and
// stdout.txt.
inline Outcome default_evaluation(const StageRequest& stage) {
  const StageResult& result = stage.result;
  const int expected = stage.plan.success.exit_status;
  if (result.state == StageState::skipped) {
    return detail::judged(stage, Verdict::error, reason_code::scheduler_failed, "the stage did not start");
  }
  if (result.timed_out) {
    const auto limit = stage.stage.time_limit;
    return detail::judged(
        stage, Verdict::failed, reason_code::time_limit,
        limit ? "exceeded its time limit of " + detail::clock_text(*limit) : "exceeded its time limit");
  }
  // Ended on purpose: how it died says nothing about it.
  if (stage.ended_by_dependency) return {};
  if (result.state == StageState::unfinished) {
    return detail::judged(stage, Verdict::error, reason_code::incomplete_output,
                          "the stage started, but its end was not recorded: the job was cancelled or died");
  }
  if (result.signal) {
    return detail::judged(stage, Verdict::failed, reason_code::signal,
                          "ended by " + detail::signal_name(*result.signal));
  }
  if (!result.exit_status && !result.failure.empty()) {
    return detail::judged(stage, Verdict::failed, reason_code::exit_status, "the program failed: " + result.failure);
  }
  if (!result.exit_status) {
    return detail::judged(stage, Verdict::error, reason_code::scheduler_failed, "the scheduler gave no exit status");
  }
  if (*result.exit_status == expected) return {};
  if (*result.exit_status == 127) return detail::command_not_found(stage);
  return detail::judged(stage, Verdict::failed, reason_code::exit_status,
                        detail::exit_status_text(*result.exit_status, expected));
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
