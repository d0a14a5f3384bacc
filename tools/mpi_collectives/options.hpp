// The command line: the options of nccl-tests, as far as they mean something on CPUs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/mpi_collectives/types.hpp"

namespace mpi_collectives {

// Whose time is reported.
enum class Average { rank_zero, mean, fastest, slowest };

struct Options {
  std::size_t min_bytes = std::size_t{32} << 20U;
  std::size_t max_bytes = std::size_t{32} << 20U;
  std::size_t step_bytes = std::size_t{1} << 20U;
  std::size_t step_factor = 1;  // above 1: sizes are multiplied, and step_bytes is not used
  int iterations = 20;
  int warmup_iterations = 5;
  int cycles = 1;  // 0: until it is stopped
  int checks = 1;  // 0: the data are not checked
  unsigned timeout_seconds = 0;
  Average average = Average::mean;
  std::vector<Reduction> reductions{Reduction::sum};
  std::vector<DataType> types{DataType::float32};
  std::optional<int> root = 0;  // nothing: every rank, one after the other
  bool help = false;
};

// Reads argv, the program's name included. The error is a sentence for the user. Not reentrant (getopt).
tl::expected<Options, std::string> parse_options(const std::vector<std::string>& arguments);

// "32M" → 33554432; K, M and G are powers of 1024.
std::optional<std::size_t> parse_size(const std::string& text);

// The size after `bytes` in the sweep, or nothing after the last.
std::optional<std::size_t> next_size(const Options& options, std::size_t bytes);

std::string usage(const std::string& program);

}  // namespace mpi_collectives
