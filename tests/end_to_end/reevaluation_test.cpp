// Results of real collectives: every report has their numbers, and they can be judged anew long after the run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <sstream>

#include "tests/end_to_end/workspace.hpp"

namespace end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator && separator == ',') parts.emplace_back();
  return parts;
}

std::string cell_of(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

// The table's rows as lines of CSV; none of these texts needs quotes.
std::string lines_of(const Json& table) {
  std::string text;
  for (const Json& row : table.at("rows")) {
    std::string line;
    for (const Json& cell : row) line += (line.empty() ? "" : ",") + cell_of(cell);
    text += line + "\n";
  }
  return text;
}

class Measured : public testing::Test {
 protected:
  Measured() {
    workspace.system("ntasks_per_node = 2\n");
    workspace.write("tests/collective.toml",
                    "name = \"collective\"\ndescription = \"x\"\ntest_template_name = \"NcclTest\"\n[cmd_args]\n"
                    "subtest_name = \"all_reduce_perf_mpi\"\nngpus = 1\nminbytes = \"8\"\nmaxbytes = \"1K\"\n"
                    "stepfactor = 2\niters = 1\nwarmup_iters = 0\nmin_busbw = 0.0\n");
    workspace.scenario(test_case("nccl", "collective", "iterations = 2\n"));
  }

  void run() {
    const auto ended = workspace.start(workspace.command("run"))->wait(110s);
    ASSERT_EQ(ended.exit_status, 0) << ended.err;
    results = workspace.results();
  }

  Ended generate(const Arguments& more = {}) const {
    Arguments arguments{"generate-report", "--result-dir", results.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return workspace.cloudai(arguments);
  }

  Json document(const fs::path& name) const { return Json::parse(read(results / name)); }

  void replace_in(const fs::path& name, const std::string& from, const std::string& to) const {
    std::string text = read(results / name);
    const auto place = text.find(from);
    ASSERT_NE(place, std::string::npos) << text;
    workspace.write(results / name, text.replace(place, from.size(), to));
  }

  Workspace workspace;
  fs::path results;
};

TEST_F(Measured, EveryReportHasTheSameNumbers) {
  run();
  std::string values;
  for (const char* directory : {"nccl/0", "nccl/1"}) {
    const Json outcome = document(fs::path(directory) / "outcome.json").at("stages").at(0).at("outcome");
    const std::string csv = read(results / directory / "cloudai_nccl_test_csv_report.csv");
    EXPECT_EQ(csv,
              "Size (B),Count,Type,Redop,Root,Time (us) Out-of-place,Algbw (GB/s) Out-of-place,"
              "Busbw (GB/s) Out-of-place,#Wrong Out-of-place,Time (us) In-place,Algbw (GB/s) In-place,"
              "Busbw (GB/s) In-place,#Wrong In-place,GPU Type,Devices per Node,Ranks,Size Human-readable\n" +
                  lines_of(outcome.at("tables").at(0)));
    EXPECT_EQ(split(csv, '\n').size(), 9U);  // 8 B … 1 KiB
    for (const Json& metric : outcome.at("metrics")) values += metric.at("value").dump() + "\n";
  }
  std::string in_csv;
  auto lines = split(read(results / "scenario-metrics.csv"), '\n');
  lines.erase(lines.begin());
  for (const std::string& line : lines) in_csv += split(line, ',').at(8) + "\n";
  EXPECT_EQ(in_csv, values);

  const std::string page = read(results / "scenario.html");
  const std::string markdown = read(results / "scenario.md");
  const std::string junit = read(results / "scenario-junit.xml");
  const Json summary = document("summary.json");
  for (const Json& run : summary.at("runs")) {
    for (const Json& metric : run.at("headline")) {
      char six_digits[32];
      std::snprintf(six_digits, sizeof six_digits, "%.6g", metric.at("value").get<double>());
      const std::string unit = metric.at("unit");
      EXPECT_THAT(markdown, HasSubstr("`" + (six_digits + (" " + unit)) + "`"));
      EXPECT_THAT(junit, HasSubstr(" = " + (six_digits + (" " + unit)) + "\n"));
      char four_digits[32];
      const double value = metric.at("value");
      // A slow machine takes tens of milliseconds for a message: no exponent for those.
      std::snprintf(four_digits, sizeof four_digits, value >= 1000 ? "%.0f" : "%.4g", value);
      EXPECT_THAT(page, HasSubstr(four_digits));
    }
  }
  EXPECT_THAT(markdown, HasSubstr("`min_busbw` `bus bandwidth at size 1024"));
  EXPECT_THAT(read(results / "scenario-iterations.csv"), HasSubstr("\nnccl,collective,main/collective,busbw,GB/s,"));
}

TEST_F(Measured, VerdictsAreThoseOfTheRunUntilItIsAskedForNewOnes) {
  run();
  const std::string summary = read(results / "summary.json");
  replace_in("nccl/0/stdout.txt", "Out of bounds values : 0 OK", "Out of bounds values : 2 FAILED");
  EXPECT_EQ(generate().exit_status, 0);
  EXPECT_EQ(read(results / "summary.json"), summary);
  EXPECT_THAT(read(results / "scenario.csv"), Not(HasSubstr("failed")));

  // From the results alone, wherever they are.
  fs::rename(results, workspace.root() / "moved");
  results = workspace.root() / "moved";
  for (const char* name : {"system.toml", "scenario.toml", "tests"}) fs::remove_all(workspace.root() / name);
  const auto failed = generate({"--reevaluate"});
  EXPECT_EQ(failed.exit_status, 1);
  EXPECT_THAT(failed.err, AllOf(HasSubstr("[INFO] nccl/0: failed, was passed\n"),
                                EndsWith("[INFO] 2 run(s) judged anew, 1 verdict(s) changed.\n")));
  const Json judged = document("summary.json");
  EXPECT_EQ(judged.at("status"), "failed");
  EXPECT_EQ(judged.at("exit_status"), 1);
  EXPECT_EQ(judged.at("counts"), (Json{{"passed", 1}, {"failed", 1}}));
  const Json run = judged.at("runs").at(0);
  EXPECT_EQ(run.at("status"), "failed");
  EXPECT_EQ(run.at("reason").at("code"), "out_of_bounds");
  EXPECT_EQ(run.at("reason").at("evidence").at(0).at("path"), "nccl/0/stdout.txt");
  EXPECT_EQ(run.at("attempts").at(0).at("status"), "failed");
  EXPECT_EQ(stage_of(run, "main").at("status"), "failed");
  EXPECT_EQ(judged.at("reevaluated").at("modules").at(0).at("id"), "cloudai.nccl_test");
  EXPECT_EQ(read(results / "summary.as-run.json"), summary);
  EXPECT_EQ(document("nccl/0/outcome.json").at("stages").at(0).at("outcome").at("verdict"), "failed");
  EXPECT_EQ(document("nccl/0/outcome.as-run.json").at("stages").at(0).at("outcome").at("verdict"), "passed");
  EXPECT_FALSE(fs::exists(results / "nccl/1/outcome.as-run.json"));
  EXPECT_THAT(read(results / "scenario.csv"), HasSubstr(",failed,out_of_bounds,"));
  EXPECT_THAT(read(results / "scenario.md"), HasSubstr("The verdicts were judged anew at `"));
  EXPECT_TRUE(fs::exists(results / "moved.tgz"));

  replace_in("nccl/0/stdout.txt", "Out of bounds values : 2 FAILED", "Out of bounds values : 0 OK");
  const auto passed = generate({"--reevaluate"});
  EXPECT_EQ(passed.exit_status, 0);
  EXPECT_THAT(passed.err, HasSubstr("[INFO] nccl/0: passed, was failed\n"));
  EXPECT_FALSE(fs::exists(results / "moved.tgz"));
  EXPECT_EQ(read(results / "summary.as-run.json"), summary);
  EXPECT_EQ(document("summary.json").at("runs"), Json::parse(summary).at("runs"));
}

TEST_F(Measured, WithoutWhatJudgingNeedsNothingIsWritten) {
  run();
  const std::string summary = read(results / "summary.json");
  replace_in("nccl/0/stdout.txt", "Out of bounds values : 0 OK", "Out of bounds values : 2 FAILED");
  const fs::path record = results / "nccl/1/evaluation.json";
  const std::string whole = read(record);
  for (const std::string& content : {std::string(), whole.substr(0, whole.size() / 2), std::string("{}")}) {
    fs::remove(record);
    if (!content.empty()) workspace.write(record, content);
    const auto ended = generate({"--reevaluate"});
    EXPECT_EQ(ended.exit_status, 3);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("[ERROR] run 'nccl/1' cannot be judged anew: "),
                                 HasSubstr("'" + record.string() + "'")));
    EXPECT_EQ(read(results / "summary.json"), summary);
    EXPECT_FALSE(fs::exists(results / "summary.as-run.json") || fs::exists(results / "nccl/0/outcome.as-run.json"));
  }
}

