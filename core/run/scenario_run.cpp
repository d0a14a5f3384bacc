#include "core/run/scenario_run.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <csignal>
#include <cstdlib>

#include "core/run/file_watch.hpp"
#include "core/support/log.hpp"

namespace cloudai::run {

namespace asio = boost::asio;
using std::chrono::seconds;
using SteadyTime = std::chrono::steady_clock::time_point;

namespace {

// A job the scheduler cannot place for this long has ended; collect finds out how.
constexpr seconds unknown_patience{60};
// A scheduler that answers no query for this long is given up, and with it the jobs it runs.
constexpr seconds query_patience{600};
// After a signal: when running module calls are told to stop, and when nothing is waited for any longer.
constexpr seconds call_patience_after_signal{4};
constexpr seconds patience_after_signal{9};
// The same when a failed test stopped the scenario: nobody waits at the terminal, and a cluster takes its time to end
// jobs.
constexpr seconds patience_after_failure{120};

// A run between take_ready and finish.
struct Active {
  PreparedJob job;
  SubmittedJob submitted;  // empty id: not submitted yet
  bool cancelled = false;
  bool collecting = false;
  std::optional<SteadyTime> unknown_since;
};

// The event loop. Every member function runs on the loop unless its name says otherwise; module calls are posted to the
// scheduler's strand (one call at a time on an instance) or, for evaluations, to the pool, and their results are posted
// back.
class ScenarioRun {
 public:
  ScenarioRun(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs, const RunPolicy& policy,
              module::Host& host, Journal& journal);
  Ending execute();

 private:
  void start_ready();
  void begin(std::size_t run);
  void prepared(std::size_t run, const Result<std::variant<PreparedJob, Wait>>& result);
  void submit_prepared(std::size_t run);
  void submitted(std::size_t run, const Result<SubmittedJob>& result);
  void arm_poll_timer();
  void poll();
  void polled(const Result<Json>& states);
  void heed_state(std::size_t run, const std::string& state);
  void begin_collect(std::size_t run);
  void evaluate_collected(std::size_t run, const Result<Json>& job_result);
  void evaluated(std::size_t run, const Result<Evidence>& evidence);
  void end_with_error(std::size_t run, std::string code, const Error& error);
  void finish(std::size_t run);
  void say_end(std::size_t run);
  void skip(const std::vector<Progression::Skipped>& skipped);
  void terminate_all(const std::string& why);
  void cancel(const std::vector<std::size_t>& runs);
  void wait_for_signal();
  void signalled(int number);
  [[noreturn]] void leave_at_once(int number);
  void give_up_after(seconds patience);
  void give_up_waiting();
  void note(std::string_view event, const Json& fields);
  void leave_if_done();
  std::optional<std::size_t> run_of_job(const std::string& id) const;
  template <class Call, class Then>
  void on_strand(const char* counted_as, Call call, Then then);

  const Surroundings& s_;
  const std::vector<pipeline::Run>& runs_;
  module::Host& host_;
  Journal& journal_;
  Progression progression_;
  Ending ending_;
  std::map<std::size_t, Active> active_;
  std::vector<std::string> taken_nodes_;
  std::string cancel_reason_;  // not empty: everything that ends now was cancelled for this reason
  bool terminating_ = false;
  bool polling_ = false;
  bool poll_again_ = false;
  std::optional<SteadyTime> queries_fail_since_;

  asio::io_context loop_{1};
  asio::thread_pool workers_{3};
  asio::strand<asio::thread_pool::executor_type> scheduler_strand_{asio::make_strand(workers_)};
  asio::signal_set signals_{loop_, SIGINT, SIGTERM, SIGHUP};
  asio::steady_timer poll_timer_{loop_};
  asio::steady_timer call_limit_{loop_};
  asio::steady_timer shutdown_limit_{loop_};
  FileWatch watch_{loop_, [this] { poll(); }};
  asio::executor_work_guard<asio::io_context::executor_type> keep_running_{loop_.get_executor()};
};

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

ScenarioRun::ScenarioRun(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs,
                         const RunPolicy& policy, module::Host& host, Journal& journal)
    : s_(surroundings),
      runs_(runs),
      host_(host),
      journal_(journal),
      progression_(runs, policy.on_failure, policy.max_parallel) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ending_.records.push_back(new_record(runs[i]));
  }
}

Ending ScenarioRun::execute() {
  ending_.started = Clock::now();
  wait_for_signal();
  asio::post(loop_, [this] {
    start_ready();
    leave_if_done();
  });
  loop_.run();
  if (!ending_.has_stuck_call) workers_.join();
  ending_.ended = Clock::now();
  return std::move(ending_);
}

