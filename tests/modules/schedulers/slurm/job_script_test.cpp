#include "job_script.hpp"

#include "cloudai/error.hpp"
#include "directives.hpp"
#include "script_fixture.hpp"

namespace slurm {
namespace {

using cloudai::StageKind;
using slurm::testing::argv_step;
using slurm::testing::content;
using slurm::testing::job_of;
using slurm::testing::mpi_step;
using slurm::testing::options_of;
using slurm::testing::script_of;
using slurm::testing::shell_step;
using slurm::testing::stage;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Everything a script may have in it: hooks, containers, a node list, several steps.
cloudai::Job full_job() {
  auto prologue = stage(StageKind::prologue, "nccl_test", {mpi_step(8, {"all_reduce_perf_mpi", "--minbytes", "8"})});
  prologue.time_limit = 1200;
  prologue.plan.steps[0].image = "nvcr.io#nvidia/pytorch:24.02-py3";
  prologue.plan.steps[0].environment = {{"NCCL_DEBUG", "INFO"}, {"HOSTS", "$(hostname -s),$HOME"}};
  prologue.plan.success.must_contain = {{"stdout.txt", "# Avg bus bandwidth"}};
  prologue.plan.success.must_not_contain = {{"stderr.txt", "Test NCCL failure"}};
  auto main = stage(StageKind::main, "a test",
                    {argv_step({"prepare", "two words", "it's", ""}), shell_step("echo \"$CLOUDAI_RUN_DIR\" && true")});
  main.time_limit = 3600;
  main.plan.steps[0].environment = {{"ENABLE_VBOOST", "1"}, {"NCCL_TOPO_FILE", "/topo.xml"}};
  main.plan.steps[0].image = "/images/a.sqsh";
  main.plan.steps[0].mounts = {"/data:/data:ro", "$HOME/my data:/mine"};
  main.plan.steps[1].placement.nodes = cloudai::PlacedOn::first;
  auto epilogue = stage(StageKind::epilogue, "clean up", {argv_step({"rm", "-rf", "--", "*.tmp"})});
  epilogue.time_limit = 59.5;
  epilogue.num_nodes = 1;
  cloudai::Job job = job_of({prologue, main, epilogue});
  job.time_limit = 4860;
  job.nodes = {2, {"n1", "n2"}};
  return job;
}

SystemOptions full_options() {
  SystemOptions options = options_of();
  options.account = "acc";
  options.gpus_per_node = 8;
  options.tasks_per_node = 8;
  options.extra_srun_args = "--reservation bench";
  options.extra_sbatch_args = {"--qos=high"};
  return options;
}

// A job of two runs, the second after the first.
cloudai::Job two_runs() {
  cloudai::Job job = job_of({stage(StageKind::main, "first", {argv_step({"true"})})}, "/results");
  auto prologue = stage(StageKind::prologue, "check", {argv_step({"true"})});
  prologue.directory = "B/0/prologue/check";
  job.runs.push_back({"B/0", {"A/0"}, {prologue, stage(StageKind::main, "second", {argv_step({"true"})})}});
  job.runs[0].id = "A/0";
  job.runs[0].stages[0].directory = "A/0";
  job.runs[1].stages[1].directory = "B/0";
  return job;
}

std::vector<std::string> lines_with(const std::string& text, const std::string& start) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(start, 0) == 0) lines.push_back(line);
  }
  return lines;
}

std::string refusal(const cloudai::Job& job) {
  try {
    render_job(job, options_of());
    return "no refusal";
  } catch (const cloudai::Error& error) {
    return error.message();
  }
}

void expect_golden(const std::string& name, const std::string& script) {
  const std::string golden = tree::source_directory() + "/tests/modules/schedulers/slurm/golden/" + name;
  EXPECT_EQ(script, content(golden));
}

TEST(JobScript, IsWhatTheGoldensSay) {
  expect_golden("hooks_and_containers.sh", script_of(full_job(), full_options()));
  expect_golden("one_stage.sh", script_of(job_of({stage(StageKind::main, "sleep", {argv_step({"sleep", "5"})})})));
  expect_golden("two_runs.sh", script_of(two_runs()));
}