TEST(Reevaluation, WhatNeverRanAndWhyStays) {
  const Workspace workspace;
  workspace.system();
  workspace.test("bad", "exit 3");
  workspace.test("good", "true");
  workspace.hook_test("check", "true");
  workspace.hook("before", {"check"});
  workspace.scenario("prologue = \"before\"\n" + test_case("A", "bad") + test_case("B", "good", after("A")) +
                     test_case("C", "good"));
  EXPECT_EQ(workspace.run({"--keep-going"}).exit_status, 1);
  const Json before = workspace.summary();
  const auto ended =
      workspace.cloudai({"generate-report", "--result-dir", workspace.results().string(), "--reevaluate"});
  EXPECT_EQ(ended.exit_status, 1);
  EXPECT_THAT(ended.err, HasSubstr("2 run(s) judged anew, 0 verdict(s) changed."));
  Json now = workspace.summary();
  now.erase("reevaluated");
  EXPECT_EQ(now, before);
  EXPECT_TRUE(fs::exists(workspace.results() / (workspace.results().filename().string() + ".tgz")));
}

// Results of a run "A/0" that failed and of "B/0", which passed, whose documents are then edited or mixed up.
class EditedResults : public testing::Test {
 protected:
  EditedResults() {
    workspace.system();
    workspace.test("bad", "exit 3");
    workspace.test("good", "true");
    workspace.scenario(test_case("A", "bad") + test_case("B", "good"));
  }

  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(workspace.results())) {
      all[entry.path().string()] = entry.is_regular_file() ? read(entry.path()) : "";
    }
    return all;
  }

  // Changes one document for a while: nothing is judged, and nothing written.
  void expect_refusal(const std::string& name, const std::function<void(Json&)>& change) const {
    SCOPED_TRACE(name);
    const fs::path file = workspace.results() / name;
    const std::string whole = read(file);
    Json document = Json::parse(whole);
    change(document);
    workspace.write(file, document.dump());
    const auto before = files();
    const auto ended = workspace.cloudai(reevaluate());
    EXPECT_EQ(ended.exit_status, 3) << document.dump(2) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("/" + name + "' is damaged: "));
    EXPECT_EQ(files(), before) << document.dump(2);
    workspace.write(file, whole);
  }

  Arguments reevaluate() const {
    return {"generate-report", "--result-dir", workspace.results().string(), "--reevaluate"};
  }

  Workspace workspace;
};

