#include "standalone_scheduler.hpp"

#include "job_fixture.hpp"

namespace standalone {
namespace {

using cloudai::StageKind;
using standalone::testing::argv_step;
using standalone::testing::eventually;
using standalone::testing::job_of;
using standalone::testing::stage;
using ::testing::ElementsAre;

class StandaloneSchedulerTest : public standalone::testing::StandaloneTest {
 protected:
  std::string allocation_refusal(const cloudai::NodeRequest& nodes) {
    try {
      scheduler_.allocate({nodes, {}});
      return "no refusal";
    } catch (const cloudai::Error& error) {
      EXPECT_EQ(error.status(), cloudai::Status::invalid_config);
      return error.message();
    }
  }
  std::string host() { return scheduler_.facts().nodes.at(0); }
};

TEST_F(StandaloneSchedulerTest, FactsAreTheMachine) {
  const auto facts = scheduler_.facts();
  EXPECT_EQ(facts.tasks_per_node, 4);
  EXPECT_EQ(facts.gpus_per_node, std::nullopt);
  EXPECT_EQ(facts.containers, cloudai::Containers::none);
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  EXPECT_THAT(facts.nodes, ElementsAre(name));
}

TEST_F(StandaloneSchedulerTest, AllocatesThisMachineAndNothingElse) {
  EXPECT_THAT(scheduler_.allocate({{1, {}, {}}, {}}).nodes, ElementsAre(host()));
  EXPECT_THAT(scheduler_.allocate({{1, {"localhost"}, {"other"}}, {host()}}).nodes, ElementsAre(host()));
  EXPECT_EQ(allocation_refusal({2, {}, {}}), "2 nodes are asked for; a standalone system has one, this machine.");
  EXPECT_EQ(allocation_refusal({1, {"a", "b", "c"}, {}}),
            "3 nodes are asked for; a standalone system has one, this machine.");
  EXPECT_EQ(allocation_refusal({1, {"node77"}, {}}),
            "The node 'node77' is asked for; a standalone system has one node, '" + host() + "'.");
  EXPECT_EQ(allocation_refusal({1, {}, {host()}}),
            "The node '" + host() + "' is excluded; a standalone system has no other.");
}

TEST_F(StandaloneSchedulerTest, RendersTheScriptAndASubmissionThatListsTheStages) {
  const auto rendering =
      scheduler_.render(job_of({stage(StageKind::main, "m", {argv_step({"echo", "a b"})})}, "/r/a b"));
  ASSERT_EQ(rendering.files.size(), 1);
  EXPECT_EQ(rendering.files[0].path, "cloudai_run.sh");
  EXPECT_TRUE(rendering.files[0].executable);
  EXPECT_TRUE(rendering.files[0].is_private);
  EXPECT_EQ(rendering.submission,
            cloudai::Json::parse(R"({"stages": [{"kind": "main", "name": "m", "directory": "."}]})"));
  EXPECT_EQ(rendering.command, "bash '/r/a b/cloudai_run.sh'");
  EXPECT_EQ(rendering.main_command, "echo 'a b'");
}

TEST_F(StandaloneSchedulerTest, ProvisionsProgramsAndFilesButNoImages) {
  cloudai::ProvisionRequest request;
  request.item = {"p", "program", {}, {}, {}, "bash"};
  EXPECT_TRUE(scheduler_.provision(request).installed);
  request.item.name = "no-such-program";
  EXPECT_EQ(scheduler_.provision(request).message, "The program 'no-such-program' is not in PATH.");
  request.item = {"i", "docker_image", "nvcr.io/x", {}, {}, {}};
  try {
    scheduler_.provision(request);
    FAIL();
  } catch (const cloudai::Error& error) {
    EXPECT_EQ(error.status(), cloudai::Status::unsupported);
    EXPECT_EQ(error.message(), "The standalone scheduler runs no containers; it cannot provide the image 'nvcr.io/x'.");
  }
}

TEST_F(StandaloneSchedulerTest, OnlyJobsAreEverCancelled) {
  for (const std::string id : {"", "abc", "12", "x:1-2", "12x:1-2", ":1-2"}) {
    const auto refused = scheduler_.cancel({id});
    ASSERT_EQ(refused.size(), 1) << id;
    EXPECT_EQ(refused[0].message, "'" + id + "' is no id of a standalone job; nothing was signalled.");
  }
  const std::string own = std::to_string(::getpid());
  for (const std::string& id : {std::string("0:1-2"), std::string("-1:1-2"), std::string("1:1-2")}) {
    EXPECT_THAT(scheduler_.cancel({id}).at(0).message,
                ::testing::EndsWith("is no job's process; nothing was signalled."));
  }
  // The test's own pid under another start time, as if the number had been used again: that job has ended.
  EXPECT_TRUE(scheduler_.cancel({own + ":1-00000000"}).empty());
  EXPECT_EQ(scheduler_.poll({"abc", own + ":1-00000000"}).jobs.at(0).state, cloudai::JobPhase::unknown);
  EXPECT_EQ(scheduler_.poll({"abc", own + ":1-00000000"}).jobs.at(1).state, cloudai::JobPhase::ended);
  EXPECT_THROW(scheduler_.collect("4711:1-2"), cloudai::Error);
}

TEST_F(StandaloneSchedulerTest, SubmitNeedsTheDirectoryAndWhatRenderReturned) {
  const auto refusal = [&](const std::string& directory, const cloudai::Json& submission) -> std::string {
    try {
      scheduler_.submit({"tag", directory, submission});
      return "no refusal";
    } catch (const cloudai::Error& error) {
      return error.message();
    }
  };
  EXPECT_EQ(refusal(directory_.path(), cloudai::Json::object()), "/stages is missing.");
  EXPECT_EQ(refusal("/no/such", cloudai::Json::parse(R"({"stages": []})")),
            "The directory '/no/such/status' cannot be made: No such file or directory.");
}

TEST_F(StandaloneSchedulerTest, AnotherSchedulerFindsARunningJobByItsTagAndEndsIt) {
  const std::string id = submit({stage(StageKind::main, "m", {argv_step({"sleep", "600"})})});
  StandaloneScheduler other(open_request());
  EXPECT_EQ(other.find({"anothertag", directory_.path()}), std::nullopt);
  EXPECT_EQ(other.find({"t" + std::to_string(::getpid()), directory_.path()}), id);
  EXPECT_EQ(other.find({"t" + std::to_string(::getpid()), "/no/such"}), std::nullopt);
  EXPECT_EQ(other.poll({id}).jobs.at(0).state, cloudai::JobPhase::running);
  EXPECT_TRUE(eventually([&] { return other.poll({id}).jobs.at(0).stages.size() == 1; }));
  EXPECT_TRUE(other.cancel({id}).empty());
  EXPECT_EQ(other.collect(id).state, cloudai::JobEnd::cancelled);
  EXPECT_EQ(standalone::testing::count_session(pid_of(id)), 0);
}

}  // namespace
}  // namespace standalone
