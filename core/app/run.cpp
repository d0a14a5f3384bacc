// The commands `run` and `dry-run`: from the paths on the command line to the exit status.

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "core/app/commands.hpp"
#include "core/app/complaints.hpp"
#include "core/app/filter.hpp"
#include "core/app/module_isolation.hpp"
#include "core/app/open_catalogue.hpp"
#include "core/app/progress.hpp"
#include "core/app/scenario_text.hpp"
#include "core/config/capabilities.hpp"
#include "core/config/load.hpp"
#include "core/config/one_job.hpp"
#include "core/report/reporters.hpp"
#include "core/report/result_table.hpp"
#include "core/report/summary.hpp"
#include "core/run/results_directory.hpp"
#include "core/run/scenario_run.hpp"
#include "core/run/shared_job.hpp"
#include "core/run/stage_sequence.hpp"
#include "core/support/log.hpp"
#include "core/support/signals.hpp"
#include "core/support/terminal.hpp"

namespace cloudai::app {

namespace fs = std::filesystem;

namespace {

std::optional<config::Configuration> load(const RunOptions& options, const module::Catalogue& catalogue) {
  config::Diagnostics diagnostics;
  auto configuration = config::load(
      {options.system_config, options.test_scenario, options.tests_dir, options.hook_dir, options.output_dir},
      catalogue, diagnostics);
  say(diagnostics);
  if (!configuration) log::error("{} configuration problem(s); nothing was started.", diagnostics.error_count());
  return configuration;
}

// What --single-sbatch asks of the tests that are left after --filter.
bool can_be_one_job(const config::Configuration& configuration, const module::Catalogue& catalogue) {
  config::Diagnostics diagnostics;
  const auto scheduler = catalogue.find(module::scheduler_interface, configuration.system.scheduler);
  if (scheduler) config::check_one_job(configuration, *scheduler->provided, diagnostics);
  say(diagnostics);
  return !diagnostics.has_errors();
}

struct OpenedScheduler {
  std::shared_ptr<module::Scheduler> scheduler;
  std::shared_ptr<run::StageSequence> stages;  // null: the scheduler keeps the stages of a run in one job
};

Result<OpenedScheduler> open_scheduler(module::Loader& loader, const module::Catalogue& catalogue,
                                       const config::System& system, bool offline) {
  OpenedScheduler opened;
  module::Loader::Wrap wrap;
  const auto provider = catalogue.find(module::scheduler_interface, system.scheduler);
  if (provider && config::needs_stage_jobs(*provider->provided)) {
    wrap = [&](std::shared_ptr<module::Transport> transport) -> std::shared_ptr<module::Transport> {
      return opened.stages = std::make_shared<run::StageSequence>(std::move(transport), system.scheduler);
    };
  }
  Json document = system.options;
  document["name"] = system.name;
  document["install_path"] = system.install_path.string();
  document["output_path"] = system.output_path.string();
  auto scheduler = loader.open_scheduler(
      system.scheduler, {{"schema", "cloudai.scheduler.open/1"}, {"offline", offline}, {"system", std::move(document)}},
      wrap);
  if (!scheduler) return tl::make_unexpected(scheduler.error());
  opened.scheduler = std::move(*scheduler);
  return opened;
}

// The command line that repeats this run, up to the glob of --filter.
std::string rerun_command(const GlobalOptions& global, const RunOptions& options) {
  std::string command = report::shell_quoted(global.arguments.front());
  const auto add = [&](const char* option, const fs::path& value) {
    command += std::string(" ") + option + " " + report::shell_quoted(value.string());
  };
  for (const fs::path& directory : global.module_path) add("--module-path", directory);
  command += " run";
  add("--system-config", options.system_config);
  if (options.tests_dir) add("--tests-dir", *options.tests_dir);
  add("--test-scenario", options.test_scenario);
  if (options.hook_dir) add("--hook-dir", *options.hook_dir);
  if (options.output_dir) add("--output-dir", *options.output_dir);
  if (options.single_sbatch) command += " --single-sbatch";
  return command + " --filter";
}

// False: stdout does not take it.
bool print_table(const run::Ending& ending, const std::vector<report::FailedReport>& failed, const fs::path& directory,
                 const std::string& rerun) {
  std::string table = report::result_table(ending, directory, terminal::takes_colour(STDOUT_FILENO), rerun);
  table += report::failed_reports_text(failed);
  return std::fputs(table.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
}

// Renders every job, in order, without submitting any.
int dry_run(const run::Surroundings& surroundings, const std::vector<pipeline::Job>& jobs) {
  int status = success;
  for (const pipeline::Job& job : jobs) {
    log::info("Starting {} (results at: {})",
              job.is_shared ? run::name_of(job) : "test: " + job.runs.front().run->test_case->id,
              job.directory_in(surroundings.results_directory).string());
    const auto prepared = run::prepare(surroundings, job, {});
    if (!prepared) {
      status = std::max(status, fail(prepared.error()));
    } else if (const auto* ready = std::get_if<run::PreparedJob>(&*prepared)) {
      log::info("Executing command for {}: {}", run::name_of(job), ready->command);
    }
  }
  log::info("Dry run: nothing was submitted. The files of all runs are in: {}",
            surroundings.results_directory.string());
  return status;
}

struct Session {
  const GlobalOptions& global;
  const RunOptions& options;
  const module::Catalogue& catalogue;
  const config::Configuration& configuration;
  module::Host& host;
  run::StageSequence* stages;  // null: the scheduler needs none
};

// Leaves without waiting for the threads of calls that do not return.
[[noreturn]] void leave_at_once(int status) {
  log::finish();
  std::fflush(nullptr);
  std::_Exit(status);
}

// Writes the reports, and where one failed the summary once more, to say so in it.
Result<std::vector<report::FailedReport>> write_reports(const Session& session, const run::Surroundings& surroundings,
                                                        const run::Ending& ending, const report::Provenance& provenance,
                                                        run::Journal& journal) {
  const config::Configuration& configuration = session.configuration;
  const fs::path& directory = surroundings.results_directory;
  const auto settings =
      report::reports_to_write({&configuration.scenario.reports, &configuration.system.reports}, session.catalogue);
  auto reports = report::write_reports(directory, settings, surroundings.loader);
  for (const fs::path& file : reports.files) {
    // The reports of single runs would be thousands of lines.
    if (file.parent_path() == directory) {
      log::info("Generated scenario report at {}", file.string());
    } else {
      log::debug("Generated report at {}", file.string());
    }
  }
  if (auto kept = journal.append("reported", {{"files", reports.files.size()}, {"failed", reports.failed.size()}});
      !kept)
    log::error("{}", kept.error().message);
  if (reports.failed.empty()) return {};
  if (auto written = report::write_summary(directory, configuration, ending, provenance, reports.failed); !written) {
    return tl::make_unexpected(written.error());
  }
  return std::move(reports.failed);
}

int finish_run(const Session& session, const run::Surroundings& surroundings, const run::Ending& ending,
               run::Journal& journal) {
  int status = report::exit_status(ending);
  const fs::path& directory = surroundings.results_directory;
  const report::Provenance provenance{session.global.arguments, surroundings.loader.loaded()};
  std::vector<report::FailedReport> failed_reports;
  auto written = report::write_summary(directory, session.configuration, ending, provenance);
  if (written && !ending.has_stuck_call) {
    auto failed = write_reports(session, surroundings, ending, provenance, journal);
    if (failed) {
      failed_reports = std::move(*failed);
    } else {
      written = tl::make_unexpected(failed.error());
    }
  }
  if (!written) status = std::max(status, fail(written.error()));
  if (auto kept = journal.append("scenario_ended", {{"exit_status", status}}); !kept)
    log::error("{}", kept.error().message);
  log::info("All test scenario results stored at: {}", directory.string());
  if (!print_table(ending, failed_reports, directory, rerun_command(session.global, session.options))) {
    log::error("The result table could not be written to stdout: {}.", std::generic_category().message(errno));
    std::clearerr(stdout);
    status = std::max<int>(status, trouble);
  }
  log::info("For details see {}", (directory / "debug.log").string());
  return status;
}

run::FailurePolicy failure_policy(const Session& session) {
  if (!session.configuration.scenario.job_status_check) return run::FailurePolicy::ignore;
  return session.options.keep_going ? run::FailurePolicy::keep_going : run::FailurePolicy::stop;
}

std::vector<pipeline::Job> jobs_of(const Session& session, const std::vector<pipeline::Run>& runs) {
  if (session.options.single_sbatch) return {run::shared_job(runs, failure_policy(session))};
  std::vector<pipeline::Job> jobs;
  for (const pipeline::Run& run : runs) jobs.push_back(pipeline::job_of(run));
  return jobs;
}

int execute(const Session& session, const run::Surroundings& surroundings, const std::vector<pipeline::Run>& runs) {
  auto journal = run::Journal::create(surroundings.results_directory / "journal.jsonl");
  if (!journal) return fail(journal.error());
  const auto& scenario = session.configuration.scenario;
  if (auto kept = (*journal)->append_durably("scenario_started", {{"scenario", scenario.name}, {"runs", runs.size()}});
      !kept) {
    return fail(kept.error());
  }
  run::RunPolicy policy;
  policy.on_failure = failure_policy(session);
  policy.is_one_job = session.options.single_sbatch;
  policy.max_parallel = session.options.max_parallel ? session.options.max_parallel
                        : scenario.max_parallel      ? scenario.max_parallel
                                                     : session.configuration.system.max_parallel;
  // Shared: a module call that is stuck may still append to the journal later on.
  const auto progress = std::make_shared<LiveProgress>(runs);
  (*journal)->tell([progress](std::string_view event, const Json& fields) { progress->heed(event, fields); });
  const auto scheduler = session.catalogue.find(module::scheduler_interface, session.configuration.system.scheduler);
  policy.can_end_main = scheduler && config::can_end_main(*scheduler->provided);
  if (session.stages != nullptr) {
    session.stages->tell([&journal = **journal](std::string_view event, const Json& fields) {
      return journal.append_durably(event, fields);
    });
  }
  const run::Ending ending = run::run_scenario(surroundings, runs, policy, session.host, **journal);
  progress->end();
  leave_on_signals();  // what is left to do needs no better end
  const int status = finish_run(session, surroundings, ending, **journal);
  if (ending.has_stuck_call) leave_at_once(status);
  return status;
}

int with_results_directory(const Session& session, module::Loader& loader, module::Scheduler& scheduler) {
  const config::Configuration& configuration = session.configuration;
  auto directory =
      run::make_results_directory(configuration.system.output_path, configuration.scenario.name, Clock::now());
  if (!directory) return fail(directory.error());
  if (auto opened = log::open_file(*directory / "debug.log"); !opened) return fail(opened.error());
  if (auto written = report::write_inputs(*directory, configuration); !written) return fail(written.error());
  run::Surroundings surroundings{configuration, *directory, loader, scheduler, {}};
  log::info("Checking if workloads components are installed.");
  auto checked = run::check_installation(surroundings, session.options.dry_run);
  if (!checked) return fail(checked.error());
  surroundings.crashed_tests = std::move(*checked);
  log::info("Initializing Runner [{}] mode", session.options.dry_run ? "DRY-RUN" : "RUN");
  log::info("Scenario results will be stored at: {}", directory->string());
  log::info("Starting test scenario execution.");
  log::info("{}", scenario_text(configuration.scenario));
  auto runs = pipeline::expand(configuration.scenario);
  if (session.options.single_sbatch) runs = pipeline::in_order_of_dependencies(runs);
  return session.options.dry_run ? dry_run(surroundings, jobs_of(session, runs)) : execute(session, surroundings, runs);
}

}  // namespace

int run(const GlobalOptions& global, const RunOptions& options) {
  const auto found = open_catalogue(global);
  if (!found) return trouble;
  const module::Catalogue& catalogue = *found;
  auto configuration = load(options, catalogue);
  if (!configuration) return usage;
  if (auto filtered = filter_cases(configuration->scenario, options.filter); !filtered) return fail(filtered.error());
  if (options.single_sbatch && !can_be_one_job(*configuration, catalogue)) return usage;
  log::info("System Name: {}", configuration->system.name);
  log::info("Scheduler: {}", configuration->system.scheduler);
  log::info("Test Scenario Name: {}", configuration->scenario.name);
  module::Host host;
  module::Loader loader(catalogue, host, module_isolation(global, configuration->system.isolation));
  const auto opened = open_scheduler(loader, catalogue, configuration->system, options.dry_run);
  if (!opened) return fail(opened.error());
  return with_results_directory({global, options, catalogue, *configuration, host, opened->stages.get()}, loader,
                                *opened->scheduler);
}

}  // namespace cloudai::app
