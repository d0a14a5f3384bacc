#include "tools/mpi_collectives/options.hpp"

#include <gtest/gtest.h>

namespace mpi_collectives {
namespace {

tl::expected<Options, std::string> parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "all_reduce_perf_mpi");
  return parse_options(arguments);
}

std::string error_of(const std::vector<std::string>& arguments) {
  const auto options = parse(arguments);
  return options ? "accepted" : options.error();
}

TEST(Options, DefaultsAreThoseOfNcclTests) {
  const auto options = parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->min_bytes, 33554432U);
  EXPECT_EQ(options->max_bytes, 33554432U);
  EXPECT_EQ(options->step_bytes, 1048576U);
  EXPECT_EQ(options->step_factor, 1U);
  EXPECT_EQ(options->iterations, 20);
  EXPECT_EQ(options->warmup_iterations, 5);
  EXPECT_EQ(options->checks, 1);
  EXPECT_EQ(options->average, Average::mean);
  EXPECT_EQ(options->reductions, std::vector{Reduction::sum});
  EXPECT_EQ(options->types, std::vector{DataType::float32});
  EXPECT_EQ(options->root, 0);
}

TEST(Options, LongNames) {
  const auto options = parse({"--nthreads",
                              "1",
                              "--ngpus",
                              "1",
                              "--minbytes",
                              "8",
                              "--maxbytes",
                              "1M",
                              "--stepbytes",
                              "1K",
                              "--op",
                              "prod",
                              "--datatype",
                              "uint8",
                              "--root",
                              "3",
                              "--iters",
                              "7",
                              "--warmup_iters",
                              "0",
                              "--agg_iters",
                              "1",
                              "--average",
                              "3",
                              "--parallel_init",
                              "0",
                              "--check",
                              "0",
                              "--blocking",
                              "0",
                              "--cudagraph",
                              "0",
                              "--stepfactor=2",
                              "--timeout",
                              "9",
                              "--run_cycles",
                              "2"});
  ASSERT_TRUE(options) << options.error();
  EXPECT_EQ(options->min_bytes, 8U);
  EXPECT_EQ(options->max_bytes, 1048576U);
  EXPECT_EQ(options->step_bytes, 1024U);
  EXPECT_EQ(options->step_factor, 2U);
  EXPECT_EQ(options->reductions, std::vector{Reduction::prod});
  EXPECT_EQ(options->types, std::vector{DataType::uint8});
  EXPECT_EQ(options->root, 3);
  EXPECT_EQ(options->iterations, 7);
  EXPECT_EQ(options->warmup_iterations, 0);
  EXPECT_EQ(options->average, Average::slowest);
  EXPECT_EQ(options->checks, 0);
  EXPECT_EQ(options->timeout_seconds, 9U);
  EXPECT_EQ(options->cycles, 2);
}

TEST(Options, ShortNames) {
  const auto options =
      parse({"-t", "1",  "-g1", "-b", "1k", "-e",  "1g", "-i",  "4",  "-f",  "2",  "-n", "3",  "-w", "4",
             "-m", "1",  "-N",  "0",  "-o", "all", "-d", "all", "-r", "all", "-p", "0",  "-c", "2",  "-z",
             "0",  "-G", "0",   "-a", "0",  "-T",  "0",  "-y",  "0",  "-C",  "0",  "-R", "0"});
  ASSERT_TRUE(options) << options.error();
  EXPECT_EQ(options->min_bytes, 1024U);
  EXPECT_EQ(options->max_bytes, 1073741824U);
  EXPECT_EQ(options->reductions.size(), 5U);
  EXPECT_EQ(options->types.size(), 8U);
  EXPECT_EQ(options->root, std::nullopt);
  EXPECT_EQ(options->checks, 2);
  EXPECT_EQ(options->average, Average::rank_zero);
}

TEST(Options, Help) {
  EXPECT_TRUE(parse({"-h"})->help);
}

