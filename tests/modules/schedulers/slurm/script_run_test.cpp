// Scripts, run with stand-ins for Slurm's commands.
#include "script_fixture.hpp"

namespace slurm {
namespace {

using cloudai::Gate;
using cloudai::StageKind;
using cloudai::StageState;
using slurm::testing::argv_step;
using slurm::testing::content;
using slurm::testing::job_of;
using slurm::testing::mpi_step;
using slurm::testing::options_of;
using slurm::testing::shell_step;
using slurm::testing::stage;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ScriptRunTest : public slurm::testing::ScriptTest {
 protected:
  static cloudai::JobStage a_prologue(const std::string& command) {
    return stage(StageKind::prologue, "check", {shell_step(command)});
  }
  static cloudai::JobStage a_main(const std::string& command) {
    return stage(StageKind::main, "test", {shell_step(command)});
  }
  static cloudai::JobStage an_epilogue(const std::string& command) {
    return stage(StageKind::epilogue, "clean", {shell_step(command)});
  }
  cloudai::Job job(std::vector<cloudai::JobStage> stages) const {
    return job_of(std::move(stages), directory_.string());
  }
};

TEST_F(ScriptRunTest, RunsTheStagesInOrderEachWithItsOutput) {
  EXPECT_EQ(run(job({a_prologue("echo before; echo oops >&2"), a_main("echo during"), an_epilogue("echo after")})), 0);
  EXPECT_EQ(content(path("prologue/check/stdout.txt")), "before\n");
  EXPECT_EQ(content(path("prologue/check/stderr.txt")), "oops\n");
  EXPECT_EQ(content(path("stdout.txt")), "during\n");
  EXPECT_EQ(content(path("epilogue/clean/stdout.txt")), "after\n");
  EXPECT_EQ(content(path("stderr.txt")), "");
  const auto final = end();
  EXPECT_THAT(final.warnings, IsEmpty());
  for (const auto& result : final.stages) {
    EXPECT_EQ(result.state, StageState::ended);
    EXPECT_EQ(result.gate, Gate::open);
    EXPECT_EQ(result.exit_status, 0);
  }
  EXPECT_TRUE(cloudai::is_finished(directory_));
  const auto script = cloudai::read_script_identity(directory_);
  ASSERT_TRUE(script);
  EXPECT_EQ(script->tag, "k3x9a0b1c2d3e");
  EXPECT_EQ(script->id, "4711");
  EXPECT_EQ(script->nodes, "n[1-2]");
}

// srun ends with 0 when a node fails in the middle.
TEST_F(ScriptRunTest, ANodeThatFailsClosesTheGate) {
  EXPECT_EQ(run(job({a_main("echo 'srun: error: Node failure on n2' >&2")})), 1);
  EXPECT_EQ(end().stages[0].exit_status, 0);
  EXPECT_EQ(end().stages[0].gate, Gate::closed);
  EXPECT_EQ(end().reason, "The gate of the main 'test' is closed: a node failed.");
}

TEST_F(ScriptRunTest, AFailedPrologueClosesTheGate) {
  EXPECT_EQ(run(job({a_prologue("exit 3"), a_main("echo ran"), an_epilogue("echo ran")})), 1);
  const auto final = end();
  EXPECT_EQ(final.stages[0].exit_status, 3);
  EXPECT_EQ(final.stages[0].gate, Gate::closed);
  EXPECT_EQ(final.stages[1].state, StageState::skipped);
  EXPECT_EQ(final.stages[2].state, StageState::skipped);
  EXPECT_EQ(content(path("status/2")), "skipped=prologue check failed\n");
  EXPECT_EQ(final.reason, "The gate of the prologue 'check' is closed: exit status 3, expected 0.");
  EXPECT_EQ(content(path("stdout.txt")), "");
  EXPECT_FALSE(std::filesystem::exists(path("epilogue")));
}

TEST_F(ScriptRunTest, TheGateReadsTheOutput) {
  auto prologue = a_prologue("echo '# Avg bus bandwidth    : 3'");
  prologue.plan.success.must_contain = {{"stdout.txt", "# Avg bus bandwidth"}};
  prologue.plan.success.must_not_contain = {{"stdout.txt", "failure"}};
  EXPECT_EQ(run(job({prologue, a_main("true")})), 0);
  prologue.plan.success.must_contain[0].text = "$(absent)";
  EXPECT_EQ(run(job({prologue, a_main("true")})), 1);
  EXPECT_EQ(end().reason, "The gate of the prologue 'check' is closed: stdout.txt does not contain '$(absent)'.");
}

TEST_F(ScriptRunTest, TheEpilogueRunsWhateverCameOfMain) {
  EXPECT_EQ(run(job({a_main("kill -9 $$"), an_epilogue("echo after")})), 1);
  EXPECT_EQ(end().stages[0].signal, 9);
  EXPECT_EQ(end().stages[1].gate, Gate::open);
  EXPECT_EQ(run(job({a_main("true"), an_epilogue("exit 2")})), 1);
  EXPECT_EQ(end().stages[0].gate, Gate::open);
  EXPECT_EQ(end().stages[1].exit_status, 2);
}

TEST_F(ScriptRunTest, AHungPrologueIsEndedByItsOwnLimit) {
  auto prologue = a_prologue("sleep 300");
  prologue.time_limit = 1;
  EXPECT_EQ(run(job({prologue, a_main("true")})), 1);
  const auto final = end();
  EXPECT_TRUE(final.stages[0].timed_out);
  EXPECT_EQ(final.stages[0].gate, Gate::closed);
  EXPECT_EQ(final.stages[1].state, StageState::skipped);
  // What srun may have left of this stage, and of no other.
  EXPECT_EQ(content(scratch_.path() / "scancels"), "scancel --signal=KILL 4711.3\nscancel --signal=KILL 4711.6\n");
}

TEST_F(ScriptRunTest, TheStepsOfAStageShareItsLimitAndStopAtTheFirstThatFails) {
  auto main = stage(StageKind::main, "test", {shell_step("echo one"), shell_step("exit 4"), shell_step("echo three")});
  EXPECT_EQ(run(job({main})), 1);
  EXPECT_EQ(content(path("stdout.txt")), "one\n");
  EXPECT_EQ(end().stages[0].exit_status, 4);
}

TEST_F(ScriptRunTest, EveryValueArrivesAsItIs) {
  const std::vector<cloudai::NamedValue> variables{
      {"PLAIN", "1"},
      {"SPACES", "value with  spaces "},
      {"COMMA", "name_0,name_1"},
      {"QUOTE", "say \"hi\" it's"},
      {"BACKTICK", "`id`"},
      {"DOLLARS", "100$ $5 \\$HOME"},
      {"NEWLINE", "a\nb"},
      {"PAREN", "64(x2)"},
      {"SEMI", "a;b&c|d>e#f!"},
      {"UNICODE", "größe-α"},
      {"EMPTY", ""},
      {"BACKSLASH", "C:\\temp\\x"},
      {"OPEN", "$(echo"},
  };
  const std::vector<std::string> words{"--name", "two words", "--json", R"({"a": [1,2]})", "--glob", "*.txt", "--empty",
                                       "",       "$HOME",     "`id`",   "it's \"quoted\"", "a\nb",   "\\",    "-x"};
  std::vector<std::string> argv{"printf", "<%s>\n"};
  argv.insert(argv.end(), words.begin(), words.end());
  auto printer = argv_step(argv);
  printer.environment = variables;
  std::string names;
  for (const auto& variable : variables) names += " " + variable.name;
  auto environment = shell_step("for name in" + names + "; do printf '%s=<%s>\\n' \"$name\" \"${!name}\"; done");
  environment.environment = variables;
  set_directory("it's a \"job\" 100% $HOME #1 ü");
  EXPECT_EQ(run(job({stage(StageKind::main, "t", {printer, environment})})), 0);
  std::string expected;
  for (const std::string& word : words) expected += "<" + word + ">\n";
  for (const auto& variable : variables) {
    expected += variable.name + "=<" + (variable.name == "DOLLARS" ? "100$ $5 $HOME" : variable.value) + ">\n";
  }
  EXPECT_EQ(content(path("stdout.txt")), expected);
  EXPECT_EQ(content(path("stderr.txt")), "");
}

TEST_F(ScriptRunTest, VariablesAndCommandsInValuesAreExpandedOnceWhereTheJobStarts) {
  auto step = shell_step("echo \"$HOSTS|$TWICE\"");
  step.environment = {{"HOSTS", "$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n1)"},
                      {"TWICE", "${HOSTS}-$HOSTS"}};
  EXPECT_EQ(run(job({stage(StageKind::main, "t", {step})})), 0);
  EXPECT_EQ(content(path("stdout.txt")), "n1|n1-n1\n");
  EXPECT_THAT(content(path("env_vars.sh")), HasSubstr("export HOSTS=n1\n"));
  EXPECT_EQ(std::filesystem::status(path("env_vars.sh")).permissions() & std::filesystem::perms::mask,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(ScriptRunTest, ACommandInAValueThatFailsFailsTheStage) {
  auto step = shell_step("echo ran");
  step.environment = {{"HOSTS", "$(exit 5)"}};
  EXPECT_EQ(run(job({stage(StageKind::main, "t", {step})})), 1);
  EXPECT_EQ(content(path("stdout.txt")), "");
  EXPECT_EQ(end().stages[0].exit_status, 5);
}

TEST_F(ScriptRunTest, AStageSeesItsOwnVariablesAlone) {
  auto prologue = a_prologue("echo \"<$A>\"");
  auto main = a_main("true");
  main.plan.steps[0].environment = {{"A", "of main"}};
  prologue.plan.steps[0].environment = {{"A", "of prologue"}};
  EXPECT_EQ(run(job({prologue, main, an_epilogue("echo \"<$A>\"")})), 0);
  EXPECT_EQ(content(path("prologue/check/stdout.txt")), "<of prologue>\n");
  EXPECT_EQ(content(path("epilogue/clean/stdout.txt")), "<>\n");
}

TEST_F(ScriptRunTest, AShellTextKnowsTheJob) {
  EXPECT_EQ(run(job({a_main("echo \"$CLOUDAI_MASTER_NODE $CLOUDAI_NODE_RANK $CLOUDAI_NUM_NODES $CLOUDAI_NODE_LIST "
                            "$CLOUDAI_JOB_ID\"; echo \"$CLOUDAI_RUN_DIR\"; echo \"$SLURM_JOB_MASTER_NODE\"")})),
            0);
  EXPECT_EQ(content(path("stdout.txt")), "n1 0 2 n1,n2 4711\n" + directory_.string() + "\nn1\n");
}

TEST_F(ScriptRunTest, TellsAboutTheNodesBeforeTheStages) {
  auto main = stage(StageKind::main, "t", {mpi_step(2, {"true"})});
  main.plan.steps[0].environment = {{"ENABLE_VBOOST", "1"}};
  auto a_job = job({main});
  EXPECT_EQ(run(a_job), 0);
  EXPECT_THAT(content(path("mapping-stdout.txt")), HasSubstr(":node 0:rank 0."));
  const std::string facts = content(path("metadata/node-n1.toml"));
  EXPECT_THAT(facts, HasSubstr("\n[system]\n"));
  EXPECT_THAT(facts, HasSubstr("\nlinux_kernel_version = \""));
  EXPECT_THAT(facts, HasSubstr("\ncommit_sha = \"null\"\n"));
  EXPECT_THAT(facts, HasSubstr("\nnode_list = \"n[1-2]\"\n"));
  const std::string at = directory_.string();
  EXPECT_EQ(
      sruns(),
      "srun --ntasks=2 --ntasks-per-node=1 --job-name=cloudai.vboost --output=" + at + "/vboost.out --error=" + at +
          "/vboost.err bash -c sudo nvidia-smi boost-slider --vboost 1\n"
          "srun --export=ALL --mpi=pmix -N2 --ntasks=4 --ntasks-per-node=2 --job-name=cloudai.mapping --output=" +
          at + "/mapping-stdout.txt --error=" + at +
          "/mapping-stderr.txt bash -c echo $(date): $(hostname):node ${SLURM_NODEID}:rank ${SLURM_PROCID}.\n"
          "srun --export=ALL -N2 --ntasks=2 --ntasks-per-node=1 --job-name=cloudai.metadata --output=" +
          at + "/metadata/node-%N.toml --error=" + at + "/metadata/nodes.err bash " + at +
          "/slurm-metadata.sh\n"
          "srun --export=ALL --mpi=pmix -N2 --ntasks=4 --ntasks-per-node=2 --job-name=cloudai.1.main bash -c source "
          "\"$0\" && exec \"$@\" " +
          at + "/env_vars.sh true\n");
}

TEST_F(ScriptRunTest, ARestartKeepsWhatTheStartBeforeLeft) {
  const auto a_job = job({a_prologue("echo check $RANDOM"), a_main("echo a number: $RANDOM; echo x >written.txt")});
  ASSERT_EQ(run(a_job), 0);
  const std::string first = content(path("stdout.txt"));
  ASSERT_EQ(start(a_job), 0);
  EXPECT_EQ(content(path("attempt-1/stdout.txt")), first);
  EXPECT_THAT(content(path("attempt-1/status/1")), EndsWith("complete\n"));
  EXPECT_THAT(content(path("attempt-1/prologue/check/stdout.txt")), HasSubstr("check"));
  EXPECT_EQ(content(path("attempt-1/written.txt")), "x\n");
  EXPECT_TRUE(std::filesystem::exists(path("attempt-1/metadata/node-n1.toml")));
  EXPECT_FALSE(std::filesystem::exists(path("attempt-1/cloudai_sbatch_script.sh")));
  const std::string second = content(path("stdout.txt"));
  EXPECT_EQ(std::count(second.begin(), second.end(), '\n'), 1) << second;
  ASSERT_EQ(start(a_job), 0);
  EXPECT_TRUE(std::filesystem::exists(path("attempt-2/stdout.txt")));
  EXPECT_FALSE(std::filesystem::exists(path("attempt-2/attempt-1")));
  EXPECT_TRUE(cloudai::is_finished(directory_));
}

TEST_F(ScriptRunTest, AJobThatWasCutOffIsRestartedFromItsBeginning) {
  const auto a_job =
      job({a_main("if [[ -e again ]]; then echo good; else touch again; kill -9 $(ps -o ppid= -p $PPID); fi")});
  // The stand-in of srun becomes the command, so that its parent's parent is the script.
  EXPECT_NE(run(a_job), 0);
  EXPECT_EQ(end().stages[0].state, StageState::unfinished);
  EXPECT_FALSE(cloudai::is_finished(directory_));
  std::ofstream(path("again")) << "";
  std::filesystem::last_write_time(path("again"),
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(start(a_job), 0);
  EXPECT_EQ(content(path("stdout.txt")), "good\n");
  EXPECT_TRUE(std::filesystem::exists(path("attempt-1/status/1")));
}

TEST_F(ScriptRunTest, AMainStageThatRunsIsAskedToEndByASignalAndTheEpilogueFollows) {
  // The stand-in of srun becomes the command, so that its parent's parent is the script.
  const std::string until_asked =
      "kill -URG $(ps -o ppid= -p $PPID); until grep -qs 4711.6 \"$STAND_INS/scancels\"; do sleep 0.05; done; exit 143";
  EXPECT_EQ(run(job({a_main(until_asked), an_epilogue("echo after")})), 1);
  EXPECT_EQ(content(scratch_.path() / "scancels"), "scancel --signal=TERM 4711.3\nscancel --signal=TERM 4711.6\n");
  const auto final = end();
  EXPECT_EQ(final.stages[0].state, StageState::ended);
  EXPECT_EQ(final.stages[0].exit_status, 143);
  EXPECT_EQ(final.stages[1].gate, Gate::open);
  EXPECT_EQ(content(path("epilogue/clean/stdout.txt")), "after\n");
  EXPECT_EQ(content(path("stderr.txt")), "");
}

TEST_F(ScriptRunTest, ASignalThatIsRepeatedDoesNotCutAStageOff) {
  const std::string twice =
      "script=$(ps -o ppid= -p $PPID); kill -URG $script; sleep 0.2; kill -URG $script; sleep 0.2; echo done";
  EXPECT_EQ(run(job({a_main(twice), an_epilogue("true")})), 0);
  EXPECT_EQ(content(path("stdout.txt")), "done\n");
  EXPECT_EQ(end().stages[0].exit_status, 0);
}

TEST_F(ScriptRunTest, AfterASignalDuringThePrologueTheMainStageDoesNotStart) {
  EXPECT_EQ(run(job({a_prologue("kill -URG $(ps -o ppid= -p $PPID); echo checked"), a_main("echo ran"),
                     an_epilogue("echo ran")})),
            0);
  const auto final = end();
  EXPECT_EQ(content(path("prologue/check/stdout.txt")), "checked\n");
  EXPECT_EQ(final.stages[0].gate, Gate::open);
  EXPECT_EQ(final.stages[1].state, StageState::skipped);
  EXPECT_EQ(final.stages[2].state, StageState::skipped);
  EXPECT_EQ(content(path("status/2")), "skipped=the main stage had to end before it started\n");
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "scancels"));
}

TEST_F(ScriptRunTest, ARequestOfBeforeItsStartIsReadFromItsFile) {
  const auto a_job = job({a_main("echo ran"), an_epilogue("echo ran")});
  std::filesystem::create_directory(path("status"));
  std::ofstream(path("status/end_main")) << "4711\n";
  EXPECT_EQ(run(a_job), 0);
  EXPECT_EQ(end().stages[0].state, StageState::skipped);
  EXPECT_EQ(content(path("stdout.txt")), "");
  // It holds when Slurm starts the job again, and not for another job in the same place.
  EXPECT_EQ(start(a_job), 0);
  EXPECT_EQ(end().stages[0].state, StageState::skipped);
  EXPECT_TRUE(std::filesystem::exists(path("attempt-1/status/end_main")));
  std::ofstream(path("status/end_main")) << "4710\n";
  EXPECT_EQ(start(a_job), 0);
  EXPECT_EQ(end().stages[0].gate, Gate::open);
  EXPECT_EQ(content(path("stdout.txt")), "ran\n");
  EXPECT_FALSE(std::filesystem::exists(path("status/end_main")));
}

TEST_F(ScriptRunTest, SeveralRunsHaveTheirOwnGatesAndDependencies) {
  cloudai::Job several = job({});
  const auto add = [&](const std::string& id, std::vector<std::string> after, const std::string& command) {
    auto prologue = a_prologue("true");
    prologue.directory = id + "/prologue/check";
    auto main = a_main(command);
    main.directory = id;
    several.runs.push_back({id, std::move(after), {prologue, main}});
  };
  several.runs.clear();
  add("A/0", {}, "exit 1");
  add("B/0", {"A/0"}, "echo b");
  add("C/0", {}, "echo c ${CLOUDAI_RUN_DIR##*/job/} $CLOUDAI_NUM_NODES $CLOUDAI_NODE_LIST");
  add("D/0", {"C/0"}, "echo d ${CLOUDAI_RUN_DIR##*/job/} $CLOUDAI_NUM_NODES $CLOUDAI_NODE_LIST");
  several.runs[2].stages[1].num_nodes = 1;
  std::ofstream(path("summary.json")) << "{}";
  EXPECT_EQ(run(several), 1);
  EXPECT_EQ(content(path("status/3")), "skipped=run A/0 did not pass\n");
  EXPECT_EQ(content(path("status/4")), "skipped=run A/0 did not pass\n");
  EXPECT_EQ(content(path("C/0/stdout.txt")), "c C/0 1 n1\n");
  EXPECT_EQ(content(path("D/0/stdout.txt")), "d D/0 2 n1,n2\n");
  EXPECT_EQ(end().stages.size(), 8);
  // A file of somebody else's in the shared directory stays where it is.
  std::ofstream(path("summary.json")) << "{ }";
  EXPECT_EQ(start(several), 1);
  EXPECT_EQ(content(path("summary.json")), "{ }");
  EXPECT_EQ(content(path("attempt-1/C/0/stdout.txt")), "c C/0 1 n1\n");
  EXPECT_THAT(content(path("common.err")), Not(HasSubstr("cannot stat")));
}

}  // namespace
}  // namespace slurm
