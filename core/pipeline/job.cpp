#include "core/pipeline/job.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "core/config/node_count.hpp"

namespace cloudai::pipeline {

namespace {

// A list whose size only the scheduler can tell is taken for the largest.
int listed_nodes(const config::Case& test_case) {
  return config::node_count(test_case.nodes).value_or(std::numeric_limits<int>::max());
}

void add_missing(const std::vector<std::string>& from, std::vector<std::string>& to) {
  for (const std::string& text : from) {
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
  }
}

}  // namespace

Job job_of(const Run& run) {
  const config::Case& test_case = *run.test_case;
  return {{{&run}}, false, test_case.num_nodes, test_case.nodes, test_case.exclude_nodes};
}

Job shared_job_of(const std::vector<Run>& runs) {
  Job job;
  job.is_shared = true;
  int listed = 0;
  for (const Run& run : runs) {
    const config::Case& test_case = *run.test_case;
    job.runs.push_back({&run});
    job.num_nodes = std::max(job.num_nodes, test_case.num_nodes);
    add_missing(test_case.exclude_nodes, job.exclude_nodes);
    if (test_case.nodes.empty() || listed_nodes(test_case) <= listed) continue;
    job.nodes = test_case.nodes;
    listed = listed_nodes(test_case);
  }
  return job;
}

int nodes_of(const JobRun& run, const Job& job, int job_nodes) {
  if (!job.is_shared) return job_nodes;
  const config::Case& test_case = *run.run->test_case;
  return test_case.nodes.empty() ? test_case.num_nodes : std::min(listed_nodes(test_case), job_nodes);
}

std::optional<std::chrono::seconds> time_limit_of(const Job& job) {
  std::chrono::seconds sum{0};
  for (const JobRun& part : job.runs) {
    if (!part.run->time_limit) return std::nullopt;
    sum += *part.run->time_limit;
  }
  return sum;
}

std::vector<Run> in_order_of_dependencies(const std::vector<Run>& runs) {
  std::vector<Run> ordered;
  std::set<std::string> placed;
  std::vector<const Run*> left;
  for (const Run& run : runs) left.push_back(&run);
  const auto is_ready = [&](const Run* run) {
    return std::all_of(run->predecessors.begin(), run->predecessors.end(),
                       [&](const Predecessor& predecessor) { return placed.contains(predecessor.run_id); });
  };
  while (!left.empty()) {
    // There is one, since no configuration with tests that wait for each other comes so far.
    auto next = std::find_if(left.begin(), left.end(), is_ready);
    if (next == left.end()) next = left.begin();
    placed.insert((*next)->id);
    ordered.push_back(**next);
    left.erase(next);
  }
  return ordered;
}

}  // namespace cloudai::pipeline
