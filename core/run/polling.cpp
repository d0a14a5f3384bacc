// Watching the jobs: what the scheduler says of them, and what to think when it says nothing.

#include <algorithm>
#include <cmath>

#include "core/run/scenario_loop.hpp"
#include "core/run/shared_job.hpp"
#include "core/support/log.hpp"

namespace cloudai::run {

using std::chrono::seconds;

namespace {

// A job the scheduler cannot place for this long has ended; collect finds out how.
constexpr seconds unknown_patience{60};
// A scheduler that answers no query for this long is given up, and with it the jobs it runs.
constexpr seconds query_patience{600};
// Polling takes at most one part in so many of the time: a cluster that answers slowly is asked less often.
constexpr int poll_share = 10;
constexpr seconds longest_pause{300};
// How far apart the polls may come while they fail, unless the monitor interval is longer.
constexpr seconds longest_retry{60};

// Whether the main stage of a running job runs. A job without a prologue begins with it; of any other the scheduler
// tells which of its stages have begun.
bool has_main_begun(const Json& job, const pipeline::Run& run) {
  if (run.stages.front().kind == pipeline::StageKind::main) return true;
  for (const pipeline::Stage& stage : run.stages) {
    if (stage.kind != pipeline::StageKind::main) continue;
    const Json* result = find_stage_result(job, stage);
    return result != nullptr && text_of(*result, "state") != "skipped";
  }
  return false;
}

}  // namespace

void ScenarioLoop::arm_poll_timer() {
  const auto now = std::chrono::steady_clock::now();
  const auto due = std::max(now + poll_interval_, earliest_poll_);
  if (poll_timer_.expiry() > now && poll_timer_.expiry() <= due) return;
  poll_timer_.expires_at(due);
  poll_timer_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    start_ready();  // what waited for nodes tries again
    submit_again();
    poll();
    if (!active_.empty() && !polling_) arm_poll_timer();
  });
}

// A watched file appeared.
void ScenarioLoop::poll_soon() {
  if (std::chrono::steady_clock::now() >= earliest_poll_) return poll();
  poll_interval_ = std::chrono::milliseconds(0);
  arm_poll_timer();
}

void ScenarioLoop::poll() {
  if (polling_) {
    poll_again_ = true;
    return;
  }
  std::vector<std::string> ids;
  for (const auto& [run, active] : active_) {
    if (active.is_watched()) ids.push_back(active.submitted.id);
  }
  if (ids.empty()) return;
  polling_ = true;
  call_scheduler(
      "poll",
      [this, ids = std::move(ids)] {
        const auto started = std::chrono::steady_clock::now();
        auto states = s_.scheduler.poll(ids);
        return std::pair(std::move(states), std::chrono::steady_clock::now() - started);
      },
      [this](const auto& reply) {
        const auto& [states, duration] = reply;
        polling_ = false;
        set_poll_interval(states, duration);
        polled(states);
        if (std::exchange(poll_again_, false)) return poll_soon();
        if (!active_.empty()) arm_poll_timer();
      });
}

void ScenarioLoop::set_poll_interval(const Result<Json>& states, std::chrono::nanoseconds duration) {
  using std::chrono::milliseconds;
  const milliseconds usual = s_.configuration.system.monitor_interval;
  if (!states) {
    poll_interval_ =
        std::max(usual, std::min(std::max(2 * poll_interval_, milliseconds(1000)), milliseconds(longest_retry)));
    return;
  }
  // At the end of a scenario somebody waits.
  const auto share = terminating_ ? std::chrono::nanoseconds(0) : poll_share * duration;
  earliest_poll_ = std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(share, longest_pause);
  const Json after = states->value("poll_after", Json());
  poll_interval_ = terminating_ ? std::min(usual, milliseconds(1000)) : usual;
  if (after.is_number()) {
    poll_interval_ =
        std::clamp(milliseconds(std::llround(after.get<double>() * 1000)), milliseconds(0), poll_interval_);
  }
}

std::optional<std::size_t> ScenarioLoop::run_of_job(const std::string& id) const {
  for (const auto& [run, active] : active_) {
    if (active.submitted.id == id) return run;
  }
  return std::nullopt;
}

void ScenarioLoop::polled(const Result<Json>& states) {
  const auto now = std::chrono::steady_clock::now();
  if (!states) {
    // A query that fails says nothing of the jobs.
    const bool is_hopeless = states.error().kind == ErrorKind::module_gone;
    if (!queries_fail_since_ && !is_hopeless) {
      queries_fail_since_ = now;
      log::warn("{} Trying again.", states.error().message);
    } else if (is_hopeless || now - *queries_fail_since_ > query_patience) {
      std::vector<std::size_t> lost;
      for (const auto& [run, active] : active_) {
        if (active.is_watched()) lost.push_back(run);
      }
      for (const std::size_t run : lost) {
        log::error("Job {} for {} may still be running.", active_.at(run).submitted.id, name_of_job(run));
        end_with_error(run, "scheduler_failed", states.error());
      }
    }
    return;
  }
  queries_fail_since_.reset();
  const auto jobs = states->find("jobs");
  if (jobs == states->end() || !jobs->is_array()) return;
  for (const Json& job : *jobs) {
    if (job.is_object()) heed_job(job);
  }
  end_main_stages();
  start_ready();
}

void ScenarioLoop::heed_job(const Json& job) {
  const std::string id = text_of(job, "id");
  const auto found = id.empty() ? std::nullopt : run_of_job(id);
  if (!found) return;
  const std::size_t run = *found;
  Active& active = active_[run];
  const std::string state = text_of(job, "state");
  if (state == "ended") return begin_collect(run);
  if (state != "running" && state != "pending") return heed_unknown(run);
  active.unknown_since.reset();
  if (state == "pending") return;
  if (policy_.is_one_job) return heed_shared(active, job);
  if (RunRecord& record = ending_.records[run]; record.status == Status::pending) {
    record.status = Status::running;
    note_run("running", record);
  }
  if (!active.main_seen && has_main_begun(job, runs_[run])) {
    active.main_seen = true;
    progression_.running(run);
  }
}

// Which of the runs in the job runs, and which are over.
void ScenarioLoop::heed_shared(const Active& active, const Json& job) {
  const auto current = current_run(job, active.job->job);
  if (!current) return;
  for (std::size_t i = 0; i < *current; ++i) {
    RunRecord& record = ending_.records[i];
    if (std::exchange(record.status, Status::collecting) != Status::collecting) note_run("ended", record);
  }
  RunRecord& record = ending_.records[*current];
  if (record.status != Status::pending) return;
  record.status = Status::running;
  log::info("Running test: {}", record.run->test_case->id);
  note_run("running", record);
}

void ScenarioLoop::heed_unknown(std::size_t run) {
  Active& active = active_[run];
  const auto now = std::chrono::steady_clock::now();
  if (!active.unknown_since) active.unknown_since = now;
  if (now - *active.unknown_since <= unknown_patience) return;
  log::warn("{}: the scheduler has not known job {} for {} s.", name_of_job(run), active.submitted.id,
            unknown_patience.count());
  begin_collect(run);
}

}  // namespace cloudai::run
