// Modules in a process of their own, and what becomes of those who spoil it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "core/module/child_transport.hpp"
#include "core/module/preflight.hpp"
#include "tests/core/module/captured_log.hpp"
#include "tests/core/module/isolated_module.hpp"

namespace cloudai::module {
namespace {

using namespace std::chrono_literals;
using test::Bench;
using test::CapturedLog;
using test::Scratch;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Json a_run = {{"schema", "cloudai.run/1"},
                    {"case", "all_reduce"},
                    {"iteration", 0},
                    {"stage", {{"kind", "main"}, {"name", "all_reduce"}}}};

Error error_of_plan(const char* fixture) {
  Bench bench(fixture, Isolation::process);
  const auto plan = bench.plan(a_run);
  return plan ? Error{ErrorKind::usage, "no error", {}} : plan.error();
}

void expect_crash(const char* fixture, const std::string& message) {
  const auto error = error_of_plan(fixture);
  EXPECT_EQ(error.message, message);
  EXPECT_EQ(error.kind, ErrorKind::module_crashed) << fixture;
}

// Waits until `condition` holds; the deadline is for a machine that is very busy.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 6000 && !condition(); ++i) std::this_thread::sleep_for(5ms);
  return condition();
}

bool is_gone(pid_t pid) {
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

// A transport with limits for a test's patience.
struct Direct {
  explicit Direct(const char* fixture, std::string_view interface_id = workload_interface)
      : file(preflight(scratch.add(fixture)).value()) {
    settings.child.executable = test::policy_of(Isolation::process).executable;
    transport = ChildProcessTransport::start(file, interface_id, host, settings).value();
  }

  Scratch scratch;
  ModuleFile file;
  Host host;
  ChildTransportSettings settings;
  std::shared_ptr<Transport> transport;
};

TEST(ChildCrash, IsNamedByItsSignalAndItsPlace) {
  expect_crash("segfaults", "module 'test.segfaults' 1.0.0 crashed (SIGSEGV) in plan() of run all_reduce/0.");
  expect_crash("aborts_in_thread",
               "module 'test.aborts_in_thread' 1.0.0 crashed (SIGABRT) in plan() of run all_reduce/0.");
}

TEST(ChildCrash, WhileTheModuleIsLoaded) {
  expect_crash("throws_in_constructor",
               "module 'test.throws_in_constructor' 1.0.0 crashed (SIGABRT) while it was loaded.");
}

TEST(ChildCrash, ExitIsNoWayOut) {
  expect_crash("exits",
               "module 'test.exits' 1.0.0 ended its process with exit status 0 in plan() of run all_reduce/0, which no "
               "module may do.");
}

TEST(ChildCrash, WhatIsNoMessageEndsTheChild) {
  expect_crash("writes_to_every_socket",
               "module 'test.writes_to_every_socket' 1.0.0 sent what is no message over the connection to cloudai in "
               "plan() of run all_reduce/0; its process was killed.");
  expect_crash("closes_everything",
               "module 'test.closes_everything' 1.0.0 closed the connection to cloudai in plan() of run all_reduce/0; "
               "its process was killed.");
}

TEST(ChildCrash, ACallThatDoesNotComeBackIsEnded) {
  const Scratch scratch;
  const ModuleFile file = preflight(scratch.add("endless_plan")).value();
  Host host;
  ChildTransportSettings settings;
  settings.child.executable = test::policy_of(Isolation::process).executable;
  settings.call_limit = [](std::string_view) { return 500ms; };
  const auto transport = ChildProcessTransport::start(file, workload_interface, host, settings).value();
  const auto plan = transport->call("plan", a_run);
  ASSERT_FALSE(plan);
  EXPECT_EQ(
      plan.error().message,
      "module 'test.endless_plan' 1.0.0 had not come back after 500 ms in plan() of run all_reduce/0; its process "
      "was killed.");
  EXPECT_EQ(plan.error().kind, ErrorKind::module_crashed);
}

TEST(ChildCrash, LoadingThatDoesNotComeBackIsEnded) {
  const Scratch scratch;
  const ModuleFile file = preflight(scratch.add("endless_constructor")).value();
  Host host;
  ChildSettings settings;
  settings.executable = test::policy_of(Isolation::process).executable;
  settings.load_limit = 1000ms;
  const auto child = ChildProcess::start(file, workload_interface, host, settings);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message,
            "module 'test.endless_constructor' 1.0.0 had not come back after 1 s while it was loaded; its process was "
            "killed.");
}

TEST(ChildCrash, AKillFromOutsideIsToldApart) {
  const Scratch scratch;
  const ModuleFile file = preflight(scratch.add("waits_for_cancellation")).value();
  Host host;
  CapturedLog log;
  ChildSettings settings;
  settings.executable = test::policy_of(Isolation::process).executable;
  const auto child = ChildProcess::start(file, workload_interface, host, settings).value();
  auto call = std::async(std::launch::async, [&] { return child->call("plan", "{}", 10min); });
  std::this_thread::sleep_for(50ms);
  ::kill(child->pid(), SIGKILL);
  const auto reply = call.get();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ChildEnd::Kind::signalled);
  EXPECT_EQ(reply.error().number, SIGKILL);
  EXPECT_TRUE(child->ended());
  EXPECT_FALSE(child->call("plan", "{}", 10min));
}

