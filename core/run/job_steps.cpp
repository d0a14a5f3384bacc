#include "core/run/job_steps.hpp"

#include <algorithm>
#include <set>

#include "core/pipeline/documents.hpp"
#include "core/run/requirements.hpp"
#include "core/support/files.hpp"
#include "core/support/json_texts.hpp"
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
    if (const auto crashed = s.crashed_tests.find(stage.test->name); crashed != s.crashed_tests.end()) {
      return tl::make_unexpected(at_stage(crashed->second, run, stage));
    }
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

Result<Json> allocate(const Surroundings& s, const pipeline::Job& job, const std::vector<std::string>& taken) {
  const std::size_t count = job.nodes.empty() ? static_cast<std::size_t>(job.num_nodes) : job.nodes.size();
  return s.scheduler.allocate(
      {{"nodes", {{"count", count}, {"names", job.nodes}, {"exclude", job.exclude_nodes}}}, {"taken", taken}});
}

// Only now is it known what a list of nodes comes to.
Result<void> check_size(const pipeline::Job& job, int job_nodes) {
  for (const pipeline::JobRun& part : job.runs) {
    const int needed = nodes_of(part, job, job_nodes);
    if (needed <= job_nodes) continue;
    return usage_error("test '" + part.run->test_case->id + "' runs on " + std::to_string(needed) +
                       " nodes, but the one job of all tests has " + std::to_string(job_nodes) + ".");
  }
  return {};
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

// What the log shows of a rendered job.
std::string command_of(const pipeline::Job& job, const Json& rendering) {
  if (job.is_shared) return text_of(rendering, "command");
  return without_secrets(text_of(rendering, "main_command"), secret_arguments(job.runs.front().run->test_case->test));
}

Result<void> write_job(const Surroundings& s, const PreparedJob& job, const Json& rendering) {
  const fs::path directory = job.job.directory_in(s.results_directory);
  if (auto made = make_directories(directory); !made) return made;
  for (std::size_t i = 0; i < job.plans.size(); ++i) {
    const pipeline::Run& run = *job.job.runs[i].run;
    if (auto written = write_stage_files(run, job.plans[i], s.results_directory / run.id); !written) return written;
  }
  return write_files(rendering, directory, "scheduler " + s.configuration.system.scheduler);
}

}  // namespace

pipeline::RunContext context_of(const Surroundings& s, const PreparedJob& job) {
  pipeline::RunContext context;
  context.system = &s.configuration.system;
  context.facts = &s.scheduler.facts();
  context.results_directory = s.results_directory;
  context.nodes = job.nodes;
  return context;
}

pipeline::RunContext context_of(const Surroundings& s, const PreparedJob& job, const pipeline::JobRun& part) {
  pipeline::RunContext context = context_of(s, job);
  const auto all = static_cast<int>(job.nodes.size());
  context.nodes.resize(static_cast<std::size_t>(std::min(all, nodes_of(part, job.job, all))));
  return context;
}

Result<std::variant<PreparedJob, Wait>> prepare(const Surroundings& s, const pipeline::Job& plan_of_job,
                                                const std::vector<std::string>& taken) {
  const auto allocation = allocate(s, plan_of_job, taken);
  if (!allocation) return tl::make_unexpected(allocation.error());
  if (const std::string reason = text_of(*allocation, "wait"); !reason.empty()) return Wait{reason};
  PreparedJob job;
  job.job = plan_of_job;
  job.nodes = texts_of(*allocation, "nodes");
  const auto context = context_of(s, job);
  if (auto checked = check_size(job.job, count_nodes(job.job, context)); !checked) {
    return tl::make_unexpected(checked.error());
  }
  for (const pipeline::JobRun& part : job.job.runs) {
    auto plans = plan_stages(s, *part.run, context_of(s, job, part));
    if (!plans) return tl::make_unexpected(plans.error());
    job.plans.push_back(std::move(*plans));
  }
  job.tag = pipeline::job_tag(s.results_directory, job.job.is_shared ? "all" : job.job.runs.front().run->id, 1);
  auto rendering =
      s.scheduler.render(pipeline::job_document(job.job, context, job.tag, s.configuration.scenario.name, job.plans));
  if (!rendering) return tl::make_unexpected(rendering.error());
  if (auto written = write_job(s, job, *rendering); !written) return tl::make_unexpected(written.error());
  job.submission = rendering->value("submission", Json::object());
  job.command = command_of(job.job, *rendering);
  return job;
}

