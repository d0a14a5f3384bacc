#include "core/support/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace cloudai::terminal {

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

bool can_rewrite_lines(int fd) {
  const std::string_view kind = variable("TERM");
  return ::isatty(fd) == 1 && !kind.empty() && kind != "dumb";
}

bool takes_colour(int fd) {
  return can_rewrite_lines(fd) && variable("NO_COLOR").empty();
}

bool is_in_background(int fd) {
  const pid_t owner = ::tcgetpgrp(fd);
  return owner > 0 && owner != ::getpgrp();
}

std::size_t columns(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace cloudai::terminal
