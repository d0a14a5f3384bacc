// The traffic matrix that a DeepEP benchmark wrote, for the alltoallv that replays its traffic.
#pragma once

#include <string>
#include <vector>

#include "cloudai/workload.hpp"

namespace cloudai::nccl_test {

struct TrafficMatrix {
  std::string file;  // the newest nccl_matrix.txt of the benchmark
  std::string root;  // the directory of the benchmark's run
};

// Of the first of `predecessors` that was such a benchmark: it has a ucc_matrix.txt somewhere, or its output says so.
// Throws Error(invalid_config) where there is none.
TrafficMatrix find_traffic_matrix(const std::vector<Predecessor>& predecessors);

}  // namespace cloudai::nccl_test
