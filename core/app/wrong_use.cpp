#include "core/app/wrong_use.hpp"

#include <algorithm>
#include <cstdio>

#include "core/support/nearest.hpp"

namespace cloudai::app {

namespace {

// The deepest subcommand that was recognised: where an unknown word was found.
const CLI::App* deepest(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

std::vector<std::string> valid_words(const CLI::App& app, bool options) {
  std::vector<std::string> words;
  if (options) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
  } else {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(command->get_name());
    }
  }
  return words;
}

// The first word of the command line that is no option or subcommand of the command it stands in. CLI11 names it only
// when nothing else is wrong: a misspelt required option would be told as missing.
std::optional<std::string> unknown_word(const CLI::App& app, const GlobalOptions& global) {
  const CLI::App* command = &app;
  for (std::size_t i = 1; i < global.arguments.size(); ++i) {
    const std::string word = global.arguments[i].substr(0, global.arguments[i].find('='));
    if (word.starts_with("--") && word.size() > 2) {
      const auto valid = valid_words(*command, true);
      if (std::find(valid.begin(), valid.end(), word) == valid.end()) {
        return "unknown option '" + word + "'" + did_you_mean(word, valid);
      }
      if (global.arguments[i] == word && command->get_option(word)->get_items_expected() > 0) ++i;
    } else if (const auto commands = valid_words(*command, false); !commands.empty()) {
      if (std::find(commands.begin(), commands.end(), word) == commands.end()) {
        return "unknown command '" + word + "'" + did_you_mean(word, commands);
      }
      command = command->get_subcommand(word);
    }
  }
  return std::nullopt;
}

}  // namespace

int wrong_use(const CLI::App& app, const CLI::ParseError& error, const GlobalOptions& global) {
  const CLI::App* command = deepest(&app);
  const std::string message = unknown_word(app, global).value_or(error.what());
  std::string name = command->get_name();
  for (const CLI::App* parent = command->get_parent(); parent != nullptr; parent = parent->get_parent()) {
    name = parent->get_name() + " " + name;
  }
  std::fprintf(stderr, "Error: %s\nTry '%s --help' for help.\n", message.c_str(), name.c_str());
  return usage;
}

}  // namespace cloudai::app
