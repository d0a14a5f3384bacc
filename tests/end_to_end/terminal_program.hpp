// A program under test that has a terminal: all it reads and writes goes through one, and it can be resized.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "tests/end_to_end/program.hpp"

namespace end_to_end {

class TerminalProgram {
 public:
  TerminalProgram(const Launch& launch, unsigned short columns);
  ~TerminalProgram();  // kills what still runs
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;

  void resize(unsigned short columns);
  void type(const std::string& keys) const;

  // All it wrote so far, as the terminal got it: a line ends with "\r\n".
  const std::string& output();

  // Its exit status; nothing if it was still running at the deadline or ended by a signal.
  std::optional<int> wait(std::chrono::milliseconds deadline = 60s);

 private:
  pid_t pid_ = -1;
  int terminal_ = -1;
  bool ended_ = false;
  std::string output_;
};

}  // namespace end_to_end