TEST(ChildRestart, FollowsACrashAtTheNextCall) {
  CapturedLog log;
  Bench bench("crashes_once", Isolation::process);
  ::setenv("FIXTURE_MARK", (bench.scratch / "mark").c_str(), 1);
  const auto first = bench.plan(a_run);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().message, "module 'test.crashes_once' 1.0.0 crashed (SIGABRT) in plan() of run all_reduce/0.");
  log.lines();
  const auto second = bench.plan(a_run);
  EXPECT_TRUE(second) << second.error().message;
  EXPECT_THAT(log.lines(), ElementsAre("warning module 'test.crashes_once' 1.0.0 is started again."));
}

TEST(ChildRestart, IsRefusedInTheEnd) {
  Bench bench("segfaults", Isolation::process);
  for (int i = 0; i < 4; ++i) {
    const auto plan = bench.plan(a_run);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message, HasSubstr("crashed (SIGSEGV)"));
  }
  const auto refused = bench.plan(a_run);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "module 'test.segfaults' 1.0.0 has lost its process 4 times and is not started again.");
  EXPECT_EQ(refused.error().kind, ErrorKind::module_gone);
}

TEST(ChildRestart, OpensASchedulerAgain) {
  CapturedLog log;
  Bench bench("crashes_once", Isolation::process);
  ::setenv("FIXTURE_MARK", (bench.scratch / "mark").c_str(), 1);
  const auto scheduler = bench.loader.open_scheduler("fixture", Json::object()).value();
  const auto crashed = scheduler->poll({"7"});
  ASSERT_FALSE(crashed);
  EXPECT_EQ(crashed.error().message, "module 'test.crashes_once' 1.0.0 crashed (SIGABRT) in poll().");
  log.lines();
  const auto polled = scheduler->poll({"7"});
  ASSERT_TRUE(polled) << polled.error().message;
  EXPECT_THAT(log.lines(), ElementsAre("warning module 'test.crashes_once' 1.0.0 is started again; what its scheduler "
                                       "had in memory is lost."));
}

TEST(ChildRestart, AChildThatIsKilledBetweenTwoCallsIsReplacedUnnoticedByTheCall) {
  CapturedLog log;
  Bench bench("tells_of_its_process", Isolation::process);
  const auto first = bench.plan().value();
  ::kill(first["pid"].get<pid_t>(), SIGKILL);
  ASSERT_TRUE(eventually([&] { return is_gone(first["pid"].get<pid_t>()); }));
  const auto second = bench.plan();
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_NE((*second)["pid"], first["pid"]);
  EXPECT_THAT(log.lines(),
              ElementsAre("warning module 'test.tells_of_its_process' 1.0.0 was killed (SIGKILL) between two calls.",
                          "warning module 'test.tells_of_its_process' 1.0.0 is started again."));
}

