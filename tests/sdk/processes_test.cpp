// The typed wrapper of the host's process service.
#include "cloudai/processes.hpp"

#include <gtest/gtest.h>

#include "tests/sdk/module_harness.hpp"

namespace cloudai::testing {
namespace {

class ProcessesTest : public ::testing::Test {
 protected:
  ProcessesTest() { host().connect(fake_.get()); }
  ~ProcessesTest() override { host().connect(nullptr); }

  void answer(const char* reply) {
    fake_.on_process = [reply](const std::string&, const Json&) { return Json::parse(reply); };
  }

  FakeHost fake_;
};

TEST_F(ProcessesTest, RunsACommand) {
  answer(R"({"exit_status": 3, "stdout": "out", "stderr": "err", "timed_out": false, "seconds": 0.5})");
  ProcessCommand command;
  command.argv = {"squeue", "-h"};
  command.environment = {{"LC_ALL", "C"}};
  command.timeout = 30;
  const ProcessResult result = Processes().run(command);
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.signal, std::nullopt);
  EXPECT_EQ(result.stdout_text, "out");
  EXPECT_EQ(result.stderr_text, "err");
  ASSERT_EQ(fake_.process_calls.size(), 1U);
  EXPECT_EQ(fake_.process_calls[0].first, "run");
  EXPECT_EQ(fake_.process_calls[0].second,
            Json::parse(R"({"argv": ["squeue", "-h"], "environment": {"LC_ALL": "C"}, "timeout": 30.0})"));
}

TEST_F(ProcessesTest, SpawnsInspectsAndTerminates) {
  answer(R"({"pid": 4711, "start_time": "77"})");
  DetachedCommand command;
  command.argv = {"/run/job.sh"};
  command.stdout_path = "/run/out";
  const ProcessIdentity identity = Processes().spawn_detached(command);
  EXPECT_EQ(identity.pid, 4711);
  EXPECT_EQ(identity.start_time, "77");

  answer(R"({"processes": [{"alive": false, "signal": 9}]})");
  const auto states = Processes().inspect({identity});
  ASSERT_EQ(states.size(), 1U);
  EXPECT_FALSE(states[0].alive);
  EXPECT_EQ(states[0].signal, 9);

  answer(R"({"processes": [{"ended": false, "message": "It is a zombie's parent."}]})");
  const auto ends = Processes().terminate({{identity, "", false}}, 2.5);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].message, "It is a zombie's parent.");
  EXPECT_EQ(fake_.process_calls.back().second,
            Json::parse(R"({"processes": [{"pid": 4711, "start_time": "77"}], "grace": 2.5})"));
  Processes().terminate({{identity, "tag/2", true}}, 1);
  EXPECT_EQ(fake_.process_calls.back().second["processes"][0],
            Json::parse(R"({"pid": 4711, "start_time": "77", "mark": "tag/2", "marked_only": true})"));
}

TEST_F(ProcessesTest, AnErrorOfTheHostIsThrown) {
  fake_.on_process = [](const std::string&, const Json&) -> Json {
    throw Error(Status::failed, "The command 'sinfo' was not found in PATH.", "Install Slurm's client.");
  };
  try {
    Processes().run({{"sinfo"}, {}, {}, {}, {}, 60});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::failed);
    EXPECT_EQ(error.message(), "The command 'sinfo' was not found in PATH.");
    EXPECT_EQ(error.hint(), "Install Slurm's client.");
  }
}

TEST_F(ProcessesTest, AHostWithoutTheServiceIsNamed) {
  try {
    Processes();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::unsupported);
    EXPECT_EQ(error.message(), "The host does not offer cloudai.host.process/1.");
  }
}

TEST_F(ProcessesTest, TheHostLogsAndCancels) {
  host().log_warning("slow");
  ASSERT_EQ(fake_.log.size(), 1U);
  EXPECT_EQ(fake_.log[0].level, CLOUDAI_LOG_WARNING);
  EXPECT_EQ(fake_.log[0].text, "slow");
  EXPECT_FALSE(host().is_cancelled());
  fake_.cancelled = true;
  EXPECT_TRUE(host().is_cancelled());
}

TEST_F(ProcessesTest, RequestsAreCountedByTheirKind) {
  host().count_request("GET workloads");
  host().count_request("GET workloads");
  host().count_request("POST workloads/trainings");
  EXPECT_EQ(fake_.requests, (std::map<std::string, int>{{"GET workloads", 2}, {"POST workloads/trainings", 1}}));
  host().connect(nullptr);
  host().count_request("GET workloads");  // a module's class that is tested without a host
}

}  // namespace
}  // namespace cloudai::testing
