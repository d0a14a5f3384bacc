#include "core/app/scenario_text.hpp"

#include "core/support/text_width.hpp"

namespace cloudai::app {

namespace {

// "start_post_comp" → "Start Post Comp".
std::string title(std::string_view name) {
  std::string text;
  bool at_start = true;
  for (const char c : name) {
    text += c == '_' ? ' ' : at_start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    at_start = c == '_';
  }
  return text;
}

std::string hooks_text(const char* label, const std::vector<config::HookTest>& hooks) {
  if (hooks.empty()) return "";
  std::string text = std::string("\n") + label + ":";
  for (const config::HookTest& hook : hooks) {
    text += " " + hook.test.name + (hook.test.name == hook.hook ? "" : " (" + hook.hook + ")");
    if (&hook != &hooks.back()) text += ",";
  }
  return text;
}

}  // namespace

std::string scenario_text(const config::Scenario& scenario) {
  std::string text = "Test Scenario: " + scenario.name;
  text += hooks_text("Prologue", scenario.prologue);
  text += hooks_text("Epilogue", scenario.epilogue);
  for (const config::Case& test_case : scenario.cases) {
    text += "\n\nSection Name: " + test_case.id + "\n  Test Name: " + test_case.test.name +
            "\n  Description: " + one_line(test_case.test.description);
    if (test_case.dependencies.empty()) text += "\n  No dependencies";
    for (const config::Dependency& dependency : test_case.dependencies) {
      text += "\n  " + title(config::to_string(dependency.type)) + ": " + dependency.id;
    }
  }
  return text;
}

}  // namespace cloudai::app