TEST(JobScript, PassesShellcheck) {
  if (std::system("command -v shellcheck >/dev/null") != 0) GTEST_SKIP() << "shellcheck is not installed";
  const cloudai::testing::TemporaryDirectory directory;
  const cloudai::Rendering rendering = render_job(full_job(), full_options());
  directory.write("a.sh", rendering.files.at(0).content);
  directory.write("b.sh", rendering.files.at(1).content);
  directory.write("c.sh", script_of(two_runs()));
  const std::string at = directory.path().string();
  EXPECT_EQ(std::system(("shellcheck " + at + "/a.sh " + at + "/b.sh " + at + "/c.sh").c_str()), 0);
}

TEST(JobScript, ArgumentsOfACaseFollowThoseOfTheSystemInTheSrunsOfItsStage) {
  cloudai::Job job = full_job();
  job.runs[0].stages[0].options.json = {{"extra_srun_args", "--of-the hook"}};
  job.runs[0].stages[1].options.json = {{"extra_srun_args", "--cpu-bind=none --label"}};
  const std::string script = script_of(job, full_options());
  const auto sruns = lines_with(script, "  step srun");
  ASSERT_EQ(sruns.size(), 3);
  EXPECT_THAT(sruns[0], HasSubstr(" --reservation bench --of-the hook --ntasks="));
  EXPECT_THAT(sruns[1], HasSubstr(" --reservation bench --cpu-bind=none --label --ntasks="));
  EXPECT_THAT(sruns[2], HasSubstr(" --reservation bench --ntasks="));
  EXPECT_THAT(
      script,
      HasSubstr(
          " --reservation bench --cpu-bind=none --label --ntasks=2 --ntasks-per-node=1 --job-name=cloudai.mapping"));
  EXPECT_THAT(script, HasSubstr(" --reservation bench --ntasks=2 --ntasks-per-node=1 --job-name=cloudai.metadata"));
}

TEST(JobScript, ArgumentsWithWhichSrunRunsNothingAreRefused) {
  for (const auto& [arguments, fault] : std::vector<std::pair<std::string, std::string>>{
           {"--label --test-only", "has --test-only, with which srun runs nothing."},
           {"--help", "has --help, with which srun runs nothing."},
           {"--comment 'x", "has a quote that nothing closes."}}) {
    cloudai::Job job = full_job();
    job.runs[0].stages[1].options.json = {{"extra_srun_args", arguments}};
    EXPECT_EQ(refusal(job), "'extra_srun_args' of the main 'a test' is '" + arguments + "', which " + fault);
  }
}

TEST(JobScript, ArgumentsOfACaseAreOneLine) {
  cloudai::Job job = full_job();
  job.runs[0].stages[1].options.json = {{"extra_srun_args", "--label\nrm x"}};
  EXPECT_EQ(refusal(job), "'extra_srun_args' of the main 'a test' is '--label rm x', which is more than a line.");
}

TEST(JobScript, OfSeveralRunsHasTheirNodesAndItsLimitRoomForEach) {
  auto job = two_runs();
  job.time_limit = 600;
  job.runs[1].stages[1].num_nodes = 1;
  job.runs[1].stages[1].plan.steps[0].environment = {{"ENABLE_VBOOST", "1"}};
  const std::string script = script_of(job);
  EXPECT_THAT(script, HasSubstr("#SBATCH --time=00:16:00\n"));
  EXPECT_THAT(script,
              HasSubstr("\nbegin_run B/0 ./B/0 1 A/0\n[[ -n $cloudai_stopped_by ]] || timeout --kill-after=10 60 srun "
                        "--ntasks=1 --ntasks-per-node=1 --job-name=cloudai.vboost "
                        "--output=/results/B/0/vboost.out "));
  EXPECT_THAT(script,
              HasSubstr("step srun --export=ALL -N1 --nodelist=\"$(cut -d , -f 1-1 <<<\"$CLOUDAI_NODE_LIST\")\" "
                        "--ntasks=1 "));
}

TEST(JobScript, IsTheSameEveryTime) {
  EXPECT_EQ(script_of(full_job()), script_of(full_job()));
}

TEST(Rendering, SaysHowToSubmitItAndWhatToWatch) {
  const cloudai::Rendering rendering = render_job(full_job(), full_options());
  EXPECT_EQ(rendering.command, "sbatch /results/Tests.1/0/cloudai_sbatch_script.sh");
  EXPECT_EQ(rendering.submission["script"], "/results/Tests.1/0/cloudai_sbatch_script.sh");
  EXPECT_EQ(rendering.submission["name"], "acc-a_test.k3x9a0b1c2d3e");
  EXPECT_EQ(rendering.submission["stages"].size(), 3);
  EXPECT_TRUE(rendering.files.at(0).is_private);
  EXPECT_EQ(rendering.files.at(2).path, "hostfile.txt");
  EXPECT_EQ(rendering.files.at(2).content, "n1\nn1\nn1\nn1\nn1\nn1\nn1\nn1\nn2\nn2\nn2\nn2\nn2\nn2\nn2\nn2\n");
  EXPECT_THAT(rendering.main_command, HasSubstr("--job-name=cloudai.2.main bash -c 'source \"$0\" && exec \"$@\"' "));
}

