// A scheduler of jobs of one stage that does what a test says, and keeps what it was asked.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/module/transport.hpp"
#include "core/support/json_texts.hpp"

namespace cloudai::testing {

class ScriptedScheduler final : public module::Transport {
 public:
  struct Job {
    std::string state = "running";
    Json result;  // what collect says; null: an error
  };

  std::vector<std::pair<std::string, Json>> calls;
  std::map<std::string, Job> jobs;         // by id: "j1", "j2", … in the order of submission
  std::deque<Result<Json>> submissions;    // replies to the next submissions; without any they are accepted
  std::map<std::string, std::string> ids;  // by tag: what find knows besides
  bool answers = true;                     // false: every call but submit is an error
  Json not_cancelled = Json::array();

  Result<Json> call(std::string_view function, const Json& request) override {
    calls.emplace_back(function, request);
    if (function == "render") return render(request);
    if (function == "submit") return submit(request);
    if (!answers) return trouble("no answer to " + std::string(function) + "().");
    if (function == "poll") return poll(request);
    if (function == "collect") return collect(text_of(request, "id"));
    if (function == "find") return find(text_of(request, "tag"));
    Json reply = {{"schema", "cloudai.facts/1"}, {"not_cancelled", not_cancelled}};
    return reply;
  }

  // The requests of the calls of this function.
  std::vector<Json> requests(const std::string& function) const {
    std::vector<Json> found;
    for (const auto& [name, request] : calls) {
      if (name == function) found.push_back(request);
    }
    return found;
  }

  // The job has ended, and its stage with this exit status.
  void end(const std::string& id, int exit_status = 0, const std::string& state = "completed") {
    jobs[id] = {"ended",
                {{"schema", "cloudai.job_result/1"},
                 {"id", id},
                 {"state", state},
                 {"nodes", {{{"name", "n1"}}}},
                 {"stages", {{{"kind", "x"}, {"name", "x"}, {"state", "ended"}, {"exit_status", exit_status}}}}}};
  }

 private:
  static Result<Json> render(const Json& job) {
    Json rendering = {{"schema", "cloudai.rendering/1"},
                      {"files", {{{"path", "job.sh"}, {"content", job.dump()}}}},
                      {"submission", {{"name", job.at("name")}}},
                      {"command", "start " + text_of(job, "directory")},
                      {"main_command", "run " + text_of(job, "name")}};
    return rendering;
  }

  Result<Json> submit(const Json& request) {
    if (!submissions.empty()) {
      auto reply = std::move(submissions.front());
      submissions.pop_front();
      return reply;
    }
    const std::string id = "j" + std::to_string(jobs.size() + 1);
    jobs[id] = {};
    ids[text_of(request, "tag")] = id;
    Json reply = {{"id", id}, {"watch", {text_of(request, "directory") + "/ended"}}};
    return reply;
  }

  Result<Json> poll(const Json& request) const {
    Json states = {{"schema", "cloudai.states/1"}, {"jobs", Json::array()}, {"poll_after", 2}};
    for (const std::string& id : texts_of(request, "ids")) {
      Json entry = {{"id", id}, {"state", jobs.at(id).state}, {"stages", Json::array()}};
      states["jobs"].push_back(std::move(entry));
    }
    return states;
  }

  Result<Json> collect(const std::string& id) const {
    if (jobs.at(id).result.is_null()) return trouble("nothing is known of " + id + ".");
    return jobs.at(id).result;
  }

  Result<Json> find(const std::string& tag) const {
    Json reply = Json::object();
    if (const auto found = ids.find(tag); found != ids.end()) reply["id"] = found->second;
    return reply;
  }
};

}  // namespace cloudai::testing
