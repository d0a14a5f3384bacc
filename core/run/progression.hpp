// Decides which run may start when, and which never will: the scenario as a state machine, without any I/O.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/expansion.hpp"
#include "core/run/record.hpp"

namespace cloudai::run {

// What a case that did not pass means for the others.
enum class FailurePolicy {
  stop,        // nothing new starts (job_status_check, the default)
  keep_going,  // what does not depend on it goes on (--keep-going)
  ignore,      // everything goes on (job_status_check = false)
};

class Progression {
 public:
  // `runs` as pipeline::expand gives them. `max_parallel` bounds the runs in flight; absent: unbounded.
  Progression(const std::vector<pipeline::Run>& runs, FailurePolicy policy, std::optional<int> max_parallel);

  // The runs to start now, in the scenario's order; they count as in flight from then on.
  std::vector<std::size_t> take_ready();

  // Puts a run that take_ready gave back in its place: it could not be started yet.
  void put_back(std::size_t run);

  struct Skipped {
    std::size_t run;
    Reason reason;
  };

  // A run in flight ended. Returns the runs that will now never start, in order.
  std::vector<Skipped> finish(std::size_t run, Status status);

  // Nothing new starts from now on. Returns the runs that were still waiting.
  std::vector<Skipped> stop(const Reason& reason);

  std::size_t in_flight() const { return in_flight_; }
  bool is_stopped() const { return stopped_; }
  bool is_done() const { return in_flight_ == 0 && unstarted_ == 0; }

 private:
  struct CaseState {
    std::string id;
    std::vector<std::size_t> runs;        // iterations in order
    std::vector<std::size_t> dependents;  // cases that start after this one
    std::size_t unmet = 0;                // predecessors that have not ended
    std::size_t finished = 0;             // iterations that ended
    bool bad = false;                     // an iteration did not pass
    bool skipped = false;
  };

  void release(std::size_t case_index);
  void skip_case(std::size_t case_index, const Reason& reason, std::vector<Skipped>& skipped);
  void end_case(std::size_t case_index, std::vector<Skipped>& skipped);

  std::vector<CaseState> cases_;
  std::vector<std::size_t> case_of_run_;
  std::vector<bool> started_;  // by run: started, or known never to start
  std::deque<std::size_t> ready_;
  FailurePolicy policy_;
  std::optional<int> max_parallel_;
  std::size_t in_flight_ = 0;
  std::size_t unstarted_ = 0;
  bool stopped_ = false;
};

}  // namespace cloudai::run