TEST(Child, HasAProcessOfItsOwnAndNothingOfOurs) {
  ::setenv("FIXTURE_MARK", "inherited", 1);
  const int ours = ::open("/etc/passwd", O_RDONLY);  // on purpose without O_CLOEXEC
  pid_t pid = 0;
  {
    Bench bench("tells_of_its_process", Isolation::process);
    const auto plan = bench.plan().value();
    pid = plan["pid"].get<pid_t>();
    EXPECT_NE(pid, ::getpid());
    EXPECT_EQ(plan["session"], plan["pid"]);
    EXPECT_EQ(plan["directory"], std::filesystem::current_path().string());
    EXPECT_EQ(plan["variable"], "inherited");
    const Json& descriptors = plan["descriptors"];
    EXPECT_EQ(descriptors["0"], "/dev/null");
    EXPECT_THAT(descriptors.dump(), testing::Not(HasSubstr("passwd")));
    std::size_t sockets = 0;
    for (const auto& [number, target] : descriptors.items()) sockets += target.get<std::string>().starts_with("socket");
    EXPECT_EQ(sockets, 1U) << descriptors.dump();
    EXPECT_EQ(bench.plan().value()["pid"], plan["pid"]) << "one child for all plans";
  }
  ::close(ours);
  EXPECT_TRUE(is_gone(pid)) << "it ends with its loader";
}

TEST(Child, IsTheBuiltProgramForStrangersAlone) {
  Scratch scratch;
  scratch.add("tells_of_its_process", "mine/a.so");
  const auto catalogue = Catalogue::scan({scratch / "mine"});
  Host host;
  IsolationPolicy policy = test::policy_of(Isolation::process);
  policy.all.reset();
  policy.built_in = scratch / "mine/.";
  const auto pid_of_plan = [&] {
    Loader loader(catalogue, host, policy);
    return loader.workload("Fixture").value()->plan(Json::object()).value()["pid"].get<pid_t>();
  };
  EXPECT_EQ(pid_of_plan(), ::getpid());
  policy.built_in = scratch / "elsewhere";
  EXPECT_NE(pid_of_plan(), ::getpid());
  policy.by_name["Fixture"] = Isolation::in_process;
  EXPECT_EQ(pid_of_plan(), ::getpid());
}

TEST(Child, StdoutAndStderrGoToTheLogLineByLine) {
  CapturedLog log;
  {
    Bench bench("writes_to_stdout", Isolation::process);
    EXPECT_TRUE(bench.plan());
  }
  EXPECT_THAT(log.lines(),
              testing::UnorderedElementsAre(
                  "info test.writes_to_stdout (stdout): first line", "info test.writes_to_stdout (stdout):  [31mred",
                  "info test.writes_to_stdout (stdout): " + std::string(1000, 'x') + " [...]",
                  "info test.writes_to_stdout (stdout): no end", "info test.writes_to_stdout (stderr): beside it"));
}

TEST(Child, AlsoLoadsSchedulersAndReporters) {
  CapturedLog log;
  {
    Bench bench("scheduler", Isolation::process);
    {
      const auto scheduler = bench.loader.open_scheduler("fixture", {{"schema", "cloudai.scheduler.open/1"}});
      ASSERT_TRUE(scheduler) << scheduler.error().message;
      EXPECT_EQ((*scheduler)->facts()["nodes"][0], "n1");
      EXPECT_TRUE((*scheduler)->poll({"7"}));
    }
    EXPECT_THAT(log.lines(), ElementsAre("info test.scheduler: scheduler init", "info test.scheduler: second line",
                                         "info test.scheduler: scheduler open", "info test.scheduler: scheduler close",
                                         "info test.scheduler: scheduler deinit"));
    EXPECT_EQ(bench.loader.reporter("fixture").value()->write(Json::object()).value()["files"], Json({"a.html"}));
    ASSERT_EQ(bench.loader.loaded().size(), 1U) << "one file, whatever it provides";
    EXPECT_EQ(bench.loader.loaded()[0].id, "test.scheduler");
  }
  EXPECT_THAT(log.lines(), ElementsAre("info test.scheduler: scheduler init", "info test.scheduler: second line",
                                       "info test.scheduler: scheduler deinit"));
}

