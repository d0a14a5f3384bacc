// What a pod runs, from what was submitted.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/runai_simulator/workload.hpp"

namespace runai_simulator {

struct PodCommand {
  std::string pod;
  std::vector<std::string> words;
  std::map<std::string, std::string> environment;  // all of it
  std::filesystem::path directory;
  std::filesystem::path log;
};

// The environment variable by which the processes of a pod are found.
inline constexpr auto pod_mark = "RUNAI_SIMULATOR_POD";

// The commands of a workload's pods. For a launcher, a hostfile and an agent that starts daemons "on" the workers are
// written into `directory`, as the MPI operator provides them.
std::vector<PodCommand> pod_commands(const Workload& workload, const std::filesystem::path& directory,
                                     const std::string& path);

// `mpirun -np 4 -x A program --option` without what belongs to mpirun: what a pod runs that knows of no others.
std::vector<std::string> without_mpirun(const std::vector<std::string>& words);

}  // namespace runai_simulator
