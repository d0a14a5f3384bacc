// Ending jobs before their time: those that end with another test, and all of them after a failure or a signal.

#include <csignal>
#include <cstdlib>

#include "core/run/scenario_loop.hpp"
#include "core/support/log.hpp"

namespace cloudai::run {

using std::chrono::seconds;

namespace {

// After a signal: when running module calls are told to stop, and when nothing is waited for any longer.
constexpr seconds call_patience_after_signal{4};
constexpr seconds patience_after_signal{9};
// The same when a failed test stopped the scenario: nobody waits at the terminal, and a cluster takes its time to end
// jobs.
constexpr seconds patience_after_failure{120};

// As nohup leaves SIGHUP.
bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

// Asks for the end of the main stage of every job that must end and has not been asked for. Where the scheduler can
// only end a job whole, that waits for the main stage: a prologue is not to be cut off, and there is no epilogue.
void ScenarioLoop::end_main_stages() {
  std::vector<std::size_t> runs;
  for (auto& [run, active] : active_) {
    const bool must_end = !ending_.records[run].ended_by.empty() && !active.cancelled;
    if (!must_end || !active.is_watched() || active.asked_to_end) continue;
    const bool has_prologue = runs_[run].stages.front().kind == pipeline::StageKind::prologue;
    if (!policy_.can_end_main && has_prologue && !active.main_seen) continue;
    active.asked_to_end = true;
    runs.push_back(run);
    note_durably(
        "ending",
        {{"run", runs_[run].id}, {"job", active.submitted.id}, {"predecessor", ending_.records[run].ended_by}});
  }
  if (runs.empty()) return;
  call_scheduler(
      policy_.can_end_main ? "end_main" : "cancel",
      [this, ids = jobs_of(runs)] {
        return policy_.can_end_main ? s_.scheduler.end_main(ids) : s_.scheduler.cancel(ids);
      },
      [this, runs](const Result<Json>& reply) { asked_to_end(runs, reply); });
}

void ScenarioLoop::asked_to_end(const std::vector<std::size_t>& runs, const Result<Json>& reply) {
  arm_poll_timer();
  if (!reply) {
    // Such a job may never end by itself: the next poll asks again.
    log::warn("{} Trying again.", reply.error().message);
    for (const std::size_t run : runs) {
      if (const auto active = active_.find(run); active != active_.end()) active->second.asked_to_end = false;
    }
    return;
  }
  std::vector<std::size_t> remaining;
  for (const Json& job : reply->at("not_cancelled")) {
    const auto id = job.is_object() ? job.find("id") : job.end();
    const auto run = id != job.end() && id->is_string() ? run_of_job(id->get<std::string>()) : std::nullopt;
    if (!run || !active_[*run].is_watched()) continue;
    log::error("The main stage of test {} could not be ended, so its whole job is: {}", runs_[*run].test_case->id,
               job.value("message", Json("")).dump());
    remaining.push_back(*run);
  }
  if (!remaining.empty()) cancel(remaining);
  poll();
}

void ScenarioLoop::terminate_all(const std::string& why) {
  cancel_reason_ = why;
  starts_nothing_ = true;
  terminating_ = true;
  log::info("Terminating all jobs...");
  give_up_after(ending_.signal ? patience_after_signal : patience_after_failure);
  std::vector<std::size_t> submitted_runs;
  std::vector<std::size_t> waiting_runs;
  for (const auto& [run, active] : active_) {
    if (active.is_watched()) submitted_runs.push_back(run);
    if (active.awaits_submission) waiting_runs.push_back(run);
  }
  if (!submitted_runs.empty()) cancel(submitted_runs);
  for (const std::size_t run : waiting_runs) abandon(run);
}

// Ends a run that the scheduler has not accepted for certain: its job is cancelled if there is one after all.
void ScenarioLoop::abandon(std::size_t run) {
  active_[run].awaits_submission = false;
  const PreparedJob& job = *active_[run].job;
  const Json request = {{"tag", job.tag}, {"directory", job.job.directory_in(s_.results_directory).string()}};
  call_scheduler(
      "find", [this, request] { return s_.scheduler.find(request); },
      [this, run](const Result<Json>& found) {
        if (!found) log::error("Whether {} has a job is not known: {}", name_of_job(run), found.error().message);
        if (found && found->value("id", Json()).is_string()) {
          active_[run].submitted.id = found->at("id").get<std::string>();
          for (RunRecord& record : records_of(run)) record.job = active_[run].submitted.id;
          return cancel({run});
        }
        for (RunRecord& record : records_of(run)) {
          record.status = Status::cancelled;
          record.reason = {"cancelled", cancel_reason_, "", Json::array()};
        }
        finish(run);
      });
}

void ScenarioLoop::cancel(const std::vector<std::size_t>& runs) {
  for (const std::size_t run : runs) {
    Active& active = active_[run];
    active.cancelled = true;
    log::info("Terminating job {} for {}", active.submitted.id, name_of_job(run));
    Json fields = journal_subject(active.job->job);
    fields["job"] = active.submitted.id;
    note_durably("cancelling", fields);
  }
  call_scheduler(
      "cancel", [this, ids = jobs_of(runs)] { return s_.scheduler.cancel(ids); },
      [this](const Result<Json>& reply) {
        if (!reply) log::error("The jobs could not be cancelled: {}", reply.error().message);
        if (reply && reply->contains("not_cancelled")) {
          for (const Json& job : reply->at("not_cancelled")) log::error("A job could not be cancelled: {}", job.dump());
        }
        arm_poll_timer();
        poll();
      });
}

void ScenarioLoop::heed_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) signals_.add(signal);
  if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);
  wait_for_signal();
}

