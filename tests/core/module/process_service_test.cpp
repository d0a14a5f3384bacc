// The process service through its vtable, as a module calls it, on real processes.
#include "core/module/process_service.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "core/module/host_context.hpp"
#include "core/module/process_session.hpp"

namespace cloudai::module {
namespace {

using testing::EndsWith;
using testing::StartsWith;
using namespace std::chrono_literals;

struct Called {
  cloudai_status status = CLOUDAI_INTERNAL;
  Json reply;
};

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit = 20s) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class ProcessServiceTest : public testing::Test {
 protected:
  ProcessServiceTest() {
    std::string name = testing::TempDir() + "process_service_XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~ProcessServiceTest() override { std::filesystem::remove_all(directory_); }

  Called call(cloudai_call function, const std::string& request) {
    std::string text;
    const cloudai_sink sink{&text, [](void* context, cloudai_str chunk) {
                              static_cast<std::string*>(context)->append(chunk.data, chunk.size);
                            }};
    Called called;
    called.status = function(&context_, {request.data(), request.size()}, &sink);
    called.reply = Json::parse(text);
    return called;
  }
  Called run(const Json& request) { return call(service_.interface()->run, request.dump()); }
  Called spawn(const Json& request) { return call(service_.interface()->spawn_detached, request.dump()); }
  Json inspect(const Json& process) {
    return call(service_.interface()->inspect, Json{{"processes", {process}}}.dump()).reply["processes"][0];
  }
  Json terminate(const Json& process, double grace) {
    return call(service_.interface()->terminate, Json{{"processes", {process}}, {"grace", grace}}.dump())
        .reply["processes"][0];
  }
  std::string path(const char* name) const { return directory_ / name; }

  std::filesystem::path directory_;
  std::atomic<bool> cancelled_{false};
  ProcessService service_{cancelled_};
  HostContext context_{&service_, "test", &cancelled_};
};

TEST_F(ProcessServiceTest, RunTellsExitStatusAndBothStreams) {
  const auto called = run({{"argv", {"sh", "-c", "echo out; echo err >&2; exit 3"}}});
  EXPECT_EQ(called.status, CLOUDAI_OK);
  EXPECT_EQ(called.reply["exit_status"], 3);
  EXPECT_FALSE(called.reply.contains("signal"));
  EXPECT_EQ(called.reply["stdout"], "out\n");
  EXPECT_EQ(called.reply["stderr"], "err\n");
  EXPECT_EQ(called.reply["timed_out"], false);
  EXPECT_GT(called.reply["seconds"].get<double>(), 0);
}

TEST_F(ProcessServiceTest, RunUsesNoShell) {
  const auto called = run({{"argv", {"printf", "%s|", "$HOME `id`", "", "a b", "'\"\\"}}});
  EXPECT_EQ(called.reply["stdout"], "$HOME `id`||a b|'\"\\|");
}

TEST_F(ProcessServiceTest, RunTellsTheSignal) {
  const auto called = run({{"argv", {"sh", "-c", "kill -SEGV $$"}}});
  EXPECT_EQ(called.reply["signal"], SIGSEGV);
  EXPECT_FALSE(called.reply.contains("exit_status"));
}

TEST_F(ProcessServiceTest, RunFeedsInputAndDrainsBothStreamsWhateverTheirSize) {
  const std::string big(3 << 20, 'x');
  const auto called = run({{"argv", {"sh", "-c", "cat; head -c 3000000 /dev/zero | tr '\\0' y >&2"}}, {"stdin", big}});
  EXPECT_EQ(called.reply["stdout"], big);
  EXPECT_EQ(called.reply["stderr"], std::string(3000000, 'y'));
}

TEST_F(ProcessServiceTest, RunSurvivesACommandThatReadsNoInput) {
  const auto called = run({{"argv", {"true"}}, {"stdin", std::string(1 << 20, 'x')}});
  EXPECT_EQ(called.reply["exit_status"], 0);
}

TEST_F(ProcessServiceTest, RunAddsEnvironmentAndEntersTheDirectory) {
  ::setenv("CLOUDAI_TEST_KEPT", "kept", 1);
  ::setenv("CLOUDAI_TEST_REPLACED", "old", 1);
  const auto called = run({{"argv", {"sh", "-c", "echo $CLOUDAI_TEST_KEPT $CLOUDAI_TEST_REPLACED; pwd"}},
                           {"environment", {{"CLOUDAI_TEST_REPLACED", "new value"}}},
                           {"directory", "/usr/bin"}});
  EXPECT_EQ(called.reply["stdout"], "kept new value\n/usr/bin\n");
}

TEST_F(ProcessServiceTest, RunTakesVariablesFromTheEnvironment) {
  ::setenv("CLOUDAI_TEST_KEPT", "kept", 1);
  ::setenv("CLOUDAI_TEST_UNSET", "old", 1);
  const auto called = run({{"argv", {"sh", "-c", "echo ${CLOUDAI_TEST_KEPT-gone} ${CLOUDAI_TEST_UNSET-gone}"}},
                           {"unset", {"CLOUDAI_TEST_UNSET", "CLOUDAI_TEST_NEVER_SET"}}});
  EXPECT_EQ(called.reply["stdout"], "kept gone\n");
}

TEST_F(ProcessServiceTest, CountsCommandsByTheirNames) {
  run({{"argv", {"true"}}});
  run({{"argv", {"/bin/true"}}});
  run({{"argv", {"false"}}});
  run({{"argv", {"cloudai-no-such-program"}}});
  EXPECT_EQ(service_.command_counts(),
            (std::map<std::string, std::size_t>{{"cloudai-no-such-program", 1}, {"false", 1}, {"true", 2}}));
}

TEST_F(ProcessServiceTest, RunReplacesBytesThatAreNoText) {
  const auto called = run({{"argv", {"printf", "a\\377b"}}});
  EXPECT_EQ(called.reply["stdout"],
            "a\xEF\xBF\xBD"
            "b");
}

TEST_F(ProcessServiceTest, ACommandThatIsNotThereIsNamedWithThePathThatWasSearched) {
  const auto called = run({{"argv", {"no-such-command"}}, {"environment", {{"PATH", "/usr/bin:/bin"}}}});
  EXPECT_EQ(called.status, CLOUDAI_FAILED);
  EXPECT_EQ(called.reply["message"], "The command 'no-such-command' was not found in PATH (/usr/bin:/bin).");
}

TEST_F(ProcessServiceTest, ACommandThatCannotBeStartedIsNamedWithTheReason) {
  EXPECT_EQ(run({{"argv", {"/etc/passwd"}}}).reply["message"],
            "The command '/etc/passwd' cannot be started: Permission denied.");
  EXPECT_EQ(run({{"argv", {"/no/such"}}}).reply["message"],
            "The command '/no/such' cannot be started: No such file or directory.");
  EXPECT_EQ(run({{"argv", {"true"}}, {"directory", "/no/such"}}).reply["message"],
            "The command 'true' cannot be started in the directory '/no/such': No such file or directory.");
  EXPECT_EQ(run({{"argv", Json::array()}}).reply["message"], "A command to run is empty.");
}

TEST_F(ProcessServiceTest, ARequestThatIsNoDocumentIsRefused) {
  for (const char* request : {"", "{", "[]", "{}", R"({"argv": 1})", R"({"argv": ["true"], "timeout": "x"})"}) {
    const auto called = call(service_.interface()->run, request);
    EXPECT_EQ(called.status, CLOUDAI_INVALID_DOCUMENT) << request;
    EXPECT_THAT(called.reply["message"].get<std::string>(),
                StartsWith("The request to the process service is not valid: "));
  }
}

TEST_F(ProcessServiceTest, ATimeOutEndsTheWholeGroupEvenIfItIgnoresSigterm) {
  const auto called =
      run({{"argv", {"sh", "-c", "trap '' TERM; sleep 600 & echo $! > \"$0\"; wait; sleep 600", path("pid")}},
           {"timeout", 0.3}});
  EXPECT_EQ(called.status, CLOUDAI_OK);
  EXPECT_EQ(called.reply["timed_out"], true);
  EXPECT_EQ(called.reply["signal"], SIGKILL);
  const pid_t grandchild = std::stoi(content(path("pid")));
  EXPECT_TRUE(eventually([&] {
    const auto stat = process_stat(grandchild);
    return !stat || stat->has_ended();
  }));
}

TEST_F(ProcessServiceTest, CancellationEndsARunningCommandWithinTwoSeconds) {
  Called called;
  std::thread runner([&] {
    called = run({{"argv", {"sh", "-c", "trap '' TERM; : > \"$0\"; while :; do sleep 600; done", path("started")}}});
  });
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(path("started")); }));
  const auto begin = std::chrono::steady_clock::now();
  cancelled_ = true;
  service_.cancel();
  runner.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  EXPECT_EQ(called.status, CLOUDAI_CANCELLED);
  EXPECT_EQ(called.reply["message"], "The command 'sh' was ended by a cancellation.");
}

