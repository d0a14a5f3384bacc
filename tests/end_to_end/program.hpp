// A program under test: started with an environment and a directory of its own, signalled, waited for with a deadline.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace end_to_end {

using namespace std::chrono_literals;

// How a program ended, and all it said.
struct Ended {
  int exit_status = -1;  // -1: ended by `signal`
  int signal = 0;
  bool timed_out = false;  // it was still running at the deadline, and was killed
  std::string out;
  std::string err;
};

struct Launch {
  std::vector<std::string> command;
  std::filesystem::path directory;
  std::map<std::string, std::string> environment;  // laid over this process's own
};

// "name=value" of each variable a launched program sees.
std::vector<std::string> environment_of(const Launch& launch);

// For execve: the texts, which must outlive it, and a null.
std::vector<char*> pointers_to(std::vector<std::string>& texts);

class Program {
 public:
  // Output goes to files below `scratch`, so that a full pipe never blocks the program.
  Program(const Launch& launch, const std::filesystem::path& scratch);
  ~Program();  // kills what still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  void send(int signal) const;
  Ended wait(std::chrono::milliseconds deadline = 60s);

  // Of what it wrote so far.
  std::string err() const;

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  std::filesystem::path out_;
  std::filesystem::path err_;
};

// Waits until `condition` holds; false if it does not within the deadline.
template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds deadline = 30s);

// The processes, zombies excepted, whose environment has `name=value`.
std::vector<pid_t> processes_with(const std::string& name, const std::string& value);

void sleep_for(std::chrono::milliseconds time);

template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    sleep_for(10ms);
  }
  return true;
}

}  // namespace end_to_end