TEST(Options, Refusals) {
  EXPECT_EQ(error_of({"--minbites", "8"}), "unknown option '--minbites'. Did you mean '--minbytes'?");
  EXPECT_EQ(error_of({"--minbites=8"}), "unknown option '--minbites'. Did you mean '--minbytes'?");
  EXPECT_EQ(error_of({"--minbyte", "8"}), "unknown option '--minbyte'. Did you mean '--minbytes'?");
  EXPECT_EQ(error_of({"--minbyte=8"}), "unknown option '--minbyte'. Did you mean '--minbytes'?");
  EXPECT_EQ(error_of({"--iter"}), "unknown option '--iter'. Did you mean '--iters'?");
  EXPECT_EQ(error_of({"--hel"}), "unknown option '--hel'. Did you mean '--help'?");
  EXPECT_EQ(error_of({"extra", "-n", "5"}), "unexpected argument 'extra'");
  EXPECT_EQ(error_of({"--zzzzzzzzzzzz"}), "unknown option '--zzzzzzzzzzzz'. --help lists the options");
  EXPECT_EQ(error_of({"-Q"}), "unknown option '-Q'. --help lists the options");
  EXPECT_EQ(error_of({"--iters"}), "option --iters needs a value");
  EXPECT_EQ(error_of({"-n", "5", "extra"}), "unexpected argument 'extra'");
  EXPECT_EQ(error_of({"-n", "0"}), "--iters 0: must be a whole number of at least 1");
  EXPECT_EQ(error_of({"-n", "5x"}), "--iters 5x: must be a whole number of at least 1");
  EXPECT_EQ(error_of({"-n", "99999999999999999999"}),
            "--iters 99999999999999999999: must be a whole number of at least 1");
  EXPECT_EQ(error_of({"-b", "8T"}),
            "--minbytes 8T: must be a number of bytes, with K, M or G for powers of 1024 if wanted (8, 32M)");
  EXPECT_EQ(error_of({"-a", "4"}), "--average 4: must be a whole number from 0 to 3");
  EXPECT_EQ(error_of({"-r", "-3"}), "--root -3: must be a rank, or all");
  EXPECT_EQ(error_of({"-b", "2M", "-e", "1M"}), "--minbytes 2097152 is above --maxbytes 1048576");
  EXPECT_EQ(error_of({"-b", "0", "-e", "1M", "-f", "2"}),
            "--minbytes 0 stays 0 when it is multiplied by --stepfactor; give at least 1, or --stepbytes");
  EXPECT_EQ(error_of({"-b", "8", "-e", "1M", "-i", "0"}),
            "--stepbytes 0 never reaches --maxbytes; give at least 1, or --stepfactor");
}

TEST(Options, WhatCpusCannotDo) {
  EXPECT_EQ(error_of({"-g", "8"}),
            "--ngpus 8: must be 1: this program measures CPUs through MPI, where another value has no meaning");
  EXPECT_EQ(error_of({"--cudagraph", "1"}),
            "--cudagraph 1: must be 0: this program measures CPUs through MPI, where another value has no meaning");
  EXPECT_EQ(
      error_of({"-d", "half"}),
      "--datatype half: must be one of int8, uint8, int32, uint32, int64, uint64, float, double, all: MPI has no half");
  EXPECT_EQ(
      error_of({"-d", "flaot"}),
      "--datatype flaot: must be one of int8, uint8, int32, uint32, int64, uint64, float, double, all. Did you mean "
      "'float'?");
  EXPECT_EQ(error_of({"-o", "mulsum"}), "--op mulsum: must be one of sum, prod, max, min, avg, all: MPI has no mulsum");
}

TEST(Options, Sizes) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("1.5K"), 1536U);
  EXPECT_EQ(parse_size("16G"), 17179869184U);
  for (const char* const wrong : {"", "K", "-1", "1KB", "1 K", "nan", "inf", "1e3", "99999999999G"}) {
    EXPECT_EQ(parse_size(wrong), std::nullopt) << wrong;
  }
}

std::vector<std::size_t> sweep(std::size_t first, std::size_t last, std::size_t step, std::size_t factor) {
  Options options;
  options.min_bytes = first;
  options.max_bytes = last;
  options.step_bytes = step;
  options.step_factor = factor;
  std::vector<std::size_t> sizes;
  for (std::optional<std::size_t> size = first; size; size = next_size(options, *size)) sizes.push_back(*size);
  return sizes;
}

TEST(Options, Sweeps) {
  EXPECT_EQ(sweep(8, 64, 1, 2), (std::vector<std::size_t>{8, 16, 32, 64}));
  EXPECT_EQ(sweep(8, 63, 1, 2), (std::vector<std::size_t>{8, 16, 32}));
  EXPECT_EQ(sweep(10, 35, 10, 1), (std::vector<std::size_t>{10, 20, 30}));
  EXPECT_EQ(sweep(0, 2, 1, 1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(sweep(8, 8, 0, 1), (std::vector<std::size_t>{8}));
}

}  // namespace
}  // namespace mpi_collectives
