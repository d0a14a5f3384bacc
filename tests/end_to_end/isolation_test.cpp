// Modules that do not come with the program run in processes of their own: what they do to those, the run survives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class IsolatedModules : public testing::Test {
 protected:
  // Tests.1 and Tests.3 are of the fixture's workload, Tests.2 is good.
  void write_three_tests(const std::string& fixture, const std::string& more_of_system = "") {
    add(fixture);
    workspace.system(more_of_system);
    workspace.write("tests/evil.toml", "name = \"evil\"\ndescription = \"x\"\ntest_template_name = \"Fixture\"\n");
    workspace.test("good", "touch \"$MARKS/good\"");
    workspace.scenario(test_case("Tests.1", "evil") + test_case("Tests.2", "good") + test_case("Tests.3", "evil"));
  }

  void add(const std::string& fixture) {
    workspace.write("modules/" + fixture + ".so",
                    read(build_directory() / "tests/fixtures/module" / (fixture + ".so")));
  }

  Arguments with_modules(Arguments arguments) const {
    arguments.insert(arguments.end(), {"--module-path", (workspace.root() / "modules").string()});
    return arguments;
  }

  Ended run(const Arguments& more = {}) const {
    return workspace.cloudai(with_modules(workspace.command("run", more)));
  }

  void expect_crashed(const std::string& id, const std::string& sentence) const {
    const auto of_run = workspace.run_of(id);
    EXPECT_EQ(of_run.at("status"), "error");
    EXPECT_EQ(of_run.at("reason").at("code"), "module_crashed");
    EXPECT_EQ(of_run.at("reason").at("text"), sentence);
  }

  Workspace workspace;
};

TEST_F(IsolatedModules, ACrashInEvaluateIsAnErrorOfItsRunAlone) {
  write_three_tests("segfaults_in_evaluate");
  const auto ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  for (const std::string id : {"Tests.1/0", "Tests.3/0"}) {
    expect_crashed(id, "module 'test.segfaults_in_evaluate' 1.0.0 crashed (SIGSEGV) in evaluate() of run " + id + ".");
    EXPECT_EQ(workspace.run_of(id).at("reason").at("hint"),
              "The run's files are kept; after a fix: cloudai generate-report --reevaluate --result-dir " +
                  workspace.results().string());
    EXPECT_EQ(stage_of(workspace.run_of(id), "main").at("reason").at("code"), "module_crashed");
    EXPECT_TRUE(fs::exists(workspace.results() / id / "evaluation.json"));
  }
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "passed");
  EXPECT_TRUE(workspace.marked("good"));
  EXPECT_TRUE(fs::exists(workspace.results() / "scenario.html"));
  EXPECT_THAT(ended.err, HasSubstr("[WARNING] module 'test.segfaults_in_evaluate' 1.0.0 is started again.\n"));
  EXPECT_THAT(workspace.summary().at("modules").dump(), HasSubstr("test.segfaults_in_evaluate"));
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

TEST_F(IsolatedModules, AfterAFixTheRunIsJudgedWithoutRunningItAgain) {
  write_three_tests("segfaults_in_evaluate");
  EXPECT_EQ(run({"--keep-going"}).exit_status, 3);
  fs::remove(workspace.root() / "modules/segfaults_in_evaluate.so");
  add("waits_for_cancellation");  // its evaluate is good
  const auto ended = workspace.cloudai(
      with_modules({"generate-report", "--reevaluate", "--result-dir", workspace.results().string()}));
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("status"), "passed");
}

TEST_F(IsolatedModules, ACrashInPlanIsAnErrorOfItsRunAlone) {
  write_three_tests("segfaults");
  const auto ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  for (const std::string id : {"Tests.1/0", "Tests.3/0"}) {
    expect_crashed(id, "test '" + id.substr(0, 7) +
                           "': module 'test.segfaults' 1.0.0 crashed (SIGSEGV) in plan() of run " + id + ".");
  }
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "passed");
}

TEST_F(IsolatedModules, ACrashStopsTheScenarioAsAnyError) {
  write_three_tests("exits");
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  expect_crashed("Tests.1/0",
                 "test 'Tests.1': module 'test.exits' 1.0.0 ended its process with exit status 0 in plan() "
                 "of run Tests.1/0, which no module may do.");
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "skipped");
}

TEST_F(IsolatedModules, ACrashInRequirementsKeepsItsTestsFromStarting) {
  write_three_tests("segfaults_in_requirements");
  const auto ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  EXPECT_EQ(workspace.run_of("Tests.1/0").at("reason").at("code"), "module_crashed");
  EXPECT_THAT(workspace.run_of("Tests.1/0").at("reason").at("text").get<std::string>(),
              HasSubstr("module 'test.segfaults_in_requirements' 1.0.0 crashed (SIGSEGV) in requirements()."));
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "passed");
}

TEST_F(IsolatedModules, ACrashWhileLoadingKeepsItsTestsFromStarting) {
  write_three_tests("throws_in_constructor");
  const auto ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 3) << ended.err;
  expect_crashed("Tests.1/0",
                 "test 'Tests.1': module 'test.throws_in_constructor' 1.0.0 crashed (SIGABRT) while it was "
                 "loaded.");
  EXPECT_THAT(ended.err, HasSubstr("test.throws_in_constructor (stderr):   what():  at birth"));
  EXPECT_EQ(workspace.run_of("Tests.2/0").at("status"), "passed");
}

