// How far a scenario is, in one line.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/pipeline/expansion.hpp"
#include "core/run/record.hpp"
#include "core/support/json.hpp"

namespace cloudai::app {

// The state of every run, as the events of the journal tell it. Not for several threads at once.
class Progress {
 public:
  explicit Progress(const std::vector<pipeline::Run>& runs);

  // An event of the journal; those that say nothing of a run are passed over.
  void heed(std::string_view event, const Json& fields);

  // "[00:01:02] 4 of 10 done (3 passed, 1 failed), 2 running, 4 waiting | Tests.5, Tests.6": the counts of the states
  // that occur, and what is running in the scenario's order, or if nothing is, what is being collected.
  std::string text(std::chrono::seconds elapsed) const;

 private:
  void set(std::size_t run, run::Status status);

  const std::vector<pipeline::Run>& runs_;
  std::map<std::string, std::size_t> index_of_;  // by id
  std::vector<run::Status> states_;
  std::map<run::Status, std::size_t> counts_;
  std::set<std::size_t> running_;
};

// Shows it below the log on stderr until end(), if stderr is a terminal and shows more than warnings; else does
// nothing.
class LiveProgress {
 public:
  explicit LiveProgress(const std::vector<pipeline::Run>& runs);
  ~LiveProgress();
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  // As Progress::heed, from any thread, even after the end.
  void heed(std::string_view event, const Json& fields);
  void end();

 private:
  void redraw_until_ended();

  Progress progress_;
  std::chrono::steady_clock::time_point started_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace cloudai::app
