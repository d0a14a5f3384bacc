// A real Slurm cluster of virtual nodes, for as long as a test needs it. See `start` in this folder.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/end_to_end/program.hpp"

namespace slurm_cluster {

struct Options {
  int nodes = 4;  // n1, n2 …
  bool accounting = false;
  bool memory_limits = false;              // the names of the nodes are others then
  std::vector<std::string> settings = {};  // "KEY=VALUE" for slurm.conf
};

class Cluster {
 public:
  // Null where this machine cannot run a cluster; `why_not` tells. Throws if it should have started and did not.
  static std::unique_ptr<Cluster> start(const Options& options, const std::filesystem::path& directory,
                                        std::string& why_not);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  const std::filesystem::path& directory() const { return directory_; }
  // Partitions are `main` and, with jobs that those of `main` push aside, `requeue` and `cancel`.
  std::filesystem::path configuration() const { return directory_ / "slurm.conf"; }

  // A command of Slurm, on this cluster.
  end_to_end::Ended command(const std::vector<std::string>& command,
                            const std::map<std::string, std::string>& environment = {}) const;
  // What such a command prints, trimmed. Throws if it fails.
  std::string ask(const std::vector<std::string>& command) const;
  // The ids of the jobs that wait or run.
  std::vector<std::string> queue() const;
  // How a job that slurmctld still knows is: a field of `scontrol show job`, such as JobState; empty if there is none.
  std::string field_of_job(const std::string& id, const std::string& field) const;

  // A node that is stopped goes dark with all that runs on it.
  void stop_node(const std::string& name) const;
  void start_node(const std::string& name) const;
  void stop_controller() const;
  void start_controller() const;

 private:
  explicit Cluster(std::filesystem::path directory) : directory_(std::move(directory)) {}
  void control(const std::string& action, const std::string& part) const;

  std::filesystem::path directory_;
};

}  // namespace slurm_cluster
