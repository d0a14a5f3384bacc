#include "core/run/shared_job.hpp"

#include <gmock/gmock.h>

#include "tests/core/pipeline/scenario_fixture.hpp"

namespace cloudai::run {
namespace {

using testing::a_case;
using testing::a_hook;
using testing::a_scenario;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A job of the runs A/0, B/0 and C/0, the last after the second; each with a prologue. All good until a test says
// otherwise.
class SharedJobTest : public ::testing::Test {
 protected:
  SharedJobTest() {
    scenario_.prologue = {a_hook("check")};
    runs_ = pipeline::expand(scenario_);
    job_.job = shared_job(runs_, FailurePolicy::keep_going);
    for (const auto& run : runs_) {
      RunRecord& record = records_.emplace_back();
      record.run = &run;
      record.started = Clock::now();
      for (const auto& stage : run.stages) {
        record.stages.emplace_back().kind = stage.kind;
        record.stages.back().name = stage.name;
        stages_[run.id].push_back({{"run", run.id},
                                   {"kind", to_string(stage.kind)},
                                   {"name", stage.name},
                                   {"state", "ended"},
                                   {"gate", "open"},
                                   {"started", "2026-03-01T12:00:00.000Z"},
                                   {"ended", "2026-03-01T12:00:05.000Z"}});
      }
      ends_[run.id] = {{"id", run.id}, {"state", "completed"}};
    }
  }

  void skip(const std::string& run) {
    for (Json& stage : stages_[run])
      stage = {{"run", run}, {"kind", stage["kind"]}, {"name", stage["name"]}, {"state", "skipped"}};
  }
  void fail(const std::string& run) {
    stages_[run][1]["gate"] = "closed";
    failed_.insert(run);
  }
  void end(const std::string& run, const std::string& state, const std::string& reason) {
    ends_[run]["state"] = state;
    ends_[run]["reason"] = reason;
  }
  Json result() const {
    Json result = {{"state", "completed"}, {"nodes", {{{"name", "n1"}}, {{"name", "n2"}}}}, {"warnings", {"odd"}}};
    for (const auto& [id, end] : ends_) result["runs"].push_back(end);
    for (const auto& [id, stages] : stages_) {
      for (const Json& stage : stages) result["stages"].push_back(stage);
    }
    return result;
  }

  // As the loop does, with workloads that find good what was not made to fail.
  void judge_all(FailurePolicy policy = FailurePolicy::keep_going, bool is_cancelled = false) {
    std::vector<Evidence> evidence;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Evidence& one = evidence.emplace_back();
      one.job_result = result_of_run(result(), job_, i);
      if (is_cancelled && one.job_result["state"] != "completed") one.interference = Interference::cancelled;
      for (const auto& stage : runs_[i].stages) {
        const bool is_good = stage.kind != pipeline::StageKind::main || !failed_.contains(runs_[i].id);
        const Json* said = find_stage_result(one.job_result, stage);
        std::optional<Result<Json>>& outcome = one.outcomes.emplace_back();
        if (said == nullptr || (*said)["state"] != "ended") continue;
        outcome = is_good
                      ? Json{{"verdict", "passed"}}
                      : Json{{"verdict", "failed"}, {"reason", {{"code", "exit_status"}, {"text", "exit status 1"}}}};
      }
    }
    judge_shared(records_, evidence, policy, {"cancelled", "stopped by signal 2", "", Json::array()});
  }
  std::vector<std::string> statuses() const {
    std::vector<std::string> texts;
    for (const auto& record : records_) texts.emplace_back(to_string(record.status));
    return texts;
  }