TEST(Child, CarriesLargeDocuments) {
  Bench bench("good", Isolation::process);
  const std::string large(std::size_t{5} << 20, 'a');
  const auto plan = bench.plan({{"text", large}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE((*plan)["request"]["text"] == large);
}

TEST(Child, TakesCallsOfManyThreads) {
  Bench bench("good", Isolation::process);
  std::vector<std::future<bool>> calls;
  for (int i = 0; i < 8; ++i) {
    calls.push_back(std::async(std::launch::async, [&bench, i] {
      for (int k = 0; k < 50; ++k) {
        const auto workload = bench.loader.workload("Fixture").value();
        const auto plan = workload->plan({{"number", i * 1000 + k}});
        if (!plan || (*plan)["request"]["number"] != i * 1000 + k || !workload->evaluate(Json::object())) return false;
      }
      return true;
    }));
  }
  for (auto& call : calls) EXPECT_TRUE(call.get());
}

TEST(Child, HearsOfACancellationAtOnce) {
  CapturedLog log;
  Bench bench("waits_for_cancellation", Isolation::process);
  auto plan = std::async(std::launch::async, [&] { return bench.plan(); });
  std::this_thread::sleep_for(50ms);
  bench.host.cancel();
  const auto ended = plan.get();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "module 'test.waits_for_cancellation' 1.0.0 failed in plan(): cancelled.");
  const auto later = bench.plan();
  ASSERT_FALSE(later) << "it is cancelled for good";
}

TEST(Child, HasTheHostsProcessService) {
  Bench bench("starts_processes", Isolation::process);
  const auto plan = bench.plan({{"argv", {"sh", "-c", "cat; echo $PPID >&2; exit 3"}}, {"stdin", "in and out"}});
  ASSERT_TRUE(plan) << plan.error().message;
  const Json& answer = (*plan)["answer"];
  EXPECT_EQ(answer["stdout"], "in and out");
  EXPECT_EQ(answer["exit_status"], 3);
  EXPECT_EQ(answer["stderr"], std::to_string(::getpid()) + "\n") << "the core starts it, not the child";
  EXPECT_EQ(bench.host.command_counts().at("sh"), 1U);
  const auto failed = bench.plan({{"argv", {"no_such_program_anywhere"}}});
  ASSERT_FALSE(failed);
}

TEST(Child, WhatItStartedOutlivesItAndIsKnown) {
  Bench bench("starts_processes", Isolation::process);
  const auto mark = bench.scratch / "mark";
  const auto outcome = bench.loader.workload("Fixture").value()->evaluate(
      {{"argv", {"sh", "-c", "touch " + mark.string() + "; sleep 600"}}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "module 'test.starts_processes' 1.0.0 crashed (SIGABRT) in evaluate().");
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(mark); }));
  EXPECT_EQ(bench.host.kill_detached(), 1U);
}

TEST(Child, AnswersToTextThatIsNoDocument) {
  Direct direct("good");
  ChildSettings settings;
  settings.executable = direct.settings.child.executable;
  const auto child = ChildProcess::start(direct.file, workload_interface, direct.host, settings).value();
  const auto plan = child->call("plan", "{\"cut", 1min);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->text, "{\"schema\":\"cloudai.plan/1\",\"steps\":[],\"request\":{\"cut}");
  EXPECT_EQ(child->call("dance", "{}", 1min).value().status, CLOUDAI_INTERNAL);
}

TEST(Child, CannotBeStartedFromAProgramThatIsNotThere) {
  const Scratch scratch;
  const ModuleFile file = preflight(scratch.add("good")).value();
  Host host;
  ChildSettings settings;
  settings.executable = scratch / "nothing";
  const auto child = ChildProcess::start(file, workload_interface, host, settings);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message, "module 'test.good' 1.0.0 cannot be given a process of its own: The command '" +
                                       (scratch / "nothing").string() +
                                       "' cannot be started: No such file or directory.");
  EXPECT_EQ(child.error().kind, ErrorKind::trouble);
}

}  // namespace
}  // namespace cloudai::module