TEST_F(IsolatedModules, AReporterThatCrashesKeepsNoOtherFromWriting) {
  add("segfaulting_reporter");
  workspace.system();
  workspace.test("good", "true");
  workspace.scenario(test_case("Tests.1", "good"));
  const auto ended = run();
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("[WARNING] Report 'segfaulting' could not be generated: module "
                                   "'test.segfaulting_reporter' 1.0.0 crashed (SIGSEGV) in write().\n"));
  EXPECT_TRUE(fs::exists(workspace.results() / "scenario.html"));
}

TEST_F(IsolatedModules, AKillOfTheCoreLeavesNoProcess) {
  write_three_tests("endless_plan");
  const auto program = workspace.start(with_modules(workspace.command("run")));
  ASSERT_TRUE(eventually([&] { return program->err().find("Starting test: Tests.1") != std::string::npos; }))
      << program->err();
  ASSERT_TRUE(eventually([&] { return !workspace.processes(program->pid()).empty(); }));
  program->send(SIGKILL);
  EXPECT_EQ(program->wait().signal, SIGKILL);
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

TEST_F(IsolatedModules, ASignalReachesAModuleThatWaitsAsACancellation) {
  // What the library leaks of an archive that is given up is no concern of this test.
  write_three_tests("waits_for_cancellation", "[reports.tarball]\nenable = false\n");
  const auto program = workspace.start(with_modules(workspace.command("run")));
  ASSERT_TRUE(eventually([&] {
    return program->err().find("test.waits_for_cancellation: waiting") != std::string::npos;
  })) << program->err();
  program->send(SIGINT);
  const auto ended = program->wait();
  EXPECT_EQ(ended.exit_status, 128 + SIGINT) << ended.err;
  EXPECT_THAT(ended.err, Not(HasSubstr("could not be confirmed")));
  EXPECT_TRUE(fs::exists(workspace.results() / "summary.json"));
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

TEST_F(IsolatedModules, TheSystemFileMovesAModuleIntoTheCore) {
  write_three_tests("writes_to_stdout");
  auto ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("[INFO] test.writes_to_stdout (stdout): first line\n"));
  EXPECT_THAT(ended.err, HasSubstr("[INFO] test.writes_to_stdout (stdout):  [31mred\n"));
  EXPECT_THAT(ended.out, Not(HasSubstr("first line")));
  workspace.system("[modules.Fixture]\nisolation = \"in-process\"\n");
  ended = run({"--keep-going"});
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_THAT(ended.err, Not(HasSubstr("(stdout)")));
  EXPECT_THAT(ended.out, HasSubstr("first line"));
}

TEST_F(IsolatedModules, TheSystemFileMovesABuiltInModuleOutOfTheCore) {
  workspace.system("[modules.BashCmd]\nisolation = \"process\"\n[modules.standalone]\nisolation = \"process\"\n");
  workspace.test("work", "touch \"$MARKS/runs\"; until [[ -e $MARKS/go ]]; do sleep 0.05; done");
  workspace.scenario(test_case("Tests.1", "work"));
  const auto program = workspace.start(workspace.command("run"));
  ASSERT_TRUE(eventually([&] { return workspace.marked("runs"); })) << program->err();
  std::size_t hosts = 0;
  for (const pid_t pid : workspace.processes(program->pid())) {
    hosts += read("/proc/" + std::to_string(pid) + "/cmdline").find("module-host") != std::string::npos;
  }
  EXPECT_EQ(hosts, 2U) << "the scheduler and the workload; evaluate's comes when it is needed";
  workspace.write("marks/go", "");
  EXPECT_EQ(program->wait().exit_status, 0) << program->err();
  EXPECT_TRUE(eventually([&] { return workspace.processes().empty(); }));
}

TEST_F(IsolatedModules, OfTheSystemFileMustExist) {
  workspace.system("[modules.BashCmb]\nisolation = \"process\"\n[modules.standalone]\nisolation = \"somewhere\"\n");
  workspace.test("work", "true");
  workspace.scenario(test_case("Tests.1", "work"));
  const auto ended = workspace.run();
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_THAT(
      ended.err,
      HasSubstr("error: no module provides a scheduler, workload or reporter 'BashCmb'. Did you mean 'BashCmd'?"));
  EXPECT_THAT(ended.err, HasSubstr("'in-process'"));
}

TEST(ModuleHost, IsNoCommandForPeople) {
  const Workspace workspace;
  const auto ended = workspace.cloudai({"module-host", "/nowhere.so"});
  EXPECT_EQ(ended.exit_status, 2);
  EXPECT_EQ(ended.err, "module-host is started by cloudai itself, for a module that runs in a process of its own.\n");
  EXPECT_THAT(workspace.cloudai({"--help"}).out, Not(HasSubstr("module-host")));
}

}  // namespace
}  // namespace end_to_end
