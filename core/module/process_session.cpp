#include "core/module/process_session.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

extern "C" {  // glibc 2.36 declares these functions for C alone
#include <sys/pidfd.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <memory>
#include <set>
#include <system_error>
#include <thread>

namespace cloudai::module {
namespace {

using Moment = std::chrono::steady_clock::time_point;

// A file of /proc, whose content arrives in one read. Empty if it cannot be read.
std::string read_proc_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::array<char, 1024> buffer;
  const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
  ::close(descriptor);
  return size > 0 ? std::string(buffer.data(), static_cast<size_t>(size)) : std::string{};
}

const std::string& boot_id() {
  static const std::string id = read_proc_file("/proc/sys/kernel/random/boot_id").substr(0, 8);
  return id;
}

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> fields;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (end > 0) fields.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return fields;
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// One session on its way to its end.
struct Target {
  Session session;
  bool has_session = true;  // false: only marked processes are left of it
  bool is_young = false;
  bool settled = false;
  std::set<pid_t> signalled;
  std::vector<pid_t> alive;
  SessionEnd end;
};

void settle(Target& target, bool ended, std::string message = {}) {
  target.settled = true;
  target.end.ended = ended;
  target.end.message = std::move(message);
}

// Whether the kernel still keeps a number from being given away, as it does while a process, a group or a session has
// it. Three system calls, where a search through /proc takes one for every process of the machine.
bool is_number_taken(pid_t number) {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC);
  if (descriptor < 0) return true;
  const bool is_free = ::fcntl(descriptor, F_SETOWN, number) != 0 && errno == ESRCH;
  ::close(descriptor);
  return !is_free;
}

// Whether that many clock ticks since the machine's boot were less than two seconds ago.
bool is_a_moment_ago(unsigned long long ticks) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto second = static_cast<unsigned long long>(::sysconf(_SC_CLK_TCK));
  return ticks + 2 * second > static_cast<unsigned long long>(now.tv_sec) * second;
}

// The session itself is gone; processes with its mark need not be.
void leave_to_mark(Target& target) {
  target.has_session = false;
  if (target.session.mark.empty()) settle(target, true);
}

// Decides before any signal whether the session is one that may be signalled.
void admit(Target& target) {
  const pid_t leader = target.session.leader;
  const std::string name = "Process " + std::to_string(leader);
  if (leader <= 1) return settle(target, false, name + " is no job's process; nothing was signalled.");
  if (leader == ::getsid(0)) {
    return settle(target, false, name + " leads the session cloudai itself runs in; nothing was signalled.");
  }
  const std::string& start = target.session.start_time;
  const size_t dash = start.find('-');
  const auto ticks = dash == std::string::npos ? std::nullopt : parse<unsigned long long>(start.substr(0, dash));
  if (!ticks) {
    return settle(target, false, name + " has no valid start time ('" + start + "'); nothing was signalled.");
  }
  if (start.substr(dash + 1) != boot_id()) return settle(target, true);
  target.is_young = is_a_moment_ago(*ticks);
  if (target.session.marked_only) return leave_to_mark(target);
  const auto stat = process_stat(leader);
  // No such process: its children may still be there, and the kernel gives the number to nobody else while they are.
  if (!stat) {
    if (!is_number_taken(leader)) leave_to_mark(target);
    return;
  }
  if (stat->start_time != start) return leave_to_mark(target);
  if (stat->session != leader) {
    settle(target, false, name + " leads no session of its own; nothing was signalled.");
  }
}

