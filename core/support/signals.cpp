#include "core/support/signals.hpp"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace cloudai {
namespace {

// Only what is safe in a signal handler.
extern "C" void leave(int signal) {
  constexpr std::string_view text = "[ERROR] Stopped by a signal while no test was running.\n";
  // A terminal that is held or a pipe that is full must not keep the program from ending.
  pollfd stream{STDERR_FILENO, POLLOUT, 0};
  const bool takes = ::poll(&stream, 1, 0) > 0 && (stream.revents & POLLOUT) != 0;
  if (!takes || ::write(STDERR_FILENO, text.data(), text.size()) < 0) ::_exit(128 + signal);
  ::_exit(128 + signal);
}

}  // namespace

void leave_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = &leave;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace cloudai
