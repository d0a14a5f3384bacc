// A run of prologue "check", main test "work" and epilogue "clean" on a scheduler of jobs of one stage.
#pragma once

#include <gmock/gmock.h>

#include "core/run/stage_sequence.hpp"
#include "tests/core/run/scripted_scheduler.hpp"
#include "tests/core/scratch_directory.hpp"

namespace cloudai::run {

class StageSequenceTest : public ::testing::Test {
 protected:
  StageSequenceTest() { restart(); }

  // As after the end of the program.
  void restart() {
    sequence = std::make_shared<StageSequence>(scheduler, "one_stage", [this] { return now; });
  }

  static Json stage(const std::string& kind, const std::string& name) {
    const std::string directory = kind == "main" ? "." : kind + "/" + name;
    return {{"kind", kind}, {"name", name}, {"directory", directory}, {"plan", {{"success", Json::object()}}}};
  }

  Json job(const std::string& tag = "aaaaaaaaaaaaa", const std::string& run = "A/0") {
    return {{"schema", "cloudai.job/1"},
            {"tag", tag},
            {"name", "scenario.A"},
            {"time_limit", 60},
            {"nodes", {{"count", 2}, {"names", {"n1", "n2"}}}},
            {"directory", directory(run).string()},
            {"runs",
             {{{"id", run},
               {"after", Json::array()},
               {"stages", {stage("prologue", "check"), stage("main", "work"), stage("epilogue", "clean")}}}}}};
  }

  std::filesystem::path directory(const std::string& run = "A/0") const { return scratch / run; }

  Result<Json> call(const char* function, const Json& request) { return sequence->call(function, request); }

  Result<Json> submit(const Json& document) {
    const std::filesystem::path where = text_of(document, "directory");
    for (const Json& stage : document["runs"][0]["stages"]) {
      std::filesystem::create_directories(where / text_of(stage, "directory"));
    }
    const Json rendering = call("render", document).value();
    return call("submit",
                {{"tag", document["tag"]}, {"directory", where.string()}, {"submission", rendering["submission"]}});
  }
  std::string submitted() { return text_of(submit(job()).value(), "id"); }

  Json poll_all(const std::vector<std::string>& ids) {
    Json request;
    request["ids"] = ids;
    return call("poll", request).value();
  }
  Json poll(const std::string& id = "aaaaaaaaaaaaa") { return poll_all({id})["jobs"][0]; }
  // The job ends, and the scheduler is polled.
  std::string after_end(const std::string& id, int exit_status = 0, const std::string& state = "completed") {
    scheduler->end(id, exit_status, state);
    return text_of(poll(), "state");
  }
  Json result(const std::string& id = "aaaaaaaaaaaaa") {
    Json request;
    request["id"] = id;
    return call("collect", request).value();
  }
  Json cancel(bool main_only = false, const std::string& id = "aaaaaaaaaaaaa") {
    Json request = {{"ids", Json::array({id})}};
    if (main_only) request["stage"] = "main";
    return call("cancel", request).value()["not_cancelled"];
  }
  Result<Json> find(const std::string& tag = "aaaaaaaaaaaaa") {
    return call("find", {{"tag", tag}, {"directory", directory().string()}});
  }

  static Json busy() {
    Json reply;
    reply["wait"] = "The queue is full.";
    return reply;
  }

  // "ended open, skipped, …" of the stages in a document.
  static std::string states(const Json& document) {
    std::string text;
    for (const Json& stage : document["stages"]) {
      text += (text.empty() ? "" : ", ") + text_of(stage, "state");
      if (const std::string gate = text_of(stage, "gate"); !gate.empty()) text += " " + gate;
    }
    return text;
  }

  testing::ScratchDirectory scratch;
  std::chrono::steady_clock::time_point now{};
  std::shared_ptr<testing::ScriptedScheduler> scheduler = std::make_shared<testing::ScriptedScheduler>();
  std::shared_ptr<StageSequence> sequence;
};

}  // namespace cloudai::run
