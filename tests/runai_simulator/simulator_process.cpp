#include "tests/runai_simulator/simulator_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "tests/paths.hpp"
#include "tests/runai_simulator/http_call.hpp"

namespace runai_simulator {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

fs::path scratch_directory() {
  auto path = (fs::temp_directory_path() / "runai-simulator-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp: " + path);
  return path;
}

std::vector<std::string> command_of(const Options& options, const fs::path& directory) {
  std::vector<std::string> command{tree::build_directory() + "/tests/runai_simulator/runai_simulator",
                                   "--directory",
                                   directory,
                                   "--owner",
                                   std::to_string(::getpid()),
                                   "--seed",
                                   std::to_string(options.seed),
                                   "--release",
                                   options.release,
                                   "--time-scale",
                                   std::to_string(options.time_scale)};
  if (!options.state.empty()) command.insert(command.end(), {"--state", options.state.dump()});
  if (options.execute) command.emplace_back("--execute");
  if (!options.path.empty()) command.insert(command.end(), {"--path", options.path});
  return command;
}

// Starts the command; its output comes from `out`.
pid_t launch(std::vector<std::string> command, int& out) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  std::vector<char*> words;
  for (auto& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const auto pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork");
  if (pid == 0) {
    ::dup2(ends[1], 1);
    ::execv(words[0], words.data());
    ::_exit(126);
  }
  ::close(ends[1]);
  out = ends[0];
  return pid;
}

// Empty if it does not come.
std::string first_line(int descriptor) {
  std::string line;
  char character = 0;
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (std::chrono::steady_clock::now() < end) {
    pollfd item{descriptor, POLLIN, 0};
    if (::poll(&item, 1, 100) <= 0) continue;
    if (::read(descriptor, &character, 1) != 1) return "";
    if (character == '\n') return line;
    line += character;
  }
  return "";
}

RecordedRequest request_from(const Json& item) {
  RecordedRequest request;
  request.method = item.at("method");
  request.path = item.at("path");
  request.query = item.at("query");
  request.headers = item.at("headers").get<std::map<std::string, std::string>>();
  request.body = item.at("body");
  request.authorized = item.at("authorized");
  request.status = item.at("status");
  request.at = item.at("at");
  return request;
}

RecordedWorkload workload_from(const Json& item) {
  RecordedWorkload workload;
  workload.id = item.at("id");
  workload.name = item.at("name");
  workload.type = item.at("type");
  workload.phase = item.at("phase");
  workload.from_client = item.at("fromClient");
  workload.created = item.at("created");
  workload.ended = item.at("ended");
  workload.history = item.at("history").get<std::vector<std::string>>();
  return workload;
}

}  // namespace

struct SimulatorProcess::Process {
  fs::path directory = scratch_directory();
  pid_t pid = -1;
  int out = -1;

  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (pid > 0) end();
    if (out >= 0) ::close(out);
    std::error_code ignored;
    fs::remove_all(directory, ignored);
  }
  // It kills what it executes when it is asked to end.
  void end() const {
    ::kill(pid, SIGTERM);
    for (int i = 0; i < 1000; ++i) {
      if (::waitpid(pid, nullptr, WNOHANG) != 0) return;
      std::this_thread::sleep_for(10ms);
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
};

SimulatorProcess::SimulatorProcess(const Options& options) : process_(std::make_unique<Process>()) {
  process_->pid = launch(command_of(options, process_->directory), process_->out);
  const auto line = Json::parse(first_line(process_->out), nullptr, false);
  if (!line.is_object()) throw std::runtime_error("The simulator of Run:ai did not start.");
  https_url_ = line.at("https");
  http_url_ = line.at("http");
  control_url_ = line.at("control");
  ca_file_ = line.at("ca").get<std::string>();
}

SimulatorProcess::~SimulatorProcess() = default;

Json SimulatorProcess::control(const std::string& method, const std::string& path, const Json& body) const {
  const auto result = http_call(control_url_, method, "/__sim/" + path, body.is_null() ? "" : body.dump());
  if (result.status != 200) throw std::runtime_error("The simulator refuses " + path + ": " + result.body);
  return Json::parse(result.body);
}

void SimulatorProcess::reset() const {
  control("POST", "reset");
}

void SimulatorProcess::seed(const Json& state) const {
  control("POST", "seed", state);
}

void SimulatorProcess::settings(const Json& more) const {
  control("POST", "settings", more);
}

void SimulatorProcess::script(const Json& script) const {
  control("POST", "script", script);
}

void SimulatorProcess::advance(std::chrono::milliseconds time) const {
  control("POST", "advance", {{"ms", time.count()}});
}

void SimulatorProcess::set_phase(const std::string& workload, const std::string& phase,
                                 const std::string& message) const {
  control("POST", "phase", {{"workload", workload}, {"phase", phase}, {"message", message}});
}

void SimulatorProcess::vanish(const std::string& workload) const {
  control("POST", "vanish", {{"workload", workload}});
}

void SimulatorProcess::revoke_tokens() const {
  control("POST", "revoke-tokens");
}

void SimulatorProcess::fault(const Json& match, const Json& effect) const {
  control("POST", "faults", {{"match", match}, {"effect", effect}});
}

void SimulatorProcess::clear_faults() const {
  control("DELETE", "faults");
}

std::vector<RecordedRequest> SimulatorProcess::requests() const {
  std::vector<RecordedRequest> list;
  for (const auto& item : control("GET", "requests")) list.push_back(request_from(item));
  return list;
}

std::vector<RecordedWorkload> SimulatorProcess::workloads() const {
  std::vector<RecordedWorkload> list;
  for (const auto& item : control("GET", "workloads")) list.push_back(workload_from(item));
  return list;
}

}  // namespace runai_simulator
