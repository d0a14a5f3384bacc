// The event loop behind run_scenario. Its parts: the life of a run (scenario_loop.cpp), watching the jobs
// (polling.cpp), and ending them before their time (termination.cpp).
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <mutex>
#include <span>

#include "core/run/call_queue.hpp"
#include "core/run/file_watch.hpp"
#include "core/run/job_evaluation.hpp"
#include "core/run/scenario_run.hpp"

namespace cloudai::run {

// timeout(1) and terminals signal the process and its group at once: what comes so soon after the first signal is the
// same wish.
inline constexpr std::chrono::milliseconds one_wish{500};

// A job is known by the index of its run; where all runs share one, that of the first stands for it.
//
// Every member function runs on the loop unless its name says otherwise; calls to the scheduler go through a queue (one
// at a time on an instance), evaluations to the pool, and their results are posted back.
class ScenarioLoop {
 public:
  ScenarioLoop(const Surroundings& surroundings, const std::vector<pipeline::Run>& runs, const RunPolicy& policy,
               module::Host& host, Journal& journal);
  Ending execute();

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;
  using Submission = Result<std::variant<SubmittedJob, Wait>>;

  // A run between take_ready and finish.
  struct Active {
    std::shared_ptr<const PreparedJob> job;  // null: not prepared yet
    SubmittedJob submitted;                  // empty id: not submitted yet
    bool awaits_submission = false;          // the scheduler asked to submit again later
    bool main_seen = false;                  // the main stage has been seen running
    bool asked_to_end = false;
    bool cancelled = false;
    bool collecting = false;
    std::optional<SteadyTime> unknown_since;

    bool is_watched() const { return !submitted.id.empty() && !collecting; }
  };

  // The life of a run.
  void start_ready();
  void begin(std::size_t run);
  void prepared(std::size_t run, Result<std::variant<PreparedJob, Wait>> result);
  void submit_prepared(std::size_t run, bool is_repeated);
  void submitted(std::size_t run, const Submission& result);
  void submit_again();
  void begin_collect(std::size_t run);
  void evaluate_collected(std::size_t run, const Result<Json>& job_result);
  void evaluated(std::size_t run, const Result<std::vector<Evidence>>& evidence);
  void end_with_error(std::size_t run, std::string code, const Error& error);
  void end_unstarted(std::size_t run, const Reason& reason);
  void finish(std::size_t run);
  void say_end(const RunRecord& record);
  void close_record(RunRecord& record);
  Result<std::variant<PreparedJob, Wait>> prepare_on_worker(std::size_t run);
  void release_nodes(std::size_t run);
  void follow(const Progression::Consequences& next);
  void skip(const std::vector<Progression::Skipped>& skipped);
  void leave_if_done();

  // Watching the jobs.
  void arm_poll_timer();
  void poll_soon();
  void poll();
  void set_poll_interval(const Result<Json>& states, std::chrono::nanoseconds duration);
  void polled(const Result<Json>& states);
  void heed_job(const Json& job);
  void heed_shared(const Active& active, const Json& job);
  void heed_unknown(std::size_t run);
  std::optional<std::size_t> run_of_job(const std::string& id) const;

  // Ending jobs before their time.
  void end_main_stages();
  void asked_to_end(const std::vector<std::size_t>& runs, const Result<Json>& reply);
  void terminate_all(const std::string& why);
  void cancel(const std::vector<std::size_t>& runs);
  void abandon(std::size_t run);
  void heed_signals();
  void wait_for_signal();
  void signalled(int number);
  [[noreturn]] void leave_at_once(int number);
  void give_up_after(std::chrono::seconds patience);
  void give_up_waiting();
  void end_unconfirmed(RunRecord& record);

  // The runs in the job of this run.
  std::span<RunRecord> records_of(std::size_t run);
  pipeline::Job job_of(std::size_t run) const;
  std::string name_of_job(std::size_t run) const;
  void note_run(std::string_view event, const RunRecord& record);
  void note(std::string_view event, const Json& fields);
  void note_durably(std::string_view event, const Json& fields);
  std::vector<std::string> jobs_of(const std::vector<std::size_t>& runs) const;
  template <class Call, class Then>
  void call_scheduler(const char* counted_as, Call call, Then then);

  const Surroundings& s_;
  const std::vector<pipeline::Run>& runs_;
  const RunPolicy policy_;
  module::Host& host_;
  Journal& journal_;
  Progression progression_;
  Ending ending_;
  std::map<std::size_t, Active> active_;
  // Those of the prepared runs. Whoever allocates must see what the run before it got, so this alone is for every
  // thread.
  std::mutex taken_nodes_mutex_;
  std::vector<std::string> taken_nodes_;
  std::string cancel_reason_;                 // not empty: everything that ends now was cancelled for this reason
  std::atomic<bool> starts_nothing_ = false;  // likewise, for the workers: what waits for its turn is left out
  bool terminating_ = false;
  bool polling_ = false;
  bool poll_again_ = false;
  // How long after a poll's end the next one may begin, and when it will if nothing happens.
  SteadyTime earliest_poll_;
  std::chrono::milliseconds poll_interval_;
  std::optional<SteadyTime> queries_fail_since_;
  SteadyTime signalled_;  // when the first signal came

  boost::asio::io_context loop_{1};
  boost::asio::thread_pool workers_{3};
  CallQueue scheduler_calls_{loop_, workers_};
  boost::asio::signal_set signals_{loop_};
  boost::asio::steady_timer poll_timer_{loop_};
  boost::asio::steady_timer call_limit_{loop_};
  boost::asio::steady_timer shutdown_limit_{loop_};
  FileWatch watch_{loop_, [this] { poll_soon(); }};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keep_running_{loop_.get_executor()};
};

// Runs `call` when it is its turn and `then` with its result on the loop. Jobs that are there come before those that
// are to be: hundreds of submissions take minutes, in which polls are due. A job that is prepared is submitted before
// the next one is prepared.
template <class Call, class Then>
void ScenarioLoop::call_scheduler(const char* counted_as, Call call, Then then) {
  ++ending_.scheduler_calls[counted_as];
  const std::string_view name = counted_as;
  const Urgency urgency = name == "allocate"                      ? Urgency::idle
                          : name == "submit" || name == "collect" ? Urgency::usual
                                                                  : Urgency::urgent;
  scheduler_calls_.post(urgency, std::move(call), std::move(then));
}

}  // namespace cloudai::run