  config::Scenario scenario_ = a_scenario({a_case("A"), a_case("B"), a_case("C", {"B"})});
  std::vector<pipeline::Run> runs_;
  PreparedJob job_;
  std::vector<RunRecord> records_;
  std::map<std::string, std::vector<Json>> stages_;
  std::map<std::string, Json> ends_;
  std::set<std::string> failed_;
};

TEST_F(SharedJobTest, TellsTheJobWhatAFailureMeans) {
  const auto after = [&](FailurePolicy policy) {
    std::vector<std::vector<std::string>> lists;
    for (const auto& part : shared_job(runs_, policy).runs) lists.push_back(part.after);
    return lists;
  };
  EXPECT_THAT(after(FailurePolicy::stop), ElementsAre(IsEmpty(), ElementsAre("A/0"), ElementsAre("B/0")));
  EXPECT_THAT(after(FailurePolicy::keep_going), ElementsAre(IsEmpty(), IsEmpty(), ElementsAre("B/0")));
  EXPECT_THAT(after(FailurePolicy::ignore), ElementsAre(IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST_F(SharedJobTest, ThatRanToItsEndGivesEachRunItsOwnVerdictTimesAndNodes) {
  judge_all();
  EXPECT_THAT(statuses(), ElementsAre("passed", "passed", "passed"));
  EXPECT_EQ(rfc3339(*records_[2].started), "2026-03-01T12:00:00.000Z");
  EXPECT_EQ(rfc3339(*records_[2].ended), "2026-03-01T12:00:05.000Z");
  EXPECT_EQ(records_[0].nodes.size(), 1U);
  EXPECT_THAT(records_[0].warnings, ElementsAre("odd"));
  EXPECT_THAT(records_[1].warnings, IsEmpty());
}

TEST_F(SharedJobTest, SkipsWhatDependsOnAFailedRun) {
  fail("B/0");
  skip("C/0");
  judge_all();
  EXPECT_THAT(statuses(), ElementsAre("passed", "failed", "skipped"));
  EXPECT_EQ(records_[1].reason.text, "exit status 1");
  EXPECT_EQ(records_[2].reason.code, "dependency_failed");
  EXPECT_EQ(records_[2].reason.text, "dependency B failed");
  EXPECT_EQ(records_[2].stages[0].reason.text, "dependency B failed");
  EXPECT_FALSE(records_[2].has_outcome);
  EXPECT_FALSE(records_[2].started);
}

TEST_F(SharedJobTest, SkipsAllTheRestWhereAFailureStopsTheScenario) {
  fail("A/0");
  skip("B/0");
  skip("C/0");
  judge_all(FailurePolicy::stop);
  EXPECT_THAT(statuses(), ElementsAre("failed", "skipped", "skipped"));
  EXPECT_EQ(records_[2].reason.code, "scenario_stopped");
  EXPECT_EQ(records_[2].reason.text, "scenario stopped after test A failed");
}

TEST_F(SharedJobTest, ThatEndedInTheMiddleKeepsWhatHadFinished) {
  stages_["B/0"][1] = {{"run", "B/0"}, {"kind", "main"}, {"name", "test_of_B"}, {"state", "unfinished"}};
  skip("C/0");
  failed_ = {"B/0"};
  end("B/0", "time_limit", "TIMEOUT");
  end("C/0", "time_limit", "TIMEOUT");
  judge_all();
  EXPECT_THAT(statuses(), ElementsAre("passed", "failed", "skipped"));
  EXPECT_EQ(records_[1].reason.text, "the job exceeded its time limit (TIMEOUT)");
  EXPECT_EQ(records_[2].reason.code, "time_limit");
  EXPECT_EQ(records_[2].reason.text,
            "the job of all tests had ended before it started: the job exceeded its time limit (TIMEOUT)");
}

TEST_F(SharedJobTest, ThatNeverStartedIsTheTroubleOfItsFirstRun) {
  for (const auto* run : {"A/0", "B/0", "C/0"}) {
    skip(run);
    end(run, "lost", "nobody knows it");
  }
  judge_all();
  EXPECT_THAT(statuses(), ElementsAre("error", "skipped", "skipped"));
  EXPECT_EQ(records_[0].reason.code, "scheduler_failed");
  EXPECT_EQ(records_[1].reason.code, "scheduler_failed");
}

TEST_F(SharedJobTest, TakesTheTroubleOfOneRunForItsOwnAlone) {
  end("A/0", "failed", "out of memory in step 0");
  judge_all();
  EXPECT_THAT(statuses(), ElementsAre("error", "passed", "passed"));
}

TEST_F(SharedJobTest, ThatWasCancelledKeepsWhatHadFinishedAndSkipsWhatHadNotBegun) {
  stages_["B/0"][1] = {{"run", "B/0"}, {"kind", "main"}, {"name", "test_of_B"}, {"state", "unfinished"}};
  skip("C/0");
  end("B/0", "cancelled", "the job was cancelled");
  end("C/0", "cancelled", "the job was cancelled");
  judge_all(FailurePolicy::stop, true);
  EXPECT_THAT(statuses(), ElementsAre("passed", "cancelled", "skipped"));
  EXPECT_EQ(records_[1].reason.text, "stopped by signal 2");
  EXPECT_EQ(records_[2].reason.text, "stopped by signal 2");
}

TEST_F(SharedJobTest, HasComeToTheLastRunThatHasBegun) {
  skip("C/0");
  EXPECT_EQ(current_run(result(), job_.job), 1U);
  skip("A/0");
  skip("B/0");
  EXPECT_EQ(current_run(result(), job_.job), std::nullopt);
  EXPECT_EQ(current_run({{"state", "running"}}, job_.job), std::nullopt);
}

TEST_F(SharedJobTest, ThatWasNotSubmittedIsAnErrorOfItsFirstRun) {
  end_shared(records_, Status::error, {"submission_failed", "sbatch said no.", "", Json::array()});
  EXPECT_THAT(statuses(), ElementsAre("error", "skipped", "skipped"));
  EXPECT_EQ(records_[1].reason.text, "the job of all tests had ended before it started: sbatch said no.");
  EXPECT_FALSE(records_[1].started);
}

}  // namespace
}  // namespace cloudai::run
