// What a scheduler gets as one job: a run, or all runs of a scenario one after the other (--single-sbatch).
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/expansion.hpp"

namespace cloudai::pipeline {

struct JobRun {
  const Run* run = nullptr;
  std::vector<std::string> after{};  // ids of runs before it in the job; it starts only if they pass
};

struct Job {
  std::vector<JobRun> runs;  // at least one, in the order they are run
  bool is_shared = false;    // the runs have directories of their own below the job's, which is the results directory

  // The nodes it asks for: those named here in the scheduler's notation, or so many of its choice.
  int num_nodes = 1;
  std::vector<std::string> nodes;
  std::vector<std::string> exclude_nodes;

  std::filesystem::path directory_in(const std::filesystem::path& results) const {
    return is_shared ? results : results / runs.front().run->id;
  }
};

Job job_of(const Run& run);

// On as many nodes as the largest of them needs, without those that any of them excludes. `after` is empty. The runs
// must outlive the result.
Job shared_job_of(const std::vector<Run>& runs);

// On how many of the nodes of a job with `job_nodes` of them the run is: the first so many. May be more than there are,
// where only the scheduler could tell what a list of nodes comes to.
int nodes_of(const JobRun& run, const Job& job, int job_nodes);

// The sum over its runs; absent: one of them has no limit.
std::optional<std::chrono::seconds> time_limit_of(const Job& job);

// The runs, each after those of the cases it starts after, else in their order.
std::vector<Run> in_order_of_dependencies(const std::vector<Run>& runs);

}  // namespace cloudai::pipeline
