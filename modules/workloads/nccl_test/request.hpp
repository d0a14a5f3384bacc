// What a command line asks nccl-tests for: defaults, units and steps are its own, and the last of several equal options
// wins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modules/workloads/nccl_test/sweep.hpp"

namespace cloudai::nccl_test {

struct Request {
  std::string program;     // as it is started
  std::string collective;  // "all_reduce"
  std::string type;        // "all": every type
  std::string redop;       // "all": every operation
  std::optional<std::string> root;
  int ranks_of_a_process = 1;
  std::optional<Sweep> sweep;  // nothing for one that asks for no size or cannot be understood
};

Request request_of(const std::vector<std::string>& argv);

// "all_reduce" of "/opt/bin/all_reduce_perf_mpi".
std::string collective_of(const std::string& program);

// Whether the collective computes something; nothing for one that is not known.
std::optional<bool> reduces(std::string_view collective);

// Bus bandwidth over algorithm bandwidth, which follows from the collective and the number of ranks (nccl-tests,
// doc/PERFORMANCE.md). Nothing for a collective without such a rule.
std::optional<double> bus_factor(std::string_view collective, std::int64_t ranks);

// By less than how many bytes a measured size may be under the one asked for. Sizes are whole elements; where ranks
// have shares, these are equal and a multiple of 16 bytes (of hypercube, of four elements). Nothing where the sizes
// follow from something else.
std::optional<std::int64_t> rounding(const Request& request, std::int64_t ranks);

}  // namespace cloudai::nccl_test
