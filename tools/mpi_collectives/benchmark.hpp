// Runs one collective over a sweep of message sizes, measures it and checks the data.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "tools/mpi_collectives/collective.hpp"
#include "tools/mpi_collectives/options.hpp"

namespace mpi_collectives {

// Why the sweep cannot be run with these options on this many ranks, the same on every rank. Nothing: it can.
std::optional<std::string> obstacle(const Collective& collective, const Options& options);

// Runs the sweep on all ranks of MPI_COMM_WORLD; rank 0 writes header, rows and footer to `output`. Returns the number
// of measurements whose data were wrong, the same on every rank. Needs an MPI that is initialised.
std::size_t run_benchmark(const Collective& collective, const Options& options, std::FILE* output);

}  // namespace mpi_collectives
