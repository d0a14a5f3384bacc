// The program as users start it: real mpirun, real ranks.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tools/mpi_collectives/collective.hpp"

namespace mpi_collectives {
namespace {

struct Ended {
  int status = -1;
  std::string output;
  std::string errors;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Runs `program` with `ranks` ranks; with 0 ranks without mpirun.
Ended run(int ranks, const std::string& program, const std::string& arguments) {
  std::string folder = (std::filesystem::temp_directory_path() / "mpi_collectives.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {};
  // Open MPI itself leaks at its end.
  std::string command = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 ";
  if (ranks > 0) command += std::string(MPIRUN) + " --oversubscribe -np " + std::to_string(ranks) + " ";
  command += std::string(MPI_COLLECTIVES_DIR) + "/" + program + " " + arguments;
  command += " >" + folder + "/out 2>" + folder + "/err";
  const int status = std::system(command.c_str());
  Ended ended{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder + "/out"), read(folder + "/err")};
  std::filesystem::remove_all(folder);
  return ended;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::vector<std::string>> rows_of(const std::string& output) {
  std::istringstream stream(output);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with('#')) rows.push_back(words_of(line));
  }
  return rows;
}

int device_lines(const std::string& output) {
  std::istringstream stream(output);
  int count = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("#  Rank ")) ++count;
  }
  return count;
}

class EveryCollective : public testing::TestWithParam<std::string> {};

TEST_P(EveryCollective, IsRightOnOneToFourRanks) {
  const Collective& collective = *collective_called(GetParam());
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const Ended ended = run(ranks, GetParam(), "-b 12 -e 196608 -f 16 -n 1 -w 0");
    ASSERT_EQ(ended.status, 0) << ended.output << ended.errors;
    EXPECT_EQ(device_lines(ended.output), ranks);
    const auto rows = rows_of(ended.output);
    ASSERT_EQ(rows.size(), 4U) << ended.output;
    std::size_t bytes = 12;
    for (const auto& row : rows) {
      ASSERT_EQ(row.size(), 13U) << ended.output;
      const Shape shape = shape_of(collective, bytes, 4, ranks);
      EXPECT_EQ(row[0], std::to_string(std::max(shape.sent, shape.received) * 4));
      EXPECT_EQ(row[1], std::to_string(shape.count));
      EXPECT_EQ(row[2], "float");
      EXPECT_EQ(row[3], collective.reduces ? "sum" : "none");
      EXPECT_EQ(row[4], collective.has_root ? "0" : "-1");
      EXPECT_GT(std::stod(row[5]), 0.0);
      EXPECT_EQ(row[8], "0");
      EXPECT_EQ(row[12], "0");
      // Two decimals are printed.
      EXPECT_NEAR(std::stod(row[7]), std::stod(row[6]) * collective.bus_factor(ranks), 0.02);
      bytes *= 16;
    }
    EXPECT_NE(ended.output.find("# Out of bounds values : 0 OK\n# Avg bus bandwidth    : "), std::string::npos);
    EXPECT_NE(ended.output.find("this is not NCCL"), std::string::npos);
  }
}

TEST_P(EveryCollective, IsRightForEveryTypeOperationAndRoot) {
  const Collective& collective = *collective_called(GetParam());
  const Ended ended = run(3, GetParam(), "-b 40000 -e 40000 -n 1 -w 0 -d all -o all -r all");
  ASSERT_EQ(ended.status, 0) << ended.output << ended.errors;
  const auto rows = rows_of(ended.output);
  EXPECT_EQ(rows.size(), std::size_t{8} * (collective.reduces ? 5 : 1) * (collective.has_root ? 3 : 1));
  for (const auto& row : rows) {
    EXPECT_EQ(row[8], "0");
    EXPECT_EQ(row[12], "0");
  }
}

INSTANTIATE_TEST_SUITE_P(MpiCollectives, EveryCollective,
                         testing::Values("all_gather_perf_mpi", "all_reduce_perf_mpi", "alltoall_perf_mpi",
                                         "broadcast_perf_mpi", "gather_perf_mpi", "reduce_perf_mpi",
                                         "reduce_scatter_perf_mpi", "scatter_perf_mpi", "sendrecv_perf_mpi"),
                         [](const auto& value) { return value.param; });

TEST(MpiCollectives, TheCommandLineTheSchedulersUse) {
  const Ended ended =
      run(2, "all_reduce_perf_mpi",
          "--nthreads 1 --ngpus 1 --minbytes 8 --maxbytes 1K --stepbytes 1M --op sum --datatype float --root 0 "
          "--iters 2 --warmup_iters 1 --agg_iters 1 --average 1 --parallel_init 0 --check 1 --blocking 0 "
          "--cudagraph 0 --stepfactor 2");
  EXPECT_EQ(ended.status, 0) << ended.errors;
  EXPECT_EQ(rows_of(ended.output).size(), 8U);
}

