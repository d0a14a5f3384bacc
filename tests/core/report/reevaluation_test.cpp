#include "core/report/reevaluation.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>

#include "core/module/catalogue.hpp"
#include "core/module/host.hpp"
#include "core/support/files.hpp"
#include "tests/core/scratch_directory.hpp"
#include "tests/paths.hpp"

namespace cloudai::report {
namespace {

namespace fs = std::filesystem;

// Results of one run, "A/0", that was cancelled by a signal while it slept.
class ReevaluationTest : public ::testing::Test {
 protected:
  ReevaluationTest() {
    fs::create_directories(scratch / "A/0");
    const Json reason = {{"code", "cancelled"}, {"text", "stopped by a signal"}};
    const Json stage = {{"kind", "main"}, {"name", "t"}, {"directory", "A/0"}, {"status", "cancelled"}};
    summary = {{"schema", "cloudai.summary/1"}, {"status", "cancelled"}, {"exit_status", 130}, {"signal", 2}};
    summary["counts"] = {{"cancelled", 1}};
    summary["runs"] = Json::array({{{"id", "A/0"},
                                    {"directory", "A/0"},
                                    {"workload", "Sleep"},
                                    {"iteration", 0},
                                    {"status", "cancelled"},
                                    {"reason", reason},
                                    {"outcome", "A/0/outcome.json"},
                                    {"headline", Json::array()},
                                    {"stages", Json::array({stage})}}});
    evaluation = {{"schema", "cloudai.evaluation/1"}, {"id", "A/0"}, {"interference", "cancelled"}};
    evaluation["job_result"] = {{"state", "cancelled"},
                                {"stages", Json::array({{{"kind", "main"}, {"name", "t"}, {"state", "unfinished"}}})}};
    evaluation["stages"] =
        Json::array({{{"kind", "main"}, {"name", "t"}, {"directory", "A/0"}, {"workload", "Sleep"}}});
  }

  Result<Reevaluation> run() {
    write("summary.json", summary);
    write("A/0/evaluation.json", evaluation);
    const auto catalogue = module::Catalogue::scan({fs::path(tree::build_directory()) / "lib/cloudai/modules"});
    module::Host host;
    module::Loader loader(catalogue, host);
    return reevaluate(scratch.path(), loader);
  }

  void write(const std::string& name, const Json& document) const { std::ofstream(scratch / name) << document.dump(); }
  Json read_summary() const { return Json::parse(files::read(scratch / "summary.json").value_or("null")); }

  // Every file with its content.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path())) {
      all[entry.path().lexically_relative(scratch.path()).string()] =
          entry.is_regular_file() ? files::read(entry.path()).value_or("(unreadable)") : "";
    }
    return all;
  }

  // The message; nothing must have been written.
  std::string refused() {
    write("summary.json", summary);
    write("A/0/evaluation.json", evaluation);
    const auto before = files();
    const auto result = run();
    EXPECT_EQ(files(), before);
    return result ? "(not refused)" : result.error().message;
  }
  std::string refused_for(const std::function<void()>& change) {
    const Json whole_summary = summary;
    const Json whole_evaluation = evaluation;
    change();
    std::string message = refused();
    summary = whole_summary;
    evaluation = whole_evaluation;
    return message;
  }
  std::string damaged_summary(const std::string& how) const {
    return "'" + (scratch / "summary.json").string() + "' is damaged: " + how + ".";
  }
  std::string damaged_evaluation(const std::string& how) const {
    return "run 'A/0' cannot be judged anew: '" + (scratch / "A/0/evaluation.json").string() + "' is damaged: " + how +
           ".";
  }

