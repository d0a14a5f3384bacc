// Runs something in a child process and tells how it ended and what it used.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cloudai::testing {

struct ChildEnd {
  bool good = false;  // it returned, or ended with exit status 0
  long peak_kib = 0;  // most memory it ever held
  double cpu_seconds = 0;
};

inline ChildEnd in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    try {
      work();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child) throw std::runtime_error("cannot wait");
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0, usage.ru_maxrss,
          seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

}  // namespace cloudai::testing
