// Processes as the kernel shows them in /proc: who a pid is, and which processes belong to a session.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cloudai::module {

// One process at one moment.
struct ProcessStat {
  char state = '?';  // field 3 of /proc/<pid>/stat; Z and X have ended
  pid_t session = 0;
  std::string start_time;  // "<field 22, clock ticks since boot>-<first 8 digits of the boot id>"

  bool has_ended() const { return state == 'Z' || state == 'X'; }
};

// Nothing if there is no such process.
std::optional<ProcessStat> process_stat(pid_t pid);

// The variable that marks the processes of a detached one, whatever session they have made for themselves.
inline constexpr std::string_view mark_variable = "CLOUDAI_PROCESS_MARK";

// A session made by ProcessService: the session's id is the pid of the process that leads it. With a `mark`, processes
// of other sessions belong to it, too, if mark_variable is the mark in their environment, or begins with it and a
// slash.
struct Session {
  pid_t leader = 0;
  std::string start_time;  // of the leader
  std::string mark = {};
  bool marked_only = false;  // of its members those with the mark alone
};

struct SessionEnd {
  bool ended = false;
  int signalled = 0;    // how many processes were sent a signal
  std::string message;  // a sentence, where `ended` is false
};

// Sends SIGTERM to every process of the sessions, and to those with their marks, and SIGKILL to what is left after
// `grace`. Returns once all have ended, at the latest two seconds after `grace`. Sessions whose leader's pid was used
// again have ended; pid 0, 1, a negative number, a process that leads no session and the caller's own session are
// refused without a signal.
std::vector<SessionEnd> end_sessions(const std::vector<Session>& sessions, std::chrono::milliseconds grace);

}  // namespace cloudai::module