  // The run ended and was judged: it failed.
  void let_it_fail() {
    summary.erase("signal");
    summary["status"] = "failed";
    summary["exit_status"] = 1;
    summary["runs"][0]["status"] = "failed";
    summary["runs"][0]["reason"] = {{"code", "exit_status"}, {"text", "it failed"}};
    summary["runs"][0]["stages"][0]["status"] = "failed";
    evaluation["interference"] = "none";
    const Json result = {{"kind", "main"}, {"name", "t"}, {"state", "ended"}, {"exit_status", 1}};
    evaluation["job_result"] = {{"state", "completed"}, {"stages", Json::array({result})}};
    evaluation["stages"][0]["request"] = {{"schema", "cloudai.stage/1"},
                                          {"stage", {{"kind", "main"}, {"name", "t"}, {"directory", "A/0"}}},
                                          {"result", result},
                                          {"run_directory", "A/0"},
                                          {"predecessors", Json::array()}};
  }

  testing::ScratchDirectory scratch;
  Json summary;
  Json evaluation;
};

TEST_F(ReevaluationTest, ACancelledRunStaysCancelledForItsReason) {
  const auto result = run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->judged, 1U);
  EXPECT_TRUE(result->changed.empty());
  EXPECT_EQ(result->exit_status, 130);
  const Json now = read_summary();
  EXPECT_EQ(now.at("status"), "cancelled");
  EXPECT_EQ(now.at("runs").at(0).at("reason").at("text"), "stopped by a signal");
  EXPECT_EQ(now.at("runs").at(0).at("stages").at(0).at("status"), "cancelled");
  EXPECT_TRUE(now.contains("reevaluated"));
}

TEST_F(ReevaluationTest, AModuleThatIsNotThereIsTheError) {
  evaluation["stages"][0]["workload"] = summary["runs"][0]["workload"] = "Slepe";
  EXPECT_EQ(refused(), "run 'A/0' cannot be judged anew: no module provides workload 'Slepe'. Did you mean 'Sleep'?");
}

TEST_F(ReevaluationTest, APathOutOfTheResultsIsRefused) {
  summary["runs"][0]["id"] = "../A/0";
  EXPECT_EQ(refused(), "'" + (scratch / "summary.json").string() +
                           "' is damaged: the directory of run '../A/0' leaves the results directory.");
}

TEST_F(ReevaluationTest, DocumentsOfTheWrongShapeAreErrors) {
  const std::string record = "'" + (scratch / "A/0/evaluation.json").string() + "' is damaged: ";
  evaluation["interference"] = 7;
  EXPECT_EQ(refused(), "run 'A/0' cannot be judged anew: " + record +
                           "its \"interference\" is none of 'none', 'cancelled', 'main_ended'.");
  evaluation["interference"] = "none";
  evaluation["stages"] = {{"kind", "main"}};
  EXPECT_EQ(refused(), "run 'A/0' cannot be judged anew: " + record + "it has no stages.");
  evaluation["stages"] = Json::array({1});
  EXPECT_EQ(refused(),
            "run 'A/0' cannot be judged anew: " + record + "a stage in it lacks its kind, name or workload.");
  summary["runs"] = 3;
  EXPECT_EQ(refused(), "'" + (scratch / "summary.json").string() + "' is damaged: it has no list \"runs\".");
}

TEST_F(ReevaluationTest, AJudgedRunIsJudgedAnew) {
  let_it_fail();
  const auto result = run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->judged, 1U);
  EXPECT_NE(result->exit_status, 0);
  EXPECT_TRUE(fs::exists(scratch / "A/0/outcome.json"));
  for (const auto& [name, content] : files())
    EXPECT_TRUE(name.find(".new") == name.npos && name.find(".old") == name.npos);
}