TEST_F(ProcessServiceTest, ACommandStartedAfterTheCancellationRuns) {
  cancelled_ = true;
  service_.cancel();
  EXPECT_EQ(run({{"argv", {"echo", "scancel"}}}).reply["stdout"], "scancel\n");
}

TEST_F(ProcessServiceTest, AProcessLeftBehindWithTheOutputOpenDoesNotKeepRunFromReturning) {
  const auto called = run({{"argv", {"sh", "-c", "sleep 600 & echo $!"}}});
  EXPECT_EQ(called.reply["timed_out"], false);
  ::kill(std::stoi(called.reply["stdout"].get<std::string>()), SIGKILL);
}

TEST_F(ProcessServiceTest, ACommandThatWritesWithoutEndIsStopped) {
  const auto called = run({{"argv", {"yes"}}});
  EXPECT_EQ(called.status, CLOUDAI_FAILED);
  EXPECT_EQ(called.reply["message"], "The command 'yes' wrote more than 64 MiB and was ended.");
}

TEST_F(ProcessServiceTest, ChildrenHaveNoDescriptorOfOursAndNoSignalBlockedOrIgnored) {
  const int leaky = ::dup(STDERR_FILENO);  // without close-on-exec
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  sigset_t blocked;
  sigset_t mask_before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &mask_before);
  // While the shell starts a command it blocks signals itself; so it becomes the command that looks.
  const auto called = run({{"argv", {"sh", "-c", "ls /proc/$$/fd; exec grep -E 'SigBlk|SigIgn' /proc/self/status"}}});
  ::pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
  ::sigaction(SIGPIPE, &before, nullptr);
  ::close(leaky);
  const auto text = called.reply["stdout"].get<std::string>();
  EXPECT_EQ(text, "0\n1\n2\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_F(ProcessServiceTest, ADetachedProcessWritesToItsFilesInASessionOfItsOwn) {
  const auto spawned = spawn({{"argv", {"sh", "-c", "cat; echo \"$A\"; echo err >&2; ps -o sid= -p $$; pwd; exit 5"}},
                              {"environment", {{"A", "one two"}}},
                              {"directory", "/usr"},
                              {"stdout", path("out")},
                              {"stderr", path("err")}});
  ASSERT_EQ(spawned.status, CLOUDAI_OK) << spawned.reply;
  EXPECT_TRUE(eventually([&] { return !inspect(spawned.reply)["alive"].get<bool>(); }));
  EXPECT_EQ(inspect(spawned.reply), (Json{{"alive", false}, {"exit_status", 5}}));
  std::istringstream output(content(path("out")));
  std::string line;
  std::getline(output, line);
  EXPECT_EQ(line, "one two");
  std::getline(output, line);
  EXPECT_EQ(std::stoi(line), spawned.reply["pid"]);
  std::getline(output, line);
  EXPECT_EQ(line, "/usr");
  EXPECT_EQ(content(path("err")), "err\n");
}

