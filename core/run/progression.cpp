#include "core/run/progression.hpp"

#include <algorithm>
#include <map>

namespace cloudai::run {

Progression::Progression(const std::vector<pipeline::Run>& runs, FailurePolicy policy, std::optional<int> max_parallel)
    : started_(runs.size(), false), policy_(policy), max_parallel_(max_parallel), unstarted_(runs.size()) {
  std::map<std::string, std::size_t> index_of_case;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [position, is_new] = index_of_case.try_emplace(runs[i].test_case->id, cases_.size());
    if (is_new) cases_.push_back({runs[i].test_case->id, {}, {}, 0, 0, false, false});
    cases_[position->second].runs.push_back(i);
    case_of_run_.push_back(position->second);
  }
  for (const pipeline::Run& run : runs) {
    if (run.iteration > 0) continue;
    const std::size_t dependent = index_of_case.at(run.test_case->id);
    std::vector<std::size_t> predecessors;
    for (const config::Dependency& dependency : run.test_case->dependencies) {
      // A predecessor that was filtered out is not waited for.
      const auto found = index_of_case.find(dependency.id);
      if (found != index_of_case.end()) predecessors.push_back(found->second);
    }
    std::sort(predecessors.begin(), predecessors.end());
    predecessors.erase(std::unique(predecessors.begin(), predecessors.end()), predecessors.end());
    cases_[dependent].unmet = predecessors.size();
    for (const std::size_t predecessor : predecessors) cases_[predecessor].dependents.push_back(dependent);
  }
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i].unmet == 0) release(i);
  }
}

void Progression::release(std::size_t case_index) {
  const CaseState& state = cases_[case_index];
  ready_.insert(std::upper_bound(ready_.begin(), ready_.end(), state.runs[state.finished]), state.runs[state.finished]);
}

std::vector<std::size_t> Progression::take_ready() {
  std::vector<std::size_t> taken;
  while (!stopped_ && !ready_.empty() &&
         (!max_parallel_ || in_flight_ < static_cast<std::size_t>(std::max(1, *max_parallel_)))) {
    const std::size_t run = ready_.front();
    ready_.pop_front();
    started_[run] = true;
    --unstarted_;
    ++in_flight_;
    taken.push_back(run);
  }
  return taken;
}

void Progression::put_back(std::size_t run) {
  started_[run] = false;
  ++unstarted_;
  --in_flight_;
  ready_.insert(std::upper_bound(ready_.begin(), ready_.end(), run), run);
}

std::vector<Progression::Skipped> Progression::finish(std::size_t run, Status status) {
  --in_flight_;
  std::vector<Skipped> skipped;
  const std::size_t case_index = case_of_run_[run];
  CaseState& state = cases_[case_index];
  ++state.finished;
  if (status != Status::passed) state.bad = true;
  if (stopped_) return skipped;
  if (state.bad && policy_ == FailurePolicy::stop) {
    return stop({"scenario_stopped", "scenario stopped after test " + state.id + " " + std::string(to_string(status)),
                 "", Json::array()});
  }
  if (state.finished < state.runs.size()) {
    release(case_index);
  } else {
    end_case(case_index, skipped);
  }
  return skipped;
}

void Progression::end_case(std::size_t case_index, std::vector<Skipped>& skipped) {
  const bool holds = !cases_[case_index].bad;
  for (const std::size_t dependent : cases_[case_index].dependents) {
    if (cases_[dependent].skipped) continue;
    if (holds || policy_ == FailurePolicy::ignore) {
      if (--cases_[dependent].unmet == 0) release(dependent);
    } else {
      skip_case(dependent, {"dependency_failed", "dependency " + cases_[case_index].id + " failed", "", Json::array()},
                skipped);
    }
  }
}

// Dependents of a skipped case follow it one level at a time; a chain of thousands must not overflow the stack.
void Progression::skip_case(std::size_t case_index, const Reason& reason, std::vector<Skipped>& skipped) {
  std::deque<std::pair<std::size_t, Reason>> queue{{case_index, reason}};
  while (!queue.empty()) {
    const auto [index, why] = queue.front();
    queue.pop_front();
    CaseState& state = cases_[index];
    if (state.skipped) continue;
    state.skipped = true;
    for (const std::size_t run : state.runs) {
      started_[run] = true;
      --unstarted_;
      skipped.push_back({run, why});
    }
    for (const std::size_t dependent : state.dependents) {
      queue.push_back({dependent, {"dependency_failed", "dependency " + state.id + " was skipped", "", Json::array()}});
    }
  }
}

std::vector<Progression::Skipped> Progression::stop(const Reason& reason) {
  std::vector<Skipped> skipped;
  stopped_ = true;
  ready_.clear();
  for (std::size_t run = 0; run < started_.size(); ++run) {
    if (started_[run]) continue;
    started_[run] = true;
    --unstarted_;
    skipped.push_back({run, reason});
  }
  return skipped;
}

}  // namespace cloudai::run
