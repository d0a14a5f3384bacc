// Whole jobs: rendered, written, submitted, watched and collected, on real processes.
#include <signal.h>

#include "job_fixture.hpp"

namespace standalone {
namespace {

using cloudai::Gate;
using cloudai::JobEnd;
using cloudai::StageState;
using standalone::testing::argv_step;
using standalone::testing::content;
using standalone::testing::epilogue;
using standalone::testing::main_stage;
using standalone::testing::marker;
using standalone::testing::mpi_step;
using standalone::testing::prologue;
using standalone::testing::shell_step;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using StandaloneRunsTest = standalone::testing::StandaloneTest;

TEST_F(StandaloneRunsTest, AGoodJobRunsEveryStageInItsOwnDirectory) {
  const auto result = run({prologue({shell_step("echo one; pwd >&2")}), main_stage({shell_step("echo two; pwd >&2")}),
                           epilogue({shell_step("echo three; pwd >&2")})});
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.reason, "");
  EXPECT_THAT(result.warnings, IsEmpty());
  ASSERT_EQ(result.stages.size(), 3);
  for (const auto& stage : result.stages) {
    EXPECT_EQ(stage.state, StageState::ended);
    EXPECT_EQ(stage.gate, Gate::open);
    EXPECT_EQ(stage.exit_status, 0);
    EXPECT_LE(stage.started, stage.ended);
    EXPECT_THAT(stage.ended, ::testing::MatchesRegex("20..-..-..T..:..:..[.]...Z"));
  }
  EXPECT_EQ(content(path("prologue/before/stdout.txt")), "one\n");
  EXPECT_EQ(content(path("stdout.txt")), "two\n");
  EXPECT_EQ(content(path("epilogue/after/stdout.txt")), "three\n");
  EXPECT_EQ(content(path("prologue/before/stderr.txt")), path("prologue/before").string() + "\n");
  EXPECT_EQ(content(path("stderr.txt")), directory_.path().string() + "\n");
  EXPECT_TRUE(std::filesystem::exists(watched_));
}

TEST_F(StandaloneRunsTest, AFailedPrologueSkipsMainAndEpilogue) {
  const auto result =
      run({prologue({shell_step("exit 3")}), main_stage({marker("main ran")}), epilogue({marker("cleaned")})});
  EXPECT_EQ(result.state, JobEnd::completed);
  EXPECT_EQ(result.reason, "The gate of the prologue 'before' is closed: exit status 3, expected 0.");
  EXPECT_EQ(result.stages.at(0).exit_status, 3);
  EXPECT_EQ(result.stages.at(0).gate, Gate::closed);
  EXPECT_EQ(result.stages.at(1).state, StageState::skipped);
  EXPECT_EQ(result.stages.at(2).state, StageState::skipped);
  EXPECT_FALSE(exists("main ran"));
  EXPECT_FALSE(exists("cleaned"));
  EXPECT_FALSE(exists("stdout.txt"));
}

TEST_F(StandaloneRunsTest, AFailedPrologueSkipsTheNextPrologueToo) {
  auto second = prologue({marker("second ran")});
  second.directory = "prologue/before.2";
  const auto result = run({prologue({argv_step({"false"})}), second, main_stage({marker("main ran")})});
  EXPECT_EQ(result.stages.at(1).state, StageState::skipped);
  EXPECT_EQ(result.stages.at(2).state, StageState::skipped);
  EXPECT_FALSE(exists("second ran"));
}

TEST_F(StandaloneRunsTest, TheEpilogueRunsAfterAFailedMain) {
  const auto result =
      run({prologue({argv_step({"true"})}), main_stage({shell_step("exit 1")}), epilogue({marker("cleaned")})});
  EXPECT_EQ(result.stages.at(1).gate, Gate::closed);
  EXPECT_EQ(result.stages.at(1).exit_status, 1);
  EXPECT_EQ(result.stages.at(2).gate, Gate::open);
  EXPECT_TRUE(exists("cleaned"));
  EXPECT_EQ(result.reason, "The gate of the main 'test' is closed: exit status 1, expected 0.");
}

TEST_F(StandaloneRunsTest, EveryEpilogueRunsWhateverCameOfTheOneBefore) {
  auto second = epilogue({marker("cleaned")});
  second.directory = "epilogue/after.2";
  const auto result = run({main_stage({argv_step({"true"})}), epilogue({argv_step({"false"})}), second});
  EXPECT_EQ(result.stages.at(0).gate, Gate::open);
  EXPECT_EQ(result.stages.at(1).gate, Gate::closed);
  EXPECT_EQ(result.stages.at(2).gate, Gate::open);
  EXPECT_TRUE(exists("cleaned"));
}

TEST_F(StandaloneRunsTest, TheGateLooksAtTexts) {
  auto missing = main_stage({argv_step({"echo", "nothing"})});
  missing.plan.success.must_contain = {{"stdout.txt", "# Avg bus bandwidth"}};
  EXPECT_EQ(run({missing}).reason,
            "The gate of the main 'test' is closed: stdout.txt does not contain '# Avg bus bandwidth'.");
  auto forbidden = main_stage({shell_step("echo 'Test [failure]' >&2")});
  forbidden.plan.success.must_not_contain = {{"stderr.txt", "[failure]"}};
  EXPECT_EQ(run({forbidden}).reason, "The gate of the main 'test' is closed: stderr.txt contains '[failure]'.");
  auto good = main_stage({argv_step({"printf", "a.b\n-c\nd\xff\n"})});
  good.plan.success.must_contain = {
      {"stdout.txt", "-c"}, {"stdout.txt", "a.b"}, {"stdout.txt", "b\n-c\n"}, {"stdout.txt", ""}};
  good.plan.success.must_not_contain = {{"stdout.txt", "axb"}, {"no-such-file", "x"}, {"stdout.txt", "c\na"}};
  EXPECT_EQ(run({good}).reason, "");
  auto no_file = main_stage({argv_step({"true"})});
  no_file.plan.success.must_contain = {{"results.txt", "x"}};
  EXPECT_EQ(run({no_file}).reason, "The gate of the main 'test' is closed: results.txt does not contain 'x'.");
  auto expected = main_stage({shell_step("exit 7")});
  expected.plan.success.exit_status = 7;
  EXPECT_EQ(run({expected}).stages.at(0).gate, Gate::open);
}

TEST_F(StandaloneRunsTest, TheFirstStepThatFailsEndsTheStage) {
  const auto result = run({main_stage({marker("first"), shell_step("exit 4"), marker("third")})});
  EXPECT_EQ(result.stages.at(0).exit_status, 4);
  EXPECT_TRUE(exists("first"));
  EXPECT_FALSE(exists("third"));
}

TEST_F(StandaloneRunsTest, StepsAndStagesDoNotLeakTheirEnvironment) {
  auto first = shell_step("echo \"$A\"");
  first.environment = {{"A", "first"}};
  run({prologue({first}), main_stage({first, shell_step("echo \"${A-unset}\"")})});
  EXPECT_EQ(content(path("stdout.txt")), "first\nunset\n");
}

TEST_F(StandaloneRunsTest, EnvironmentValuesArriveAsTheyAre) {
  const std::vector<cloudai::NamedValue> values{{"PLAIN", "1"},
                                                {"SPACES", "value with  spaces "},
                                                {"COMMA", "name_0,name_1"},
                                                {"QUOTE", "say \"hi\" it's"},
                                                {"DOLLAR_LITERAL", R"(\$HOME and `id`)"},
                                                {"NEWLINE", "a\nb\n"},
                                                {"PAREN", "64(x2)"},
                                                {"SEMI", "a;b&c|d>e"},
                                                {"UNICODE", "größe-α"},
                                                {"EMPTY", ""},
                                                {"BACKSLASH", R"(C:\temp\x\)"},
                                                {"GLOB", "* ? [a] ~ {a,b} !x"},
                                                {"UNCLOSED", "$(echo ' ${a:-b} $1 $"}};
  auto step = argv_step({"env", "-0"});
  step.environment = values;
  EXPECT_EQ(run({main_stage({step})}).stages.at(0).exit_status, 0);
  const std::string output = '\0' + content(path("stdout.txt"));
  for (const auto& [name, value] : values) {
    const std::string expected = name == "DOLLAR_LITERAL" ? "$HOME and `id`" : value;
    EXPECT_THAT(output, HasSubstr('\0' + name + "=" + expected + '\0'));
  }
}

TEST_F(StandaloneRunsTest, EnvironmentValuesAreExpandedWhereTheJobStarts) {
  auto step = argv_step({"printenv", "A", "B", "C"});
  step.environment = {
      {"A", "${CLOUDAI_NUM_NODES} a,b;c"}, {"B", "$A!"}, {"C", R"t($(printf '%s|' "two  words" ")"; pwd))t"}};
  run({prologue({step})});
  EXPECT_EQ(content(path("prologue/before/stdout.txt")),
            "1 a,b;c\n1 a,b;c!\ntwo  words|)|" + path("prologue/before").string() + "\n");
}

