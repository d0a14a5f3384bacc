#include "tools/mpi_collectives/output.hpp"

#include <mpi.h>

#include <array>
#include <cstdio>

namespace mpi_collectives {

namespace {

template <class... Arguments>
std::string formatted(const char* format, Arguments... arguments) {
  const int size = std::snprintf(nullptr, 0, format, arguments...);
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), format, arguments...);
  text.pop_back();
  return text;
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> buffer{};
  int length = 0;
  MPI_Get_library_version(buffer.data(), &length);
  const std::string version(buffer.data());
  return version.substr(0, version.find_first_of(",\n"));
}

// Fewer decimals for longer times, so that the column keeps its width.
std::string format_time(double microseconds) {
  if (microseconds >= 10000.0) return formatted("%7.0f", microseconds);
  if (microseconds >= 100.0) return formatted("%7.1f", microseconds);
  return formatted("%7.2f", microseconds);
}

std::string format_measurement(const Measurement& measurement) {
  const std::string wrong =
      measurement.wrong ? formatted("%5g", static_cast<double>(*measurement.wrong)) : formatted("%5s", "N/A");
  return formatted("  %7s  %6.2f  %6.2f  %5s", format_time(measurement.seconds * 1e6).c_str(),
                   measurement.algorithm_bandwidth, measurement.bus_bandwidth, wrong.c_str());
}

}  // namespace

std::string format_header(const Options& options, const std::vector<Device>& devices) {
  const bool multiplies = options.step_factor > 1;
  std::string text = "# MPI collectives on CPUs (" + library_version() + "): this is not NCCL, and no GPU takes part\n";
  text += formatted(
      "# nThread 1 nGpus 1 minBytes %zu maxBytes %zu step: %zu(%s) warmup iters: %d iters: %d agg iters: 1 validation: "
      "%d "
      "graph: 0\n",
      options.min_bytes, options.max_bytes, multiplies ? options.step_factor : options.step_bytes,
      multiplies ? "factor" : "bytes", options.warmup_iterations, options.iterations, options.checks);
  text += "#\n# Using devices\n";
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const Device& device = devices[rank];
    text += formatted("#  Rank %2zu Group %2d Pid %6d on %10s device %2d [0x%02x] %s\n", rank, 0, device.process_id,
                      device.host.c_str(), device.local_rank, 0U, device.name.c_str());
  }
  text += "#\n";
  text += formatted("# %10s  %12s  %8s  %6s  %6s           out-of-place                       in-place          \n", "",
                    "", "", "", "");
  text += formatted("# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s %6s  %7s  %6s  %6s %6s\n", "size", "count", "type",
                    "redop", "root", "time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw", "#wrong");
  text += formatted("# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %5s  %7s  %6s  %6s  %5s\n", "(B)", "(elements)", "",
                    "", "", "(us)", "(GB/s)", "(GB/s)", "", "(us)", "(GB/s)", "(GB/s)", "");
  return text;
}

std::string format_row(const Row& row) {
  return formatted("%12zu  %12zu  %8s  %6s  %6d", row.bytes, row.count, std::string(name_of(row.type)).c_str(),
                   std::string(name_of(row.reduction)).c_str(), row.root) +
         format_measurement(row.out_of_place) + format_measurement(row.in_place) + "\n";
}

std::string format_footer(std::size_t failed_checks, double mean_bus_bandwidth) {
  return formatted("# Out of bounds values : %zu %s\n", failed_checks, failed_checks == 0 ? "OK" : "FAILED") +
         formatted("# Avg bus bandwidth    : %g \n#\n", mean_bus_bandwidth);
}

}  // namespace mpi_collectives
