// The command line's grammar: every subcommand and option, with its help.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "core/app/commands.hpp"

namespace cloudai::app {

// Where the parsed options go. Must outlive the parser.
struct CommandLine {
  GlobalOptions global;
  RunOptions run;
  VerifyOptions verify;
  GenerateReportOptions generate_report;
  CompareOptions compare;
  ListOptions list;
  ModulesOptions modules;
  NewModuleOptions new_module;
  VerifyModuleOptions verify_module;
  SchemaOptions schema;
  std::function<int()> chosen;  // the subcommand, ready to be called
};

void define(CLI::App& app, CommandLine& command_line);

}  // namespace cloudai::app
