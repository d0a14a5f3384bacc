// Runs the commands of workloads as processes of this machine: one for each pod that has a command of its own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/runai_simulator/phase_engine.hpp"
#include "tests/runai_simulator/pod_command.hpp"

namespace runai_simulator {

class Executor : public CommandRunner {
 public:
  // Every workload gets a directory below `directory`; `path` is put before PATH.
  Executor(std::filesystem::path directory, std::filesystem::path path);
  void start(const Workload& workload) override;
  void stop(const std::string& workload_id) override;

  struct Ended {
    std::string workload_id;
    int exit_status = 0;  // of the first pod that failed, else 0
  };
  // Starts what waits, and tells what has ended. Always from the same thread: the processes end with it.
  std::vector<Ended> poll();

  void kill_all();

  // What a pod printed so far; of the workload's first if `pod` is empty.
  std::string log(const std::string& workload_id, const std::string& pod) const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Run {
    PodCommand command;
    pid_t pid = -1;  // not yet started
    bool ended = false;
    int exit_status = 0;
  };
  struct Job {
    std::vector<Run> runs;
    bool stopping = false;
    Time kill_at{};
    bool over = false;
  };

  void reap();
  Run* run_of(pid_t pid);

  std::filesystem::path directory_;
  std::filesystem::path path_;
  std::map<std::string, Job> jobs_;  // by workload
};

}  // namespace runai_simulator
