#include "job_script.hpp"

#include <sys/wait.h>

#include "job_fixture.hpp"
#include "tests/paths.hpp"

namespace standalone {
namespace {

using cloudai::StageKind;
using standalone::testing::argv_step;
using standalone::testing::content;
using standalone::testing::job_of;
using standalone::testing::mpi_step;
using standalone::testing::shell_step;
using standalone::testing::stage;

// A prologue, a main stage of two steps and an epilogue, with everything a script may have in it.
cloudai::Job full_job() {
  auto prologue = stage(StageKind::prologue, "nccl_test", {mpi_step(2, {"all_reduce_perf_mpi", "--minbytes", "8"})});
  prologue.time_limit = 1200;
  prologue.plan.steps[0].environment = {{"NCCL_DEBUG", "INFO"}, {"HOSTS", "$(hostname -s),$HOME"}};
  prologue.plan.success.must_contain = {{"stdout.txt", "# Avg bus bandwidth"}};
  prologue.plan.success.must_not_contain = {{"stderr.txt", "Test NCCL failure"}};
  auto main = stage(StageKind::main, "a test",
                    {argv_step({"prepare", "two words", "it's", ""}), shell_step("echo \"$CLOUDAI_RUN_DIR\" && true")});
  main.plan.steps[0].environment = {{"ONLY_HERE", "1"}};
  auto epilogue = stage(StageKind::epilogue, "clean up", {argv_step({"rm", "-rf", "--", "*.tmp"})});
  epilogue.time_limit = 59.5;
  auto job = job_of({prologue, main, epilogue});
  job.tag = "k3x9a0b1c2d3e";
  return job;
}

std::string refusal(const cloudai::Job& job) {
  try {
    job_script(job);
    return "no refusal";
  } catch (const cloudai::Error& error) {
    return error.message();
  }
}

TEST(JobScript, IsWhatTheGoldenSays) {
  const std::string golden = tree::source_directory() + "/tests/modules/schedulers/standalone/golden/three_stages.sh";
  EXPECT_EQ(job_script(full_job()), content(golden));
}

TEST(JobScript, IsTheSameEveryTime) {
  EXPECT_EQ(job_script(full_job()), job_script(full_job()));
}

TEST(JobScript, PassesShellcheck) {
  if (std::system("command -v shellcheck >/dev/null") != 0) GTEST_SKIP() << "shellcheck is not installed";
  const cloudai::testing::TemporaryDirectory directory;
  directory.write("script.sh", job_script(full_job()));
  EXPECT_EQ(std::system(("shellcheck '" + (directory.path() / "script.sh").string() + "'").c_str()), 0);
}

TEST(JobScript, RefusesWhatOneMachineWithoutContainersCannotRun) {
  auto job = job_of({stage(StageKind::main, "t", {argv_step({"true"})})});
  cloudai::Step& step = job.runs[0].stages[0].plan.steps[0];
  step.image = "nvcr.io/x";
  EXPECT_EQ(refusal(job), "The plan of 't' runs in the image 'nvcr.io/x', but this system runs no containers.");
  step.image.clear();
  step.placement.tasks_per_node = 2;
  EXPECT_EQ(refusal(job), "The plan of 't' starts 2 tasks on a node without MPI; the standalone scheduler starts one.");
  step.placement.tasks_per_node = 1;
  step.environment = {{"1X", "v"}};
  EXPECT_EQ(
      refusal(job),
      "The plan of 't' sets an environment variable with the name '1X'; a name has letters, digits and underscores "
      "and does not start with a digit.");
  step.environment = {{"UID", "0"}};
  EXPECT_EQ(refusal(job), "The plan of 't' sets the environment variable 'UID', which bash keeps to itself.");
  step.environment = {{"X", std::string("a\0b", 3)}};
  EXPECT_EQ(
      refusal(job),
      "The plan of 't' has a NUL byte in the value of the environment variable 'X', which no command can be given.");
  step.environment.clear();
  job.runs.push_back(job.runs[0]);
  EXPECT_EQ(refusal(job), "The standalone scheduler runs jobs of one run; this one has 2.");
}

TEST(MainCommand, IsTheMainStageAsAPersonWouldTypeIt) {
  EXPECT_EQ(main_command(full_job()),
            "prepare 'two words' 'it'\\''s' '' && bash -c 'echo \"$CLOUDAI_RUN_DIR\" && true'");
}

}  // namespace
}  // namespace standalone
