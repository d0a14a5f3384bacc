#include <fmt/format.h>

#include <fstream>
#include <string>

#include "core/conformance/check.hpp"
#include "core/conformance/document_check.hpp"
#include "core/conformance/samples.hpp"
#include "core/conformance/subject.hpp"
#include "core/conformance/tree_state.hpp"
#include "core/support/files.hpp"

namespace cloudai::conformance {
namespace {

namespace fs = std::filesystem;

Json request_of_ids(std::size_t count) {
  Json ids = Json::array();
  for (std::size_t i = 0; i < count; ++i) ids.push_back(std::to_string(4711 + i));
  return Json::object({{"ids", std::move(ids)}});
}

class SchedulerCheck {
 public:
  SchedulerCheck(Subject& subject, const module::Provided& scheduler, const Context& context, Findings& findings)
      : subject_(subject),
        scheduler_(scheduler),
        context_(context),
        findings_(findings),
        directory_(context.directory / "job") {}

  void run() {
    std::error_code ignored;
    fs::create_directories(directory_, ignored);
    check_rendering();
    for (const Mood mood : {Mood::silent, Mood::number, Mood::garbage, Mood::fails, Mood::hangs, Mood::absent}) {
      check_job(mood);
    }
  }

 private:
  Answer open(bool offline, const std::string& situation, void** instance) {
    Answer answer = subject_.open(sample_open(scheduler_, context_.directory, offline).dump(), situation, instance);
    if (answer.fault) findings_.fault(*answer.fault);
    if (answer.is_ok()) check_form(answer.document, "facts", "the reply of open()");
    return answer;
  }

  Answer call(const char* function, const Json& request, const std::string& situation, void* instance) {
    Answer answer = subject_.call(module::scheduler_interface, function, request.dump(), situation, instance);
    if (answer.fault) findings_.fault(*answer.fault);
    return answer;
  }

  void check_form(const Json& document, const char* schema, const std::string& owner) {
    for (auto& fault : faults_of(document, schema, owner)) findings_.fault(owner + ": " + fault);
  }

  // Empty where the scheduler chooses the nodes, refuses, or asks to wait.
  Json nodes_of(void* instance, const std::string& situation) {
    const Json request = {{"nodes", {{"count", 1}, {"names", Json::array()}, {"exclude", Json::array()}}},
                          {"taken", Json::array()}};
    const Answer answer = call("allocate", request, situation, instance);
    if (!answer.is_ok()) return Json::array();
    if (answer.document.contains("wait")) return Json::array();
    if (answer.document.contains("nodes")) return answer.document["nodes"];
    findings_.fault("The reply of allocate() has neither 'nodes' nor 'wait'.");
    return Json::array();
  }

  // Offline, twice, by two instances: the same bytes, and no command and no file.
  void check_rendering() {
    Answer answers[2];
    subject_.cluster().set_mood(Mood::absent);
    for (Answer& answer : answers) {
      void* instance = nullptr;
      const TreeState before = tree_state(context_.directory);
      subject_.cluster().take_command_count();
      const Answer opened = open(true, "offline, with options made up from the manifest", &instance);
      if (!opened.is_ok()) {
        if (!opened.fault) note_refusal(opened);
        return;
      }
      const Json job = sample_job(scheduler_, directory_, nodes_of(instance, "offline"));
      answer = call("render", job, "", instance);
      subject_.close(instance);
      if (subject_.cluster().take_command_count() > 0)
        findings_.fault("A command is run between open() offline and render().");
      const std::string touched = first_difference(before, tree_state(context_.directory));
      if (!touched.empty())
        findings_.fault(fmt::format("render() writes '{}'. The core writes the files that it returns.", touched));
    }
    if (!answers[0].is_ok()) return;
    check_form(answers[0].document, "rendering", "the rendering");
    for (const Json& file : answers[0].document.value("files", Json::array())) check_place(text_of(file, "path"));
    if (answers[0].text != answers[1].text) {
      findings_.fault(
          "render() makes different bytes of the same job. It has to depend on the job and the facts alone.");
    }
  }

  void note_refusal(const Answer& opened) {
    findings_.note(fmt::format("open() refuses options made up from the manifest ('{}'): nothing was rendered",
                               text_of(opened.document, "message")));
  }

  void check_place(const std::string& path) {
    const fs::path place = fs::path(path).lexically_normal();
    if (place.is_absolute() || place.empty() || *place.begin() == "..") {
      findings_.fault(fmt::format("The rendering has a file '{}' outside of the job's directory.", path));
    }
  }