TEST_F(ReevaluationTest, TheSummaryMustFitItself) {
  const auto run_0 = [&]() -> Json& { return summary["runs"][0]; };
  EXPECT_EQ(refused_for([&] { run_0()["id"] = "B/0"; }),
            damaged_summary("run 'B/0' has the directory 'A/0', which is another"));
  EXPECT_EQ(refused_for([&] { run_0()["outcome"] = "B/0/outcome.json"; }),
            damaged_summary("the outcome of run 'A/0' is not 'A/0/outcome.json'"));
  EXPECT_EQ(refused_for([&] { run_0()["status"] = "good"; }),
            damaged_summary("run 'A/0' has the status 'good', which there is not"));
  EXPECT_EQ(refused_for([&] { summary["runs"].push_back(run_0()); }), damaged_summary("there are two of run 'A/0'"));
  EXPECT_EQ(refused_for([&] { summary["runs"].push_back(7); }), damaged_summary("run 2 is no object"));
  EXPECT_EQ(refused_for([&] { run_0().erase("id"); }), damaged_summary("run 1 has no id"));
  for (const char* status : {"passed", "failed", "inconclusive"}) {
    EXPECT_EQ(refused_for([&] {
                run_0()["status"] = status;
                run_0().erase("outcome");
              }),
              damaged_summary(std::string("run 'A/0' is ") + status + ", but has no outcome"));
  }
  for (const Json& signal : {Json(-128), Json(0), Json(128), Json(4294967298), Json("2"), Json(nullptr)}) {
    EXPECT_EQ(refused_for([&] { summary["signal"] = signal; }),
              damaged_summary("its \"signal\" is not a number from 1 to 127"));
  }
}

TEST_F(ReevaluationTest, ARunThatFailedBeforeItsFirstStageHasNoOutcome) {
  summary["runs"][0]["status"] = "failed";
  summary["runs"][0]["stages"][0]["status"] = "skipped";
  summary["runs"][0].erase("outcome");
  const auto result = run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->judged, 0U);
}

TEST_F(ReevaluationTest, TheRecordMustBeThatOfTheRun) {
  const auto stage = [&]() -> Json& { return evaluation["stages"][0]; };
  EXPECT_EQ(refused_for([&] { evaluation["id"] = "A/1"; }),
            damaged_evaluation("its \"id\" is 'A/1', so it is of another run"));
  EXPECT_EQ(refused_for([&] { evaluation.erase("id"); }),
            damaged_evaluation("its \"id\" is '', so it is of another run"));
  EXPECT_EQ(refused_for([&] { stage()["name"] = "u"; }),
            damaged_evaluation("its stages are not those that summary.json tells of"));
  EXPECT_EQ(refused_for([&] { evaluation["stages"].push_back(stage()); }),
            damaged_evaluation("its stages are not those that summary.json tells of"));
  EXPECT_EQ(refused_for([&] { stage()["kind"] = "epilog"; }),
            damaged_evaluation("it has a stage of the kind 'epilog'"));
  EXPECT_EQ(refused_for([&] { stage()["workload"] = "BashCmd"; }),
            damaged_evaluation("its main stage has the workload 'BashCmd', but the run's is 'Sleep'"));
  EXPECT_EQ(refused_for([&] {
              stage()["kind"] = "epilogue";
              summary["runs"][0]["stages"][0]["kind"] = "epilogue";
            }),
            damaged_evaluation("it has 0 main stages, not one"));
}

TEST_F(ReevaluationTest, TheJobsEndMustBeThere) {
  const std::string refusal = damaged_evaluation("its \"job_result\" does not tell how a job ended");
  EXPECT_EQ(refused_for([&] { evaluation.erase("job_result"); }), refusal);
  for (const Json& wrong : {Json(7), Json(nullptr), Json::array(), Json::object()}) {
    EXPECT_EQ(refused_for([&] { evaluation["job_result"] = wrong; }), refusal);
  }
  for (const Json& wrong : {Json(7), Json(nullptr), Json::object(), Json::array({1}), Json::array({Json::object()})}) {
    EXPECT_EQ(refused_for([&] { evaluation["job_result"]["stages"] = wrong; }), refusal);
  }
}

TEST_F(ReevaluationTest, WhatWasJudgedMustBeAskedAgainAndNothingElse) {
  let_it_fail();
  EXPECT_EQ(refused_for([&] { evaluation["stages"][0].erase("request"); }),
            damaged_evaluation("it lacks the request of its main stage 't'"));
  EXPECT_EQ(refused_for([&] { evaluation["job_result"]["stages"] = Json::array(); }),
            damaged_evaluation("it has a request where nothing is to be judged, of its main stage 't'"));
  EXPECT_EQ(refused_for([&] { evaluation["stages"][0]["request"]["stage"]["name"] = "u"; }),
            damaged_evaluation("the request of its main stage 't' is not of this stage"));
}

