#include "job_watch.hpp"

#include <algorithm>
#include <thread>

#include "text_fields.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using cloudai::JobPhase;
using cloudai::Status;
using std::chrono::milliseconds;
using std::chrono::seconds;

// The database learns of a job's end a moment after the controller; of its start, and so of its name, after some
// seconds.
constexpr seconds accounting_lag{30};
// A database that does not answer for so long is done without, as long as the controller knows the job.
constexpr seconds accounting_outage{60};
// Without the controller's word, too, a job is kept as it was for so long.
constexpr seconds blind_patience{600};
// Nodes that take longer to clean up than this do not keep a job's result back.
constexpr seconds cleaning_patience{60};
// The clocks of the cluster and of this machine may differ by so much.
constexpr std::chrono::hours clock_difference{1};
constexpr seconds cancel_patience{30};
constexpr double scancel_timeout = 30;
// As many ids as fit well on a command line.
constexpr std::size_t most_ids = 5000;

bool is_number(const std::string& id) {
  return !id.empty() && leading_digits(id) == id && id.find_first_not_of('0') != std::string::npos;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Of a running job with a prologue: who waits for its main stage wants to know; without one it begins with the job. And
// of one with several runs: which of them runs now.
std::vector<cloudai::StageResult> stages_begun(const std::string& id, const WatchedJob& job) {
  if (job.phase != JobPhase::running || job.stages.empty()) return {};
  const bool has_prologue = job.stages.front().kind == cloudai::StageKind::prologue;
  const bool has_runs = !job.stages.front().run.empty();
  if (!has_prologue && !has_runs) return {};
  const auto script = cloudai::read_script_identity(job.directory);
  return script && script->id == id ? cloudai::stages_so_far(job.directory, job.stages)
                                    : std::vector<cloudai::StageResult>();
}

}  // namespace

JobWatch::JobWatch(const SlurmCommands& commands, const SystemOptions& options, bool has_accounting, SteadyNow now)
    : commands_(commands), options_(options), has_accounting_(has_accounting), now_(std::move(now)) {}

void JobWatch::add(const std::string& id, WatchedJob job) {
  jobs_.insert_or_assign(id, std::move(job));
}

const WatchedJob* JobWatch::find(const std::string& id) const {
  const auto job = jobs_.find(id);
  return job == jobs_.end() ? nullptr : &job->second;
}

void JobWatch::close(const std::string& id) {
  if (const auto job = jobs_.find(id); job != jobs_.end()) job->second.phase = JobPhase::ended;
}

std::size_t JobWatch::live_jobs() const {
  return static_cast<std::size_t>(std::count_if(
      jobs_.begin(), jobs_.end(), [](const auto& entry) { return entry.second.phase != JobPhase::ended; }));
}

cloudai::States JobWatch::poll(const std::vector<std::string>& ids) {
  std::vector<std::string> asked;
  for (const std::string& id : ids) {
    const auto job = jobs_.find(id);
    if (job != jobs_.end() && job->second.phase != JobPhase::ended) asked.push_back(id);
  }
  if (!asked.empty()) {
    std::map<std::string, QueueRow> queue;
    for (QueueRow& row : query_queue(commands_, asked)) queue[row.id] = std::move(row);
    std::vector<std::string> gone;
    for (const std::string& id : asked) {
      const auto row = queue.find(id);
      WatchedJob& job = jobs_.at(id);
      heed_queue(id, job, row == queue.end() ? nullptr : &row->second);
      if (awaits_accounting(job)) gone.push_back(id);
    }
    if (gone.size() > most_ids) gone.resize(most_ids);  // the others come with the next poll
    if (!gone.empty() && has_accounting_) ask_accounting(gone);
    give_up_hopeless(asked);
  }
  cloudai::States states;
  for (const std::string& id : ids) {
    const auto job = jobs_.find(id);
    states.jobs.push_back({id, JobPhase::unknown, {}});
    if (job == jobs_.end()) continue;
    states.jobs.back().state = job->second.phase;
    states.jobs.back().stages = stages_begun(id, job->second);
  }
  states.poll_after = poll_after(asked);
  return states;
}