std::string name_of(const pipeline::Job& job) {
  return job.is_shared ? "all " + std::to_string(job.runs.size()) + " runs"
                       : "test " + job.runs.front().run->test_case->id;
}

Json journal_subject(const pipeline::Job& job) {
  if (!job.is_shared) return {{"run", job.runs.front().run->id}};
  Json ids = Json::array();
  for (const pipeline::JobRun& part : job.runs) ids.push_back(part.run->id);
  return {{"runs", std::move(ids)}};
}

namespace {

Json with(Json fields, const char* key, const std::string& text) {
  fields[key] = text;
  return fields;
}

// A scheduler that crashed while it submitted may have done so before or after: the cluster knows.
Result<Json> find_after_crash(const Surroundings& s, const PreparedJob& job, const Json& place, const Error& crash) {
  auto found = s.scheduler.find(place);
  const std::string id = found ? text_of(*found, "id") : std::string();
  if (id.empty()) return tl::make_unexpected(crash);
  log::warn("{} The job was submitted all the same: {} has the id {}.", crash.message, name_of(job.job), id);
  return Json{{"id", id}, {"watch", Json::array()}};
}

}  // namespace

Result<std::variant<SubmittedJob, Wait>> submit(const Surroundings& s, const PreparedJob& job, bool is_repeated,
                                                Journal& journal) {
  const Json subject = journal_subject(job.job);
  if (!is_repeated) {
    if (auto kept = journal.append_durably("submitting", with(subject, "tag", job.tag)); !kept) {
      return tl::make_unexpected(kept.error());
    }
  }
  Json place = {{"tag", job.tag}, {"directory", job.job.directory_in(s.results_directory).string()}};
  Json request = place;
  request["submission"] = job.submission;
  auto reply = s.scheduler.submit(request);
  if (!reply && is_crash(reply.error())) reply = find_after_crash(s, job, place, reply.error());
  if (!reply) {
    // What went wrong is told by the run's status; a journal that cannot take it either changes nothing.
    (void)journal.append("submit_failed", with(subject, "message", reply.error().message));
    return tl::make_unexpected(reply.error());
  }
  if (const std::string reason = text_of(*reply, "wait"); !reason.empty()) return Wait{reason};
  SubmittedJob submitted{text_of(*reply, "id"), {}};
  if (submitted.id.empty()) {
    return trouble("scheduler " + s.configuration.system.scheduler + " accepted the job but gave no id.");
  }
  for (std::string& path : texts_of(*reply, "watch")) submitted.watch.emplace_back(std::move(path));
  if (auto kept = journal.append_durably("submitted", with(subject, "job", submitted.id)); !kept) {
    log::error("{}", kept.error().message);
  }
  return submitted;
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

Result<Json> requirements_of(const Surroundings& s, const config::Test& test) {
  auto workload = s.loader.workload(test.workload);
  if (!workload) return tl::make_unexpected(std::move(workload.error()));
  return (*workload)->requirements(pipeline::test_document(test, s.configuration.system, s.scheduler.facts()));
}

}  // namespace

Result<CrashedTests> check_installation(const Surroundings& s, bool dry_run) {
  if (!dry_run) {
    if (auto checked = check_passed_variables(s.configuration); !checked) return tl::make_unexpected(checked.error());
  }
  CrashedTests crashed;
  std::set<std::string> seen;
  for (const config::Test* test : all_tests(s.configuration.scenario)) {
    auto requirements = requirements_of(s, *test);
    if (!requirements && is_crash(requirements.error())) {
      log::error("Test '{}' cannot be run: {}", test->name, requirements.error().message);
      crashed.emplace(test->name, std::move(requirements.error()));
      continue;
    }
    if (!requirements) return tl::make_unexpected(requirements.error());
    if (dry_run || !requirements->contains("items")) continue;
    if (auto profiler = profiler_requirement(*test, s.scheduler.facts()))
      requirements->at("items").push_back(*profiler);
    for (const Json& item : requirements->at("items")) {
      if (!seen.insert(item.dump()).second) continue;
      if (auto provided = provide(s, *test, item); !provided) return tl::make_unexpected(provided.error());
    }
  }
  return crashed;
}

}  // namespace cloudai::run
