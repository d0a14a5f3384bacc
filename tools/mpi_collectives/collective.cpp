#include "tools/mpi_collectives/collective.hpp"

#include <algorithm>
#include <cstring>

namespace mpi_collectives {

namespace {

int count_of(const Call& call) {
  return static_cast<int>(call.count);
}

const void* input_of(const Call& call) {
  return call.in_place ? MPI_IN_PLACE : call.send;
}

bool is_root(const Call& call) {
  return call.rank == call.root;
}

std::size_t own_share(const Call& call) {
  return static_cast<std::size_t>(call.rank) * call.count;
}

// The rank's own place in its receive buffer.
std::byte* own_place(const Call& call) {
  return call.receive + own_share(call) * call.element_size;
}

int all_reduce(const Call& call) {
  return MPI_Allreduce(input_of(call), call.receive, count_of(call), call.type, call.operation, MPI_COMM_WORLD);
}

int all_gather(const Call& call) {
  return MPI_Allgather(input_of(call), count_of(call), call.type, call.receive, count_of(call), call.type,
                       MPI_COMM_WORLD);
}

int reduce_scatter(const Call& call) {
  return MPI_Reduce_scatter_block(input_of(call), call.receive, count_of(call), call.type, call.operation,
                                  MPI_COMM_WORLD);
}

int alltoall(const Call& call) {
  return MPI_Alltoall(input_of(call), count_of(call), call.type, call.receive, count_of(call), call.type,
                      MPI_COMM_WORLD);
}

int broadcast(const Call& call) {
  // MPI broadcasts in place only; out of place the root also delivers to itself.
  if (!call.in_place && is_root(call)) std::memcpy(call.receive, call.send, call.count * call.element_size);
  return MPI_Bcast(call.receive, count_of(call), call.type, call.root, MPI_COMM_WORLD);
}

int reduce(const Call& call) {
  const void* const input = call.in_place && !is_root(call) ? call.receive : input_of(call);
  return MPI_Reduce(input, is_root(call) ? call.receive : nullptr, count_of(call), call.type, call.operation, call.root,
                    MPI_COMM_WORLD);
}

int gather(const Call& call) {
  const void* const input = call.in_place && !is_root(call) ? own_place(call) : input_of(call);
  return MPI_Gather(input, count_of(call), call.type, is_root(call) ? call.receive : nullptr, count_of(call), call.type,
                    call.root, MPI_COMM_WORLD);
}

int scatter(const Call& call) {
  void* output = call.receive;
  if (call.in_place) output = is_root(call) ? MPI_IN_PLACE : own_place(call);
  const void* const input = call.in_place ? call.receive : call.send;
  return MPI_Scatter(is_root(call) ? input : nullptr, count_of(call), call.type, output, count_of(call), call.type,
                     call.root, MPI_COMM_WORLD);
}

int neighbour_below(const Call& call) {
  return (call.rank + call.ranks - 1) % call.ranks;
}

int send_receive(const Call& call) {
  const int above = (call.rank + 1) % call.ranks;
  const int below = neighbour_below(call);
  if (call.in_place) {
    return MPI_Sendrecv_replace(call.receive, count_of(call), call.type, above, 0, below, 0, MPI_COMM_WORLD,
                                MPI_STATUS_IGNORE);
  }
  return MPI_Sendrecv(call.send, count_of(call), call.type, above, 0, call.receive, count_of(call), call.type, below, 0,
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

std::size_t at_start(const Call& /*call*/) {
  return 0;
}

using Expectations = std::vector<Expectation>;

// The reduction of everything, or of this rank's share.
Expectations whole_reduction(const Call& call) {
  return {{std::nullopt, 0, call.count, 0}};
}

Expectations own_share_of_reduction(const Call& call) {
  return {{std::nullopt, own_share(call), call.count, 0}};
}

Expectations reduction_at_root(const Call& call) {
  return is_root(call) ? whole_reduction(call) : Expectations{};
}

// A share from every rank, in order of rank; `first` is the position in the sender's data.
Expectations one_share_from_each(const Call& call, std::size_t first) {
  Expectations result;
  for (int source = 0; source < call.ranks; ++source) {
    result.push_back({source, first, call.count, static_cast<std::size_t>(source) * call.count});
  }
  return result;
}

Expectations gathered(const Call& call) {
  return one_share_from_each(call, 0);
}

Expectations gathered_at_root(const Call& call) {
  return is_root(call) ? gathered(call) : Expectations{};
}

Expectations exchanged(const Call& call) {
  return one_share_from_each(call, own_share(call));
}

Expectations of_root(const Call& call) {
  return {{call.root, 0, call.count, 0}};
}

Expectations own_share_of_root(const Call& call) {
  return {{call.root, own_share(call), call.count, call.in_place ? own_share(call) : 0}};
}

Expectations of_neighbour(const Call& call) {
  return {{neighbour_below(call), 0, call.count, 0}};
}

double all_but_own_twice(int ranks) {
  return 2.0 * (ranks - 1) / ranks;
}
double all_but_own(int ranks) {
  return static_cast<double>(ranks - 1) / ranks;
}
double once(int /*ranks*/) {
  return 1.0;
}

}  // namespace

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> table{
      // name, reduces, has_root, sends_shares, receives_shares
      {"all_gather", false, false, false, true, all_but_own, all_gather, own_share, gathered},
      {"all_reduce", true, false, false, false, all_but_own_twice, all_reduce, at_start, whole_reduction},
      {"alltoall", false, false, true, true, all_but_own, alltoall, at_start, exchanged},
      {"broadcast", false, true, false, false, once, broadcast, at_start, of_root},
      {"gather", false, true, false, true, all_but_own, gather, own_share, gathered_at_root},
      {"reduce", true, true, false, false, once, reduce, at_start, reduction_at_root},
      {"reduce_scatter", true, false, true, false, all_but_own, reduce_scatter, at_start, own_share_of_reduction},
      {"scatter", false, true, true, false, all_but_own, scatter, at_start, own_share_of_root},
      {"sendrecv", false, false, false, false, once, send_receive, at_start, of_neighbour},
  };
  return table;
}

const Collective* collective_called(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  const auto& table = collectives();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Collective& collective) {
    const std::string stem = std::string(collective.name) + "_perf";
    return name == stem || name == stem + "_mpi";
  });
  return found == table.end() ? nullptr : &*found;
}

std::string program_names() {
  std::string result;
  for (const Collective& collective : collectives()) {
    if (!result.empty()) result += ", ";
    result += std::string(collective.name) + "_perf_mpi";
  }
  return result;
}

Shape shape_of(const Collective& collective, std::size_t bytes, std::size_t element_size, int ranks) {
  const auto shares = static_cast<std::size_t>(ranks);
  const std::size_t elements = bytes / element_size;
  if (!collective.sends_shares && !collective.receives_shares) return {elements, elements, elements};
  const std::size_t share = elements / shares;
  return {share, collective.sends_shares ? share * shares : share, collective.receives_shares ? share * shares : share};
}

}  // namespace mpi_collectives