TEST_F(ReevaluationTest, NoPathLeavesTheResults) {
  let_it_fail();
  const testing::ScratchDirectory elsewhere;
  fs::create_directory_symlink(elsewhere.path(), scratch / "A/0/link");
  for (const std::string& directory : {std::string("../A/0"), std::string("A/0/../.."), elsewhere.path().string(),
                                       std::string("A/0/link"), std::string("B/0"), std::string()}) {
    EXPECT_EQ(refused_for([&] { evaluation["stages"][0]["directory"] = directory; }),
              damaged_evaluation("the directory '" + directory + "' of a stage in it is not in that of its run"));
  }
  for (const std::string& directory : {std::string("../A/0"), elsewhere.path().string(), std::string("A/0/link")}) {
    const std::string refusal = damaged_evaluation("the path '" + directory + "' in it leaves the results directory");
    EXPECT_EQ(refused_for([&] { evaluation["stages"][0]["request"]["run_directory"] = directory; }), refusal);
    const Json predecessors = Json::array({{{"case", "B"}, {"directory", directory}}});
    EXPECT_EQ(refused_for([&] { evaluation["stages"][0]["request"]["predecessors"] = predecessors; }), refusal);
  }
}

TEST_F(ReevaluationTest, ADirectoryThatIsALinkOutOfTheResultsIsRefused) {
  const testing::ScratchDirectory elsewhere;
  fs::remove_all(scratch / "A");
  fs::create_directory(elsewhere / "0");
  fs::create_directory_symlink(elsewhere.path(), scratch / "A");
  EXPECT_EQ(refused(), damaged_summary("the directory of run 'A/0' leaves the results directory"));
}

TEST_F(ReevaluationTest, ADeeplyNestedRecordIsDamaged) {
  write("summary.json", summary);
  std::string text = evaluation.dump();
  text.insert(text.size() - 1, ",\"deep\":" + std::string(200000, '[') + std::string(200000, ']'));
  std::ofstream(scratch / "A/0/evaluation.json") << text;
  const auto catalogue = module::Catalogue::scan({fs::path(tree::build_directory()) / "lib/cloudai/modules"});
  module::Host host;
  module::Loader loader(catalogue, host);
  const auto result = reevaluate(scratch.path(), loader);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, damaged_evaluation("it is nested deeper than 64 levels"));
}

// A second run, judged after the first: when its outcome cannot be written, that of the first must not be, either.
TEST_F(ReevaluationTest, IfOneFileCannotBeWrittenNoneIs) {
  let_it_fail();
  summary["runs"].push_back(summary["runs"][0]);
  summary["runs"][1]["id"] = summary["runs"][1]["directory"] = "B/0";
  summary["runs"][1]["outcome"] = "B/0/outcome.json";
  summary["runs"][1]["stages"][0]["directory"] = "B/0";
  Json second = evaluation;
  second["id"] = second["stages"][0]["directory"] = "B/0";
  second["stages"][0]["request"]["stage"]["directory"] = "B/0";
  fs::create_directories(scratch / "B/0");
  write("B/0/evaluation.json", second);
  std::ofstream(scratch / "A/0/outcome.json") << "{}";
  fs::create_directories(scratch / "B/0/outcome.json");
  EXPECT_EQ(refused(), "cannot read '" + (scratch / "B/0/outcome.json").string() + "': it is a directory.");
  fs::remove(scratch / "B/0/outcome.json");
  // A disk that is full just for the summary.
  fs::create_directories(scratch / "summary.as-run.json");
  fs::create_directories(scratch / "summary.json.old.part");
  EXPECT_EQ(refused(), "cannot write '" + (scratch / "summary.json.old").string() + "': Is a directory.");
  fs::remove(scratch / "summary.json.old.part");
  const auto result = run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->judged, 2U);
  EXPECT_EQ(files().at("A/0/outcome.as-run.json"), "{}");
  EXPECT_FALSE(fs::exists(scratch / "B/0/outcome.as-run.json"));
}

}  // namespace
}  // namespace cloudai::report
