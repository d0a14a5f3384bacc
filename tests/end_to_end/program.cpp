#include "tests/end_to_end/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

extern char** environ;

namespace end_to_end {
namespace {

std::string content_of(const std::filesystem::path& path) {
  // Of a process that ends meanwhile, what could be read: iterators would throw.
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// In the child, between fork and exec: only what is safe there.
[[noreturn]] void become(char* const* command, char* const* environment, const char* directory, const char* out,
                         const char* err) {
  // Signals as a shell would leave them, whatever the test runner ignores.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_DFL);
  ::setpgid(0, 0);
  const int in_file = ::open("/dev/null", O_RDONLY);
  const int out_file = ::open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err_file = ::open(err, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(in_file, 0);
  ::dup2(out_file, 1);
  ::dup2(err_file, 2);
  if (::chdir(directory) == 0) ::execvpe(command[0], command, environment);
  ::_exit(126);
}

}  // namespace

std::vector<std::string> environment_of(const Launch& launch) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (launch.environment.count(text.substr(0, text.find('='))) == 0) result.push_back(text);
  }
  for (const auto& [name, value] : launch.environment) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

Program::Program(const Launch& launch, const std::filesystem::path& scratch) {
  static int count = 0;
  const std::string name = "program-" + std::to_string(++count);
  out_ = scratch / (name + ".out");
  err_ = scratch / (name + ".err");
  auto command = launch.command;
  auto environment = environment_of(launch);
  const auto command_pointers = pointers_to(command);
  const auto environment_pointers = pointers_to(environment);
  const auto directory = launch.directory.string();
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    become(command_pointers.data(), environment_pointers.data(), directory.c_str(), out_.c_str(), err_.c_str());
  }
}

Program::~Program() {
  if (ended_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Program::send(int signal) const {
  if (!ended_) ::kill(pid_, signal);
}

Ended Program::wait(std::chrono::milliseconds deadline) {
  Ended result;
  int status = 0;
  result.timed_out = !eventually([&] { return ::waitpid(pid_, &status, WNOHANG) != 0; }, deadline);
  if (result.timed_out) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status, 0);
  }
  ended_ = true;
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = content_of(out_);
  result.err = content_of(err_);
  return result;
}

std::string Program::err() const {
  return content_of(err_);
}

std::vector<pid_t> processes_with(const std::string& name, const std::string& value) {
  const std::string wanted = std::string(1, '\0') + name + "=" + value + '\0';
  std::vector<pid_t> result;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const auto text = entry.path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(text[0])) == 0) continue;
    const auto environment = std::string(1, '\0') + content_of(entry.path() / "environ");
    if (environment.find(wanted) != std::string::npos) result.push_back(static_cast<pid_t>(std::stol(text)));
  }
  return result;
}

void sleep_for(std::chrono::milliseconds time) {
  std::this_thread::sleep_for(time);
}

}  // namespace end_to_end