// Runs `call` on the scheduler's strand and `then` with its result on the loop.
template <class Call, class Then>
void ScenarioRun::on_strand(const char* counted_as, Call call, Then then) {
  ++ending_.scheduler_calls[counted_as];
  asio::post(scheduler_strand_, [this, call = std::move(call), then = std::move(then)]() mutable {
    auto result = call();
    asio::post(loop_, [result = std::move(result), then = std::move(then)]() mutable { then(std::move(result)); });
  });
}

void ScenarioRun::start_ready() {
  for (const std::size_t run : progression_.take_ready()) begin(run);
}

void ScenarioRun::begin(std::size_t run) {
  const pipeline::Run& spec = runs_[run];
  RunRecord& record = ending_.records[run];
  if (!record.started) {
    log::info("Starting test: {} (results at: {})", spec.test_case->id, (s_.results_directory / spec.id).string());
  }
  record.status = Status::submitting;
  record.started = Clock::now();
  active_[run] = {};
  on_strand(
      "allocate", [this, &spec, taken = taken_nodes_] { return prepare(s_, spec, taken); },
      [this, run](auto result) { prepared(run, result); });
}

void ScenarioRun::prepared(std::size_t run, const Result<std::variant<PreparedJob, Wait>>& result) {
  if (!result) return end_with_error(run, "submission_failed", result.error());
  if (!cancel_reason_.empty()) {
    ending_.records[run].status = Status::skipped;
    ending_.records[run].reason = {"cancelled", cancel_reason_, "", Json::array()};
    ending_.records[run].started.reset();
    return finish(run);
  }
  if (const Wait* wait = std::get_if<Wait>(&*result)) {
    log::debug("test {} waits: {}", runs_[run].test_case->id, wait->reason);
    ending_.records[run].status = Status::waiting;
    active_.erase(run);
    progression_.put_back(run);
    return arm_poll_timer();
  }
  active_[run].job = std::get<PreparedJob>(*result);
  const auto& nodes = active_[run].job.nodes;
  taken_nodes_.insert(taken_nodes_.end(), nodes.begin(), nodes.end());
  submit_prepared(run);
}

void ScenarioRun::submit_prepared(std::size_t run) {
  log::info("Running test: {}", runs_[run].test_case->id);
  log::info("Executing command for test {}: {}", runs_[run].test_case->id, active_[run].job.main_command);
  on_strand(
      "submit", [this, run, job = active_[run].job] { return submit(s_, runs_[run], job, journal_); },
      [this, run](auto result) { submitted(run, result); });
}

void ScenarioRun::submitted(std::size_t run, const Result<SubmittedJob>& result) {
  if (!result) return end_with_error(run, "submission_failed", result.error());
  Active& active = active_[run];
  active.submitted = *result;
  ending_.records[run].job = result->id;
  ending_.records[run].status = Status::pending;
  log::debug("test {}: job {}", runs_[run].id, result->id);
  if (!cancel_reason_.empty()) return cancel({run});
  for (const auto& file : active.submitted.watch) watch_.add(file);
  arm_poll_timer();
}

void ScenarioRun::arm_poll_timer() {
  if (poll_timer_.expiry() > std::chrono::steady_clock::now()) return;
  poll_timer_.expires_after(s_.configuration.system.monitor_interval);
  poll_timer_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    start_ready();  // what waited for nodes tries again
    poll();
    if (!active_.empty()) arm_poll_timer();
  });
}

void ScenarioRun::poll() {
  if (polling_) {
    poll_again_ = true;
    return;
  }
  std::vector<std::string> ids;
  for (const auto& [run, active] : active_) {
    if (!active.submitted.id.empty() && !active.collecting) ids.push_back(active.submitted.id);
  }
  if (ids.empty()) return;
  polling_ = true;
  on_strand(
      "poll", [this, ids = std::move(ids)] { return s_.scheduler.poll(ids); },
      [this](auto states) {
        polling_ = false;
        polled(states);
        if (std::exchange(poll_again_, false)) poll();
      });
}

std::optional<std::size_t> ScenarioRun::run_of_job(const std::string& id) const {
  for (const auto& [run, active] : active_) {
    if (active.submitted.id == id) return run;
  }
  return std::nullopt;
}

