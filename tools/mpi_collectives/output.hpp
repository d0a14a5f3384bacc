// The text on stdout: the format nccl-tests had in 2024, which tools all over the field read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/mpi_collectives/options.hpp"

namespace mpi_collectives {

// One rank, as the list of devices shows it.
struct Device {
  int process_id = 0;
  std::string host;
  int local_rank = 0;
  std::string name;
};

// One half of a row: out of place or in place.
struct Measurement {
  double seconds = 0;
  double algorithm_bandwidth = 0;      // GB/s, 10^9 bytes a second
  double bus_bandwidth = 0;            // GB/s
  std::optional<std::size_t> wrong{};  // elements over all ranks; nothing when the data were not checked
};

struct Row {
  std::size_t bytes = 0;
  std::size_t count = 0;
  DataType type = DataType::float32;
  Reduction reduction = Reduction::none;
  int root = -1;  // -1 where a collective has none
  Measurement out_of_place;
  Measurement in_place;
};

std::string format_header(const Options& options, const std::vector<Device>& devices);
std::string format_row(const Row& row);
std::string format_footer(std::size_t failed_checks, double mean_bus_bandwidth);

}  // namespace mpi_collectives
