#include "tests/runai_simulator/nccl_log.hpp"

#include <array>
#include <cstdio>

namespace runai_simulator {

std::string nccl_log(int ranks, int ranks_per_host) {
  std::string log =
      "# nThread 1 nGpus 1 minBytes 33554432 maxBytes 67108864 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 "
      "validation: 1 graph: 0\n#\n# Using devices\n";
  std::array<char, 200> line{};
  for (int rank = 0; rank < ranks; ++rank) {
    const int device = rank % ranks_per_host;
    std::snprintf(line.data(), line.size(),
                  "#  Rank %2d Group  0 Pid %6d on node-%d device %2d [0x%02x] NVIDIA H100 80GB HBM3\n", rank,
                  4000 + rank, rank / ranks_per_host + 1, device, 0x18 + device);
    log += line.data();
  }
  log +=
      "#\n"
      "#                                                              out-of-place                       in-place      "
      "    \n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
      "#wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)   "
      "    \n";
  // Of an all-reduce between so many ranks.
  const double factor = 2.0 * (ranks - 1) / ranks;
  std::array<char, 200> row{};
  const auto add_row = [&](long size, double time, double out, double in_time, double in) {
    std::snprintf(row.data(), row.size(),
                  "%12ld %13ld     float     sum      -1 %8.1f %7.2f %7.2f      0 %8.1f %7.2f %7.2f      0\n", size,
                  size / 4, time, out, out * factor, in_time, in, in * factor);
    log += row.data();
  };
  add_row(33554432, 241.9, 138.71, 240.3, 139.64);
  add_row(67108864, 447.2, 150.06, 446.1, 150.43);
  std::snprintf(row.data(), row.size(), "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : %.3f \n#\n",
                (138.71 + 139.64 + 150.06 + 150.43) / 4 * factor);
  log += row.data();
  return log;
}

}  // namespace runai_simulator
