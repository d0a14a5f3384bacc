#include "tests/runai_simulator/executor.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace runai_simulator {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto grace = 2s;

// What can be read of it: a process may end meanwhile, for which iterators throw.
std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// 0 if there is no such process.
pid_t parent_of(pid_t pid) {
  const auto text = content_of("/proc/" + std::to_string(pid) + "/stat");
  // "123 (a name) S 45 …"
  const auto name_end = text.rfind(')');
  return name_end == std::string::npos ? 0 : std::atoi(text.c_str() + std::min(name_end + 4, text.size()));
}

// What this process started stays below it, since it adopts what loses its parent.
bool is_below_this_process(pid_t pid) {
  while (pid > 1 && pid != ::getpid()) pid = parent_of(pid);
  return pid == ::getpid();
}

// Kills the processes whose environment has the pod's mark. Pods of another simulator may have the same.
void kill_pod(const std::string& pod_id) {
  const auto wanted = std::string(pod_mark) + "=" + pod_id + '\0';
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto name = entry.path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) continue;
    if (content_of(entry.path() / "environ").find(wanted) == std::string::npos) continue;
    if (const pid_t pid = std::stoi(name); is_below_this_process(pid)) ::kill(pid, SIGKILL);
  }
}

// The file that `program` names by the PATH of the pod; itself if there is none.
std::string found_in_path(const std::string& program, const std::string& path) {
  if (program.find('/') != std::string::npos) return program;
  for (const auto& folder : split(path, ':')) {
    auto file = folder + "/" + program;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return program;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void say(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  [[maybe_unused]] const auto written = ::write(2, text, length);
}

struct Prepared {
  const char* program;
  char* const* words;
  char* const* environment;
  const char* directory;
  const char* host;
  std::size_t host_length;
  const char* log;
};

// In the child, between fork and exec: only what is safe there.
[[noreturn]] void become(const Prepared& prepared) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int out = ::open(prepared.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  // Connections would stay open with it.
  ::close_range(3, ~0U, 0);
  // Without the right to it the pod has the machine's name.
  if (::unshare(CLONE_NEWUTS) == 0 && ::sethostname(prepared.host, prepared.host_length) != 0) say("no host name\n");
  if (::chdir(prepared.directory) == 0) ::execve(prepared.program, prepared.words, prepared.environment);
  say("exec: ");
  say(prepared.program);
  say(": not found in the container's PATH\n");
  ::_exit(127);
}

pid_t launched(const PodCommand& command) {
  auto words = command.words;
  if (words.empty()) words.emplace_back("no command");
  std::vector<std::string> environment;
  for (const auto& [name, value] : command.environment)
    environment.push_back(std::string(name).append("=").append(value));
  const auto program = found_in_path(words.front(), command.environment.at("PATH"));
  const auto word_pointers = pointers_to(words);
  const auto environment_pointers = pointers_to(environment);
  const auto directory = command.directory.string();
  const auto log = command.log.string();
  const Prepared prepared{program.c_str(),   word_pointers.data(), environment_pointers.data(),
                          directory.c_str(), command.pod.c_str(),  command.pod.size(),
                          log.c_str()};
  const auto pid = ::fork();
  if (pid == 0) become(prepared);
  return pid;
}

}  // namespace

Executor::Executor(fs::path directory, fs::path path) : directory_(std::move(directory)), path_(std::move(path)) {
  // Daemons that left their parent are this process's to reap.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void Executor::kill_all() {
  for (const auto& [id, job] : jobs_) {
    for (const auto& run : job.runs) kill_pod(run.command.environment.at(pod_mark));
  }
}

void Executor::start(const Workload& workload) {
  const auto* inherited = std::getenv("PATH");
  auto path = std::string(inherited == nullptr ? "/usr/bin:/bin" : inherited);
  if (!path_.empty()) path = path_.string() + ":" + path;
  Job job;
  for (auto& command : pod_commands(workload, directory_ / workload.id, path)) {
    Run run;
    run.command = std::move(command);
    job.runs.push_back(std::move(run));
  }
  jobs_[workload.id] = std::move(job);
}

void Executor::stop(const std::string& workload_id) {
  const auto found = jobs_.find(workload_id);
  if (found == jobs_.end() || found->second.over) return;
  auto& job = found->second;
  job.stopping = true;
  job.kill_at = std::chrono::steady_clock::now() + grace;
  for (const auto& run : job.runs) {
    if (run.pid > 0 && !run.ended) ::kill(-run.pid, SIGTERM);
  }
}

Executor::Run* Executor::run_of(pid_t pid) {
  for (auto& [id, job] : jobs_) {
    for (auto& run : job.runs) {
      if (run.pid == pid && !run.ended) return &run;
    }
  }
  return nullptr;
}

void Executor::reap() {
  int status = 0;
  for (pid_t pid = ::waitpid(-1, &status, WNOHANG); pid > 0; pid = ::waitpid(-1, &status, WNOHANG)) {
    auto* run = run_of(pid);
    if (run == nullptr) continue;
    run->ended = true;
    run->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    kill_pod(run->command.environment.at(pod_mark));
  }
}

std::vector<Executor::Ended> Executor::poll() {
  reap();
  std::vector<Ended> ended;
  for (auto& entry : jobs_) {
    auto& job = entry.second;
    if (job.over) continue;
    for (auto& run : job.runs) {
      if (run.pid < 0 && !job.stopping) run.pid = launched(run.command);
      if (job.stopping && !run.ended && std::chrono::steady_clock::now() > job.kill_at) {
        kill_pod(run.command.environment.at(pod_mark));
      }
    }
    job.over = std::all_of(job.runs.begin(), job.runs.end(), [stopping = job.stopping](const Run& run) {
      return run.ended || (stopping && run.pid < 0);
    });
    if (!job.over || job.stopping) continue;
    const auto failed =
        std::find_if(job.runs.begin(), job.runs.end(), [](const Run& run) { return run.exit_status != 0; });
    ended.push_back({entry.first, failed == job.runs.end() ? 0 : failed->exit_status});
  }
  return ended;
}

std::string Executor::log(const std::string& workload_id, const std::string& pod) const {
  const auto job = jobs_.find(workload_id);
  if (job == jobs_.end()) return "";
  for (const auto& run : job->second.runs) {
    if (pod.empty() || run.command.pod == pod) return content_of(run.command.log);
  }
  return "";
}

}  // namespace runai_simulator