// The value of mark_variable with which the process was started; empty without one, or if another user owns it.
std::string mark_of(pid_t pid) {
  std::ifstream environment("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  std::string entry;
  while (std::getline(environment, entry, '\0')) {
    if (entry.size() > mark_variable.size() && entry.starts_with(mark_variable) && entry[mark_variable.size()] == '=') {
      return entry.substr(mark_variable.size() + 1);
    }
  }
  return {};
}

bool bears(std::string_view mark, const std::string& wanted) {
  return !wanted.empty() && mark.starts_with(wanted) && (mark.size() == wanted.size() || mark[wanted.size()] == '/');
}

// The number the kernel gave away last; 0 if it does not say.
pid_t last_pid() {
  const std::string text = read_proc_file("/proc/loadavg");
  const auto fields = split_at_blanks(text);
  return fields.empty() ? 0 : parse<pid_t>(fields.back()).value_or(0);
}

// Whether a process with this number may be younger than the leader of a session that began a moment ago: numbers are
// given away in order, until they start again from below. It saves most of the search after a short job.
bool may_descend_from(const Target& target, pid_t pid, pid_t last) {
  return !target.is_young || last < target.session.leader || pid > target.session.leader;
}

bool is_member(const Target& target, pid_t pid, pid_t session) {
  if (target.has_session && target.session.leader == session) return true;
  // Never what runs beside this program.
  return !target.session.mark.empty() && session != ::getsid(0) && bears(mark_of(pid), target.session.mark);
}

// One pass over /proc: the living members of every unsettled session.
void find_members(std::vector<Target>& targets) {
  for (Target& target : targets) target.alive.clear();
  const pid_t last = last_pid();
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc"), &::closedir);
  if (!directory) return;
  while (const dirent* entry = ::readdir(directory.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    const auto pid = parse<pid_t>(entry->d_name);
    if (!pid) continue;
    // getsid is a hundred times cheaper than reading a file, which only members and possible descendants need.
    const pid_t session = ::getsid(*pid);
    for (Target& target : targets) {
      if (target.settled) continue;
      const bool in_session = target.has_session && target.session.leader == session;
      if (!in_session && !may_descend_from(target, *pid, last)) continue;
      if (!is_member(target, *pid, session)) continue;
      const auto stat = process_stat(*pid);
      if (stat && !stat->has_ended()) target.alive.push_back(*pid);
    }
  }
}

// Signals `pid` if it still is of that session; the descriptor holds the process, so that a reused pid is never hit.
void signal_member(Target& target, pid_t pid, int signal) {
  const int descriptor = ::pidfd_open(pid, 0);
  if (descriptor < 0) return;
  if (is_member(target, pid, ::getsid(pid))) {
    target.signalled.insert(pid);
    if (::pidfd_send_signal(descriptor, signal, nullptr, 0) != 0 && errno == EPERM) {
      target.end.message = "Process " + std::to_string(pid) + " belongs to another user and cannot be ended.";
    }
  }
  ::close(descriptor);
}

// One round: who is left, and the signal for them. True once nothing is left.
bool advance(std::vector<Target>& targets, bool kill) {
  find_members(targets);
  bool all_settled = true;
  for (Target& target : targets) {
    if (target.settled) continue;
    if (target.alive.empty()) {
      settle(target, true);
      continue;
    }
    all_settled = false;
    for (const pid_t pid : target.alive) {
      if (kill || !target.signalled.contains(pid)) signal_member(target, pid, kill ? SIGKILL : SIGTERM);
    }
  }
  return all_settled;
}

}  // namespace

std::optional<ProcessStat> process_stat(pid_t pid) {
  const std::string text = read_proc_file("/proc/" + std::to_string(pid) + "/stat");
  // The second field is the command's name in parentheses and may hold anything, parentheses and blanks too.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split_at_blanks(std::string_view(text).substr(name_end + 1));
  constexpr size_t state = 0, session = 3, start = 19;
  if (fields.size() <= start) return std::nullopt;
  ProcessStat stat;
  stat.state = fields[state].front();
  stat.session = parse<pid_t>(fields[session]).value_or(0);
  stat.start_time = std::string(fields[start]) + "-" + boot_id();
  return stat;
}

std::vector<SessionEnd> end_sessions(const std::vector<Session>& sessions, std::chrono::milliseconds grace) {
  std::vector<Target> targets;
  targets.reserve(sessions.size());
  for (const Session& session : sessions) {
    Target& target = targets.emplace_back();
    target.session = session;
    admit(target);
  }
  const Moment kill_from = std::chrono::steady_clock::now() + grace;
  const Moment give_up = kill_from + std::chrono::seconds(2);
  auto pause = std::chrono::milliseconds(1);
  for (;;) {
    const Moment now = std::chrono::steady_clock::now();
    if (std::ranges::all_of(targets, &Target::settled) || advance(targets, now >= kill_from) || now >= give_up) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
  std::vector<SessionEnd> ends;
  for (Target& target : targets) {
    target.end.signalled = static_cast<int>(target.signalled.size());
    if (!target.settled && target.end.message.empty()) {
      target.end.message = std::to_string(target.alive.size()) + " processes of session " +
                           std::to_string(target.session.leader) + " did not end, not even after SIGKILL.";
    }
    ends.push_back(std::move(target.end));
  }
  return ends;
}

}  // namespace cloudai::module
