#include "tests/runai_simulator/phase_engine.hpp"

#include <gmock/gmock.h>

#include "tests/runai_simulator/scripted_log.hpp"

namespace runai_simulator {
namespace {

using ::testing::ElementsAre;

class PhaseEngineTest : public ::testing::Test {
 protected:
  Workload& begin(const std::string& name, int gpus, Milliseconds now, int pods = 1) {
    Workload workload;
    workload.id = "id-of-" + name;
    workload.name = name;
    workload.type = "Training";
    workload.project_id = "4201";
    workload.from_client = true;
    workload.spec = {{"image", "i"}, {"parallelism", pods}, {"compute", {{"gpuDevicesRequest", gpus}}}};
    tenant.workloads.push_back(workload);
    engine.begin(tenant.workloads.back(), now);
    return tenant.workloads.back();
  }
  void script(const Json& document) { tenant.scripts.push_back(script_from(document)); }
  static std::vector<std::string> phases(const Workload& workload) {
    std::vector<std::string> result;
    for (const auto& change : workload.history) result.push_back(change.phase);
    return result;
  }
  int used() const {
    int sum = 0;
    for (const auto& node : tenant.nodes) sum += node.used;
    return sum;
  }

  Tenant tenant = default_tenant();
  Settings settings;
  Random random{1};
  PhaseEngine engine{tenant, settings, random, nullptr};
};

TEST_F(PhaseEngineTest, AWorkloadRunsAndCompletes) {
  auto& workload = begin("a", 8, 0);
  EXPECT_EQ(workload.phase(), "Creating");
  engine.advance_to(60);
  EXPECT_EQ(workload.phase(), "Running");
  EXPECT_EQ(used(), 8);
  engine.advance_to(10'000);
  EXPECT_THAT(phases(workload), ElementsAre("Creating", "Pending", "Initializing", "Running", "Completed"));
  EXPECT_EQ(workload.completed_at, 260);
  EXPECT_EQ(used(), 0);
}

TEST_F(PhaseEngineTest, TheNewestMatchingScriptCounts) {
  script({{"name", "*"}, {"phases", {{{"phase", "Failed"}}}}});
  script({{"name", "a*"},
          {"phases", {{{"phase", "Suspending"}, {"ms", 5}, {"message", "soon"}}, {{"phase", "Stopped"}}}}});
  auto& workload = begin("ab", 1, 0);
  EXPECT_EQ(workload.phase(), "Suspending");
  EXPECT_EQ(workload.history.back().message, "soon");
  engine.advance_to(5);
  EXPECT_EQ(workload.phase(), "Stopped");
  EXPECT_EQ(begin("b", 1, 5).phase(), "Failed");
}

TEST_F(PhaseEngineTest, WithoutFreeGpusItPendsUntilThereAreSome) {
  auto& first = begin("first", 8, 0, 4);
  auto& second = begin("second", 8, 0);
  engine.advance_to(100);
  EXPECT_EQ(first.phase(), "Running");
  EXPECT_EQ(second.phase(), "Pending");
  EXPECT_EQ(second.history.back().message, "Pods with 8 GPUs on one node: 1 are wanted. Node pool default has 0 free.");
  EXPECT_EQ(second.events.back().reason, "FailedScheduling");
  engine.remove(first, 100);
  EXPECT_EQ(used(), 32);
  engine.advance_to(150);
  EXPECT_TRUE(first.deleted_at);
  EXPECT_EQ(second.phase(), "Initializing");
  EXPECT_EQ(used(), 8);
}

TEST_F(PhaseEngineTest, APodNeedsItsGpusOnOneNode) {
  tenant.nodes = {{"n1", "default", 4, 0}, {"n2", "default", 4, 0}};
  auto& workload = begin("a", 8, 0);
  engine.advance_to(1'000'000);
  EXPECT_EQ(workload.phase(), "Pending");
}

TEST_F(PhaseEngineTest, PreemptionFreesGpusAndRunsAgain) {
  script({{"phases",
           {{{"phase", "Running"}, {"ms", 10}},
            {{"phase", "Pending"}, {"ms", 10}, {"message", "preempted"}},
            {{"phase", "Running"}, {"ms", 10}},
            {{"phase", "Completed"}}}}});
  auto& workload = begin("a", 8, 0);
  engine.advance_to(15);
  EXPECT_EQ(used(), 0);
  engine.advance_to(25);
  EXPECT_EQ(used(), 8);
  engine.advance_to(30);
  EXPECT_THAT(phases(workload), ElementsAre("Running", "Pending", "Running", "Completed"));
}

TEST_F(PhaseEngineTest, SuspendAndResumeTakeTheirTime) {
  auto& workload = begin("a", 8, 0);
  engine.advance_to(100);
  engine.suspend(workload, 100);
  EXPECT_EQ(workload.desired, "Stopped");
  EXPECT_EQ(workload.phase(), "Stopping");
  EXPECT_EQ(used(), 8);
  engine.advance_to(150);
  EXPECT_EQ(workload.phase(), "Stopped");
  EXPECT_EQ(used(), 0);
  engine.resume(workload, 200);
  engine.advance_to(1000);
  EXPECT_EQ(workload.desired, "Running");
  EXPECT_EQ(workload.phase(), "Completed");
}

TEST_F(PhaseEngineTest, EventsTellOfThePods) {
  script({{"phases", {{{"phase", "Running"}, {"ms", 5}}, {{"phase", "Failed"}}}}, {"exitCode", 3}, {"extraEvents", 2}});
  auto& workload = begin("a", 1, 0);
  engine.advance_to(5);
  std::vector<std::string> reasons;
  for (const auto& event : workload.events) reasons.push_back(event.reason);
  EXPECT_THAT(reasons, ElementsAre("Pulled", "Created", "Started", "Probed", "Probed", "Failed"));
  EXPECT_EQ(workload.events.back().message, "Container ended with exit code 3");
  EXPECT_EQ(workload.events.back().pod, "a-0-0");
}

TEST_F(PhaseEngineTest, LogsComeLineByLine) {
  script({{"phases", {{{"phase", "Running"}, {"ms", 100}}, {{"phase", "Completed"}}}}, {"log", "1\n2\n3\n4\nend"}});
  auto& workload = begin("a", 1, 1000);
  EXPECT_EQ(scripted_log(workload, 1000), "");
  EXPECT_EQ(scripted_log(workload, 1050), "1\n2\n");
  engine.advance_to(1100);
  EXPECT_EQ(scripted_log(workload, 1100), "1\n2\n3\n4\nend");
  EXPECT_EQ(last_lines("1\n2\n3\n", 2), "2\n3\n");
  EXPECT_EQ(last_lines("1\n2\n3\n", 9), "1\n2\n3\n");
  EXPECT_EQ(last_lines("1\n2", 1), "2");
}

}  // namespace
}  // namespace runai_simulator