  void write_files(const Json& rendering) {
    for (const Json& file : rendering.value("files", Json::array())) {
      const std::string path = text_of(file, "path");
      if (!files::leads_inside(directory_, path)) continue;  // said already
      std::error_code ignored;
      fs::create_directories((directory_ / path).parent_path(), ignored);
      std::ofstream(directory_ / path, std::ios::binary) << text_of(file, "content");
    }
  }

  // From open to close as the core would, with a cluster in one mood.
  void check_job(Mood mood) {
    const std::string situation = described(mood);
    subject_.cluster().set_mood(mood);
    void* instance = nullptr;
    if (!open(false, situation, &instance).is_ok()) return;
    const Answer rendered =
        call("render", sample_job(scheduler_, directory_, nodes_of(instance, situation)), situation, instance);
    if (rendered.is_ok()) {
      write_files(rendered.document);
      follow(submit(rendered.document, situation, instance), situation, instance);
    }
    subject_.close(instance);
  }

  // The id of the job, if it was accepted.
  std::string submit(const Json& rendering, const std::string& situation, void* instance) {
    subject_.cluster().take_command_count();
    const Json request = {{"tag", "k3x9a0b1c2d3e"},
                          {"directory", directory_.string()},
                          {"submission", rendering.value("submission", Json())}};
    const Answer answer = call("submit", request, situation, instance);
    const bool ran_commands = subject_.cluster().take_command_count() > 0;
    if (!answer.is_ok()) return {};
    const std::string id = text_of(answer.document, "id");
    if (id.empty() && !answer.document.contains("wait"))
      findings_.fault("The reply of submit() has neither 'id' nor 'wait'.");
    if (!id.empty() && ran_commands && !subject_.cluster().works()) {
      findings_.fault(fmt::format("submit() says that the job was accepted {}.", situation));
    }
    return id;
  }

  void follow(const std::string& id, const std::string& situation, void* instance) {
    const Json ids = id.empty() ? request_of_ids(1) : Json::object({{"ids", Json::array({id})}});
    poll(ids, situation, instance);
    check_poll_of_many(situation, instance);
    const Answer cancelled = call("cancel", ids, situation, instance);
    if (cancelled.is_ok() && !cancelled.document.value("not_cancelled", Json()).is_array()) {
      findings_.fault("The reply of cancel() has no list 'not_cancelled'.");
    }
    const Answer collected = call("collect", Json::object({{"id", ids["ids"].at(0)}}), situation, instance);
    if (collected.is_ok()) check_form(collected.document, "job_result", "the reply of collect()");
    call("find", {{"tag", "k3x9a0b1c2d3e"}, {"directory", directory_.string()}}, situation, instance);
    const Json item = {{"id", "a"}, {"kind", "program"}, {"name", "true"}};
    call("provision", {{"item", item}, {"action", "check"}}, situation, instance);
  }

  // A query that fails is an error of the call, never a job's state.
  void poll(const Json& ids, const std::string& situation, void* instance) {
    subject_.cluster().take_command_count();
    const Answer answer = call("poll", ids, situation, instance);
    const bool ran_commands = subject_.cluster().take_command_count() > 0;
    if (!answer.is_ok()) return;
    check_form(answer.document, "states", "the reply of poll()");
    if (!ran_commands || subject_.cluster().works()) return;
    for (const Json& job : answer.document.value("jobs", Json::array())) {
      if (text_of(job, "state") == "ended") {
        findings_.fault(fmt::format(
            "poll() says that a job has ended {}. A query that fails is the status 'unavailable'.", situation));
      }
    }
  }

  void check_poll_of_many(const std::string& situation, void* instance) {
    std::size_t commands[2];
    const std::size_t counts[2] = {1, 20};
    for (int i = 0; i < 2; ++i) {
      subject_.cluster().take_command_count();
      call("poll", request_of_ids(counts[i]), situation, instance);
      commands[i] = subject_.cluster().take_command_count();
    }
    if (commands[1] > commands[0] + 1) {
      findings_.fault(fmt::format(
          "poll() runs {} commands for one job and {} for twenty. Their number must not grow with the jobs.",
          commands[0], commands[1]));
    }
  }

  Subject& subject_;
  const module::Provided& scheduler_;
  const Context& context_;
  Findings& findings_;
  fs::path directory_;
};

}  // namespace

void check_scheduler(const Context& context, Findings& findings) {
  const auto subject = Subject::load(context);
  if (!subject) return findings.fault(subject.error().message);
  bool is_there = false;
  for (const auto& provided : (*subject)->file().provides) {
    if (provided.interface_id != module::scheduler_interface) continue;
    is_there = true;
    SchedulerCheck(**subject, provided, context, findings).run();
  }
  if (!is_there) findings.skip("It provides no scheduler.");
}

}  // namespace cloudai::conformance
