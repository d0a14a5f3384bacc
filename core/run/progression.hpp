// Decides which run may start when, which never will, and which must end: the scenario as a state machine, without any
// I/O.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
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

// A case starts once, when every case it starts after has ended (start_post_comp) or has been seen running or ended
// (start_post_init). It ends when the first of the cases it ends with (end_post_comp) has ended; the iterations it has
// left are skipped, and so is all of it if it has not started by then.
//
// `max_parallel` bounds the runs in flight. A case with start_post_init or end_post_comp exists to run beside another,
// so it does not wait for a place, but it takes one. Where it would keep that place until another case has ended, that
// case and those it waits for may use the place: otherwise neither would ever end.
class Progression {
 public:
  // `runs` as pipeline::expand gives them. `max_parallel` absent: unbounded.
  Progression(const std::vector<pipeline::Run>& runs, FailurePolicy policy, std::optional<int> max_parallel);

  // The runs to start now, in the scenario's order; they count as in flight from then on.
  std::vector<std::size_t> take_ready();

  // Puts a run that take_ready gave back in its place: it could not be started yet.
  void put_back(std::size_t run);

  // The main test of a run in flight has been seen running.
  void running(std::size_t run);

  struct Skipped {
    std::size_t run;
    Reason reason;
  };

  // A run in flight whose main stage must end now, and the case that ended, or that will never run.
  struct Ended {
    std::size_t run;
    std::string predecessor;
    bool predecessor_ran;
  };

  struct Consequences {
    std::vector<Skipped> skipped;  // they will never start; in order
    std::vector<Ended> ended;
  };

  // A run in flight ended. `skipped` is the status of one that had to end before its main stage had started, or that
  // ran beside a case that never did.
  Consequences finish(std::size_t run, Status status);

  // Nothing new starts from now on. Returns the runs that were still waiting.
  std::vector<Skipped> stop(const Reason& reason);

  std::size_t in_flight() const { return in_flight_; }
  bool is_stopped() const { return stopped_; }
  bool is_done() const { return in_flight_ == 0 && unstarted_ == 0; }

 private:
  struct CaseState {
    std::string id;
    std::vector<std::size_t> runs;  // iterations in order
    // Cases with a dependency on this one, by its type.
    std::vector<std::size_t> start_after_end;
    std::vector<std::size_t> start_after_start;
    std::vector<std::size_t> end_with;
    // The cases this one depends on.
    std::vector<std::size_t> waits_for;
    std::vector<std::size_t> ends_with;
    std::size_t unmet = 0;            // dependencies that still keep it from starting
    std::size_t finished = 0;         // iterations that ended
    bool in_flight = false;           // an iteration is
    bool seen_running = false;        // what starts after its start may
    bool runs_beside = false;         // it does not wait for a place
    bool may_use_lent_place = false;  // a case in flight ends with it, or with one that waits for it
    bool must_end = false;            // no further iteration starts
    std::optional<Status> bad;        // of the first iteration that did not pass
    bool skipped = false;             // it never started and never will
    bool over = false;

    bool has_begun() const { return in_flight || finished > 0; }
  };

  void connect(const std::vector<pipeline::Run>& runs);
  std::set<std::size_t>& queue_of(const CaseState& state);
  void release(std::size_t case_index);
  void take(std::size_t run, std::vector<std::size_t>& taken);
  void lend_place(const CaseState& state);
  void meet(std::size_t case_index);
  void announce_start(CaseState& state);
  void end_case(std::size_t case_index, Consequences& next);
  void skip_rest(CaseState& state, const Reason& reason, Consequences& next);
  bool skip_case(CaseState& state, const Reason& reason, Consequences& next);
  bool end_with(CaseState& state, const CaseState& predecessor, const Reason& reason, Consequences& next);

  std::vector<CaseState> cases_;
  std::vector<std::size_t> case_of_run_;
  std::vector<bool> started_;  // by run: started, or known never to start
  // Runs that could start now: those that need no place, those that may use a lent one, and all others.
  std::set<std::size_t> ready_beside_;
  std::set<std::size_t> ready_on_lent_;
  std::set<std::size_t> ready_;
  FailurePolicy policy_;
  std::optional<std::size_t> max_parallel_;
  std::size_t in_flight_ = 0;
  std::size_t lent_ = 0;  // runs in flight of cases that end with another
  std::size_t unstarted_ = 0;
  bool stopped_ = false;
};

}  // namespace cloudai::run