TEST_F(EditedResults, MakeNoFailureAPass) {
  ASSERT_EQ(workspace.run({"--keep-going"}).exit_status, 1);
  const std::string record = "A/0/evaluation.json";
  const Json other = Json::parse(read(workspace.results() / "B/0/evaluation.json"));
  expect_refusal(record, [&](Json& document) { document = other; });
  expect_refusal(record, [&](Json& document) {
    document = other;
    document["id"] = "A/0";
  });
  expect_refusal(record, [](Json& document) { document["stages"] = Json::array(); });
  expect_refusal(record, [](Json& document) { document["stages"][0]["kind"] = "epilogue"; });
  expect_refusal(record, [](Json& document) { document["stages"][0]["workload"] = "Sleep"; });
  expect_refusal(record, [](Json& document) { document["stages"][0]["directory"] = "B/0/"; });
  expect_refusal(record, [](Json& document) { document["stages"][0]["directory"] = "../../"; });
  expect_refusal(record, [](Json& document) { document["stages"][0]["request"]["run_directory"] = "/tmp"; });
  expect_refusal(record, [](Json& document) { document["stages"][0]["request"]["stage"]["directory"] = "B/0"; });
  expect_refusal(record, [](Json& document) { document["stages"][0].erase("request"); });
  expect_refusal(record, [](Json& document) { document.erase("job_result"); });
  expect_refusal(record, [](Json& document) { document["job_result"] = "completed"; });
  expect_refusal(record, [](Json& document) { document["job_result"]["stages"] = 3; });
  expect_refusal("summary.json", [](Json& document) { document["signal"] = -128; });
  expect_refusal("summary.json", [](Json& document) { document["runs"][0]["id"] = "B/0"; });
  expect_refusal("summary.json", [](Json& document) { document["runs"][0] = document["runs"][1]; });
  expect_refusal("summary.json", [](Json& document) { document["runs"][0].erase("outcome"); });
  expect_refusal("summary.json", [](Json& document) { document["runs"] = nullptr; });
  const auto untouched = workspace.cloudai(reevaluate());
  EXPECT_EQ(untouched.exit_status, 1) << untouched.err;
  EXPECT_THAT(untouched.err, HasSubstr("2 run(s) judged anew, 0 verdict(s) changed."));
}

