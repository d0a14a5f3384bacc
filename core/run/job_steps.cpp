#include "core/run/job_steps.hpp"

#include <algorithm>
#include <set>

#include "core/pipeline/documents.hpp"
#include "core/run/evaluation.hpp"
#include "core/run/requirements.hpp"
#include "core/support/files.hpp"
#include "core/support/log.hpp"
#include "core/support/secrets.hpp"

namespace cloudai::run {

namespace fs = std::filesystem;

namespace {

Result<void> make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return trouble("cannot make the directory '" + path.string() + "': " + error.message() + ".");
  return {};
}

std::vector<std::string> texts_of(const Json& document, const char* key) {
  std::vector<std::string> texts;
  const auto found = document.find(key);
  if (found == document.end() || !found->is_array()) return texts;
  for (const Json& item : *found) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

bool stays_inside(const fs::path& relative) {
  return !relative.empty() && relative.is_relative() &&
         std::none_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
}

// Writes the files of a plan or a rendering below `directory`. `whose` names the module for the message.
Result<void> write_files(const Json& document, const fs::path& directory, const std::string& whose) {
  const auto files = document.find("files");
  if (files == document.end()) return {};
  if (!files->is_array()) return trouble(whose + " sent 'files' that are no list.");
  for (const Json& file : *files) {
    const std::string path = file.is_object() ? text_of(file, "path") : "";
    if (!stays_inside(path))
      return trouble(whose + " wants to write '" + path + "', which is not inside the run's directory.");
    const fs::path target = directory / path;
    if (auto made = make_directories(target.parent_path()); !made) return made;
    const bool executable = file.value("executable", Json()) == Json(true);
    const bool is_private = file.value("private", Json()) == Json(true);
    const unsigned mode = (is_private ? 0600U : 0644U) | (executable ? (is_private ? 0100U : 0111U) : 0U);
    if (auto written = files::write(target, text_of(file, "content"), mode); !written) return written;
  }
  return {};
}

// The parts of a plan that the core itself relies on.
Result<void> check_plan(const Json& plan, const std::string& workload) {
  const auto steps = plan.find("steps");
  if (steps == plan.end() || !steps->is_array() || steps->empty()) {
    return trouble("workload " + workload + " sent a plan without steps.");
  }
  for (const Json& step : *steps) {
    if (!step.is_object() || !step.contains("command") || !step.at("command").is_object()) {
      return trouble("workload " + workload + " sent a plan with a step that has no command.");
    }
    if (!step.contains("environment")) continue;
    for (const Json& variable : step.at("environment")) {
      if (!variable.is_object() || text_of(variable, "name").empty()) {
        return trouble("workload " + workload + " sent a plan with an environment variable that has no name.");
      }
    }
  }
  return {};
}

Error at_stage(Error error, const pipeline::Run& run, const pipeline::Stage& stage) {
  const std::string where =
      stage.kind == pipeline::StageKind::main ? "" : std::string(to_string(stage.kind)) + " '" + stage.name + "' of ";
  error.message = where + "test '" + run.test_case->id + "': " + error.message;
  return error;
}

Result<std::vector<Json>> plan_stages(const Surroundings& s, const pipeline::Run& run,
                                      const pipeline::RunContext& context) {
  std::vector<Json> plans;
  for (const pipeline::Stage& stage : run.stages) {
    auto workload = s.loader.workload(stage.test->workload);
    if (!workload) return tl::make_unexpected(at_stage(workload.error(), run, stage));
    auto plan = (*workload)->plan(pipeline::run_document(run, stage, context));
    if (!plan) return tl::make_unexpected(at_stage(plan.error(), run, stage));
    if (auto checked = check_plan(*plan, stage.test->workload); !checked) {
      return tl::make_unexpected(at_stage(checked.error(), run, stage));
    }
    plans.push_back(pipeline::with_environment(pipeline::with_profiler(std::move(*plan), *stage.test),
                                               s.configuration.system, *stage.test));
  }
  return plans;
}

Result<Json> allocate(const Surroundings& s, const pipeline::Run& run, const std::vector<std::string>& taken) {
  const config::Case& test_case = *run.test_case;
  const std::size_t count =
      test_case.nodes.empty() ? static_cast<std::size_t>(test_case.num_nodes) : test_case.nodes.size();
  return s.scheduler.allocate(
      {{"nodes", {{"count", count}, {"names", test_case.nodes}, {"exclude", test_case.exclude_nodes}}},
       {"taken", taken}});
}

pipeline::RunContext context_of(const Surroundings& s, std::vector<std::string> nodes) {
  pipeline::RunContext context;
  context.system = &s.configuration.system;
  context.facts = &s.scheduler.facts();
  context.results_directory = s.results_directory;
  context.nodes = std::move(nodes);
  return context;
}

Result<void> write_stage_files(const pipeline::Run& run, const std::vector<Json>& plans,
                               const fs::path& run_directory) {
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const fs::path directory = (run_directory / run.stages[i].directory).lexically_normal();
    if (auto made = make_directories(directory); !made) return made;
    if (auto written = write_files(plans[i], directory, "workload " + run.stages[i].test->workload); !written) {
      return written;
    }
  }
  return {};
}

}  // namespace