void ScenarioLoop::wait_for_signal() {
  signals_.async_wait([this](boost::system::error_code error, int number) {
    if (!error) signalled(number);
  });
}

void ScenarioLoop::leave_at_once(int number) {
  const std::size_t killed = host_.kill_detached();
  log::error("Leaving at once; {} local job(s) were killed.", killed);
  for (const auto& [run, active] : active_) {
    log::error("Job {} for {} may still be running.",
               active.submitted.id.empty() ? "(being submitted)" : active.submitted.id, name_of_job(run));
  }
  log::finish();
  std::_Exit(128 + number);
}

void ScenarioLoop::signalled(int number) {
  const auto now = std::chrono::steady_clock::now();
  if (ending_.signal && now - signalled_ < one_wish) return wait_for_signal();
  if (ending_.signal) leave_at_once(number);
  ending_.signal = number;
  signalled_ = now;
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

void ScenarioLoop::give_up_after(seconds patience) {
  shutdown_limit_.expires_after(patience);
  shutdown_limit_.async_wait([this](boost::system::error_code error) {
    if (!error) give_up_waiting();
  });
}

void ScenarioLoop::end_unconfirmed(RunRecord& record) {
  record.status = Status::cancelled;
  record.reason = {"cancelled", cancel_reason_ + "; the end of the job was not confirmed", "", Json::array()};
  record.ended = Clock::now();
  for (StageRecord& stage : record.stages) {
    if (!is_final(stage.status)) stage.status = Status::cancelled;
    if (stage.status == Status::cancelled) stage.reason = record.reason;
  }
  note("finished", {{"run", record.run->id}, {"status", "cancelled"}, {"reason", "cancelled"}});
}

void ScenarioLoop::give_up_waiting() {
  ending_.has_stuck_call = true;
  for (auto& [run, active] : active_) {
    log::error("Job {} for {} could not be confirmed as ended; look for it yourself.",
               active.submitted.id.empty() ? "(unknown)" : active.submitted.id, name_of_job(run));
    for (RunRecord& record : records_of(run)) end_unconfirmed(record);
  }
  loop_.stop();
}

}  // namespace cloudai::run
