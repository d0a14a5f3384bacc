// The command line: options in, one subcommand called, its exit status out.

#include <sys/stat.h>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "core/app/commands.hpp"
#include "core/support/log.hpp"
#include "core/support/nearest.hpp"

namespace {

using namespace cloudai::app;

constexpr const char* examples = R"(Examples:
  cloudai run --system-config conf/demo/system.toml --tests-dir conf/demo/test --test-scenario conf/demo/test_scenario/demo.toml
  cloudai dry-run --system-config system.toml --tests-dir tests --test-scenario scenario.toml
  cloudai verify-configs conf
  cloudai modules list
  cloudai modules show NcclTest

Exit status: 0 all passed · 1 a test failed, or none passed · 2 wrong use or configuration
             3 trouble with a scheduler, a module or judging · 128 + n stopped by signal n)";

std::filesystem::path executable_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("--system-config", options.system_config, "The system file")
      ->envname("CLOUDAI_SYSTEM_CONFIG")
      ->required()
      ->type_name("FILE");
  command.add_option("--test-scenario", options.test_scenario, "The scenario file")->required()->type_name("FILE");
  command.add_option("--tests-dir", options.tests_dir, "The directory of test files")->type_name("DIR");
  command.add_option("--hook-dir", options.hook_dir, "The directory of prologues and epilogues")->type_name("DIR");
  command.add_option("--output-dir", options.output_dir, "Where results go, in place of the system's output_path")
      ->type_name("DIR");
  command
      .add_option("--max-parallel", options.max_parallel,
                  "How many runs may be in flight, in place of the scenario's or the system's max_parallel")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  command.add_flag("--keep-going", options.keep_going, "After a failed test go on with what does not depend on it");
  command.add_option("--filter", options.filter, "Only the tests whose id matches this glob (repeatable)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

void add_commands(CLI::App& app, const GlobalOptions& global, RunOptions& run_options, VerifyOptions& verify_options,
                  ModulesOptions& modules_options, std::function<int()>& chosen) {
  auto* run_command = app.add_subcommand("run", "Run a scenario");
  add_run_options(*run_command, run_options);
  run_command->footer(
      "Example:\n  cloudai run --system-config system.toml --tests-dir tests --test-scenario scenario.toml --filter "
      "'nccl.*'");
  run_command->callback([&] { chosen = [&] { return run(global, run_options); }; });

  auto* dry_run_command = app.add_subcommand("dry-run", "Write everything a run would, and submit nothing");
  add_run_options(*dry_run_command, run_options);
  dry_run_command->footer(
      "Example:\n  cloudai dry-run --system-config system.toml --tests-dir tests --test-scenario scenario.toml");
  dry_run_command->callback([&] {
    run_options.dry_run = true;
    chosen = [&] { return run(global, run_options); };
  });

  auto* verify_command = app.add_subcommand("verify-configs", "Check configuration files");
  verify_command->add_option("configs", verify_options.configs, "A file, or a directory that is searched recursively")
      ->required()
      ->type_name("PATH");
  verify_command->add_option("--tests-dir", verify_options.tests_dir, "The tests that scenarios refer to")
      ->type_name("DIR");
  verify_command
      ->add_option("--hook-dir", verify_options.hook_dir, "The prologues and epilogues that scenarios refer to")
      ->type_name("DIR");
  verify_command->add_flag("--json", verify_options.json, "Results as JSON");
  verify_command->footer("Example:\n  cloudai verify-configs conf --json");
  verify_command->callback([&] { chosen = [&] { return verify_configs(global, verify_options); }; });

  auto* modules_command = app.add_subcommand("modules", "What modules there are");
  modules_command->require_subcommand(1);
  auto* list = modules_command->add_subcommand("list", "List the modules on the search path");
  list->add_flag("--all", modules_options.all, "Also the files that are hidden or ignored, with the reason");
  list->add_flag("--json", modules_options.json, "Results as JSON");
  list->footer("Example:\n  cloudai modules list --all");
  auto* show = modules_command->add_subcommand("show", "Show what a module provides: options, metrics, versions");
  show->add_option("name", modules_options.name, "Name of a workload, scheduler or reporter")
      ->required()
      ->type_name("NAME");
  show->add_flag("--json", modules_options.json, "Results as JSON");
  show->footer("Example:\n  cloudai modules show NcclTest");
  list->callback([&] { modules_options.action = "list"; });
  show->callback([&] { modules_options.action = "show"; });
  modules_command->callback([&] { chosen = [&] { return modules(global, modules_options); }; });
}

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
        return "unknown option '" + word + "'" + cloudai::did_you_mean(word, valid);
      }
      if (global.arguments[i] == word && command->get_option(word)->get_items_expected() > 0) ++i;
    } else if (const auto commands = valid_words(*command, false); !commands.empty()) {
      if (std::find(commands.begin(), commands.end(), word) == commands.end()) {
        return "unknown command '" + word + "'" + cloudai::did_you_mean(word, commands);
      }
      command = command->get_subcommand(word);
    }
  }
  return std::nullopt;
}

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

int parse_and_run(int argc, char** argv) {
  GlobalOptions global;
  RunOptions run_options;
  VerifyOptions verify_options;
  ModulesOptions modules_options;
  global.arguments.assign(argv, argv + argc);
  global.executable = executable_path();
  std::function<int()> chosen;

  CLI::App app("Runs benchmark and acceptance scenarios on AI clusters.", "cloudai");
  app.footer(examples);
  app.set_version_flag("--version", "CloudAI, version " CLOUDAI_VERSION);
  app.add_option("--module-path", global.module_path, "A directory of modules, searched first (repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  add_commands(app, global, run_options, verify_options, modules_options, chosen);
  if (argc <= 1) {
    std::fputs(app.help().c_str(), stderr);
    return usage;
  }
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return wrong_use(app, error, global);
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  // A full disk or a closed pipe is an error of a write, never the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  cloudai::log::start();
  int status = trouble;
  try {
    status = parse_and_run(argc, argv);
  } catch (const std::exception& exception) {
    cloudai::log::error("Internal error: {}. Please report it with debug.log.", exception.what());
  }
  cloudai::log::finish();
  return status;
}
