#include "modules/workloads/nccl_test/request.hpp"

#include <algorithm>
#include <array>

#include "modules/workloads/nccl_test/text.hpp"

namespace cloudai::nccl_test {

namespace {

enum class Sizes { whole, shares, aligned_shares, unknown };

// The bus bandwidth as a multiple of the algorithm bandwidth, of n ranks: 2(n-1)/n, (n-1)/n, 1.
enum class BusFactor { twice_others, others, one, unknown };

struct Collective {
  std::string_view name;
  bool reduces;
  Sizes sizes;
  BusFactor bus_factor;
};

constexpr std::array<Collective, 12> collectives{{{"all_reduce", true, Sizes::whole, BusFactor::twice_others},
                                                  {"reduce", true, Sizes::whole, BusFactor::one},
                                                  {"reduce_scatter", true, Sizes::shares, BusFactor::others},
                                                  {"all_gather", false, Sizes::shares, BusFactor::others},
                                                  {"alltoall", false, Sizes::shares, BusFactor::others},
                                                  {"alltoallv", false, Sizes::unknown, BusFactor::unknown},
                                                  {"broadcast", false, Sizes::whole, BusFactor::one},
                                                  {"gather", false, Sizes::shares, BusFactor::others},
                                                  {"scatter", false, Sizes::shares, BusFactor::others},
                                                  {"sendrecv", false, Sizes::whole, BusFactor::one},
                                                  {"hypercube", false, Sizes::aligned_shares, BusFactor::unknown},
                                                  {"bisection", false, Sizes::shares, BusFactor::unknown}}};

const Collective* known_collective(std::string_view name) {
  const auto* const found = std::find_if(collectives.begin(), collectives.end(),
                                         [&](const Collective& collective) { return collective.name == name; });
  return found == collectives.end() ? nullptr : found;
}

// The value of the last argument that sets an option: "--long V", "--long=V", "-s V" or "-sV".
std::optional<std::string> argument_of(const std::vector<std::string>& argv, const std::string& long_name,
                                       const std::string& short_name) {
  std::optional<std::string> value;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& argument = argv[i];
    if (argument == long_name || argument == short_name) {
      if (i + 1 < argv.size()) value = argv[++i];
    } else if (argument.starts_with(long_name + "=")) {
      value = argument.substr(long_name.size() + 1);
    } else if (argument.starts_with(short_name) && !argument.starts_with("--")) {
      value = argument.substr(short_name.size());
    }
  }
  return value;
}

std::optional<Sweep> sweep_of(const std::vector<std::string>& argv) {
  const auto size = [&](const char* long_name, const char* short_name, const char* otherwise) {
    return byte_size(argument_of(argv, long_name, short_name).value_or(otherwise));
  };
  const auto smallest = size("--minbytes", "-b", "32M");
  const auto largest = size("--maxbytes", "-e", "32M");
  const auto step = size("--stepbytes", "-i", "1M");
  const auto factor = whole_number(argument_of(argv, "--stepfactor", "-f").value_or("1"));
  if (!smallest || !largest || !step || !factor || *smallest > *largest) return std::nullopt;
  if (*factor > 1) return Sweep{*smallest, *largest, *factor, true};
  return Sweep{*smallest, *largest, *step, false};
}

}  // namespace

Request request_of(const std::vector<std::string>& argv) {
  Request request;
  if (argv.empty()) return request;
  request.program = argv[0];
  request.collective = collective_of(argv[0]);
  request.type = argument_of(argv, "--datatype", "-d").value_or("float");
  request.redop = argument_of(argv, "--op", "-o").value_or("sum");
  request.root = argument_of(argv, "--root", "-r");
  const auto count = [&](const char* long_name, const char* short_name) {
    const auto value = whole_number(argument_of(argv, long_name, short_name).value_or("1"));
    return value && *value > 0 && *value < 1000000 ? static_cast<int>(*value) : 1;
  };
  request.ranks_of_a_process = count("--ngpus", "-g") * count("--nthreads", "-t");
  request.sweep = sweep_of(argv);
  return request;
}

std::string collective_of(const std::string& program) {
  std::string name = program.substr(program.rfind('/') + 1);
  for (const std::string_view suffix : {"_mpi", "_perf"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return name;
}

std::optional<bool> reduces(std::string_view collective) {
  const Collective* known = known_collective(collective);
  return known == nullptr ? std::nullopt : std::optional(known->reduces);
}

std::optional<double> bus_factor(std::string_view collective, std::int64_t ranks) {
  const Collective* known = known_collective(collective);
  if (known == nullptr || ranks < 1) return std::nullopt;
  const double others = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
  switch (known->bus_factor) {
    case BusFactor::twice_others:
      return 2 * others;
    case BusFactor::others:
      return others;
    case BusFactor::one:
      return 1;
    case BusFactor::unknown:
      break;
  }
  return std::nullopt;
}

std::optional<std::int64_t> rounding(const Request& request, std::int64_t ranks) {
  constexpr std::int64_t largest_element = 8;
  const Collective* known = known_collective(request.collective);
  ranks = std::max<std::int64_t>(ranks, 1);
  switch (known == nullptr ? Sizes::shares : known->sizes) {
    case Sizes::whole:
      return largest_element;
    case Sizes::shares:
      return 16 * ranks;
    case Sizes::aligned_shares:
      return 4 * largest_element * ranks;
    case Sizes::unknown:
      break;
  }
  return std::nullopt;
}

}  // namespace cloudai::nccl_test
