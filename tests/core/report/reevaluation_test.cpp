#include "core/report/reevaluation.hpp"

#include <gtest/gtest.h>

#include <fstream>

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

  // The message; nothing must have been written.
  std::string refused() {
    const auto result = run();
    EXPECT_EQ(read_summary(), summary);
    EXPECT_FALSE(fs::exists(scratch / "summary.as-run.json"));
    return result ? "(not refused)" : result.error().message;
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
  evaluation["stages"][0]["workload"] = "Slepe";
  EXPECT_EQ(refused(), "run 'A/0' cannot be judged anew: no module provides workload 'Slepe'. Did you mean 'Sleep'?");
}

TEST_F(ReevaluationTest, APathOutOfTheResultsIsRefused) {
  summary["runs"][0]["id"] = "../A/0";
  EXPECT_EQ(refused(), "'" + (scratch / "summary.json").string() + "' is damaged: run 1 lacks id or status.");
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

}  // namespace
}  // namespace cloudai::report