TEST_F(StandaloneRunsTest, ArgumentsArriveAsTheyAre) {
  const std::vector<std::string> arguments{"--name",  "two words", "--json",     R"({"a": [1,2]})", "--glob", "*.txt",
                                           "--empty", "",          "$HOME `id`", "it's \"q\" \\",   "a\nb",   "~",
                                           "größe",   "-n",        "!x"};
  std::vector<std::string> argv{"printf", "%s\\0"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::string expected;
  for (const std::string& argument : arguments) expected += argument + '\0';
  run({main_stage({argv_step(argv)})});
  EXPECT_EQ(content(path("stdout.txt")), expected);
  run({main_stage({mpi_step(1, argv)})});
  EXPECT_EQ(content(path("stdout.txt")), expected);
}

TEST_F(StandaloneRunsTest, AShellTextIsRunOnceByOneShell) {
  run({main_stage({shell_step(R"(printf '%s\n' "it is \"quoted\"" '^a.*$' "$0" && echo "$$" > pid && echo done)")})});
  EXPECT_EQ(content(path("stdout.txt")), "it is \"quoted\"\n^a.*$\nbash\ndone\n");
}

TEST_F(StandaloneRunsTest, StepsKnowTheirJob) {
  const std::string id = submit({main_stage({shell_step(
      "echo $CLOUDAI_MASTER_NODE $CLOUDAI_NODE_RANK $CLOUDAI_NUM_NODES $CLOUDAI_NODE_LIST; echo $CLOUDAI_JOB_ID; echo "
      "$CLOUDAI_RUN_DIR")})});
  end(id);
  EXPECT_EQ(content(path("stdout.txt")),
            "node001 0 1 node001\n" + std::to_string(pid_of(id)) + "\n" + directory_.path().string() + "\n");
}

TEST_F(StandaloneRunsTest, AMissingCommandIsExitStatus127AndNamed) {
  const auto result = run({main_stage({argv_step({"no-such-command"})})});
  EXPECT_EQ(result.stages.at(0).exit_status, 127);
  EXPECT_THAT(content(path("stderr.txt")), HasSubstr("no-such-command: not found"));
  auto no_mpirun = mpi_step(2, {"true"});
  no_mpirun.environment = {{"PATH", "/no/such"}};
  EXPECT_EQ(run({main_stage({no_mpirun})}).stages.at(0).exit_status, 127);
  EXPECT_THAT(content(path("stderr.txt")), HasSubstr("mpirun: command not found"));
}

TEST_F(StandaloneRunsTest, AMissingMpiProgramIsExitStatus127AndNamed) {
  EXPECT_EQ(run({main_stage({mpi_step(2, {"no-such-program", "-b", "8"})})}).stages.at(0).exit_status, 127);
  EXPECT_EQ(content(path("stderr.txt")), "no-such-program: command not found\n");
}

TEST_F(StandaloneRunsTest, ASignalIsTold) {
  const auto result = run({main_stage({shell_step("kill -SEGV $$")})});
  EXPECT_EQ(result.stages.at(0).signal, SIGSEGV);
  EXPECT_FALSE(result.stages.at(0).timed_out);
  EXPECT_THAT(content(path("stderr.txt")), HasSubstr("Segmentation fault"));
}

TEST_F(StandaloneRunsTest, MpiStartsMoreRanksThanCores) {
  run({main_stage({mpi_step(6, {"sh", "-c", "echo rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE"})})});
  const std::string output = content(path("stdout.txt"));
  for (int rank = 0; rank < 6; ++rank) EXPECT_THAT(output, HasSubstr("rank " + std::to_string(rank) + " of 6\n"));
}

TEST_F(StandaloneRunsTest, AScriptThatBashCannotReadIsLostWithWhatBashSaid) {
  auto step = argv_step({"true"});
  step.environment = {{"BROKEN", "$(if)"}};
  const auto result = run({prologue({marker("prologue ran")}), main_stage({step})});
  EXPECT_EQ(result.state, JobEnd::lost);
  EXPECT_THAT(result.reason, HasSubstr("before the job was finished. It said: "));
  EXPECT_THAT(result.reason, HasSubstr("syntax error"));
  EXPECT_FALSE(exists("prologue ran"));
}

TEST_F(StandaloneRunsTest, ResubmittingLeavesNothingOfTheFirstRun) {
  run({prologue({argv_step({"true"})}), main_stage({argv_step({"true"})})});
  const auto result = run({prologue({argv_step({"false"})}), main_stage({argv_step({"true"})})});
  EXPECT_EQ(result.stages.at(1).state, StageState::skipped);
}

TEST_F(StandaloneRunsTest, TheScriptRunsByHandFromAnywhereAlsoAfterAMove) {
  const auto job =
      standalone::testing::job_of({main_stage({shell_step("echo \"$CLOUDAI_RUN_DIR\"; cat")})}, path("old place"));
  standalone::testing::write_files(scheduler_.render(job), path("old place"));
  std::filesystem::rename(path("old place"), path("new place"));
  const std::string script = "'" + path("new place/cloudai_run.sh").string() + "'";
  EXPECT_EQ(std::system(("cd / && CDPATH=/tmp bash " + script).c_str()), 0);
  EXPECT_EQ(content(path("new place/stdout.txt")), path("new place").string() + "\n");
  std::filesystem::remove(path("new place/stdout.txt"));
  EXPECT_EQ(std::system(("cd '" + path("new place").string() + "' && bash cloudai_run.sh").c_str()), 0);
  EXPECT_EQ(content(path("new place/stdout.txt")), path("new place").string() + "\n");
  EXPECT_TRUE(exists("new place/status/finished"));
}

TEST_F(StandaloneRunsTest, TheScriptsOwnExitStatusTellsIfEveryGateIsOpen) {
  const auto job = standalone::testing::job_of({main_stage({argv_step({"false"})}), epilogue({argv_step({"true"})})});
  standalone::testing::write_files(scheduler_.render(job), directory_.path());
  const int status = std::system(("bash " + path("cloudai_run.sh").string()).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

TEST_F(StandaloneRunsTest, ADirectoryWithEveryKindOfCharacterWorks) {
  const auto strange = path("it's $HOME \"q\" `x` *");
  auto hook = prologue({shell_step("pwd")});
  hook.directory = "prologue/-a b'c";
  const auto job = standalone::testing::job_of({hook, main_stage({argv_step({"pwd"})})}, strange);
  const auto rendering = scheduler_.render(job);
  standalone::testing::write_files(rendering, strange);
  const std::string id = scheduler_.submit({job.tag, job.directory, rendering.submission}).id;
  EXPECT_EQ(end(id).reason, "");
  EXPECT_EQ(content(strange / "stdout.txt"), strange.string() + "\n");
  EXPECT_EQ(content(strange / "prologue/-a b'c/stdout.txt"), (strange / "prologue/-a b'c").string() + "\n");
}

}  // namespace
}  // namespace standalone
