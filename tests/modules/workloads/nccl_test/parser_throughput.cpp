// Usage: nccl_parser_throughput
//
// How fast the parser reads: rows of a table, and lines outside tables as NCCL_DEBUG=INFO prints them. Prints JSON,
// each the best of five readings of 400 MB, in 10^6 bytes a second.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <istream>
#include <string>

#include "modules/workloads/nccl_test/output_parser.hpp"
#include "tests/modules/workloads/nccl_test/repeated_text.hpp"

namespace {

constexpr std::size_t bytes = 200'000'000;

double megabytes_per_second(const std::string& text) {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    cloudai::nccl_test::RepeatedText buffer(text, bytes);
    std::istream stream(&buffer);
    const std::clock_t start = std::clock();
    const auto output = cloudai::nccl_test::parse_output(stream);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (output.malformed_rows > 0) std::fprintf(stderr, "malformed rows\n");
    best = std::max(best, bytes / 1e6 / seconds);
  }
  return best;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

int main() {
  const std::string table = "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n" +
                            repeated(
                                "     1048576        262144     float     sum      -1    23.50   44.63   83.68      0  "
                                "  23.26   45.08   84.53"
                                "      0\n"
                                " 17179869184    4294967296     float     sum      -1    57286  299.90  562.30      0  "
                                "  56713  302.92  567.98"
                                "      0\n",
                                500);
  const std::string lines = repeated(
      "node001:4100:4119 [0] NCCL INFO Channel 03/0 : 12[4] -> 3[3] [receive] via NET/IB/3/GDRDMA\n"
      "node001:4107:4175 [7] NCCL INFO NET/IB: Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [RO]; OOB "
      "eth0:10.0.0.1<0>\n"
      "node001:4103:4171 [3] NCCL INFO Trees [0] 4/-1/-1->3->2 [1] 4/-1/-1->3->2 [2] 4/-1/-1->3->2 [3] -1/-1/-1->3->2\n"
      "node001:4103:4171 [3] NCCL INFO P2P Chunksize set to 524288\n",
      400);
  std::printf("{\"rows_mb_s\": %.0f, \"lines_mb_s\": %.0f}\n", megabytes_per_second(table),
              megabytes_per_second(lines));
}
