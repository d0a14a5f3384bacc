// What the top of the page says of a scenario: its verdict, its counts and what went wrong.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "modules/reporters/html/status.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

// A run that did not pass.
struct Problem {
  std::size_t number = 0;  // the run's place in the scenario, from 1
  std::string id;
  std::string test;
  RunStatus status = RunStatus::failed;
  std::string word;
  std::string reason;
  std::string hint;
  std::string test_case;
  std::string stage;            // "prologue nccl_test": where it went wrong; empty: nowhere in particular
  std::string stage_directory;  // to which evidence may be relative
  std::vector<Evidence> evidence;
};

// What is wrong with a run: the reason it gives and the stage to blame.
Problem problem_of(const results::RunSummary& run, std::size_t number);

struct Tally {
  std::size_t count = 0;
  std::size_t first = 0;  // number of the first run of this status
};

// Takes the runs one at a time and keeps what does not grow with their number.
class Overview {
 public:
  static constexpr std::size_t most_problems = 50;

  void add(const results::RunSummary& run);

  std::size_t runs() const { return runs_; }
  const Tally& tally(RunStatus status) const { return tallies_[static_cast<std::size_t>(status)]; }
  std::size_t problem_count() const { return runs_ - tally(RunStatus::passed).count; }

  // The worst first, in the scenario's order within a status, at most most_problems.
  std::vector<Problem> problems() const;

  // Of all stages of all runs, and of those that are prologue or epilogue.
  double stage_seconds() const { return stage_seconds_; }
  double hook_seconds() const { return hook_seconds_; }

 private:
  std::size_t runs_ = 0;
  double stage_seconds_ = 0;
  double hook_seconds_ = 0;
  std::array<Tally, status_count> tallies_{};
  std::array<std::vector<Problem>, status_count> problems_;
};

struct ShownVerdict {
  RunStatus status = RunStatus::error;
  std::string word;      // "FAILED"
  std::string sentence;  // "6 runs: 1 failed, 5 passed."
  std::string caveat;    // why the page does not say what the summary says; empty where it does
};

// The scenario's verdict: what the summary says, but never "passed" where no run passed or one is not good.
ShownVerdict verdict_of(const std::string& summary_status, const Overview& overview);

}  // namespace cloudai::html
