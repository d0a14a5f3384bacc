#include "core/run/progression.hpp"

#include <algorithm>
#include <map>

namespace cloudai::run {

namespace {

std::string_view past_of(Status status) {
  switch (status) {
    case Status::error:
      return " ended in an error";
    case Status::inconclusive:
      return " was inconclusive";
    case Status::cancelled:
      return " was cancelled";
    case Status::skipped:
      return " was skipped";
    default:
      return " failed";
  }
}

void add_once(std::vector<std::size_t>& list, std::size_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

Progression::Progression(const std::vector<pipeline::Run>& runs, FailurePolicy policy, std::optional<int> max_parallel)
    : started_(runs.size(), false), policy_(policy), unstarted_(runs.size()) {
  if (max_parallel) max_parallel_ = static_cast<std::size_t>(std::max(1, *max_parallel));
  connect(runs);
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i].unmet == 0) release(i);
  }
}

void Progression::connect(const std::vector<pipeline::Run>& runs) {
  std::map<std::string, std::size_t> index_of_case;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [position, is_new] = index_of_case.try_emplace(runs[i].test_case->id, cases_.size());
    if (is_new) cases_.emplace_back().id = runs[i].test_case->id;
    cases_[position->second].runs.push_back(i);
    case_of_run_.push_back(position->second);
  }
  for (const pipeline::Run& run : runs) {
    if (run.iteration > 0) continue;
    const std::size_t own = index_of_case.at(run.test_case->id);
    std::set<std::pair<std::size_t, config::DependencyType>> seen;
    for (const config::Dependency& dependency : run.test_case->dependencies) {
      // A predecessor that was filtered out is not waited for.
      const auto found = index_of_case.find(dependency.id);
      if (found == index_of_case.end() || !seen.emplace(found->second, dependency.type).second) continue;
      CaseState& predecessor = cases_[found->second];
      if (dependency.type == config::DependencyType::end_post_comp) {
        predecessor.end_with.push_back(own);
        cases_[own].ends_with.push_back(found->second);
        cases_[own].runs_beside = true;
        continue;
      }
      const bool needs_start_only = dependency.type == config::DependencyType::start_post_init;
      (needs_start_only ? predecessor.start_after_start : predecessor.start_after_end).push_back(own);
      if (needs_start_only) cases_[own].runs_beside = true;
      add_once(cases_[own].waits_for, found->second);
      ++cases_[own].unmet;
    }
  }
}

std::set<std::size_t>& Progression::queue_of(const CaseState& state) {
  return state.runs_beside ? ready_beside_ : state.may_use_lent_place ? ready_on_lent_ : ready_;
}

void Progression::release(std::size_t case_index) {
  const CaseState& state = cases_[case_index];
  queue_of(state).insert(state.runs[state.finished]);
}

