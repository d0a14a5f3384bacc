// What the phases of a workload mean, and how long it may stay in each that is not its last.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "cloudai/documents/scheduler.hpp"
#include "http.hpp"
#include "system_options.hpp"

namespace runai {

enum class Meaning {
  pending,
  running,
  degraded,  // runs without some of its pods; may recover
  stopping,  // somebody stops or deletes it
  stopped,   // no pods any more; may be resumed
  succeeded,
  failed,
  unknown  // a phase that is not listed, none, or "Unknown"
};

Meaning meaning_of(std::string_view phase);

// What one look at a workload told.
struct Sighting {
  std::string phase;    // as the tenant spells it
  std::string message;  // why, in words
  std::string desired;  // "Running", "Stopped", "Deleted"; empty: not told
};

struct JobFinish {
  cloudai::JobEnd end = cloudai::JobEnd::completed;
  std::string reason;
  bool must_delete = false;  // it would go on, or wait, for ever
};

// The phases of one workload over time.
class PhaseHistory {
 public:
  explicit PhaseHistory(const PhaseLimits& limits) : limits_(limits) {}

  // Nothing while it has not ended.
  std::optional<JobFinish> observe(const Sighting& sighting, SteadyTime now);

  cloudai::JobPhase state() const { return state_; }
  bool has_run() const { return starts_ > 0; }
  // How often its pods have begun to run: more than once where it was preempted, and each time it begins anew.
  int starts() const { return starts_; }
  // Since its pods have run, the first time.
  SteadyTime running_since() const { return running_since_; }
  const std::string& phase() const { return phase_; }

 private:
  std::optional<JobFinish> overdue(const Sighting& sighting, SteadyTime now) const;
  void follow(Meaning meaning, SteadyTime now);

  PhaseLimits limits_;
  cloudai::JobPhase state_ = cloudai::JobPhase::pending;
  Meaning meaning_ = Meaning::pending;
  std::string phase_;
  std::optional<SteadyTime> since_;  // of the meaning
  int starts_ = 0;
  SteadyTime running_since_;
};

}  // namespace runai
