#include "tests/end_to_end/terminal_program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace end_to_end {

TerminalProgram::TerminalProgram(const Launch& launch, unsigned short columns) {
  auto command = launch.command;
  auto environment = environment_of(launch);
  const auto command_pointers = pointers_to(command);
  const auto environment_pointers = pointers_to(environment);
  const auto directory = launch.directory.string();
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "forkpty");
  if (pid_ == 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
    if (::chdir(directory.c_str()) == 0) {
      ::execvpe(command_pointers[0], command_pointers.data(), environment_pointers.data());
    }
    ::_exit(126);
  }
  ::fcntl(terminal_, F_SETFL, O_NONBLOCK);
}

TerminalProgram::~TerminalProgram() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(terminal_);
}

void TerminalProgram::resize(unsigned short columns) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  ::ioctl(terminal_, TIOCSWINSZ, &size);
}

void TerminalProgram::type(const std::string& keys) const {
  // Nobody may be there any more to read them.
  if (::write(terminal_, keys.data(), keys.size()) < 0) return;
}

const std::string& TerminalProgram::output() {
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(terminal_, buffer, sizeof buffer)) > 0;) {
    output_.append(buffer, static_cast<std::size_t>(count));
  }
  return output_;
}

std::optional<int> TerminalProgram::wait(std::chrono::milliseconds deadline) {
  int status = 0;
  ended_ = eventually(
      [&] {
        output();  // a terminal that nobody reads from stops the program
        return ::waitpid(pid_, &status, WNOHANG) != 0;
      },
      deadline);
  output();
  return ended_ && WIFEXITED(status) ? std::optional<int>(WEXITSTATUS(status)) : std::nullopt;
}

}  // namespace end_to_end