TEST(JobName, EndsWithTheTagAndHasNothingThatNeedsQuotes) {
  const auto job = job_of({stage(StageKind::main, "größe \"x\"|y,z", {argv_step({"true"})})});
  EXPECT_EQ(job_name(job, options_of()), "gr____e__x__y_z_k3x9a0b1c2d3e");
  SystemOptions options = options_of();
  options.account = "my.acc";
  EXPECT_EQ(job_name(job, options), "my.acc-gr____e__x__y_z.k3x9a0b1c2d3e");
  const auto long_name = job_of({stage(StageKind::main, std::string(5000, 'x'), {argv_step({"true"})})});
  EXPECT_EQ(job_name(long_name, options_of()), std::string(120, 'x') + "_k3x9a0b1c2d3e");
  EXPECT_EQ(job_name(two_runs(), options_of()), "cloudai-single-sbatch_k3x9a0b1c2d3e");
}

TEST(Directives, StandInTheirOrder) {
  EXPECT_THAT(
      lines_with(directives(full_job(), full_options()), "#"),
      ElementsAre("#SBATCH --job-name=acc-a_test.k3x9a0b1c2d3e", "#SBATCH --output=/results/Tests.1/0/stdout.txt",
                  "#SBATCH --error=/results/Tests.1/0/stderr.txt", "#SBATCH --partition=main", "#SBATCH --account=acc",
                  "#SBATCH --reservation=bench", "#SBATCH --nodelist=n1,n2", "#SBATCH --gpus-per-node=8",
                  "#SBATCH --gres=gpu:8", "#SBATCH --ntasks-per-node=8", "#SBATCH --time=01:26:00",
                  "#SBATCH --no-requeue", "#SBATCH --open-mode=append", "#SBATCH --qos=high"));
}

TEST(Directives, WithoutAListTheNodesAreCountedAndSomeExcluded) {
  cloudai::Job job = job_of({stage(StageKind::main, "t", {argv_step({"true"})})});
  job.exclude_nodes = {"n[1-2]-ib[0-1]", "n1-ib0"};
  SystemOptions options = options_of();
  options.distribution = "block:cyclic";
  const std::string text = directives(job, options);
  EXPECT_THAT(text, HasSubstr("#SBATCH --distribution=block:cyclic\n#SBATCH -N 2\n"
                              "#SBATCH --exclude=n1-ib0,n1-ib1,n2-ib0,n2-ib1\n"));
  EXPECT_THAT(text, Not(HasSubstr("nodelist")));
  EXPECT_THAT(text, Not(HasSubstr("--time")));
  EXPECT_THAT(text, Not(HasSubstr("ntasks-per-node")));
  EXPECT_THAT(script_of(job, options), HasSubstr("srun --export=ALL -N2 "));
}

TEST(Directives, AnArbitraryDistributionFollowsTheListAlone) {
  cloudai::Job job = job_of({stage(StageKind::main, "t", {mpi_step(2, {"a"}), mpi_step(1, {"b"})})});
  job.nodes = {3, {"n1", "n2", "n3"}};
  SystemOptions options = options_of();
  options.distribution = "arbitrary";
  options.tasks_per_node = 2;
  const std::string script = script_of(job, options);
  EXPECT_THAT(script, HasSubstr("#SBATCH --distribution=arbitrary\n#SBATCH --nodelist=n1,n2,n3\n"));
  EXPECT_THAT(script, Not(HasSubstr("-N")));
  EXPECT_THAT(script, HasSubstr("export SLURM_HOSTFILE=/results/Tests.1/0/hostfile.txt\n"));
  EXPECT_THAT(script, HasSubstr("step srun --export=ALL --mpi=pmix --ntasks=6 --ntasks-per-node=2 --job-name"));
  EXPECT_THAT(script, HasSubstr("--ntasks=3 --ntasks-per-node=1 --distribution=block --job-name"));
}