void ScenarioRun::polled(const Result<Json>& states) {
  const auto now = std::chrono::steady_clock::now();
  if (!states) {
    // A query that fails says nothing of the jobs.
    if (!queries_fail_since_) {
      queries_fail_since_ = now;
      log::warn("{} Trying again.", states.error().message);
    } else if (now - *queries_fail_since_ > query_patience) {
      std::vector<std::size_t> lost;
      for (const auto& [run, active] : active_) {
        if (!active.submitted.id.empty() && !active.collecting) lost.push_back(run);
      }
      for (const std::size_t run : lost) end_with_error(run, "scheduler_failed", states.error());
    }
    return;
  }
  queries_fail_since_.reset();
  const auto jobs = states->find("jobs");
  if (jobs == states->end() || !jobs->is_array()) return;
  for (const Json& job : *jobs) {
    if (!job.is_object()) continue;
    const auto run = run_of_job(job.value("id", Json()).is_string() ? job["id"].get<std::string>() : "");
    const Json state = job.value("state", Json());
    if (run && state.is_string()) heed_state(*run, state.get<std::string>());
  }
}

void ScenarioRun::heed_state(std::size_t run, const std::string& state) {
  Active& active = active_[run];
  RunRecord& record = ending_.records[run];
  if (state == "ended") return begin_collect(run);
  if (state == "running" && record.status == Status::pending) {
    record.status = Status::running;
    note("running", {{"run", runs_[run].id}});
  }
  if (state == "running" || state == "pending") {
    active.unknown_since.reset();
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!active.unknown_since) active.unknown_since = now;
  if (now - *active.unknown_since > unknown_patience) {
    log::warn("test {}: the scheduler has not known job {} for {} s.", runs_[run].test_case->id, active.submitted.id,
              unknown_patience.count());
    begin_collect(run);
  }
}

void ScenarioRun::begin_collect(std::size_t run) {
  Active& active = active_[run];
  if (std::exchange(active.collecting, true)) return;
  ending_.records[run].status = Status::collecting;
  for (const auto& file : active.submitted.watch) watch_.remove(file);
  note("ended", {{"run", runs_[run].id}});
  on_strand(
      "collect", [this, id = active.submitted.id] { return s_.scheduler.collect(id); },
      [this, run](auto job_result) { evaluate_collected(run, job_result); });
}

void ScenarioRun::evaluate_collected(std::size_t run, const Result<Json>& job_result) {
  if (!job_result) return end_with_error(run, "scheduler_failed", job_result.error());
  asio::post(workers_, [this, run, job = active_[run].job, result = *job_result, cancelled = active_[run].cancelled] {
    auto evidence = evaluate(s_, runs_[run], job, result, cancelled);
    asio::post(loop_, [this, run, evidence = std::move(evidence)] { evaluated(run, evidence); });
  });
}

void ScenarioRun::evaluated(std::size_t run, const Result<Evidence>& evidence) {
  if (!evidence) return end_with_error(run, "io_error", evidence.error());
  RunRecord& record = ending_.records[run];
  judge(record, *evidence);
  record.has_outcome = true;
  if (record.status == Status::cancelled) record.reason = {"cancelled", cancel_reason_, "", Json::array()};
  finish(run);
}

void ScenarioRun::end_with_error(std::size_t run, std::string code, const Error& error) {
  RunRecord& record = ending_.records[run];
  record.status = Status::error;
  record.reason = {std::move(code), error.message, error.hint, Json::array()};
  finish(run);
}

void ScenarioRun::say_end(std::size_t run) {
  const RunRecord& record = ending_.records[run];
  const pipeline::Run& spec = runs_[run];
  if (record.status == Status::passed) {
    log::info("Job completed: {} (iteration {} of {})", spec.test_case->id, spec.iteration + 1,
              std::max(1, spec.test_case->iterations));
  } else if (record.status == Status::cancelled || record.status == Status::skipped) {
    log::info("Job {} for test {} was cancelled.", record.job, spec.test_case->id);
  } else {
    log::error("Job {} for test {} failed: {}", record.job.empty() ? "(not submitted)" : record.job, spec.test_case->id,
               record.reason.text);
  }
}

void ScenarioRun::finish(std::size_t run) {
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
  for (const std::string& node : active_[run].job.nodes) {
    const auto taken = std::find(taken_nodes_.begin(), taken_nodes_.end(), node);
    if (taken != taken_nodes_.end()) taken_nodes_.erase(taken);
  }
  active_.erase(run);
  const bool was_stopped = progression_.is_stopped();
  skip(progression_.finish(run, record.status));
  if (progression_.is_stopped() && !was_stopped)
    terminate_all("cancelled because test " + runs_[run].test_case->id + " did not pass");
  start_ready();
  leave_if_done();
}

