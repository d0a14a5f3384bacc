#include "recorded_cluster.hpp"

namespace slurm {
namespace {

using cloudai::JobEnd;
using cloudai::JobPhase;
using slurm::testing::refusal;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MainEndTest : public slurm::testing::SlurmTest {
 protected:
  void SetUp() override { submit(); }
  std::string request() const {
    return cloudai::records::read_file(directory_.path() / "status/end_main").value_or("");
  }
  // The commands that ending takes.
  std::vector<std::string> commands_of_ending(const std::vector<std::string>& ids) {
    const std::size_t before = cluster_.commands().size();
    left_ = scheduler_->end_main(ids);
    const auto all = cluster_.commands();
    return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
  }
  std::vector<cloudai::NotCancelled> left_;
};

TEST_F(MainEndTest, SignalsTheScriptsAndCancelsWhatWaits) {
  submit("tag2", "43");
  submit("tag3", "44");
  submit("tag4", "45");
  cluster_.say("squeue", {{"42|RUNNING|n1|N/A|N/A|None\n43|PENDING||N/A|N/A|Resources\n44|RUNNING|n2|N/A|N/A|None\n"
                           "45|COMPLETED|n2|N/A|N/A|None\n"}});
  EXPECT_THAT(commands_of_ending({"42", "43", "44", "45"}),
              ElementsAre("squeue --noheader --states=all --format %A|%T|%N|%S|%e|%r --jobs=42,43,44,45",
                          "scancel --state=PENDING 43", "scancel --batch --signal=URG 42 44"));
  EXPECT_THAT(left_, IsEmpty());
}

TEST_F(MainEndTest, LeavesARequestForAScriptThatStartsLater) {
  queue("PENDING", "Priority");
  scheduler_->end_main({"42"});
  EXPECT_EQ(request(), "42\n");
}

TEST_F(MainEndTest, IsTriedAgainWhenTheControllerDoesNotAnswer) {
  queue("RUNNING");
  const std::string no_controller = "scancel: error: Unable to contact slurm controller (connect failure)\n";
  cluster_.say("scancel", {{"", no_controller, 8}});
  EXPECT_EQ(refusal([&] { scheduler_->end_main({"42"}); }).status(), cloudai::Status::unavailable);
  cluster_.say("squeue", {{"", "slurm_load_jobs error: Unable to contact slurm controller\n", 1}});
  EXPECT_EQ(refusal([&] { scheduler_->end_main({"42"}); }).status(), cloudai::Status::unavailable);
}

TEST_F(MainEndTest, SaysWhichJobsCouldNotBeTold) {
  submit("tag2", "43");
  cluster_.say("squeue", {{"42|RUNNING|n1|N/A|N/A|None\n43|RUNNING|n2|N/A|N/A|None\n"},
                          {"42|COMPLETED|n1|N/A|N/A|None\n43|RUNNING|n2|N/A|N/A|None\n"}});
  cluster_.say("scancel", {{"", "scancel: error: Kill job error on job id 43: Access denied\n", 1}});
  const auto left = scheduler_->end_main({"42", "43", "7"});
  ASSERT_EQ(left.size(), 2);
  EXPECT_EQ(left[0].message, "No job with the id '7' was submitted or found by this system.");
  EXPECT_EQ(left[1].id, "43");
  EXPECT_EQ(left[1].message,
            "The main stage of job 43 was not told to end: scancel failed with exit status 1: scancel: error: Kill job "
            "error on job id 43: Access denied");
}

TEST_F(MainEndTest, ItsStepsAreNoTroubleThatNobodyNoticed) {
  record(0);
  cluster_.say("squeue", {{""}});
  accounts(
      {{"42", "COMPLETED"}, {"42.0", "CANCELLED", "0:15", "cloudai.1.main"}, {"42.1", "CANCELLED", "0:9", "perl"}});
  directory_.write("status/end_main", "41\n");
  EXPECT_EQ(result().state, JobEnd::failed);
  submit();
  directory_.write("status/end_main", "42\n");
  EXPECT_EQ(result().state, JobEnd::completed);
}

TEST_F(MainEndTest, APollTellsWhetherTheMainStageHasBegunBehindAPrologue) {
  cloudai::Json with_prologue = submission();
  with_prologue["stages"] = {{{"kind", "prologue"}, {"name", "check"}}, {{"kind", "main"}, {"name", "test"}}};
  scheduler_->submit({"tag1", directory(), with_prologue});
  queue("RUNNING");
  EXPECT_THAT(scheduler_->poll({"42"}).jobs.at(0).stages, IsEmpty());
  directory_.write("status/id", "tag=tag1\nstage.1=prologue check\nstage.2=main test\nid=42\n");
  directory_.write("status/1", "started=1772366400000000\n");
  EXPECT_EQ(scheduler_->poll({"42"}).jobs.at(0).stages.size(), 1);
  directory_.write("status/2", "started=1772366400000000\n");
  const auto stages = scheduler_->poll({"42"}).jobs.at(0).stages;
  ASSERT_EQ(stages.size(), 2);
  EXPECT_EQ(stages[1].kind, cloudai::StageKind::main);
  EXPECT_EQ(stages[1].state, cloudai::StageState::unfinished);
}

}  // namespace
}  // namespace slurm