TEST(Directives, OtherwiseDistributedTasksHaveNoHostfile) {
  SystemOptions options = full_options();
  options.distribution = "cyclic";
  EXPECT_THAT(script_of(full_job(), options), Not(HasSubstr("HOSTFILE")));
  EXPECT_EQ(render_job(full_job(), options).files.size(), 2);
}

TEST(Directives, GpusAreAskedForWhereTheClusterSchedulesThem) {
  SystemOptions options = full_options();
  options.supports_gpu_directives = false;
  EXPECT_THAT(directives(full_job(), options), Not(HasSubstr("gpu")));
  options.supports_gpu_directives = true;
  EXPECT_THAT(directives(full_job(), options), HasSubstr("--gres=gpu:8"));
}

TEST(Directives, ARequeueIsTheUsersDecision) {
  SystemOptions options = options_of();
  options.extra_sbatch_args = {"--requeue"};
  EXPECT_THAT(directives(full_job(), options), Not(HasSubstr("--no-requeue")));
}

TEST(Directives, PathsAreQuotedAsSbatchReadsThem) {
  const auto job = job_of({stage(StageKind::main, "t", {argv_step({"true"})})}, "/a b/100%/it's #1 \"x\" $y");
  EXPECT_THAT(directives(job, options_of()),
              HasSubstr("#SBATCH --output=\"/a b/100%%/it's #1 \\\"x\\\" $y/stdout.txt\"\n"));
}

TEST(TimeLimit, IsRoundedUpToMinutes) {
  EXPECT_EQ(time_limit_text(0), "00:01:00");
  EXPECT_EQ(time_limit_text(30), "00:01:00");
  EXPECT_EQ(time_limit_text(60), "00:01:00");
  EXPECT_EQ(time_limit_text(60.5), "00:02:00");
  EXPECT_EQ(time_limit_text(5400), "01:30:00");
  EXPECT_EQ(time_limit_text(131445), "1-12:31:00");
  EXPECT_EQ(time_limit_text(360000), "4-04:00:00");
  EXPECT_EQ(time_limit_text(1e300), "365-00:00:00");
}

TEST(Containers, GetTheOptionsOfPyxis) {
  SystemOptions options = options_of();
  auto job = job_of({stage(StageKind::main, "t", {mpi_step(1, {"true"})})});
  job.runs[0].stages[0].plan.steps[0].image = "nvcr.io#nvidia/x:1";
  EXPECT_THAT(script_of(job, options),
              HasSubstr("step srun --export=ALL --mpi=pmix -N2 --container-image=nvcr.io#nvidia/x:1 "
                        "--container-mounts=/results/Tests.1/0:/cloudai_run_results,/install:/cloudai_install,"
                        "/results/Tests.1/0 --no-container-mount-home --ntasks=2"));
  options.container_mount_home = true;
  EXPECT_THAT(script_of(job, options), Not(HasSubstr("--no-container-mount-home")));
  job.directory = "/results/a,b";
  EXPECT_EQ(
      refusal(job),
      "The directory '/results/a,b/.' has a ',' or a ':' in its name, so that it cannot be mounted into a container.");
}

TEST(JobCheck, RefusesWhatSlurmCannotRun) {
  auto job = job_of({stage(StageKind::prologue, "p", {argv_step({"true"})})});
  job.runs[0].stages[0].num_nodes = 3;
  EXPECT_EQ(refusal(job), "The prologue 'p' asks for 3 nodes, but the run it belongs to has 2.");
  job = job_of({stage(StageKind::main, "t", {argv_step({"true"})})}, "/a\\b");
  EXPECT_EQ(
      refusal(job),
      "The directory '/a\\b' has a backslash or a control character in its name, which Slurm cannot write output to.");
  job.directory = "/a";
  job.tag = "A";
  EXPECT_EQ(refusal(job), "The job's tag 'A' is not 1 to 13 of [a-z0-9].");
  job.tag = "a";
  job.runs[0].after = {"x/0"};
  EXPECT_EQ(refusal(job), "The run 'Tests.1/0' is to start after 'x/0', which is no run before it.");
  job.runs[0].after.clear();
  job.runs[0].stages[0].plan.steps.clear();
  EXPECT_EQ(refusal(job), "The plan of 't' has no step.");
  job.runs.clear();
  EXPECT_EQ(refusal(job), "The job has no run.");
}

}  // namespace
}  // namespace slurm
