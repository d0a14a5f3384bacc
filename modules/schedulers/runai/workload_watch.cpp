#include "workload_watch.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "cloudai/error.hpp"
#include "cloudai/host.hpp"
#include "cloudai/shell_text.hpp"
#include "timestamps.hpp"
#include "workload_names.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::JobEnd;
using cloudai::JobPhase;
using cloudai::Status;
using std::chrono::seconds;

constexpr seconds cancel_limit{60};
// How long the end of a workload is waited for whose deletion Run:ai has accepted.
constexpr seconds deletion_settles{5};
// A list may lag behind what was just made: how often, and how far apart, it must be missing.
constexpr int times_until_vanished = 3;
constexpr seconds between_misses{5};
constexpr std::size_t most_threads = 16;

// What a stopped workload is to become, which the list does not tell.
std::string desired_phase(RunaiApi& api, WorkloadKind kind, const std::string& id) {
  try {
    const auto workload = api.workload(kind, id);
    return workload ? workload->desired : std::string();
  } catch (const Error& error) {
    if (error.status() == Status::cancelled) throw;
    return {};
  }
}

// Calls `work` for every index below `count`, many at a time.
template <class Work>
void in_parallel(std::size_t count, Work work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(count, most_threads); ++i) {
    threads.emplace_back([&] {
      for (std::size_t index = next++; index < count; index = next++) work(index);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Empty if the workload is gone, or will be.
std::string removed(RunaiApi& api, WorkloadKind kind, const std::string& id, const Patience& patience) {
  try {
    const ApiReply reply = api.remove(kind, id, patience);
    return reply.action == Action::accept || reply.action == Action::not_there ? std::string() : reply.message;
  } catch (const Error& error) {
    return error.message();
  }
}

}  // namespace

void WorkloadWatch::add(const std::string& id, Submission submission, const std::string& directory) {
  const auto stage = std::filesystem::path(directory) / submission.stage_directory;
  workloads_.try_emplace(id, std::move(submission), stage.lexically_normal().string(), options_.limits);
}

WatchedWorkload* WorkloadWatch::find(const std::string& id) {
  const auto found = workloads_.find(id);
  return found == workloads_.end() ? nullptr : &found->second;
}

bool WorkloadWatch::is_over(const WatchedWorkload& workload) const {
  if (workload.finish) return true;
  // Run:ai has promised to remove it; pods that take their time are not waited for.
  return workload.deletion_asked &&
         (cloudai::host().is_cancelled() || now_() - *workload.deletion_asked >= deletion_settles);
}

cloudai::JobState WorkloadWatch::state_of(const std::string& id) {
  cloudai::JobState state{id, JobPhase::unknown, {}};
  const WatchedWorkload* workload = find(id);
  if (workload == nullptr) return state;
  state.state = is_over(*workload) ? JobPhase::ended : workload->phases.state();
  if (state.state != JobPhase::ended && workload->phases.has_run()) {
    cloudai::StageResult& stage = state.stages.emplace_back();
    stage.kind = workload->submission.stage;
    stage.name = workload->submission.stage_name;
    stage.state = cloudai::StageState::unfinished;
    stage.started = workload->started;
  }
  return state;
}

cloudai::States WorkloadWatch::poll(const std::vector<std::string>& ids) {
  std::vector<std::string> live;
  for (const std::string& id : ids) {
    const WatchedWorkload* workload = find(id);
    if (workload != nullptr && !is_over(*workload)) live.push_back(id);
  }
  if (!live.empty()) look_at_all(live);
  cloudai::States states;
  for (const std::string& id : ids) states.jobs.push_back(state_of(id));
  for (const std::string& id : live) {
    const WatchedWorkload& workload = *find(id);
    if (workload.finish) continue;
    if (workload.times_missing > 0) states.poll_after = between_misses.count();
    if (workload.deletion_asked) states.poll_after = 1;
  }
  return states;
}

void WorkloadWatch::look_at_all(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const std::string& id : ids) names.push_back(find(id)->submission.name);
  const std::string prefix = common_prefix(names);
  std::map<std::string, Workload> listed;
  try {
    for (Workload& workload : api_.workloads(prefix.empty() ? "" : "name=^" + prefix)) {
      const std::string id = workload.id;
      listed.insert_or_assign(id, std::move(workload));
    }
    for (const std::string& id : ids) {
      const auto found = listed.find(id);
      look_at(id, *find(id), found == listed.end() ? nullptr : &found->second);
    }
  } catch (const Error& error) {
    if (error.status() == Status::cancelled) throw;
    return not_answered(ids, error.message());
  }
  if (unanswered_since_) cloudai::host().log_info("Run:ai answers again.");
  unanswered_since_.reset();
}

// It says nothing of the workloads; but nobody can wait for ever.
void WorkloadWatch::not_answered(const std::vector<std::string>& ids, const std::string& why) {
  const auto now = now_();
  if (!unanswered_since_) {
    unanswered_since_ = now;
    cloudai::host().log_warning(why + " What is known of the workloads stays as it is; trying again.");
  }
  const auto limit = options_.limits.unreachable;
  if (now - *unanswered_since_ < limit) return;
  for (const std::string& id : ids) {
    finish(id, *find(id),
           {JobEnd::lost,
            "Run:ai has not answered for " + std::to_string(limit.count()) + " s (unreachable_timeout): " + why, true});
  }
}

void WorkloadWatch::look_at(const std::string& id, WatchedWorkload& workload, const Workload* listed) {
  if (listed != nullptr && !listed->is_deleted) {
    workload.times_missing = 0;
    workload.was_seen = true;
    return observe(id, workload, *listed);
  }
  if (workload.deletion_asked) {
    return finish(id, workload, {JobEnd::cancelled, "The workload was deleted.", false});
  }
  if (listed != nullptr) {
    return finish(id, workload, {JobEnd::cancelled, "Someone else deleted the workload.", false});
  }
  missing(id, workload);
}

void WorkloadWatch::missing(const std::string& id, WatchedWorkload& workload) {
  const auto now = now_();
  if (workload.times_missing > 0 && now - workload.missed_last < between_misses) return;
  // What a list leaves out may be there all the same.
  if (const auto seen = api_.workload(id); seen && !seen->is_deleted) {
    workload.times_missing = 0;
    return observe(id, workload, *seen);
  }
  workload.missed_last = now;
  if (++workload.times_missing < times_until_vanished) return;
  finish(id, workload,
         {JobEnd::lost,
          "The workload '" + workload.submission.name + "' vanished: Run:ai says that there is none with the id " + id +
              ". Someone may have deleted it.",
          false});
}

void WorkloadWatch::observe(const std::string& id, WatchedWorkload& workload, const Workload& seen) {
  if (meaning_of(seen.phase) == Meaning::unknown && unknown_phases_.insert(seen.phase).second) {
    cloudai::host().log_warning("Run:ai says that a workload is '" + cloudai::one_line(seen.phase) +
                                "', which tells nothing that is known here.");
  }
  if (meaning_of(seen.phase) == Meaning::degraded && workload.phases.phase() != seen.phase) {
    cloudai::host().log_warning("The workload '" + seen.name + "' is Degraded: " +
                                sentence(seen.message.empty() ? "some of its pods are missing" : seen.message));
  }
  Sighting sighting{seen.phase, seen.message, seen.desired};
  if (meaning_of(seen.phase) == Meaning::stopped && seen.desired.empty()) {
    sighting.desired = desired_phase(api_, workload.submission.kind, id);
  }
  workload.last_message = seen.message;
  const auto end = workload.phases.observe(sighting, now_());
  if (workload.phases.has_run() && workload.started.empty()) workload.started = timestamp_now();
  follow_log(workload);
  if (end) return finish(id, workload, *end);
  const auto limit = workload.submission.time_limit;
  if (!limit || !workload.phases.has_run()) return;
  const std::chrono::duration<double> ran = now_() - workload.phases.running_since();
  if (ran.count() < *limit) return;
  finish(id, workload, {JobEnd::time_limit, "It ran for its time limit, and was deleted then.", true});
}

// One that was preempted begins anew: what it wrote before is kept apart.
void WorkloadWatch::follow_log(WatchedWorkload& workload) {
  const int starts = workload.phases.starts();
  if (workload.phases.state() != JobPhase::running || workload.logged_start == starts) return;
  if (workload.logged_start > 0) {
    workload.log.reset();
    cloudai::host().log_warning("The workload '" + workload.submission.name +
                                "' lost its nodes and was started again; its earlier output is in attempt-" +
                                std::to_string(workload.logged_start) + ".");
    const auto kept = std::filesystem::path(workload.directory) / ("attempt-" + std::to_string(workload.logged_start));
    std::error_code ignored;
    std::filesystem::create_directories(kept, ignored);
    std::filesystem::rename(workload.log_file(), kept / workload.log_file().filename(), ignored);
  }
  workload.logged_start = starts;
  workload.log = logs_.follow(workload.submission.kind, workload.submission.name, workload.log_file());
}

void WorkloadWatch::finish(const std::string& id, WatchedWorkload& workload, JobFinish finish) {
  workload.ended = timestamp_now();
  if (workload.was_cancelled && finish.end != JobEnd::completed) {
    finish = {JobEnd::cancelled, "The workload was cancelled.", finish.must_delete};
  }
  if (finish.must_delete && !workload.deletion_asked) {
    const std::string why = removed(api_, workload.submission.kind, id, {false, now_() + cancel_limit});
    if (why.empty()) {
      workload.deletion_asked = now_();
    } else {
      cloudai::host().log_error("The workload '" + workload.submission.name + "' (" + id +
                                ") could not be deleted: " + sentence(why) + " Delete it in Run:ai.");
    }
  }
  workload.finish = std::move(finish);
}

std::vector<cloudai::NotCancelled> WorkloadWatch::cancel(const std::vector<std::string>& ids) {
  std::vector<std::string> failures(ids.size());
  const Patience patience{false, now_() + cancel_limit};
  in_parallel(ids.size(), [&](std::size_t index) {
    const WatchedWorkload* workload = find(ids[index]);
    failures[index] = workload == nullptr ? "No workload with this id was submitted or found by this system."
                                          : removed(api_, workload->submission.kind, ids[index], patience);
  });
  std::vector<cloudai::NotCancelled> not_cancelled;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    WatchedWorkload* workload = find(ids[i]);
    if (failures[i].empty()) {
      workload->was_cancelled = true;
      workload->deletion_asked = now_();
    } else {
      const std::string name =
          workload == nullptr ? ""
                              : "The workload '" + workload->submission.name + "' may still run; delete it in Run:ai: ";
      not_cancelled.push_back({ids[i], name + sentence(failures[i])});
    }
  }
  return not_cancelled;
}

}  // namespace runai
