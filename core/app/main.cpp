// The program: the command line in, one subcommand called, its exit status out.

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "core/app/command_line.hpp"
#include "core/app/complaints.hpp"
#include "core/app/wrong_use.hpp"
#include "core/module/module_host.hpp"
#include "core/support/log.hpp"
#include "core/support/signals.hpp"

namespace {

using namespace cloudai::app;

std::filesystem::path executable_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

cloudai::Result<void> set_up_log(const LogOptions& options) {
  if (int(options.quiet) + int(options.verbose) + int(options.level.has_value()) > 1) {
    return cloudai::usage_error("--quiet, --verbose and --log-level exclude each other; give one of them.");
  }
  using spdlog::level::level_enum;
  if (options.quiet) cloudai::log::set_console_level(level_enum::warn);
  if (options.verbose) cloudai::log::set_console_level(level_enum::debug);
  if (options.level) cloudai::log::set_console_level(spdlog::level::from_str(*options.level));
  if (!options.file) return {};
  const auto opened = cloudai::log::also_write_to(*options.file);
  if (!opened) return cloudai::usage_error("--log-file: " + opened.error().message);
  return {};
}

// What a full disk or a closed pipe did not take makes the results incomplete.
int after_output(int status) {
  errno = 0;
  if (std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  const std::string why = errno != 0 ? ": " + std::generic_category().message(errno) : std::string();
  cloudai::log::error("The output could not be written to stdout{}.", why);
  return std::max<int>(status, trouble);
}

int parse_and_run(int argc, char** argv) {
  CommandLine command_line;
  GlobalOptions& global = command_line.global;
  global.arguments.assign(argv, argv + argc);
  global.executable = executable_path();
  CLI::App app("Runs benchmark and acceptance scenarios on AI clusters.", "cloudai");
  define(app, command_line);
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
  if (const auto ready = set_up_log(global.log); !ready) return fail(ready.error());
  return after_output(command_line.chosen());
}

// Where stdin, stdout or stderr is closed the next file that is opened would take its place, and what is meant for
// people would go there.
void fill_standard_files() {
  int file = 0;
  while ((file = ::open("/dev/null", O_RDWR)) >= 0 && file <= STDERR_FILENO) {
  }
  if (file > STDERR_FILENO) ::close(file);
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_files();
  // Not for people, so it is no command of theirs.
  if (argc == 3 && std::string_view(argv[1]) == "module-host") return cloudai::module::run_module_host(argv[2]);
  // A full disk or a closed pipe is an error of a write, never the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  cloudai::leave_on_signals();
  cloudai::log::start();
  // Not for people, so it is no command of theirs.
  if (argc == 5 && std::string_view(argv[1]) == "module-check") return check_module({argv[2], argv[3], argv[4]});
  int status = trouble;
  try {
    status = parse_and_run(argc, argv);
  } catch (const std::exception& exception) {
    cloudai::log::error("Internal error: {}. Please report it with debug.log.", exception.what());
  }
  cloudai::log::finish();
  return status;
}