std::vector<std::size_t> Progression::take_ready() {
  std::vector<std::size_t> taken;
  while (!stopped_) {
    if (!ready_beside_.empty()) {
      take(*ready_beside_.begin(), taken);
    } else if (!ready_on_lent_.empty() && (!max_parallel_ || in_flight_ - lent_ < *max_parallel_)) {
      take(*ready_on_lent_.begin(), taken);
    } else if (!ready_.empty() && (!max_parallel_ || in_flight_ < *max_parallel_)) {
      take(*ready_.begin(), taken);
    } else {
      break;
    }
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

void Progression::take(std::size_t run, std::vector<std::size_t>& taken) {
  CaseState& state = cases_[case_of_run_[run]];
  queue_of(state).erase(run);
  started_[run] = true;
  --unstarted_;
  ++in_flight_;
  state.in_flight = true;
  if (!state.ends_with.empty()) {
    ++lent_;
    lend_place(state);
  }
  taken.push_back(run);
}

// What a case in flight ends with, and all that waits for, may use the place it holds.
void Progression::lend_place(const CaseState& state) {
  std::deque<std::size_t> queue(state.ends_with.begin(), state.ends_with.end());
  while (!queue.empty()) {
    CaseState& needed = cases_[queue.front()];
    queue.pop_front();
    if (needed.may_use_lent_place || needed.over) continue;
    const std::size_t next = needed.finished;
    const bool is_ready = next < needed.runs.size() && queue_of(needed).erase(needed.runs[next]) > 0;
    needed.may_use_lent_place = true;
    if (is_ready) queue_of(needed).insert(needed.runs[next]);
    queue.insert(queue.end(), needed.waits_for.begin(), needed.waits_for.end());
  }
}

void Progression::put_back(std::size_t run) {
  CaseState& state = cases_[case_of_run_[run]];
  started_[run] = false;
  ++unstarted_;
  --in_flight_;
  state.in_flight = false;
  if (!state.ends_with.empty()) --lent_;
  queue_of(state).insert(run);
}

void Progression::meet(std::size_t case_index) {
  CaseState& state = cases_[case_index];
  if (!state.over && --state.unmet == 0) release(case_index);
}

void Progression::announce_start(CaseState& state) {
  if (std::exchange(state.seen_running, true)) return;
  for (const std::size_t dependent : state.start_after_start) meet(dependent);
}

void Progression::running(std::size_t run) {
  CaseState& state = cases_[case_of_run_[run]];
  if (!stopped_ && (!state.bad || policy_ == FailurePolicy::ignore)) announce_start(state);
}

Progression::Consequences Progression::finish(std::size_t run, Status status) {
  Consequences next;
  const std::size_t case_index = case_of_run_[run];
  CaseState& state = cases_[case_index];
  --in_flight_;
  if (!state.ends_with.empty()) --lent_;
  state.in_flight = false;
  const bool ended_unstarted = state.must_end && status == Status::skipped;
  if (ended_unstarted && state.finished == 0) state.skipped = true;
  if (status != Status::passed && !ended_unstarted && !state.bad) state.bad = status;
  ++state.finished;
  if (stopped_) return next;
  if (state.bad && policy_ == FailurePolicy::stop) {
    next.skipped =
        stop({"scenario_stopped", "scenario stopped after test " + state.id + " " + std::string(to_string(status)), "",
              Json::array()});
    return next;
  }
  // It may have ended between two looks at it.
  if (!state.bad || policy_ == FailurePolicy::ignore) announce_start(state);
  if (!state.must_end && state.finished < state.runs.size()) {
    release(case_index);
  } else {
    end_case(case_index, next);
  }
  return next;
}

// What follows from the end of a case may be the end of others: one after the other, since a chain of thousands must
// not overflow the stack.
void Progression::end_case(std::size_t case_index, Consequences& next) {
  std::deque<std::size_t> queue{case_index};
  while (!queue.empty()) {
    CaseState& state = cases_[queue.front()];
    queue.pop_front();
    state.over = true;
    const bool holds = (!state.bad && !state.skipped) || policy_ == FailurePolicy::ignore;
    const std::string past(past_of(state.skipped ? Status::skipped : state.bad.value_or(Status::failed)));
    const Reason failed{"dependency_failed", "dependency " + state.id + past, "", Json::array()};
    const auto decide = [&](std::size_t dependent) {
      if (holds) {
        meet(dependent);
      } else if (skip_case(cases_[dependent], failed, next)) {
        queue.push_back(dependent);
      }
    };
    for (const std::size_t dependent : state.start_after_end) decide(dependent);
    if (!std::exchange(state.seen_running, true)) {
      for (const std::size_t dependent : state.start_after_start) decide(dependent);
    }
    const Reason ended{"dependency_ended", "test " + state.id + ", with which it ends, had ended before it started", "",
                       Json::array()};
    for (const std::size_t dependent : state.end_with) {
      if (end_with(cases_[dependent], state, holds ? ended : failed, next)) queue.push_back(dependent);
    }
  }
}

void Progression::skip_rest(CaseState& state, const Reason& reason, Consequences& next) {
  for (const std::size_t run : state.runs) {
    if (started_[run]) continue;
    started_[run] = true;
    --unstarted_;
    queue_of(state).erase(run);
    next.skipped.push_back({run, reason});
  }
}

// True if the case is over by this.
bool Progression::skip_case(CaseState& state, const Reason& reason, Consequences& next) {
  if (state.over || state.has_begun()) return false;
  state.skipped = true;
  state.over = true;
  skip_rest(state, reason, next);
  return true;
}

// True if the case is over by this: a run in flight still has to end.
bool Progression::end_with(CaseState& state, const CaseState& predecessor, const Reason& reason, Consequences& next) {
  if (state.over || state.must_end) return false;
  if (!state.has_begun()) return skip_case(state, reason, next);
  state.must_end = true;
  skip_rest(state,
            {"dependency_ended", "test " + predecessor.id + ", with which it ends, has ended", "", Json::array()},
            next);
  if (!state.in_flight) return state.over = true;
  next.ended.push_back({state.runs[state.finished], predecessor.id, !predecessor.skipped});
  return false;
}

std::vector<Progression::Skipped> Progression::stop(const Reason& reason) {
  std::vector<Skipped> skipped;
  stopped_ = true;
  for (auto* queue : {&ready_beside_, &ready_on_lent_, &ready_}) queue->clear();
  for (std::size_t run = 0; run < started_.size(); ++run) {
    if (started_[run]) continue;
    started_[run] = true;
    --unstarted_;
    skipped.push_back({run, reason});
  }
  return skipped;
}

}  // namespace cloudai::run
