#include "tools/mpi_collectives/benchmark.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "tools/mpi_collectives/machine.hpp"
#include "tools/mpi_collectives/output.hpp"

namespace mpi_collectives {

namespace {

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int size_in(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

struct Neighbours {
  int local_rank = 0;   // position among the ranks of this machine
  int local_ranks = 1;  // how many those are
};

Neighbours neighbours() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_in(MPI_COMM_WORLD), MPI_INFO_NULL, &machine);
  const Neighbours result{rank_in(machine), size_in(machine)};
  MPI_Comm_free(&machine);
  return result;
}

// Every rank's device, on rank 0.
std::vector<Device> gather_devices() {
  struct Packed {
    int process_id;
    int local_rank;
    std::array<char, 256> host;
    std::array<char, 256> name;
  };
  Packed own{};
  own.process_id = getpid();
  own.local_rank = neighbours().local_rank;
  short_host_name().copy(own.host.data(), own.host.size() - 1);
  cpu_model().copy(own.name.data(), own.name.size() - 1);
  std::vector<Packed> all(static_cast<std::size_t>(size_in(MPI_COMM_WORLD)));
  MPI_Gather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
  std::vector<Device> devices;
  for (const Packed& packed : all) {
    devices.push_back({packed.process_id, packed.host.data(), packed.local_rank, packed.name.data()});
  }
  return devices;
}

std::string gibibytes(std::size_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GiB", static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0));
  return text.data();
}

// The sweep on one rank. Measurements are collective calls: every rank makes the same ones in the same order.
class Sweep {
 public:
  Sweep(const Collective& collective, const Options& options, std::FILE* output)
      : collective_(collective),
        options_(options),
        output_(output),
        rank_(rank_in(MPI_COMM_WORLD)),
        ranks_(size_in(MPI_COMM_WORLD)),
        send_(options.max_bytes),
        receive_(options.max_bytes) {}

  std::size_t run() {
    for (const DataType type : options_.types) {
      for (const Reduction reduction : reductions()) {
        for (const int root : roots()) run_sizes(type, reduction, root);
      }
    }
    return failed_checks_;
  }

  double mean_bus_bandwidth() const { return bus_bandwidths_ / static_cast<double>(measurements_); }

 private:
  // A call together with what the check needs to know about it.
  struct Exchange {
    Call call;
    Round round;
    std::size_t sent_bytes = 0;
    std::vector<Expectation> expectations;
  };

  std::vector<Reduction> reductions() const {
    return collective_.reduces ? options_.reductions : std::vector<Reduction>{Reduction::none};
  }

  std::vector<int> roots() const {
    if (!collective_.has_root) return {-1};
    if (options_.root) return {*options_.root};
    std::vector<int> all(static_cast<std::size_t>(ranks_));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  void run_sizes(DataType type, Reduction reduction, int root) {
    for (const std::size_t bytes : {options_.max_bytes, options_.min_bytes}) {
      Exchange warmup = exchange(bytes, type, reduction, root, false);
      prepare(warmup);
      for (int i = 0; i < options_.warmup_iterations; ++i) run_once(warmup);
    }
    for (int cycle = 0; options_.cycles == 0 || cycle < options_.cycles; ++cycle) {
      for (std::optional<std::size_t> bytes = options_.min_bytes; bytes; bytes = next_size(options_, *bytes)) {
        run_size(*bytes, type, reduction, root);
      }
    }
  }

  void run_size(std::size_t bytes, DataType type, Reduction reduction, int root) {
    const Shape shape = shape_of(collective_, bytes, size_of(type), ranks_);
    Row row;
    row.bytes = std::max(shape.sent, shape.received) * size_of(type);
    row.count = shape.count;
    row.type = type;
    row.reduction = reduction;
    row.root = root;
    row.out_of_place = measure(exchange(bytes, type, reduction, root, false), row.bytes);
    row.in_place = measure(exchange(bytes, type, reduction, root, true), row.bytes);
    if (rank_ == 0) {
      std::fputs(format_row(row).c_str(), output_);
      std::fflush(output_);
    }
  }

  Exchange exchange(std::size_t bytes, DataType type, Reduction reduction, int root, bool in_place) {
    const Shape shape = shape_of(collective_, bytes, size_of(type), ranks_);
    Exchange result;
    result.call = {
        send_.data(), receive_.data(), shape.count, size_of(type), mpi_type_of(type), mpi_operation_of(reduction),
        root,         rank_,           ranks_,      in_place};
    result.round = {type, reduction, ranks_, 0};
    result.sent_bytes = shape.sent * size_of(type);
    result.expectations = collective_.expectations(result.call);
    return result;
  }

  // Puts new data where they are sent from, and nothing of value where they are received.
  void prepare(Exchange& exchange) {
    exchange.round.number = ++rounds_;
    spoil(receive_);
    std::byte* const input = exchange.call.in_place ? receive_.data() + collective_.in_place_input(exchange.call) *
                                                                            exchange.call.element_size
                                                    : send_.data();
    fill(exchange.round, rank_, {input, exchange.sent_bytes});
  }

  void run_once(const Exchange& exchange) {
    collective_.run(exchange.call);
    if (exchange.round.reduction == Reduction::avg) divide_by_ranks(exchange.round, exchange.expectations, receive_);
  }

  Measurement measure(Exchange exchange, std::size_t bytes) {
    alarm(rank_ == 0 ? options_.timeout_seconds : 0);
    prepare(exchange);
    run_once(exchange);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < options_.iterations; ++i) run_once(exchange);
    const double own = (MPI_Wtime() - start) / options_.iterations;

    Measurement result;
    result.seconds = average(own);
    result.algorithm_bandwidth = static_cast<double>(bytes) / 1e9 / result.seconds;
    result.bus_bandwidth = result.algorithm_bandwidth * collective_.bus_factor(ranks_);
    result.wrong = check(exchange);
    alarm(0);
    bus_bandwidths_ += result.bus_bandwidth;
    ++measurements_;
    if (result.wrong.value_or(0) > 0) ++failed_checks_;
    return result;
  }

