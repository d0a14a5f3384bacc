// What is known of one workload from its submission to its end.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "log_stream.hpp"
#include "payload.hpp"
#include "phases.hpp"

namespace runai {

struct WatchedWorkload {
  WatchedWorkload(Submission submission_, std::string directory_, const PhaseLimits& limits)
      : submission(std::move(submission_)), directory(std::move(directory_)), phases(limits) {}

  Submission submission;  // `name` as Run:ai knows it
  std::string directory;  // of the stage
  PhaseHistory phases;
  std::optional<JobFinish> finish;  // once it has ended
  std::optional<SteadyTime> deletion_asked;
  bool was_cancelled = false;  // by us
  bool was_seen = false;       // by a poll
  std::string last_message;    // why it is in its phase
  int times_missing = 0;
  SteadyTime missed_last;
  std::string started;  // RFC 3339, once it runs
  std::string ended;
  std::unique_ptr<LogStream> log;
  int logged_start = 0;  // the start whose output `log` follows

  std::filesystem::path log_file() const { return std::filesystem::path(directory) / "stdout.txt"; }
};

}  // namespace runai