TEST_F(ProcessServiceTest, ADetachedProcessThatCannotStartIsAnError) {
  EXPECT_EQ(spawn({{"argv", {"/no/such"}}}).reply["message"],
            "The command '/no/such' cannot be started: No such file or directory.");
  EXPECT_EQ(spawn({{"argv", {"true"}}, {"stdout", "/no/such/out"}}).reply["message"],
            "The file '/no/such/out' cannot be opened for the stdout of a process: No such file or directory.");
}

TEST_F(ProcessServiceTest, InspectTellsTheSignalAndCountsAZombieAsEnded) {
  const auto spawned = spawn({{"argv", {"sleep", "600"}}});
  EXPECT_EQ(inspect(spawned.reply), (Json{{"alive", true}}));
  ::kill(spawned.reply["pid"], SIGKILL);
  EXPECT_TRUE(eventually([&] { return !inspect(spawned.reply)["alive"].get<bool>(); }));
  EXPECT_EQ(inspect(spawned.reply), (Json{{"alive", false}, {"signal", SIGKILL}}));
}

TEST_F(ProcessServiceTest, AnotherServiceFindsTheProcessByPidAndStartTime) {
  const auto spawned = spawn({{"argv", {"sleep", "600"}}});
  ProcessService other(cancelled_);
  const auto alive = [&](Json process) {
    return (*other.inspect({{"processes", {std::move(process)}}}))["processes"][0]["alive"].get<bool>();
  };
  Json reused = spawned.reply;
  reused["start_time"] = "1-" + spawned.reply["start_time"].get<std::string>().substr(2);
  EXPECT_TRUE(alive(spawned.reply));
  EXPECT_FALSE(alive(reused));
  terminate(spawned.reply, 0);
  EXPECT_FALSE(alive(spawned.reply));
}

