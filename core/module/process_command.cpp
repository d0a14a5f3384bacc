#include "core/module/process_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {  // glibc 2.36 declares these functions for C alone
#include <sys/pidfd.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/module/descriptor.hpp"
#include "core/module/process_launch.hpp"

namespace cloudai::module {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr size_t output_limit = size_t{64} << 20;
constexpr std::chrono::milliseconds grace{1000};     // from SIGTERM to SIGKILL
constexpr std::chrono::milliseconds last_wait{500};  // from SIGKILL to giving up on a process the kernel cannot end

tl::unexpected<Error> system_trouble(const Command& command, const std::string& what) {
  return trouble("The command '" + (command.argv.empty() ? std::string{} : command.argv.front()) + "' cannot be run: " +
                 what + ": " + std::strerror(errno) + ".");  // NOLINT(concurrency-mt-unsafe): glibc's is safe
}

// One of the command's two output streams.
struct Stream {
  Descriptor ours;
  Descriptor theirs;
  std::string text;

  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    ours.reset(ends[0]);
    theirs.reset(ends[1]);
    return ::fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0;
  }

  bool is_over_limit() const { return text.size() > output_limit; }

  // Takes what is there now.
  void drain() {
    std::array<char, 65536> buffer;
    while (ours.get() >= 0) {
      if (is_over_limit()) return ours.reset(-1);
      const ssize_t size = ::read(ours.get(), buffer.data(), buffer.size());
      if (size > 0) {
        text.append(buffer.data(), static_cast<size_t>(size));
      } else if (size == 0) {
        ours.reset(-1);
      } else if (errno != EINTR) {
        return;
      }
    }
  }
};

// stdin comes from a file in memory: a pipe would have to be fed while the output is drained.
bool open_input(Descriptor& input, const std::string& text) {
  input.reset(::memfd_create("stdin", MFD_CLOEXEC));
  size_t written = 0;
  while (input.get() >= 0 && written < text.size()) {
    const ssize_t size = ::write(input.get(), text.data() + written, text.size() - written);
    if (size < 0) return false;
    written += static_cast<size_t>(size);
  }
  return input.get() >= 0 && ::lseek(input.get(), 0, SEEK_SET) == 0;
}

// The command while it runs: drains, watches the clock, and ends the group when it must.
class RunningCommand {
 public:
  RunningCommand(const Command& command, pid_t pid, Stream& output, Stream& errors, int cancel_descriptor)
      : pid_(pid),
        process_(::pidfd_open(pid, 0)),
        output_(output),
        errors_(errors),
        cancel_descriptor_(cancel_descriptor),
        started_(SteadyClock::now()),
        next_deadline_(started_ + command.timeout) {}

  CommandResult wait() {
    while (!reaped_ && !given_up_) step();
    output_.drain();
    errors_.drain();
    result_.output = std::move(output_.text);
    result_.errors = std::move(errors_.text);
    result_.duration = SteadyClock::now() - started_;
    return std::move(result_);
  }

  bool wrote_too_much() const { return wrote_too_much_; }

 private:
  void step() {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_deadline_ - SteadyClock::now()).count();
    std::array<pollfd, 4> watched{pollfd{output_.ours.get(), POLLIN, 0}, pollfd{errors_.ours.get(), POLLIN, 0},
                                  pollfd{process_.get(), POLLIN, 0},
                                  pollfd{ending_ ? -1 : cancel_descriptor_, POLLIN, 0}};
    const int timeout = static_cast<int>(std::clamp<long long>(left, 0, 3'600'000));
    if (::poll(watched.data(), watched.size(), timeout) > 0) {
      output_.drain();
      errors_.drain();
      if (watched[3].revents != 0) {
        result_.cancelled = true;
        begin_end();
      }
      if (!ending_ && (output_.is_over_limit() || errors_.is_over_limit())) {
        wrote_too_much_ = true;
        begin_end();
      }
      if (watched[2].revents != 0) reap();
    }
    if (!reaped_ && SteadyClock::now() >= next_deadline_) deadline_passed();
  }

  void deadline_passed() {
    if (!ending_) {
      result_.timed_out = true;
      begin_end();
    } else if (!killed_) {
      killed_ = true;
      ::kill(-pid_, SIGKILL);
      next_deadline_ = SteadyClock::now() + last_wait;
    } else {
      given_up_ = true;
    }
  }

  void begin_end() {
    ending_ = true;
    ::kill(-pid_, SIGTERM);
    next_deadline_ = SteadyClock::now() + grace;
  }

  void reap() {
    // The group is ended before its leader is reaped, since its number is not given to anybody else until then.
    if (ending_) ::kill(-pid_, SIGKILL);
    int status = 0;
    if (::waitpid(pid_, &status, 0) == pid_) result_.end = process_end(status);
    reaped_ = true;
  }

  pid_t pid_;
  Descriptor process_;
  Stream& output_;
  Stream& errors_;
  int cancel_descriptor_;
  SteadyClock::time_point started_;
  SteadyClock::time_point next_deadline_;
  bool ending_ = false;
  bool killed_ = false;
  bool reaped_ = false;
  bool given_up_ = false;
  bool wrote_too_much_ = false;
  CommandResult result_;
};

}  // namespace

ProcessEnd process_end(int wait_status) {
  ProcessEnd end;
  if (WIFSIGNALED(wait_status)) {
    end.signal = WTERMSIG(wait_status);
  } else {
    end.exit_status = WEXITSTATUS(wait_status);
  }
  return end;
}

Result<CommandResult> run_command(const Command& command, int cancel_descriptor) {
  Stream output;
  Stream errors;
  Descriptor input;
  if (!output.open() || !errors.open()) return system_trouble(command, "no pipe could be made");
  if (!open_input(input, command.input)) return system_trouble(command, "its input could not be written");
  const auto pid = launch({command.argv, command.environment, command.unset, command.directory, input.get(),
                           output.theirs.get(), errors.theirs.get()});
  if (!pid) return tl::make_unexpected(pid.error());
  output.theirs.reset(-1);
  errors.theirs.reset(-1);
  RunningCommand running(command, *pid, output, errors, cancel_descriptor);
  CommandResult result = running.wait();
  if (running.wrote_too_much()) {
    return trouble("The command '" + command.argv.front() + "' wrote more than 64 MiB and was ended.");
  }
  return result;
}

}  // namespace cloudai::module
