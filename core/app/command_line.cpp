#include "core/app/command_line.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/support/nearest.hpp"

namespace cloudai::app {

namespace {

constexpr const char* examples = R"(Examples:
  cloudai run --system-config conf/demo/system.toml --tests-dir conf/demo/test --test-scenario conf/demo/test_scenario/demo.toml
  cloudai dry-run --system-config system.toml --tests-dir tests --test-scenario scenario.toml
  cloudai verify-configs conf
  cloudai generate-report --result-dir results/nccl-test_2026-03-01_12-00-00 --report html
  cloudai compare results/nccl-test_2026-03-01_12-00-00 results/nccl-test_2026-03-08_12-00-00
  cloudai list workloads
  cloudai modules show NcclTest

Results go to stdout, the log to stderr.

Exit status: 0 all passed · 1 a test failed, or none passed; compare: a regression · 2 wrong use or configuration
             3 trouble with a scheduler, a module or judging · 128 + n stopped by signal n)";

const CLI::Validator not_empty(
    [](const std::string& value) { return value.empty() ? "found an empty text, expected a path." : std::string(); },
    "", "not_empty");

// Takes a level in any case, and leaves it in lower case.
std::string check_level(std::string& value) {
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::vector<std::string> levels = {"debug", "info", "warning", "error", "critical"};
  if (std::find(levels.begin(), levels.end(), value) != levels.end()) return {};
  const std::string advice = did_you_mean(value, levels);
  return "found '" + value + "', expected debug, info, warning, error or critical" + (advice.empty() ? "." : advice);
}

template <class Path>
CLI::Option* add_path(CLI::App& command, const char* name, Path& path, const char* type, const char* help) {
  return command.add_option(name, path, help)->check(not_empty)->type_name(type);
}

// Of every command, and of the program itself, so that they may stand on either side of the command's name.
void add_common_options(CLI::App& command, GlobalOptions& global) {
  command
      .add_option_function<std::vector<std::string>>(
          "--module-path",
          [&global](const std::vector<std::string>& paths) {
            global.module_path.insert(global.module_path.end(), paths.begin(), paths.end());
          },
          "A directory of modules, searched first (repeatable)")
      ->check(not_empty)
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group("Modules and log");
  command
      .add_flag_callback(
          "--strict-modules", [&global] { global.strict_modules = true; },
          "A file on the module path that is broken, hidden or no module is an error before anything runs")
      ->group("Modules and log");
  const auto add_switch = [&](const char* name, bool& value, const char* help) {
    command
        .add_flag_callback(
            name, [&value] { value = true; }, help)
        ->group("Modules and log");
  };
  add_switch("--quiet", global.log.quiet, "On stderr only warnings and errors");
  add_switch("--verbose", global.log.verbose, "On stderr everything, for finding faults");
  command
      .add_option("--log-level", global.log.level, "The least that stderr shows: debug, info, warning, error, critical")
      ->transform(CLI::Validator(check_level, "", "level"))
      ->type_name("LEVEL")
      ->group("Modules and log");
  add_path(command, "--log-file", global.log.file, "FILE", "Append the whole log, debug included, to this file")
      ->group("Modules and log");
}

CLI::App* add_command(CLI::App& parent, const char* name, const char* help, const char* example,
                      CommandLine& command_line) {
  CLI::App* command = parent.add_subcommand(name, help);
  add_common_options(*command, command_line.global);
  command->footer(std::string("Example:\n  ") + example);
  return command;
}

void add_run_options(CLI::App& command, RunOptions& options) {
  add_path(command, "--system-config", options.system_config, "FILE", "The system file")
      ->envname("CLOUDAI_SYSTEM_CONFIG")
      ->required();
  add_path(command, "--test-scenario", options.test_scenario, "FILE", "The scenario file")->required();
  add_path(command, "--tests-dir", options.tests_dir, "DIR", "The directory of test files");
  add_path(command, "--hook-dir", options.hook_dir, "DIR", "The directory of prologues and epilogues");
  add_path(command, "--output-dir", options.output_dir, "DIR",
           "Where results go, in place of the system's output_path");
  CLI::Option* max_parallel =
      command
          .add_option("--max-parallel", options.max_parallel,
                      "How many runs may be in flight, in place of the scenario's or the system's max_parallel")
          ->check(CLI::Range(1, 1000000))
          ->type_name("N");
  command.add_flag("--keep-going", options.keep_going, "After a failed test go on with what does not depend on it");
  command
      .add_flag("--single-sbatch", options.single_sbatch, "All runs in one job, one after the other on the same nodes")
      ->excludes(max_parallel);
  command.add_option("--filter", options.filter, "Only the tests whose id matches this glob (repeatable)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

void add_run_commands(CLI::App& app, CommandLine& line) {
  auto* run_command = add_command(app, "run", "Run a scenario",
                                  "cloudai run --system-config system.toml --tests-dir tests --test-scenario "
                                  "scenario.toml --filter 'nccl.*'",
                                  line);
  add_run_options(*run_command, line.run);
  run_command->callback([&line] { line.chosen = [&line] { return run(line.global, line.run); }; });

  auto* dry_run_command =
      add_command(app, "dry-run", "Write everything a run would, and submit nothing",
                  "cloudai dry-run --system-config system.toml --tests-dir tests --test-scenario scenario.toml", line);
  add_run_options(*dry_run_command, line.run);
  dry_run_command->callback([&line] {
    line.run.dry_run = true;
    line.chosen = [&line] { return run(line.global, line.run); };
  });
}

void add_verify_configs(CLI::App& app, CommandLine& line) {
  auto* command =
      add_command(app, "verify-configs", "Check configuration files", "cloudai verify-configs conf --json", line);
  add_path(*command, "configs", line.verify.configs, "PATH", "Files, and directories that are searched recursively")
      ->required();
  add_path(*command, "--tests-dir", line.verify.tests_dir, "DIR", "The tests that scenarios refer to");
  add_path(*command, "--hook-dir", line.verify.hook_dir, "DIR", "The prologues and epilogues that scenarios refer to");
  command->add_flag("--json", line.verify.json, "Results as JSON");
  command->callback([&line] { line.chosen = [&line] { return verify_configs(line.global, line.verify); }; });
}

void add_generate_report(CLI::App& app, CommandLine& line) {
  auto* command = add_command(
      app, "generate-report", "Write the reports of a run once more, from its results directory alone",
      "cloudai generate-report --result-dir results/nccl-test_2026-03-01_12-00-00 --report html --report csv", line);
  GenerateReportOptions& options = line.generate_report;
  add_path(*command, "--result-dir", options.result_dir, "DIR", "What a run left behind; it may have been moved")
      ->required();
  command
      ->add_option("--report", options.reports,
                   "Only this report, even where it is switched off (repeatable); without: those that the run wrote")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_path(*command, "--system-config", options.system_config, "FILE",
           "A system file whose [reports] count before those that the run used");
  command->add_flag("--reevaluate", options.reevaluate,
                    "Let the workloads judge every run anew first; the exit status is then that of the new verdicts");
  command->callback([&line] { line.chosen = [&line] { return generate_report(line.global, line.generate_report); }; });
}

constexpr const char* compare_examples = R"(Examples:
  cloudai compare results/before results/after
  cloudai compare results/before results/after --tolerance 3 --tolerance time=10
  cloudai compare results/before results/after --report html --output-dir /tmp
  cloudai compare results/before results/after --markdown >> ticket.md
  cloudai compare results/2026-* --json | jq -r '.cases[].metrics[] | select(.changes.B.verdict == "regression") | .name'

The first directory is the baseline. Of several iterations the median is compared; a difference within the
spread of the baseline is noise. Numbers of runs that did not pass are shown and not compared.

Exit status: 0 no regression · 1 a test or a metric is worse than in the baseline
             2 wrong use, a damaged summary.json, or no test in common
             3 a damaged outcome.json, no metric that could be compared, or a report that could not be generated)";

void add_compare(CLI::App& app, CommandLine& line) {
  auto* command = add_command(app, "compare", "Compare the results of runs, metric by metric", "", line);
  command->footer(compare_examples);
  CompareOptions& options = line.compare;
  command->add_option("directories", options.directories, "Results directories; the first is the baseline")
      ->required()
      ->check(not_empty)
      ->type_name("DIR");
  command
      ->add_option(
          "--tolerance", options.tolerance,
          "How many percent of the baseline are no difference, 5 unless told; METRIC=PERCENT for the metrics of "
          "one name (repeatable)")
      ->type_name("PERCENT")
      ->allow_extra_args(false);
  command->add_flag("--all", options.all, "Also what did not change, however long the tables get");
  auto* markdown = command->add_flag("--markdown", options.markdown, "As Markdown");
  command->add_flag("--json", options.json, "As JSON, always complete")->excludes(markdown);
  command->add_option("--report", options.reports, "Also let this reporter write the comparison down (repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_path(*command, "--output-dir", options.output_dir, "DIR",
           "Where reports go; without: into the current directory");
  command->callback([&line] { line.chosen = [&line] { return compare(line.global, line.compare); }; });
}

void add_list(CLI::App& app, CommandLine& line) {
  auto* command = app.add_subcommand("list", "The names that configuration files may use");
  add_common_options(*command, line.global);
  command->require_subcommand(1);
  command->footer("Example:\n  cloudai list workloads");
  constexpr std::array<std::pair<const char*, const char*>, 4> kinds = {
      {{"reports", "List the reports that can be written"},
       {"agents", "List the agents that search a range of values"},
       {"workloads", "List what a test may run"},
       {"schedulers", "List what a system may run tests with"}}};
  for (const auto& [name, help] : kinds) {
    auto* kind = add_command(*command, name, help, (std::string("cloudai list ") + name + " --json").c_str(), line);
    kind->add_flag("--json", line.list.json, "Results as JSON");
    kind->callback([&line, name = std::string(name)] { line.list.kind = name; });
  }
  command->callback([&line] { line.chosen = [&line] { return list(line.global, line.list); }; });
}

void add_modules_list(CLI::App& command, CommandLine& line) {
  ModulesOptions& options = line.modules;
  auto* list = add_command(command, "list", "List the modules on the search path", "cloudai modules list --all", line);
  list->add_flag("--all", options.all, "Also the files that are hidden or ignored, with the reason");
  list->add_flag("--json", options.json, "Results as JSON");
  list->callback([&line] { line.chosen = [&line] { return list_modules(line.global, line.modules); }; });
  auto* show = add_command(command, "show", "Show what a module provides: options, metrics, versions",
                           "cloudai modules show NcclTest", line);
  show->add_option("name", options.name, "Name of a workload, scheduler or reporter")->required()->type_name("NAME");
  show->add_flag("--json", options.json, "Results as JSON");
  show->callback([&line] { line.chosen = [&line] { return show_module(line.global, line.modules); }; });
}

void add_modules_new(CLI::App& command, CommandLine& line) {
  NewModuleOptions& options = line.new_module;
  auto* new_command = add_command(command, "new", "Write the project of a new module, ready to be built and changed",
                                  "cloudai modules new DiskWrite --kind workload", line);
  new_command->add_option("name", options.name, "What the module provides, as the user's files will call it")
      ->required()
      ->type_name("NAME");
  new_command->add_option("--kind", options.kind, "workload, scheduler or reporter")
      ->required()
      ->check(CLI::IsMember({"workload", "scheduler", "reporter"}))
      ->type_name("KIND");
  add_path(*new_command, "--directory", options.directory, "DIR",
           "Where the project goes, empty or not there yet; without: a directory of its name");
  new_command->callback([&line] { line.chosen = [&line] { return new_module(line.new_module); }; });
}

constexpr const char* verify_examples = R"(Examples:
  cloudai modules verify build/disk_write.so
  cloudai modules verify build/disk_write.so --only elf --only manifest

Each check runs in a process of its own, with a time limit: file, elf, manifest, abi, load, documents,
workload, scheduler, reporter, process. The later ones load the module and run its code.

Exit status: 0 no check failed · 1 a check failed · 2 wrong use)";

void add_modules_verify(CLI::App& command, CommandLine& line) {
  VerifyModuleOptions& options = line.verify_module;
  auto* verify = add_command(command, "verify", "Check that a file is what a module has to be", "", line);
  verify->footer(verify_examples);
  add_path(*verify, "file", options.file, "FILE", "The module, a .so file")->required();
  verify->add_option("--only", options.only, "Only this check (repeatable)")
      ->type_name("CHECK")
      ->allow_extra_args(false);
  verify->add_flag("--json", options.json, "Results as JSON");
  verify->callback([&line] { line.chosen = [&line] { return verify_module(line.global, line.verify_module); }; });
}

void add_modules(CLI::App& app, CommandLine& line) {
  auto* command = app.add_subcommand("modules", "What modules there are, and how to make one");
  add_common_options(*command, line.global);
  command->require_subcommand(1);
  command->footer("Example:\n  cloudai modules list");
  add_modules_list(*command, line);
  add_modules_new(*command, line);
  add_modules_verify(*command, line);
}

void add_schema(CLI::App& app, CommandLine& line) {
  auto* command = app.add_subcommand("schema", "Print the JSON Schema of a kind of file, for editors");
  add_common_options(*command, line.global);
  command->require_subcommand(1);
  command->footer("Example:\n  cloudai schema test > test.schema.json");
  constexpr std::array<std::array<const char*, 4>, 3> kinds = {
      {{"test", "Of a test file", "Only for tests with this workload", "cloudai schema test NcclTest"},
       {"scenario", "Of a scenario or hook file", nullptr, "cloudai schema scenario"},
       {"system", "Of a system file", "Only for systems with this scheduler", "cloudai schema system slurm"}}};
  for (const auto& [name, help, help_of_name, example] : kinds) {
    auto* kind = add_command(*command, name, help, example, line);
    if (help_of_name != nullptr) kind->add_option("name", line.schema.name, help_of_name)->type_name("NAME");
    kind->callback([&line, name = std::string(name)] {
      line.schema.kind = name;
      line.chosen = [&line] { return schema(line.global, line.schema); };
    });
  }
}

}  // namespace

void define(CLI::App& app, CommandLine& command_line) {
  app.footer(examples);
  app.set_version_flag("--version", "CloudAI, version " CLOUDAI_VERSION);
  add_common_options(app, command_line.global);
  add_run_commands(app, command_line);
  add_verify_configs(app, command_line);
  add_generate_report(app, command_line);
  add_compare(app, command_line);
  add_list(app, command_line);
  add_modules(app, command_line);
  add_schema(app, command_line);
}

}  // namespace cloudai::app
