// Measures one MPI collective on CPUs and prints it in the format of nccl-tests. The name it is called by picks the
// collective: all_reduce_perf_mpi, all_gather_perf_mpi, …
#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tools/mpi_collectives/benchmark.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// Open MPI does not free all it allocates; in this program, which is short, a leak of ours would not matter either.
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
  return "detect_leaks=0";
}
#endif
#endif

namespace {

constexpr int passed = 0;
constexpr int wrong_data = 1;
constexpr int wrong_use = 2;

int refuse(int rank, const std::string& program, const std::string& message) {
  const char* const end = message.back() == '?' ? "" : ".";
  if (rank == 0) std::fprintf(stderr, "%s: error: %s%s\n", program.c_str(), message.c_str(), end);
  return wrong_use;
}

std::string help(const std::string& program, const mpi_collectives::Collective* collective) {
  if (collective != nullptr) return mpi_collectives::usage(program);
  return mpi_collectives::usage("PROGRAM") +
         "PROGRAM is one of the links to this file, whose name picks the collective: " +
         mpi_collectives::program_names() + ".\n";
}

// Whatever ends the program ends it on every rank: all of them reach MPI_Finalize.
int run(int rank, const std::vector<std::string>& arguments) {
  using namespace mpi_collectives;
  const std::string program = arguments[0].substr(arguments[0].rfind('/') + 1);
  const Collective* const collective = collective_called(program);
  const auto options = parse_options(arguments);
  if (options && options->help) {
    if (rank == 0) std::fputs(help(program, collective).c_str(), stdout);
    return passed;
  }
  if (collective == nullptr)
    return refuse(rank, program, "the name of this program picks the collective; call it as one of " + program_names());
  if (!options) return refuse(rank, program, options.error());
  if (const auto reason = obstacle(*collective, *options)) return refuse(rank, program, *reason);
  const std::size_t failed_checks = run_benchmark(*collective, *options, stdout);
  if (rank == 0 && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
    std::fprintf(stderr, "%s: error: the results could not be written to stdout.\n", program.c_str());
    return wrong_use;
  }
  return failed_checks == 0 ? passed : wrong_data;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int status = run(rank, std::vector<std::string>(argv, argv + argc));
  MPI_Finalize();
  return status;
}
