#include "core/module/process_launch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/posix/vfork_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

namespace cloudai::module {
namespace {

namespace process = boost::process::v2;
using Environment = std::vector<process::environment::key_value_pair>;

// No signal may reach a child between vfork and exec: it would run this program's handler in this program's memory.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

enum class Step { session, directory, descriptors, exec };

// What the child does between vfork and exec. The child shares this program's memory until then, so the parent can read
// which step it came to; for the same reason nothing here may allocate or touch anything but system calls.
struct ChildSetup {
  const Launch& launch;
  Step step = Step::session;

  process::error_code on_exec_setup(process::posix::default_launcher&, const process::filesystem::path&,
                                    const char* const*) {
    if (::setsid() < 0) return failure();
    step = Step::directory;
    if (!launch.directory.empty() && ::chdir(launch.directory.c_str()) != 0) return failure();
    step = Step::descriptors;
    if (::dup2(launch.stdin_descriptor, STDIN_FILENO) < 0 || ::dup2(launch.stdout_descriptor, STDOUT_FILENO) < 0 ||
        ::dup2(launch.stderr_descriptor, STDERR_FILENO) < 0) {
      return failure();
    }
    default_signals();
    step = Step::exec;
    return {};
  }

  // The launcher would go on to exit(), which runs this program's exit handlers in its memory. A template, since the
  // launcher probes for this member with another list of arguments than it calls it with.
  template <class... Arguments>
  void on_exec_error(const Arguments&...) {
    ::_exit(127);
  }

 private:
  static process::error_code failure() { return {errno, process::system_category()}; }

  static void default_signals() {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }
};

Environment merged_environment(const Launch& launch) {
  Environment merged;
  for (const auto& entry : process::environment::current()) {
    const std::string name = entry.key().string();
    bool replaced = std::find(launch.unset.begin(), launch.unset.end(), name) != launch.unset.end();
    for (const auto& [own_name, value] : launch.environment) replaced = replaced || own_name == name;
    if (!replaced) merged.emplace_back(entry);
  }
  for (const auto& [name, value] : launch.environment) {
    merged.emplace_back(process::environment::key(name), process::environment::value(value));
  }
  return merged;
}

std::string path_of(const Environment& environment) {
  for (const auto& entry : environment) {
    if (entry.key().string() == "PATH") return entry.value().string();
  }
  return {};
}

Result<void> check(const Launch& launch) {
  const auto holds_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  if (launch.argv.empty() || launch.argv.front().empty()) return trouble("A command to run is empty.");
  for (const std::string& argument : launch.argv) {
    if (holds_nul(argument))
      return trouble("An argument of the command '" + launch.argv.front() + "' holds a NUL byte.");
  }
  for (const auto& [name, value] : launch.environment) {
    if (name.empty() || name.find('=') != std::string::npos || holds_nul(name) || holds_nul(value)) {
      return trouble("The environment variable '" + name + "' of the command '" + launch.argv.front() +
                     "' cannot be set: its name is empty or holds '=', or it holds a NUL byte.");
    }
  }
  return {};
}

std::string explain(const Launch& launch, Step step, int error_number) {
  const std::string reason = std::strerror(error_number);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  if (step == Step::directory) {
    return "The command '" + launch.argv.front() + "' cannot be started in the directory '" + launch.directory +
           "': " + reason + ".";
  }
  return "The command '" + launch.argv.front() + "' cannot be started: " + reason + ".";
}

Result<pid_t> launch_or_throw(const Launch& launch) {
  const Environment environment = merged_environment(launch);
  process::filesystem::path executable = launch.argv.front();
  if (launch.argv.front().find('/') == std::string::npos) {
    executable = process::environment::find_executable(launch.argv.front(), environment);
    if (executable.empty()) {
      return trouble("The command '" + launch.argv.front() + "' was not found in PATH (" + path_of(environment) + ").");
    }
  }
  // A context for this call alone: the launcher tells its context of a fork in the child too, where a context in use
  // would replace its descriptors in the memory that the child shares with this program.
  boost::asio::io_context context(1);
  process::posix::vfork_launcher launcher;
  std::vector<const char*> variables;
  for (const auto& entry : environment) variables.push_back(entry.c_str());
  variables.push_back(nullptr);
  launcher.env = variables.data();
  ChildSetup setup{launch};
  process::error_code error;
  const std::vector<std::string> arguments(launch.argv.begin() + 1, launch.argv.end());
  {
    const AllSignalsBlocked blocked;
    launcher(context.get_executor(), error, executable, arguments, setup).detach();
  }
  if (!error) return launcher.pid;
  if (launcher.pid > 0) ::waitpid(launcher.pid, nullptr, 0);
  return trouble(explain(launch, setup.step, error.value()));
}

}  // namespace

Result<pid_t> launch(const Launch& launch) {
  try {
    return check(launch).and_then([&] { return launch_or_throw(launch); });
  } catch (const std::exception& error) {
    return trouble("The command '" + launch.argv.front() + "' cannot be started: " + error.what() + ".");
  }
}

}  // namespace cloudai::module
