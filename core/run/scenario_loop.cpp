#include "core/run/scenario_loop.hpp"

#include <algorithm>
#include <thread>

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

}  // namespace

ScenarioLoop::ScenarioLoop(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs,
                           const RunPolicy& policy, module::Host& host, Journal& journal)
    : s_(surroundings),
      runs_(runs),
      can_end_main_(policy.can_end_main),
      host_(host),
      journal_(journal),
      progression_(runs, policy.on_failure, policy.max_parallel),
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
  const pipeline::Run& spec = runs_[run];
  RunRecord& record = ending_.records[run];
  if (!record.started) {
    log::info("Starting test: {} (results at: {})", spec.test_case->id, (s_.results_directory / spec.id).string());
  }
  record.status = Status::submitting;
  record.started = Clock::now();
  active_[run] = {};
  on_strand(
      "allocate", [this, &spec] { return prepare_on_strand(spec); },
      [this, run](auto result) { prepared(run, std::move(result)); });
}

Result<std::variant<PreparedJob, Wait>> ScenarioLoop::prepare_on_strand(const pipeline::Run& run) {
  std::vector<std::string> taken;
  {
    const std::lock_guard lock(taken_nodes_mutex_);
    taken = taken_nodes_;
  }
  auto result = prepare(s_, run, taken);
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
    log::debug("test {} waits: {}", runs_[run].test_case->id, wait->reason);
    ending_.records[run].status = Status::waiting;
    active_.erase(run);
    progression_.put_back(run);
    return arm_poll_timer();
  }
  const config::Case& test_case = *runs_[run].test_case;
  log::info("Running test: {}", test_case.id);
  log::info("Executing command for test {}: {}", test_case.id, active_[run].job->main_command);
  submit_prepared(run, false);
}

void ScenarioLoop::submit_prepared(std::size_t run, bool is_repeated) {
  active_[run].awaits_submission = false;
  on_strand(
      "submit",
      [this, run, is_repeated, job = active_[run].job] { return submit(s_, runs_[run], *job, is_repeated, journal_); },
      [this, run](auto result) { submitted(run, result); });
}

void ScenarioLoop::submitted(std::size_t run, const Result<std::variant<SubmittedJob, Wait>>& result) {
  if (!result) return end_with_error(run, "submission_failed", result.error());
  Active& active = active_[run];
  if (const Wait* wait = std::get_if<Wait>(&*result)) {
    log::debug("test {} is not submitted yet: {}", runs_[run].test_case->id, wait->reason);
    active.awaits_submission = true;
    return cancel_reason_.empty() ? arm_poll_timer() : abandon(run);
  }
  active.submitted = std::get<SubmittedJob>(*result);
  ending_.records[run].job = active.submitted.id;
  ending_.records[run].status = Status::pending;
  log::debug("test {}: job {}", runs_[run].id, active.submitted.id);
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
  ending_.records[run].status = Status::collecting;
  for (const auto& file : active.submitted.watch) watch_.remove(file);
  note("ended", {{"run", runs_[run].id}});
  on_strand(
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
    auto evidence = evaluate(s_, runs_[run], *job, result, interference);
    boost::asio::post(loop_, [this, run, evidence = std::move(evidence)] { evaluated(run, evidence); });
  });
}

void ScenarioLoop::evaluated(std::size_t run, const Result<Evidence>& evidence) {
  if (!evidence) return end_with_error(run, "io_error", evidence.error());
  RunRecord& record = ending_.records[run];
  judge(record, *evidence);
  record.has_outcome = true;
  if (record.status == Status::cancelled) record.reason = {"cancelled", cancel_reason_, "", Json::array()};
  if (record.status == Status::skipped) record.reason = ended_unstarted(record.ended_by);
  if (record.status == Status::passed && !record.partner_ran) {
    record.status = Status::skipped;
    record.reason = {"dependency_failed", "test " + record.ended_by + ", with which it ends, never ran", "",
                     Json::array()};
  }
  finish(run);
}

void ScenarioLoop::end_with_error(std::size_t run, std::string code, const Error& error) {
  RunRecord& record = ending_.records[run];
  record.status = Status::error;
  record.reason = {std::move(code), error.message, error.hint, Json::array()};
  finish(run);
}

void ScenarioLoop::end_unstarted(std::size_t run, Reason reason) {
  RunRecord& record = ending_.records[run];
  record.status = Status::skipped;
  record.reason = std::move(reason);
  record.started.reset();
  finish(run);
}

void ScenarioLoop::say_end(std::size_t run) {
  const RunRecord& record = ending_.records[run];
  const pipeline::Run& spec = runs_[run];
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

void ScenarioLoop::finish(std::size_t run) {
  RunRecord& record = ending_.records[run];
  if (record.started) record.ended = Clock::now();
  // Stages of a run that ended in trouble before they were judged.
  for (StageRecord& stage : record.stages) {
    if (is_final(stage.status)) continue;
    stage.status =
        record.status == Status::error && stage.kind == pipeline::StageKind::main ? Status::error : Status::skipped;
    stage.reason = record.reason;
  }
  say_end(run);
  note("finished", {{"run", runs_[run].id}, {"status", to_string(record.status)}, {"reason", record.reason.code}});
  release_nodes(run);
  active_.erase(run);
  const bool was_stopped = progression_.is_stopped();
  follow(progression_.finish(run, record.status));
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
    RunRecord& record = ending_.records[run];
    record.status = Status::skipped;
    record.reason = reason;
    for (StageRecord& stage : record.stages) {
      stage.status = Status::skipped;
      stage.reason = reason;
    }
    note("finished", {{"run", runs_[run].id}, {"status", "skipped"}, {"reason", reason.code}});
  }
}

void ScenarioLoop::leave_if_done() {
  if (!progression_.is_done()) return;
  if (std::exchange(terminating_, false)) log::info("All jobs have been killed.");
  loop_.stop();
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