  double average(double own) const {
    double result = own;
    switch (options_.average) {
      case Average::rank_zero:
        MPI_Bcast(&result, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        return result;
      case Average::mean:
        MPI_Allreduce(&own, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        return result / ranks_;
      case Average::fastest:
        MPI_Allreduce(&own, &result, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        return result;
      case Average::slowest:
        MPI_Allreduce(&own, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        break;
    }
    return result;
  }

  // Runs the exchange again on new data, since the timed calls have long overwritten theirs, and counts wrong elements
  // over all ranks.
  std::optional<std::size_t> check(Exchange& exchange) {
    if (options_.checks == 0) return std::nullopt;
    unsigned long long own = 0;
    for (int i = 0; i < options_.checks; ++i) {
      prepare(exchange);
      run_once(exchange);
      own += count_wrong(exchange.round, exchange.expectations, receive_);
    }
    unsigned long long all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

  const Collective& collective_;
  const Options& options_;
  std::FILE* output_;
  int rank_;
  int ranks_;
  std::vector<std::byte> send_;
  std::vector<std::byte> receive_;  // in place it is both
  unsigned rounds_ = 0;
  double bus_bandwidths_ = 0;
  std::size_t measurements_ = 0;
  std::size_t failed_checks_ = 0;
};

extern "C" void end_after_timeout(int /*signal*/) {
  constexpr std::string_view message = "error: one message size took longer than --timeout allows\n";
  // mpirun ends the other ranks when one ends like this.
  if (write(STDERR_FILENO, message.data(), message.size()) < 0) _exit(2);
  _exit(1);
}

}  // namespace

std::optional<std::string> obstacle(const Collective& collective, const Options& options) {
  const int ranks = size_in(MPI_COMM_WORLD);
  if (collective.has_root && options.root && *options.root >= ranks) {
    return "--root " + std::to_string(*options.root) + ": must be a rank below " + std::to_string(ranks) +
           ", the number of ranks";
  }
  for (const DataType type : options.types) {
    const std::size_t count = shape_of(collective, options.max_bytes, size_of(type), ranks).count;
    if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      return "--maxbytes " + std::to_string(options.max_bytes) + ": is " + std::to_string(count) +
             " elements of type " + std::string(name_of(type)) + " in one call, and MPI counts only to 2147483647";
    }
  }
  // A rank that is killed for lack of memory tells nobody why.
  const auto own =
      static_cast<unsigned long long>(available_memory() / static_cast<std::size_t>(neighbours().local_ranks));
  unsigned long long least = 0;
  MPI_Allreduce(&own, &least, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  if (options.max_bytes > least / 2) {
    return "--maxbytes " + std::to_string(options.max_bytes) + ": two buffers need " +
           gibibytes(2 * options.max_bytes) + " on each rank, and a machine has only " + gibibytes(least) +
           " of free memory for each of its ranks";
  }
  return std::nullopt;
}

std::size_t run_benchmark(const Collective& collective, const Options& options, std::FILE* output) {
  std::signal(SIGALRM, end_after_timeout);
  const bool writes = rank_in(MPI_COMM_WORLD) == 0;
  const std::vector<Device> devices = gather_devices();
  if (writes) {
    std::fputs(format_header(options, devices).c_str(), output);
    std::fflush(output);
  }
  Sweep sweep(collective, options, output);
  const std::size_t failed_checks = sweep.run();
  if (writes) std::fputs(format_footer(failed_checks, sweep.mean_bus_bandwidth()).c_str(), output);
  return failed_checks;
}

}  // namespace mpi_collectives