TEST_F(EditedResults, WhatCannotBeWrittenLeavesEverythingAsItWas) {
  ASSERT_EQ(workspace.run({"--keep-going"}).exit_status, 1);
  for (const char* run : {"A/0", "B/0"}) workspace.write(workspace.results() / run / "outcome.json", "{}");
  fs::create_directory(workspace.results() / "B/0/outcome.json.new.part");
  const auto before = files();
  const auto ended = workspace.cloudai(reevaluate());
  EXPECT_EQ(ended.exit_status, 3);
  EXPECT_THAT(ended.err, HasSubstr("[ERROR] cannot write '"));
  EXPECT_EQ(files(), before);
  fs::remove(workspace.results() / "B/0/outcome.json.new.part");
  EXPECT_EQ(workspace.cloudai(reevaluate()).exit_status, 1);
  EXPECT_EQ(read(workspace.results() / "A/0/outcome.as-run.json"), "{}");
}

TEST(Reevaluation, ALoadWhosePartnerNeverRanStaysSkipped) {
  const Workspace workspace;
  workspace.system("monitor_interval = 0.1\nmax_parallel = 2\n");
  workspace.test("bad", "until [[ -e \"$MARKS/load\" ]]; do sleep 0.05; done; exit 3");
  workspace.test("probe", "true");
  workspace.test("load", ": >\"$MARKS/load\"; sleep 600");
  workspace.scenario(test_case("bad", "bad") + test_case("probe", "probe", after("bad")) +
                     test_case("load", "load", "[[Tests.dependencies]]\ntype = \"end_post_comp\"\nid = \"probe\"\n"));
  ASSERT_EQ(workspace.run({"--keep-going"}).exit_status, 1);
  const Json before = workspace.run_of("load/0");
  ASSERT_EQ(before.at("status"), "skipped");
  EXPECT_EQ(
      workspace.cloudai({"generate-report", "--result-dir", workspace.results().string(), "--reevaluate"}).exit_status,
      1);
  EXPECT_EQ(workspace.run_of("load/0"), before);
}

TEST(Reevaluation, SecretsStandInNoRecordOfIt) {
  const Workspace workspace;
  workspace.system("[global_env_vars]\nSITE_KEY = \"hunter2 global\"\n");
  workspace.test("print", "echo \"$MY_TOKEN\" > /dev/null",
                 "[extra_env_vars]\nMY_TOKEN = \"hunter2 test\"\nPLAIN = \"yes\"\n");
  workspace.scenario(test_case("A", "print"));
  ASSERT_EQ(workspace.run().exit_status, 0);
  const std::string record = read(workspace.results() / "A/0/evaluation.json");
  EXPECT_THAT(record, AllOf(Not(HasSubstr("hunter2")), HasSubstr("\"redacted\""), HasSubstr("\"PLAIN\"")));
  EXPECT_EQ(
      workspace.cloudai({"generate-report", "--result-dir", workspace.results().string(), "--reevaluate"}).exit_status,
      0);
}

TEST(LateReporter, WorksOnResultsThatAreOlderThanItself) {
  const Workspace workspace;
  workspace.system();
  workspace.test("good", "true");
  workspace.test("bad", "exit 3");
  workspace.scenario(test_case("A", "good") + test_case("B", "bad"));
  ASSERT_EQ(workspace.run().exit_status, 1);
  const auto module = read(build_directory() / "tests/fixtures/late/run_list.so");
  ASSERT_NE(module, "");
  workspace.write("modules/run_list.so", module);
  Arguments arguments{"generate-report", "--result-dir", workspace.results().string(), "--report", "run_list"};
  EXPECT_EQ(workspace.cloudai(arguments).exit_status, 2);
  arguments.insert(arguments.end(), {"--module-path", (workspace.root() / "modules").string()});
  const auto ended = workspace.cloudai(arguments);
  EXPECT_EQ(ended.exit_status, 0) << ended.err;
  EXPECT_EQ(ended.out, (workspace.results() / "runs.txt").string() + "\n");
  EXPECT_EQ(read(workspace.results() / "runs.txt"), "A/0: passed\nB/0: failed\n");
}

}  // namespace
}  // namespace end_to_end