void JobWatch::heed_queue(const std::string& id, WatchedJob& job, const QueueRow* row) {
  const auto now = now_();
  if (row != nullptr) job.queue = *row;
  const Progress progress = row == nullptr ? Progress::ended : row->state.progress;
  if (progress != Progress::pending) job.hopeless_since.reset();
  if (progress == Progress::pending || progress == Progress::running) {
    job.left_since.reset();  // it may have been restarted
    job.cleaning_since.reset();
  }
  switch (progress) {
    case Progress::pending:
      return heed_pending(id, job, *row);
    case Progress::running:
      job.phase = JobPhase::running;
      return;
    case Progress::completing:
      if (!job.cleaning_since) job.cleaning_since = now;
      job.phase = job.is_cancelled ? JobPhase::ended : JobPhase::running;
      return;
    case Progress::unknown:
      // A state newer than this module: the job is there, so it has not ended.
      if (unknown_states_.insert(row->state.name).second) {
        cloudai::host().log_warning("squeue says that job " + id + " is '" + row->state.name +
                                    "', a state that is not known; it is taken to go on.");
      }
      return;
    case Progress::ended:
      if (!job.left_since) job.left_since = now;
      if (job.is_cancelled) job.phase = JobPhase::ended;
      if (!has_accounting_) do_without_accounting(job);
      return;
  }
}

void JobWatch::heed_pending(const std::string& id, WatchedJob& job, const QueueRow& row) {
  job.phase = JobPhase::pending;
  if (!cannot_pass(row.reason)) {
    job.hopeless_since.reset();
  } else if (!job.hopeless_since) {
    job.hopeless_since = now_();
    cloudai::host().log_warning("Job " + id + " waits for a reason that does not pass by itself: " + row.reason +
                                ". It is given up after " + std::to_string(options_.max_pending_time) +
                                " s (max_pending_time).");
  }
}

bool JobWatch::awaits_accounting(const WatchedJob& job) const {
  if (job.phase == JobPhase::ended) return false;
  if (job.left_since) return true;
  return job.cleaning_since && now_() - *job.cleaning_since >= cleaning_patience;
}

void JobWatch::ask_accounting(const std::vector<std::string>& ids) {
  auto since = std::chrono::system_clock::now();
  for (const std::string& id : ids) since = std::min(since, jobs_.at(id).submitted);
  const AccountingAnswer answer = query_accounting(commands_, ids, since - clock_difference);
  if (answer.is_off) {
    has_accounting_ = false;
    cloudai::host().log_warning(
        "The cluster keeps no accounts of jobs; how they ended is told by squeue and by what their scripts recorded.");
  } else if (answer.failure.empty()) {
    accounting_fails_since_.reset();
  } else if (!accounting_fails_since_) {
    accounting_fails_since_ = now_();
    cloudai::host().log_warning(answer.failure + " Trying again.");
  }
  for (const std::string& id : ids) {
    WatchedJob& job = jobs_.at(id);
    if (answer.failure.empty()) {
      heed_accounting(id, job, answer.rows);
    } else if (!has_accounting_) {
      do_without_accounting(job);
    } else if (job.left_since) {
      endure_outage(job);
    }
  }
}

// The database does not answer.
void JobWatch::endure_outage(WatchedJob& job) {
  const auto outage = now_() - *accounting_fails_since_;
  const bool queue_knows_end = job.queue && job.queue->state.progress == Progress::ended;
  if (outage < (queue_knows_end ? accounting_outage : blind_patience)) return;
  do_without_accounting(job);
  if (job.phase != JobPhase::ended) return;
  job.warnings.emplace_back("The accounting database does not answer; the steps of the job were not looked at.");
}

void JobWatch::heed_accounting(const std::string& id, WatchedJob& job, const std::vector<AccountingRow>& rows) {
  auto record = last_attempt(rows, id);
  // A job that is not known yet is made up from the little that is ("allocation", PENDING); an old one may have had the
  // same number.
  const bool is_ours = record && ends_with(record->job.name, job.tag);
  const bool has_ended = is_ours && record->job.state.progress == Progress::ended;
  const bool queue_knows_end = job.queue && job.left_since && job.queue->state.progress == Progress::ended;
  const bool agrees = !queue_knows_end || (has_ended && job.queue->state.is(record->job.state.name));
  const bool has_lagged = job.left_since && now_() - *job.left_since >= accounting_lag;
  if (has_ended && (agrees || has_lagged)) {
    if (!job.left_since)
      job.warnings.emplace_back("The nodes of the job had not finished cleaning up when it was judged.");
    job.accounting = std::move(record);
    job.phase = JobPhase::ended;
  } else if (has_lagged && queue_knows_end) {
    job.warnings.emplace_back("The accounting database has no final record of the job; its steps were not looked at.");
    job.phase = JobPhase::ended;
  } else if (job.left_since && !queue_knows_end) {
    if (is_ours) job.accounting = std::move(record);  // what is known of it, should no more come
    job.phase = JobPhase::unknown;
  }
}

