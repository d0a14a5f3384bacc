#include "core/run/scenario_loop.hpp"

#include <algorithm>
#include <thread>

#include "core/run/shared_job.hpp"
#include "core/support/log.hpp"

namespace cloudai::run {

namespace {

RunRecord new_record(const pipeline::Run& run) {
  RunRecord record;
  record.run = &run;
  for (const pipeline::Stage& stage : run.stages) {
    StageRecord stage_record;
    stage_record.kind = stage.kind;
    stage_record.name = stage.name;
    stage_record.directory = (std::filesystem::path(run.id) / stage.directory).lexically_normal().generic_string();
    if (stage_record.directory.ends_with('/')) stage_record.directory.pop_back();
    stage_record.time_limit = stage.time_limit;
    record.stages.push_back(std::move(stage_record));
  }
  return record;
}

Reason ended_unstarted(const std::string& predecessor) {
  return {"dependency_ended", "test " + predecessor + ", with which it ends, had ended before it started", "",
          Json::array()};
}

// What follows from a failure within a shared job is decided there: to what starts jobs it is one run.
Progression progression_of(const std::vector<pipeline::Run>& runs, const RunPolicy& policy) {
  if (policy.is_one_job) return {{runs.front()}, FailurePolicy::ignore, policy.max_parallel};
  return {runs, policy.on_failure, policy.max_parallel};
}

}  // namespace

ScenarioLoop::ScenarioLoop(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs,
                           const RunPolicy& policy, module::Host& host, Journal& journal)
    : s_(surroundings),
      runs_(runs),
      policy_(policy),
      host_(host),
      journal_(journal),
      progression_(progression_of(runs, policy)),
      poll_interval_(surroundings.configuration.system.monitor_interval) {
  for (const pipeline::Run& run : runs) ending_.records.push_back(new_record(run));
}

Ending ScenarioLoop::execute() {
  ending_.started = Clock::now();
  heed_signals();
  boost::asio::post(loop_, [this] {
    start_ready();
    leave_if_done();
  });
  loop_.run();
  if (!ending_.has_stuck_call) workers_.join();
  // What is left of the first wish is not to end the reports.
  if (ending_.signal) std::this_thread::sleep_until(signalled_ + one_wish);
  ending_.ended = Clock::now();
  ending_.scheduler_commands = host_.command_counts();
  return std::move(ending_);
}

void ScenarioLoop::start_ready() {
  for (const std::size_t run : progression_.take_ready()) begin(run);
}

void ScenarioLoop::begin(std::size_t run) {
  if (!ending_.records[run].started) {
    log::info("Starting {} (results at: {})",
              policy_.is_one_job ? name_of_job(run) : "test: " + runs_[run].test_case->id,
              job_of(run).directory_in(s_.results_directory).string());
  }
  for (RunRecord& record : records_of(run)) {
    record.status = Status::submitting;
    record.started = Clock::now();
  }
  active_[run] = {};
  call_scheduler(
      "allocate", [this, run] { return prepare_on_worker(run); },
      [this, run](auto result) { prepared(run, std::move(result)); });
}

Result<std::variant<PreparedJob, Wait>> ScenarioLoop::prepare_on_worker(std::size_t run) {
  if (starts_nothing_) return Wait{};
  std::vector<std::string> taken;
  {
    const std::lock_guard lock(taken_nodes_mutex_);
    taken = taken_nodes_;
  }
  auto result = prepare(s_, job_of(run), taken);
  if (result && std::holds_alternative<PreparedJob>(*result)) {
    const std::lock_guard lock(taken_nodes_mutex_);
    const auto& nodes = std::get<PreparedJob>(*result).nodes;
    taken_nodes_.insert(taken_nodes_.end(), nodes.begin(), nodes.end());
  }
  return result;
}

void ScenarioLoop::prepared(std::size_t run, Result<std::variant<PreparedJob, Wait>> result) {
  if (!result) return end_with_error(run, "submission_failed", result.error());
  if (auto* job = std::get_if<PreparedJob>(&*result)) {
    active_[run].job = std::make_shared<const PreparedJob>(std::move(*job));
  }
  if (!cancel_reason_.empty()) return end_unstarted(run, {"cancelled", cancel_reason_, "", Json::array()});
  if (const std::string& predecessor = ending_.records[run].ended_by; !predecessor.empty()) {
    return end_unstarted(run, ended_unstarted(predecessor));
  }
  if (const Wait* wait = std::get_if<Wait>(&*result)) {
    log::debug("{} waits: {}", name_of_job(run), wait->reason);
    for (RunRecord& record : records_of(run)) record.status = Status::waiting;
    active_.erase(run);
    progression_.put_back(run);
    return arm_poll_timer();
  }
  if (!policy_.is_one_job) log::info("Running test: {}", runs_[run].test_case->id);
  log::info("Executing command for {}: {}", name_of_job(run), active_[run].job->command);
  submit_prepared(run, false);
}

void ScenarioLoop::submit_prepared(std::size_t run, bool is_repeated) {
  active_[run].awaits_submission = false;
  call_scheduler(
      "submit",
      [this, is_repeated, job = active_[run].job]() -> std::optional<Submission> {
        // One that was asked for before may have become a job.
        if (starts_nothing_ && !is_repeated) return std::nullopt;
        return submit(s_, *job, is_repeated, journal_);
      },
      [this, run](const std::optional<Submission>& result) {
        if (!result) return end_unstarted(run, {"cancelled", cancel_reason_, "", Json::array()});
        submitted(run, *result);
      });
}

void ScenarioLoop::submitted(std::size_t run, const Submission& result) {
  if (!result) return end_with_error(run, "submission_failed", result.error());
  Active& active = active_[run];
  if (const Wait* wait = std::get_if<Wait>(&*result)) {
    log::debug("{} is not submitted yet: {}", name_of_job(run), wait->reason);
    active.awaits_submission = true;
    return cancel_reason_.empty() ? arm_poll_timer() : abandon(run);
  }
  active.submitted = std::get<SubmittedJob>(*result);
  for (RunRecord& record : records_of(run)) {
    record.job = active.submitted.id;
    record.status = Status::pending;
  }
  log::debug("{}: job {}", name_of_job(run), active.submitted.id);
  if (!cancel_reason_.empty()) return cancel({run});
  for (const auto& file : active.submitted.watch) watch_.add(file);
  arm_poll_timer();
  end_main_stages();
}

void ScenarioLoop::submit_again() {
  std::vector<std::size_t> waiting;
  for (const auto& [run, active] : active_) {
    if (active.awaits_submission) waiting.push_back(run);
  }
  for (const std::size_t run : waiting) submit_prepared(run, true);
}

void ScenarioLoop::begin_collect(std::size_t run) {
  Active& active = active_[run];
  if (std::exchange(active.collecting, true)) return;
  for (RunRecord& record : records_of(run)) {
    if (std::exchange(record.status, Status::collecting) != Status::collecting) note_run("ended", record);
  }
  for (const auto& file : active.submitted.watch) watch_.remove(file);
  call_scheduler(
      "collect", [this, id = active.submitted.id] { return s_.scheduler.collect(id); },
      [this, run](const Result<Json>& job_result) { evaluate_collected(run, job_result); });
}

void ScenarioLoop::evaluate_collected(std::size_t run, const Result<Json>& job_result) {
  if (!job_result) return end_with_error(run, "scheduler_failed", job_result.error());
  const bool cancelled = active_[run].cancelled && !cancel_reason_.empty();
  const Interference interference = cancelled                                ? Interference::cancelled
                                    : !ending_.records[run].ended_by.empty() ? Interference::main_ended
                                                                             : Interference::none;
  boost::asio::post(workers_, [this, run, job = active_[run].job, result = *job_result, interference] {
    auto evidence = evaluate(s_, *job, result, interference);
    boost::asio::post(loop_, [this, run, evidence = std::move(evidence)] { evaluated(run, evidence); });
  });
}

void ScenarioLoop::evaluated(std::size_t run, const Result<std::vector<Evidence>>& evidence) {
  if (!evidence) return end_with_error(run, "io_error", evidence.error());
  const Reason cancelled{"cancelled", cancel_reason_, "", Json::array()};
  if (policy_.is_one_job) {
    judge_shared(records_of(run), *evidence, policy_.on_failure, cancelled);
    return finish(run);
  }
  RunRecord& record = ending_.records[run];
  judge(record, evidence->front());
  record.has_outcome = true;
  if (record.status == Status::cancelled) record.reason = cancelled;
  if (record.status == Status::skipped) record.reason = ended_unstarted(record.ended_by);
  if (record.status == Status::passed && !record.partner_ran) {
    record.status = Status::skipped;
    record.reason = {"dependency_failed", "test " + record.ended_by + ", with which it ends, never ran", "",
                     Json::array()};
  }
  finish(run);
}

void ScenarioLoop::end_with_error(std::size_t run, std::string code, const Error& error) {
  end_shared(records_of(run), Status::error,
             {code_of(error, std::move(code)), error.message, error.hint, Json::array()});
  finish(run);
}

void ScenarioLoop::end_unstarted(std::size_t run, const Reason& reason) {
  for (RunRecord& record : records_of(run)) {
    record.status = Status::skipped;
    record.reason = reason;
    record.started.reset();
  }
  finish(run);
}

void ScenarioLoop::say_end(const RunRecord& record) {
  const pipeline::Run& spec = *record.run;
  if (record.status == Status::passed) {
    log::info("Job completed: {} (iteration {} of {})", spec.test_case->id, spec.iteration + 1,
              std::max(1, spec.test_case->iterations));
  } else if (record.status == Status::skipped) {
    log::info("Test {} was skipped: {}", spec.test_case->id, record.reason.text);
  } else if (record.status == Status::cancelled) {
    log::info("Job {} for test {} was cancelled.", record.job, spec.test_case->id);
  } else {
    log::error("Job {} for test {} failed: {}", record.job.empty() ? "(not submitted)" : record.job, spec.test_case->id,
               record.reason.text);
  }
}

void ScenarioLoop::close_record(RunRecord& record) {
  if (record.started && !record.ended) record.ended = Clock::now();
  // Stages of a run that ended in trouble before they were judged.
  for (StageRecord& stage : record.stages) {
    if (is_final(stage.status)) continue;
    stage.status =
        record.status == Status::error && stage.kind == pipeline::StageKind::main ? Status::error : Status::skipped;
    stage.reason = record.reason;
  }
  say_end(record);
  note("finished", {{"run", record.run->id}, {"status", to_string(record.status)}, {"reason", record.reason.code}});
}

void ScenarioLoop::finish(std::size_t run) {
  for (RunRecord& record : records_of(run)) close_record(record);
  release_nodes(run);
  active_.erase(run);
  const bool was_stopped = progression_.is_stopped();
  follow(progression_.finish(run, ending_.records[run].status));
  if (progression_.is_stopped() && !was_stopped)
    terminate_all("cancelled because test " + runs_[run].test_case->id + " did not pass");
  start_ready();
  leave_if_done();
}

void ScenarioLoop::release_nodes(std::size_t run) {
  const auto& job = active_[run].job;
  if (!job) return;
  const std::lock_guard lock(taken_nodes_mutex_);
  for (const std::string& node : job->nodes) {
    const auto taken = std::find(taken_nodes_.begin(), taken_nodes_.end(), node);
    if (taken != taken_nodes_.end()) taken_nodes_.erase(taken);
  }
}

void ScenarioLoop::follow(const Progression::Consequences& next) {
  skip(next.skipped);
  for (const auto& [run, predecessor, predecessor_ran] : next.ended) {
    ending_.records[run].ended_by = predecessor;
    ending_.records[run].partner_ran = predecessor_ran;
    log::info("Ending test {}: test {}, with which it ends, {}.", runs_[run].test_case->id, predecessor,
              predecessor_ran ? "has ended" : "will never run");
  }
  if (!next.ended.empty()) end_main_stages();
}

void ScenarioLoop::skip(const std::vector<Progression::Skipped>& skipped) {
  for (const auto& [run, reason] : skipped) {
    for (RunRecord& record : records_of(run)) {
      skip_run(record, reason);
      note("finished", {{"run", record.run->id}, {"status", "skipped"}, {"reason", reason.code}});
    }
  }
}

void ScenarioLoop::leave_if_done() {
  if (!progression_.is_done()) return;
  if (std::exchange(terminating_, false)) log::info("All jobs have been killed.");
  loop_.stop();
}

std::span<RunRecord> ScenarioLoop::records_of(std::size_t run) {
  return std::span(ending_.records).subspan(run, policy_.is_one_job ? std::dynamic_extent : 1);
}

pipeline::Job ScenarioLoop::job_of(std::size_t run) const {
  return policy_.is_one_job ? shared_job(runs_, policy_.on_failure) : pipeline::job_of(runs_[run]);
}

std::string ScenarioLoop::name_of_job(std::size_t run) const {
  return name_of(job_of(run));
}

void ScenarioLoop::note_run(std::string_view event, const RunRecord& record) {
  note(event, {{"run", record.run->id}});
}

void ScenarioLoop::note(std::string_view event, const Json& fields) {
  if (auto kept = journal_.append(event, fields); !kept) log::error("{}", kept.error().message);
}

void ScenarioLoop::note_durably(std::string_view event, const Json& fields) {
  if (auto kept = journal_.append_durably(event, fields); !kept) log::error("{}", kept.error().message);
}

std::vector<std::string> ScenarioLoop::jobs_of(const std::vector<std::size_t>& runs) const {
  std::vector<std::string> ids;
  for (const std::size_t run : runs) ids.push_back(active_.at(run).submitted.id);
  return ids;
}

}  // namespace cloudai::run
