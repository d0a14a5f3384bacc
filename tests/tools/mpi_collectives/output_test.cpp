#include "tools/mpi_collectives/output.hpp"

#include <gtest/gtest.h>

namespace mpi_collectives {
namespace {

TEST(Output, HeaderIsThatOfNcclTests) {
  Options options;
  options.min_bytes = 8;
  options.max_bytes = 17179869184;
  options.step_factor = 2;
  const std::string text = format_header(options, {{4100, "node001", 0, "A CPU"}, {4101, "node001", 1, "A CPU"}});
  EXPECT_TRUE(text.starts_with("# MPI collectives on CPUs (")) << text;
  EXPECT_EQ(
      text.substr(text.find('\n') + 1),
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 "
      "validation: 1 graph: 0\n"
      "#\n"
      "# Using devices\n"
      "#  Rank  0 Group  0 Pid   4100 on    node001 device  0 [0x00] A CPU\n"
      "#  Rank  1 Group  0 Pid   4101 on    node001 device  1 [0x00] A CPU\n"
      "#\n"
      "#                                                              out-of-place                       in-place      "
      "    \n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
      "#wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)  "
      "     \n");
}

TEST(Output, RowsAreThoseOfNcclTests) {
  Row row{
      1048576, 262144, DataType::float32, Reduction::sum, -1, {23.5e-6, 44.63, 83.68, 0}, {3599.1e-6, 45.08, 84.53, 0}};
  EXPECT_EQ(format_row(row),
            "     1048576        262144     float     sum      -1    23.50   44.63   83.68      0   3599.1   45.08   "
            "84.53      "
            "0\n");
  row.root = 3;
  row.reduction = Reduction::none;
  row.out_of_place = {57286e-6, 299.9, 562.3, 268435456};
  row.in_place.wrong = std::nullopt;
  EXPECT_EQ(format_row(row),
            "     1048576        262144     float    none       3    57286  299.90  562.30  2.68435e+08   3599.1   "
            "45.08   84.53 "
            "   N/A\n");
}

TEST(Output, FooterTellsWhetherDataWereWrong) {
  EXPECT_EQ(format_footer(0, 302.862), "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 302.862 \n#\n");
  EXPECT_EQ(format_footer(2, 1), "# Out of bounds values : 2 FAILED\n# Avg bus bandwidth    : 1 \n#\n");
}

}  // namespace
}  // namespace mpi_collectives
