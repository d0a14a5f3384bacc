// Tests under a profiler: here a program that takes nsys's place, writes down what it was asked and runs the rest.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const char* const fake_nsys = R"(#!/bin/bash
printf '%s\n' "$@" >"$MARKS/nsys"
while [[ $1 != bash && $1 != *_perf_mpi ]]; do shift; done
exec "$@"
)";

class Profiler : public testing::Test {
 protected:
  Profiler() {
    workspace_.system();
    workspace_.test("work", "echo worked", "[nsys]\noutput = \"report\"\ntrace = \"cuda,nvtx\"\n");
  }

  Ended run_with_nsys(const std::string& scenario) {
    workspace_.write("programs/nsys", fake_nsys);
    fs::permissions(workspace_.root() / "programs/nsys", fs::perms::owner_all);
    workspace_.scenario(scenario);
    const std::string path = (workspace_.root() / "programs").string() + ":" + (build_directory() / "bin").string() +
                             ":/usr/local/bin:/usr/bin:/bin";
    return workspace_.cloudai(workspace_.command("run"), {{"PATH", path}});
  }

  Workspace workspace_;
};

TEST_F(Profiler, RunsTheMainCommand) {
  const auto ended = run_with_nsys(test_case("Tests.1", "work", "[Tests.nsys]\nsample = \"none\"\n"));
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(read(workspace_.marker("nsys")), "profile\n-s\nnone\n-o\nreport\n-t\ncuda,nvtx\nbash\n-c\necho worked\n");
  EXPECT_EQ(read(workspace_.results() / "Tests.1/0/stdout.txt"), "worked\n");
}

TEST_F(Profiler, RunsEachRankOfAnMpiProgramInsideOfMpirun) {
  workspace_.write("tests/collective.toml",
                   "name = \"collective\"\ndescription = \"x\"\ntest_template_name = \"NcclTest\"\n[cmd_args]\n"
                   "subtest_name = \"all_reduce_perf_mpi\"\niters = 1\nminbytes = \"8\"\nmaxbytes = \"16\"\n"
                   "[nsys]\nextra_args = [\"--stats=true\"]\n");
  const auto ended = run_with_nsys(test_case("Tests.1", "collective"));
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(" -np 1 nsys profile --stats=true all_reduce_perf_mpi "));
  EXPECT_THAT(read(workspace_.marker("nsys")), HasSubstr("profile\n--stats=true\nall_reduce_perf_mpi\n"));
}

TEST_F(Profiler, SwitchedOffItIsNeitherNeededNorUsed) {
  workspace_.scenario(test_case("Tests.1", "work", "[Tests.nsys]\nenable = false\nnsys_binary = \"no-such-nsys\"\n"));
  const auto ended = workspace_.run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_FALSE(workspace_.marked("nsys"));
}

TEST_F(Profiler, WithoutItsProgramNothingStarts) {
  workspace_.scenario(test_case("Tests.1", "work", "[Tests.nsys]\nnsys_binary = \"no-such-nsys\"\n"));
  const auto ended = workspace_.run();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("[ERROR] test 'work' needs program 'no-such-nsys', which is not installed: The "
                                   "program 'no-such-nsys' is not in PATH.\n"));
  EXPECT_FALSE(fs::exists(workspace_.results() / "Tests.1"));
}

}  // namespace
}  // namespace end_to_end