TEST_F(ProcessServiceTest, TerminateReachesEveryProcessOfTheSession) {
  // `timeout` moves its command to a process group of its own, as mpirun does with its ranks.
  const auto spawned = spawn(
      {{"argv", {"sh", "-c", "sleep 600 & timeout 600 sh -c 'echo $$ > \"$0\"; exec sleep 600' \"$0\"", path("pid")}}});
  EXPECT_TRUE(eventually([&] { return content(path("pid")).ends_with('\n'); }));
  const pid_t grandchild = std::stoi(content(path("pid")));
  const Json end = terminate(spawned.reply, 10);
  EXPECT_EQ(end["ended"], true);
  EXPECT_EQ(end["signalled"], 4);  // the shell, its sleep, timeout and its sleep
  const auto stat = process_stat(grandchild);
  EXPECT_TRUE(!stat || stat->has_ended());
}

TEST_F(ProcessServiceTest, TerminateKillsWhatIgnoresSigtermAfterTheGrace) {
  const auto spawned =
      spawn({{"argv", {"sh", "-c", "trap '' TERM; : > \"$0\"; while :; do sleep 600; done", path("started")}}});
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(path("started")); }));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(terminate(spawned.reply, 0.5)["ended"], true);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 500ms);
  EXPECT_EQ(inspect(spawned.reply), (Json{{"alive", false}, {"signal", SIGKILL}}));
}

TEST_F(ProcessServiceTest, TerminateFindsWhatOutlivedTheLeaderOfTheSession) {
  const auto spawned = spawn({{"argv", {"sh", "-c", "sleep 600 & echo $! > \"$0\"", path("pid")}}});
  EXPECT_TRUE(eventually([&] { return !inspect(spawned.reply)["alive"].get<bool>(); }));
  EXPECT_EQ(terminate(spawned.reply, 5), (Json{{"ended", true}, {"signalled", 1}}));
  const auto stat = process_stat(std::stoi(content(path("pid"))));
  EXPECT_TRUE(!stat || stat->has_ended());
}

class MarkedProcesses : public ProcessServiceTest {
 protected:
  // A leader with two descendants that left its session, one of them with a mark of its own; all of them wait.
  void start() {
    const auto spawned = spawn(
        {{"mark", mark_},
         {"argv",
          {"sh", "-c",
           "setsid sh -c 'echo $$ >\"$0/one\"; exec sleep 600' \"$0\" & "
           "CLOUDAI_PROCESS_MARK=$CLOUDAI_PROCESS_MARK/2 setsid sh -c 'echo $$ >\"$0/two\"; exec sleep 600' \"$0\" & "
           "exec sleep 600",
           directory_.string()}}});
    leader_ = spawned.reply;
    for (const char* name : {"one", "two"}) {
      EXPECT_TRUE(eventually([&] { return content(path(name)).ends_with('\n'); }));
      EXPECT_TRUE(runs(name));
    }
  }
  bool runs(const char* name) const {
    const auto stat = process_stat(std::stoi(content(path(name))));
    return stat && !stat->has_ended();
  }
  Json family(const std::string& mark, bool marked_only) const {
    Json process = leader_;
    process["mark"] = mark;
    process["marked_only"] = marked_only;
    return process;
  }

  // Of this process alone, since tests run side by side.
  const std::string mark_ = "job" + std::to_string(::getpid());
  Json leader_;
};

TEST_F(MarkedProcesses, AreFoundInWhateverSession) {
  start();
  EXPECT_EQ(terminate(family(mark_, false), 10), (Json{{"ended", true}, {"signalled", 3}}));
  EXPECT_FALSE(runs("one"));
  EXPECT_FALSE(runs("two"));
}

TEST_F(MarkedProcesses, AreFoundWhenTheirLeaderHasEnded) {
  start();
  ::kill(leader_["pid"].get<pid_t>(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return !inspect(leader_)["alive"].get<bool>(); }));
  EXPECT_EQ(terminate(family(mark_, false), 10), (Json{{"ended", true}, {"signalled", 2}}));
}

