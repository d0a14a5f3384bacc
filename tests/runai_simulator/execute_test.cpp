// The mode in which submitted commands really run.
#include <gmock/gmock.h>

#include "tests/end_to_end/program.hpp"
#include "tests/paths.hpp"
#include "tests/runai_simulator/tenant_test.hpp"

namespace runai_simulator {
namespace {

using end_to_end::eventually;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Options executing() {
  Options options;
  options.execute = true;
  options.path = tree::build_directory() + "/bin";
  return options;
}

class Execute : public ::testing::Test {
 protected:
  std::string create(const std::string& name, const std::string& command, const std::string& arguments) const {
    auto body = training(name);
    body["spec"]["command"] = command;
    body["spec"]["args"] = arguments;
    body["spec"]["environmentVariables"] = Json::array({{{"name", "GREETING"}, {"value", "good day"}}});
    return client.create(body);
  }
  // Waits for it.
  bool reaches(const std::string& id, const std::string& phase) const {
    return eventually([&] { return client.phase(id) == phase; }, 60s);
  }
  std::string log(const std::string& name, const std::string& kind = "training/runai",
                  const std::string& query = "") const {
    return client.call("GET", "/cluster-api/api/v1/bench/workloads/" + kind + "/" + name + "/logs/download" + query)
        .body;
  }

  SimulatorProcess simulator{executing()};
  ApiClient client{simulator};
};

TEST_F(Execute, ATrainingIsItsCommand) {
  const auto id = create("a", "sh -c", "'echo \"$GREETING\" from $(pwd); echo trouble >&2'");
  EXPECT_TRUE(reaches(id, "Completed"));
  EXPECT_THAT(log("a"), HasSubstr("good day from " + simulator.ca_file().parent_path().string() + "/" + id));
  EXPECT_THAT(log("a"), HasSubstr("trouble"));
}

TEST_F(Execute, AFailureTellsItsExitCode) {
  const auto id = create("a", "sh -c", "'exit 7'");
  EXPECT_TRUE(reaches(id, "Failed"));
  EXPECT_EQ(client.get("/api/v1/workloads/" + id)["phaseMessage"], "The container ended with exit code 7");
  EXPECT_TRUE(reaches(create("b", "no-such-program", ""), "Failed"));
  EXPECT_THAT(log("b"), HasSubstr("exec: no-such-program: not found in the container's PATH"));
}

TEST_F(Execute, DeletionKillsWhatRuns) {
  const auto id = create("a", "sh -c", "'sleep 1000 & sleep 1001'");
  EXPECT_TRUE(reaches(id, "Running"));
  const auto pod = client.get("/api/v1/workloads/" + id + "/pods")["pods"][0]["id"].get<std::string>();
  const auto processes = [&] { return end_to_end::processes_with("RUNAI_SIMULATOR_POD", pod); };
  EXPECT_TRUE(eventually([&] { return processes().size() >= 2; }));
  client.call("DELETE", "/api/v1/workloads/trainings/" + id);
  EXPECT_TRUE(eventually([&] { return processes().empty(); }));
}

TEST_F(Execute, ManyPodsOfATrainingKnowNothingOfEachOther) {
  auto body = training("a");
  body["spec"]["command"] = "echo";
  body["spec"]["args"] = "alone";
  body["spec"]["parallelism"] = 3;
  EXPECT_TRUE(reaches(client.create(body), "Completed"));
  EXPECT_EQ(log("a", "training/runai", "?pod=a-0-2"), "alone\n");
}

Json collective(const std::string& name) {
  auto body = distributed(name, 2, 2);
  body["masterSpec"]["args"] = "-np 4 -bind-to none -x GREETING all_reduce_perf_mpi -b 64K -e 64K -n 2 -w 1";
  body["masterSpec"]["environmentVariables"] = Json::array({{{"name", "GREETING"}, {"value", "good day"}}});
  return body;
}

TEST_F(Execute, AnMpiJobRunsOnItsWorkers) {
  EXPECT_TRUE(reaches(client.create(collective("job-1")), "Completed"));
  const auto text = log("job-1", "training/mpi");
  EXPECT_THAT(text, HasSubstr("# Avg bus bandwidth"));
  EXPECT_THAT(text, HasSubstr("#  Rank  3"));
  // Where the machine allows host names of their own.
  const bool own_names = text.find("on job-1-worker-0") != std::string::npos;
  EXPECT_EQ(text.find("on job-1-worker-1") != std::string::npos, own_names);
}

TEST_F(Execute, WorkersHaveNoEnvironmentThatMpirunDoesNotCarry) {
  auto body = distributed("job-1", 2, 1);
  body["masterSpec"]["environmentVariables"] =
      Json::array({{{"name", "CARRIED"}, {"value", "1"}}, {{"name", "LEFT"}, {"value", "1"}}});
  body["masterSpec"]["args"] = "-np 2 -x CARRIED sh -c 'echo carried=$CARRIED left=$LEFT.'";
  EXPECT_TRUE(reaches(client.create(body), "Completed"));
  EXPECT_THAT(log("job-1", "training/mpi"), HasSubstr("carried=1 left=.\n"));
}

TEST_F(Execute, ATenantMayRunPodsInsteadOfAJob) {
  simulator.settings({{"independentPods", true}});
  EXPECT_TRUE(reaches(client.create(collective("job-1")), "Completed"));
  const auto text = log("job-1", "training/mpi");
  EXPECT_THAT(text, HasSubstr("#  Rank  0"));
  EXPECT_THAT(text, Not(HasSubstr("#  Rank  1")));
  EXPECT_THAT(log("job-1", "training/mpi", "?pod=job-1-worker-1"), HasSubstr("#  Rank  0"));
}

}  // namespace
}  // namespace runai_simulator