Result<std::variant<PreparedJob, Wait>> prepare(const Surroundings& s, const pipeline::Run& run,
                                                const std::vector<std::string>& taken) {
  const auto allocation = allocate(s, run, taken);
  if (!allocation) return tl::make_unexpected(allocation.error());
  if (const std::string reason = text_of(*allocation, "wait"); !reason.empty()) return Wait{reason};
  PreparedJob job;
  job.nodes = texts_of(*allocation, "nodes");
  const auto context = context_of(s, job.nodes);
  auto plans = plan_stages(s, run, context);
  if (!plans) return tl::make_unexpected(plans.error());
  job.plans = std::move(*plans);
  job.tag = pipeline::job_tag(s.results_directory, run.id, 1);
  auto rendering =
      s.scheduler.render(pipeline::job_document(run, context, job.tag, s.configuration.scenario.name, job.plans));
  if (!rendering) return tl::make_unexpected(rendering.error());
  const fs::path directory = s.results_directory / run.id;
  if (auto made = make_directories(directory); !made) return tl::make_unexpected(made.error());
  if (auto written = write_stage_files(run, job.plans, directory); !written)
    return tl::make_unexpected(written.error());
  if (auto written = write_files(*rendering, directory, "scheduler " + s.configuration.system.scheduler); !written) {
    return tl::make_unexpected(written.error());
  }
  job.submission = rendering->value("submission", Json::object());
  job.main_command = without_secrets(text_of(*rendering, "main_command"), secret_arguments(run.test_case->test));
  return job;
}

Result<std::variant<SubmittedJob, Wait>> submit(const Surroundings& s, const pipeline::Run& run, const PreparedJob& job,
                                                bool is_repeated, Journal& journal) {
  if (!is_repeated) {
    if (auto kept = journal.append_durably("submitting", {{"run", run.id}, {"tag", job.tag}}); !kept) {
      return tl::make_unexpected(kept.error());
    }
  }
  const auto reply = s.scheduler.submit(
      {{"tag", job.tag}, {"directory", (s.results_directory / run.id).string()}, {"submission", job.submission}});
  if (!reply) {
    // What went wrong is told by the run's status; a journal that cannot take it either changes nothing.
    (void)journal.append("submit_failed", {{"run", run.id}, {"message", reply.error().message}});
    return tl::make_unexpected(reply.error());
  }
  if (const std::string reason = text_of(*reply, "wait"); !reason.empty()) return Wait{reason};
  SubmittedJob submitted{text_of(*reply, "id"), {}};
  if (submitted.id.empty()) {
    return trouble("scheduler " + s.configuration.system.scheduler + " accepted the job but gave no id.");
  }
  for (std::string& path : texts_of(*reply, "watch")) submitted.watch.emplace_back(std::move(path));
  if (auto kept = journal.append_durably("submitted", {{"run", run.id}, {"job", submitted.id}}); !kept) {
    log::error("{}", kept.error().message);
  }
  return submitted;
}

Result<Evidence> evaluate(const Surroundings& s, const pipeline::Run& run, const PreparedJob& job, Json job_result,
                          Interference interference) {
  for (const std::string& warning : texts_of(job_result, "warnings")) {
    log::warn("test {}: {}", run.test_case->id, warning);
  }
  const RunToJudge to_judge =
      run_to_judge(run, context_of(s, job.nodes), job.plans, std::move(job_result), interference);
  if (auto written = write_evaluation(to_judge, run, s.configuration.system, s.results_directory); !written) {
    return tl::make_unexpected(written.error());
  }
  Evidence evidence = evaluate(to_judge, s.loader);
  if (auto written = write_outcome(s.results_directory, outcome_document(to_judge, evidence)); !written) {
    return tl::make_unexpected(written.error());
  }
  return evidence;
}

namespace {

std::vector<const config::Test*> all_tests(const config::Scenario& scenario) {
  std::vector<const config::Test*> tests;
  for (const auto* hooks : {&scenario.prologue, &scenario.epilogue}) {
    for (const config::HookTest& hook : *hooks) tests.push_back(&hook.test);
  }
  for (const config::Case& test_case : scenario.cases) tests.push_back(&test_case.test);
  return tests;
}

Result<void> provide(const Surroundings& s, const config::Test& test, const Json& item) {
  auto checked = s.scheduler.provision({{"item", item}, {"action", "check"}});
  if (checked && checked->value("installed", Json()) == Json(true)) return {};
  log::info("Not all workloads components are installed. Installing...");
  auto installed = s.scheduler.provision({{"item", item}, {"action", "install"}});
  if (!installed) return tl::make_unexpected(installed.error());
  if (installed->value("installed", Json()) == Json(true)) return {};
  const std::string why = text_of(*installed, "message");
  return trouble("test '" + test.name + "' needs " + described(item) + ", which is not installed" +
                 (why.empty() ? "." : ": " + why));
}

}  // namespace

Result<void> check_installation(const Surroundings& s, bool dry_run) {
  if (!dry_run) {
    if (auto checked = check_passed_variables(s.configuration); !checked) return checked;
  }
  std::set<std::string> seen;
  for (const config::Test* test : all_tests(s.configuration.scenario)) {
    auto workload = s.loader.workload(test->workload);
    if (!workload) return tl::make_unexpected(workload.error());
    auto requirements =
        (*workload)->requirements(pipeline::test_document(*test, s.configuration.system, s.scheduler.facts()));
    if (!requirements) return tl::make_unexpected(requirements.error());
    if (dry_run || !requirements->contains("items")) continue;
    if (auto profiler = profiler_requirement(*test, s.scheduler.facts()))
      requirements->at("items").push_back(*profiler);
    for (const Json& item : requirements->at("items")) {
      if (!seen.insert(item.dump()).second) continue;
      if (auto provided = provide(s, *test, item); !provided) return provided;
    }
  }
  return {};
}

}  // namespace cloudai::run
