// The collectives this program measures: one row of a table each.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/mpi_collectives/data.hpp"

namespace mpi_collectives {

// One call of a collective on one rank.
struct Call {
  const std::byte* send = nullptr;  // not used in place
  std::byte* receive = nullptr;     // in place: also what the rank sends, at `in_place_input`
  std::size_t count = 0;            // elements of the whole message, or of one rank's share of it
  std::size_t element_size = 1;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op operation = MPI_SUM;
  int root = 0;
  int rank = 0;
  int ranks = 1;
  bool in_place = false;
};

// Elements of a call, from the size a user asks for. With whole messages `count` is all of it; with shared ones each
// rank's equal share, so that the sizes that are really sent may be a little smaller than those asked for.
struct Shape {
  std::size_t count = 0;
  std::size_t sent = 0;
  std::size_t received = 0;
};

struct Collective {
  std::string_view name;
  bool reduces = false;          // has a reduction
  bool has_root = false;         // one rank is special
  bool sends_shares = false;     // the send buffer holds one share for each rank
  bool receives_shares = false;  // the receive buffer holds one share from each rank

  // busbw ÷ algbw: how much of the traffic an ideal algorithm must move over each link.
  double (*bus_factor)(int ranks);

  int (*run)(const Call& call);

  // In place: where in the receive buffer, in elements, the data begin that the rank sends.
  std::size_t (*in_place_input)(const Call& call);

  // What this rank must hold afterwards.
  std::vector<Expectation> (*expectations)(const Call& call);
};

const std::vector<Collective>& collectives();

// The collective of a program name such as "/opt/bin/all_reduce_perf_mpi", or null.
const Collective* collective_called(std::string_view program);

// "all_gather_perf_mpi, all_reduce_perf_mpi, …"
std::string program_names();

Shape shape_of(const Collective& collective, std::size_t bytes, std::size_t element_size, int ranks);

}  // namespace mpi_collectives