void ScenarioRun::skip(const std::vector<Progression::Skipped>& skipped) {
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

void ScenarioRun::terminate_all(const std::string& why) {
  cancel_reason_ = why;
  terminating_ = true;
  log::info("Terminating all jobs...");
  give_up_after(ending_.signal ? patience_after_signal : patience_after_failure);
  std::vector<std::size_t> submitted_runs;
  for (const auto& [run, active] : active_) {
    if (!active.submitted.id.empty() && !active.collecting) submitted_runs.push_back(run);
  }
  if (!submitted_runs.empty()) cancel(submitted_runs);
}

void ScenarioRun::cancel(const std::vector<std::size_t>& runs) {
  std::vector<std::string> ids;
  for (const std::size_t run : runs) {
    Active& active = active_[run];
    active.cancelled = true;
    ids.push_back(active.submitted.id);
    log::info("Terminating job {} for test {}", active.submitted.id, runs_[run].test_case->id);
    if (auto kept = journal_.append_durably("cancelling", {{"run", runs_[run].id}, {"job", active.submitted.id}});
        !kept) {
      log::error("{}", kept.error().message);
    }
  }
  on_strand(
      "cancel", [this, ids = std::move(ids)] { return s_.scheduler.cancel(ids); },
      [this](const Result<Json>& reply) {
        if (!reply) log::error("The jobs could not be cancelled: {}", reply.error().message);
        if (reply && reply->contains("not_cancelled")) {
          for (const Json& job : reply->at("not_cancelled")) log::error("A job could not be cancelled: {}", job.dump());
        }
        arm_poll_timer();
        poll();
      });
}

void ScenarioRun::wait_for_signal() {
  signals_.async_wait([this](boost::system::error_code error, int number) {
    if (!error) signalled(number);
  });
}

void ScenarioRun::leave_at_once(int number) {
  for (const auto& [run, active] : active_) {
    log::error("Leaving at once: job {} for test {} may still be running.",
               active.submitted.id.empty() ? "(being submitted)" : active.submitted.id, runs_[run].test_case->id);
  }
  log::finish();
  std::_Exit(128 + number);
}

void ScenarioRun::signalled(int number) {
  if (ending_.signal) leave_at_once(number);
  ending_.signal = number;
  log::info("Signal {} received, shutting down...", number);
  note("signal", {{"signal", number}});
  const std::string why = "stopped by signal " + std::to_string(number);
  skip(progression_.stop({"cancelled", why, "", Json::array()}));
  terminate_all(why);
  call_limit_.expires_after(call_patience_after_signal);
  call_limit_.async_wait([this](boost::system::error_code error) {
    if (!error) host_.cancel();
  });
  wait_for_signal();
  leave_if_done();
}

void ScenarioRun::give_up_after(seconds patience) {
  shutdown_limit_.expires_after(patience);
  shutdown_limit_.async_wait([this](boost::system::error_code error) {
    if (!error) give_up_waiting();
  });
}

void ScenarioRun::give_up_waiting() {
  ending_.has_stuck_call = true;
  for (auto& [run, active] : active_) {
    RunRecord& record = ending_.records[run];
    log::error("Job {} for test {} could not be confirmed as ended; look for it yourself.",
               active.submitted.id.empty() ? "(unknown)" : active.submitted.id, runs_[run].test_case->id);
    record.status = Status::cancelled;
    record.reason = {"cancelled", cancel_reason_ + "; the end of the job was not confirmed", "", Json::array()};
    record.ended = Clock::now();
    for (StageRecord& stage : record.stages) {
      if (!is_final(stage.status)) stage.status = Status::cancelled;
      if (stage.status == Status::cancelled) stage.reason = record.reason;
    }
    note("finished", {{"run", runs_[run].id}, {"status", "cancelled"}, {"reason", "cancelled"}});
  }
  loop_.stop();
}

void ScenarioRun::note(std::string_view event, const Json& fields) {
  if (auto kept = journal_.append(event, fields); !kept) log::error("{}", kept.error().message);
}

void ScenarioRun::leave_if_done() {
  if (!progression_.is_done()) return;
  if (std::exchange(terminating_, false)) log::info("All jobs have been killed.");
  loop_.stop();
}

}  // namespace

Ending run_scenario(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs, const RunPolicy& policy,
                    module::Host& host, Journal& journal) {
  auto scenario_run = std::make_unique<ScenarioRun>(surroundings, runs, policy, host, journal);
  Ending ending = scenario_run->execute();
  // Its threads would be waited for; one of them does not come back.
  if (ending.has_stuck_call) (void)scenario_run.release();
  return ending;
}

}  // namespace cloudai::run
