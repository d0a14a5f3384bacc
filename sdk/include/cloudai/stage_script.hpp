// What bash scripts that run a job's stages have in common: the gate, and what cannot be said in a script at all.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "cloudai/documents/scheduler.hpp"
#include "cloudai/error.hpp"
#include "cloudai/shell_text.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// The functions that gate_text() calls. They read $exit_status and $directory, the stage's.
inline constexpr std::string_view gate_functions = R"bash(
# What a gate is made of. Each leaves in `why` what does not hold.
exit_status_is() {
  [[ $exit_status == "$1" ]] && return
  why="exit status $exit_status, expected $1"
  return 1
}
holds() {
  if [[ $2 == *$'\n'* ]]; then
    [[ $(<"$directory/$1") == *"$2"* ]] 2>/dev/null
  else
    LC_ALL=C grep -qsF -e "$2" -- "$directory/$1"
  fi
}
contains() {
  holds "$@" && return
  why="$1 does not contain '$2'"
  return 1
}
lacks() {
  holds "$@" || return 0
  why="$1 contains '$2'"
  return 1
}
)bash";

// The body of a function that succeeds if the gate is open.
inline std::string gate_text(const Success& success) {
  std::string text = "  exit_status_is " + std::to_string(success.exit_status);
  const auto add = [&text](std::string_view check, const TextInFile& expected) {
    text.append(" &&\n    ").append(check);
    text.append(" ").append(literal_word(expected.file)).append(" ").append(literal_word(expected.text));
  };
  for (const auto& expected : success.must_contain) add("contains", expected);
  for (const auto& expected : success.must_not_contain) add("lacks", expected);
  return text + "\n";
}

// The word of status/id (cloudai/stage_records.hpp) that tells of a stage.
inline std::string stage_listing(const JobStage& stage, const std::string& number) {
  return literal_word("stage." + number + "=" + std::string(to_string(stage.kind)) + " " + one_line(stage.name));
}

[[noreturn]] inline void refuse_plan(Status status, const JobStage& stage, const std::string& what,
                                     std::string hint = {}) {
  throw Error(status, "The plan of '" + one_line(stage.name) + "' " + what, std::move(hint));
}

namespace detail {
inline void check_text(const JobStage& stage, std::string_view text, const std::string& what) {
  if (text.find('\0') != std::string_view::npos) {
    refuse_plan(Status::invalid_config, stage, "has a NUL byte in " + what + ", which no command can be given.");
  }
}

inline void check_variable(const JobStage& stage, const NamedValue& variable) {
  const std::string& name = variable.name;
  if (name.empty() || !std::all_of(name.begin(), name.end(), continues_name) || is_digit(name[0])) {
    refuse_plan(Status::invalid_config, stage,
                "sets an environment variable with the name '" + one_line(name) +
                    "'; a name has letters, digits and underscores and does not start with a digit.");
  }
  if (is_kept_by_shell(name)) {
    refuse_plan(Status::invalid_config, stage,
                "sets the environment variable '" + name + "', which bash keeps to itself.");
  }
  check_text(stage, variable.value, "the value of the environment variable '" + name + "'");
}
}  // namespace detail

// Throws Error for what no script could run: a stage without steps, a NUL byte, a name no variable can have.
inline void check_stage(const JobStage& stage) {
  if (stage.plan.steps.empty()) refuse_plan(Status::invalid_document, stage, "has no step.");
  detail::check_text(stage, stage.name + stage.directory, "its name");
  for (const Step& step : stage.plan.steps) {
    for (const std::string& word : step.command.argv) detail::check_text(stage, word, "its command");
    detail::check_text(stage, step.command.shell, "its command");
    for (const NamedValue& variable : step.environment) detail::check_variable(stage, variable);
  }
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