TEST(MpiCollectives, OneRankNeedsNoMpirunAndHasNoBusBandwidth) {
  const Ended ended = run(0, "all_reduce_perf_mpi", "-b 1M -e 1M -n 2");
  ASSERT_EQ(ended.status, 0) << ended.errors;
  const auto rows = rows_of(ended.output);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][7], "0.00");
  EXPECT_NE(ended.output.find("# Avg bus bandwidth    : 0 \n"), std::string::npos);
}

TEST(MpiCollectives, WithoutCheckNothingIsSaidOfTheData) {
  const Ended ended = run(2, "all_gather_perf_mpi", "-b 1K -e 1K -c 0 -n 2");
  ASSERT_EQ(ended.status, 0) << ended.errors;
  EXPECT_EQ(rows_of(ended.output)[0][8], "N/A");
  EXPECT_EQ(rows_of(ended.output)[0][12], "N/A");
}

TEST(MpiCollectives, CyclesRepeatTheSweep) {
  const Ended ended = run(2, "all_reduce_perf_mpi", "-b 8 -e 16 -f 2 -N 3 -n 1 -a 3");
  EXPECT_EQ(rows_of(ended.output).size(), 6U);
}

TEST(MpiCollectives, EveryRankLeavesWithAnErrorWhichOneOfThemSays) {
  const Ended ended = run(3, "all_reduce_perf_mpi", "--iterz 3");
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.output.find("# nThread"), std::string::npos);
  const std::string sentence = "all_reduce_perf_mpi: error: unknown option '--iterz'. Did you mean '--iters'?\n";
  const auto first = ended.errors.find(sentence);
  ASSERT_NE(first, std::string::npos) << ended.errors;
  EXPECT_EQ(ended.errors.find(sentence, first + 1), std::string::npos) << ended.errors;
}

TEST(MpiCollectives, ARootThatIsNoRankIsRefused) {
  const Ended ended = run(2, "broadcast_perf_mpi", "-r 2");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.errors.find("error: --root 2: must be a rank below 2, the number of ranks.\n"), std::string::npos)
      << ended.errors;
}

TEST(MpiCollectives, MoreMemoryThanThereIsIsRefused) {
  const Ended ended = run(2, "all_reduce_perf_mpi", "-b 8 -e 2000000G -f 2 -d uint8");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.errors.find("MPI counts only to 2147483647"), std::string::npos) << ended.errors;
  // Shares are small enough for MPI where the whole is not.
  const Ended shared = run(4, "all_gather_perf_mpi", "-b 8 -e 7000000000000 -f 2 -d double");
  EXPECT_EQ(shared.status, 2);
}

TEST(MpiCollectives, TheTimeoutEndsTheRun) {
  const Ended ended = run(2, "all_reduce_perf_mpi", "-b 8 -e 8 -n 2000000000 -T 1");
  EXPECT_NE(ended.status, 0);
  EXPECT_NE(ended.errors.find("error: one message size took longer than --timeout allows\n"), std::string::npos)
      << ended.errors;
}

TEST(MpiCollectives, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  // Without mpirun, since it is mpirun that would write to the disk.
  const std::string command = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 " +
                              std::string(MPI_COLLECTIVES_DIR) +
                              "/all_reduce_perf_mpi -b 8 -e 8 >/dev/full 2>/dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(MpiCollectives, UnderItsOwnNameItSaysHowToCallIt) {
  const Ended ended = run(0, "mpi_collectives", "");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.errors.find("the name of this program picks the collective; call it as one of all_gather_perf_mpi, "),
            std::string::npos);
}

TEST(MpiCollectives, UnderItsOwnNameItHasHelp) {
  const Ended ended = run(0, "mpi_collectives", "--help");
  EXPECT_EQ(ended.status, 0) << ended.errors;
  EXPECT_NE(ended.output.find("Usage: mpirun -np RANKS PROGRAM [OPTIONS]"), std::string::npos);
  EXPECT_NE(ended.output.find("whose name picks the collective: all_gather_perf_mpi, "), std::string::npos);
}

TEST(MpiCollectives, HelpShowsEveryOption) {
  const Ended ended = run(0, "all_reduce_perf_mpi", "--help");
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.output.find("-b, --minbytes SIZE"), std::string::npos);
  EXPECT_NE(ended.output.find("-G, --cudagraph 0"), std::string::npos);
}

}  // namespace
}  // namespace mpi_collectives