void JobWatch::do_without_accounting(WatchedJob& job) {
  const bool queue_knows_end = job.queue && job.queue->state.progress == Progress::ended;
  job.phase = queue_knows_end || cloudai::is_finished(job.directory) ? JobPhase::ended : JobPhase::unknown;
}

void JobWatch::give_up_hopeless(const std::vector<std::string>& ids) {
  std::vector<std::string> argv{"scancel"};
  for (const std::string& id : ids) {
    WatchedJob& job = jobs_.at(id);
    if (!job.hopeless_since || now_() - *job.hopeless_since < seconds(options_.max_pending_time)) continue;
    job.given_up = "the job waited " + std::to_string(options_.max_pending_time) +
                   " s for a reason that does not pass by itself: " + job.queue->reason;
    job.phase = JobPhase::ended;
    argv.push_back(id);
  }
  if (argv.size() == 1) return;
  const auto result = commands_.act(std::move(argv), scancel_timeout);
  if (!succeeded(result)) cloudai::host().log_error(failure_text("scancel", result));
}

std::optional<double> JobWatch::poll_after(const std::vector<std::string>& ids) {
  bool is_settling = false;
  for (const std::string& id : ids) {
    const WatchedJob& job = jobs_.at(id);
    if (job.phase == JobPhase::ended) continue;
    is_settling = is_settling || job.left_since.has_value() ||
                  (job.phase == JobPhase::running && cloudai::is_finished(job.directory));
  }
  settling_polls_ = is_settling ? settling_polls_ + 1 : 0;
  if (!is_settling) return std::nullopt;
  if (accounting_fails_since_) return options_.status_retry_pause_seconds;
  // Slurm takes a tenth of a second to a second to take note of an end.
  constexpr double first = 0.25;
  constexpr double longest = 8;
  return std::min(first * static_cast<double>(1 << std::min(settling_polls_ - 1, 5)), longest);
}

std::vector<std::string> JobWatch::still_live(const std::vector<std::string>& ids, std::string& trouble) const {
  std::vector<std::string> live;
  try {
    for (const QueueRow& row : query_queue(commands_, ids)) {
      const bool goes_on = row.state.progress != Progress::ended && row.state.progress != Progress::completing;
      if (goes_on && std::find(ids.begin(), ids.end(), row.id) != ids.end()) live.push_back(row.id);
    }
    trouble = "squeue still lists it after scancel.";
  } catch (const Error& error) {
    trouble = error.message();
    return ids;
  }
  return live;
}

std::vector<cloudai::NotCancelled> JobWatch::cancel(const std::vector<std::string>& ids) {
  std::vector<cloudai::NotCancelled> not_cancelled;
  std::vector<std::string> live;
  for (const std::string& id : ids) {
    if (!is_number(id)) {
      not_cancelled.push_back({id, "'" + id + "' is no number of a Slurm job; nothing was cancelled."});
      continue;
    }
    live.push_back(id);
    if (const auto job = jobs_.find(id); job != jobs_.end()) job->second.is_cancelled = true;
  }
  const auto deadline = now_() + cancel_patience;
  std::string trouble;
  for (milliseconds pause{100}; !live.empty(); pause = std::min(pause * 2, milliseconds(2000))) {
    std::vector<std::string> argv{"scancel"};
    argv.insert(argv.end(), live.begin(), live.end());
    try {
      const auto result = commands_.act(std::move(argv), scancel_timeout);
      live = still_live(live, trouble);
      if (!succeeded(result) && !live.empty()) trouble = failure_text("scancel", result);
    } catch (const Error& error) {
      if (error.status() != Status::cancelled) throw;
      trouble = error.message();
    }
    if (live.empty() || now_() >= deadline || cloudai::host().is_cancelled()) break;
    std::this_thread::sleep_for(pause);
  }
  for (const std::string& id : live) {
    not_cancelled.push_back({id, "The end of job " + id + " is not confirmed: " + trouble});
  }
  return not_cancelled;
}

}  // namespace slurm