TEST_F(MarkedProcesses, AreEndedAloneByAMarkOfTheirOwn) {
  start();
  EXPECT_EQ(terminate(family(mark_ + "/2", true), 10), (Json{{"ended", true}, {"signalled", 1}}));
  EXPECT_TRUE(runs("one"));
  EXPECT_FALSE(runs("two"));
  EXPECT_EQ(inspect(leader_)["alive"], true);
  // The beginning of a mark is none.
  EXPECT_EQ(terminate(family(mark_.substr(0, 3), true), 0), (Json{{"ended", true}, {"signalled", 0}}));
  terminate(family(mark_, false), 0);
}

TEST_F(MarkedProcesses, AreKilledWithEverythingDetached) {
  start();
  EXPECT_EQ(service_.kill_detached(), 1U);
  EXPECT_FALSE(runs("one"));
  EXPECT_FALSE(runs("two"));
  EXPECT_EQ(inspect(leader_), (Json{{"alive", false}, {"signal", SIGKILL}}));
  EXPECT_EQ(service_.kill_detached(), 0U);
}

TEST_F(ProcessServiceTest, NothingButASessionOfOursIsEverSignalled) {
  const auto spawned = spawn({{"argv", {"sleep", "600"}}});
  const auto start_time = spawned.reply["start_time"].get<std::string>();
  for (const long long pid : {0LL, -1LL, 1LL, 4294967296LL + spawned.reply["pid"].get<long long>()}) {
    const Json end = terminate({{"pid", pid}, {"start_time", start_time}}, 0);
    EXPECT_EQ(end["ended"], false) << pid;
    EXPECT_EQ(end["signalled"], 0);
    EXPECT_THAT(end["message"].get<std::string>(), EndsWith("is no job's process; nothing was signalled."));
  }
  const Json no_start = terminate({{"pid", spawned.reply["pid"]}, {"start_time", "abc"}}, 0);
  EXPECT_EQ(no_start["message"], "Process " + std::to_string(spawned.reply["pid"].get<int>()) +
                                     " has no valid start time ('abc'); nothing was signalled.");
  // The pid was given to another process since: the one that was meant has ended.
  EXPECT_EQ(terminate({{"pid", spawned.reply["pid"]}, {"start_time", "1" + start_time}}, 0),
            (Json{{"ended", true}, {"signalled", 0}}));
  EXPECT_EQ(inspect(spawned.reply)["alive"], true);
  terminate(spawned.reply, 0);
}

// In a child, since the session a test is started in may be led by a process that has ended or that is not to be seen.
TEST_F(ProcessServiceTest, ItsOwnSessionIsNotSignalled) {
  EXPECT_EXIT(
      {
        const pid_t own = ::setsid();
        const Json end = terminate({{"pid", own}, {"start_time", process_stat(own)->start_time}}, 0);
        std::fputs(end["message"].get<std::string>().c_str(), stderr);
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(0),
      "^Process [0-9]+ leads the session cloudai itself runs in; nothing was signalled\\.$");
}

TEST_F(ProcessServiceTest, AProcessThatLeadsNoSessionIsNotSignalled) {
  const auto spawned = spawn({{"argv", {"sh", "-c", "sleep 600 & echo $! > \"$0\"; wait", path("pid")}}});
  EXPECT_TRUE(eventually([&] { return content(path("pid")).ends_with('\n'); }));
  const pid_t child = std::stoi(content(path("pid")));
  EXPECT_EQ(terminate({{"pid", child}, {"start_time", process_stat(child)->start_time}}, 0)["message"],
            "Process " + std::to_string(child) + " leads no session of its own; nothing was signalled.");
  EXPECT_FALSE(process_stat(child)->has_ended());
  terminate(spawned.reply, 0);
}

TEST_F(ProcessServiceTest, AHundredProcessesAtOnceLeaveNoDescriptorBehind) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = descriptors();
  std::vector<Json> spawned;
  for (int i = 0; i < 100; ++i)
    spawned.push_back(spawn({{"argv", {"sh", "-c", "exit " + std::to_string(i % 7)}}}).reply);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(eventually([&] { return inspect(spawned[static_cast<size_t>(i)]).contains("exit_status"); }));
    EXPECT_EQ(inspect(spawned[static_cast<size_t>(i)])["exit_status"], i % 7);
  }
  EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace cloudai::module
