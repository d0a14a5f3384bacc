#include "phases.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cloudai/shell_text.hpp"

namespace runai {
namespace {

using cloudai::JobEnd;
using cloudai::JobPhase;
using std::chrono::seconds;

constexpr std::array<std::pair<std::string_view, Meaning>, 15> meanings{{{"Creating", Meaning::pending},
                                                                         {"Pending", Meaning::pending},
                                                                         {"Initializing", Meaning::pending},
                                                                         {"Resuming", Meaning::pending},
                                                                         {"Running", Meaning::running},
                                                                         {"Updating", Meaning::running},
                                                                         {"Degraded", Meaning::degraded},
                                                                         {"Stopping", Meaning::stopping},
                                                                         {"Suspending", Meaning::stopping},
                                                                         {"Deleting", Meaning::stopping},
                                                                         {"Terminating", Meaning::stopping},
                                                                         {"Stopped", Meaning::stopped},
                                                                         {"Completed", Meaning::succeeded},
                                                                         {"Failed", Meaning::failed},
                                                                         {"Unknown", Meaning::unknown}}};

// The phase as in "was Pending", with what the tenant says of it.
std::string described(const Sighting& sighting) {
  const std::string phase = sighting.phase.empty() ? "in no phase" : cloudai::one_line(sighting.phase);
  return phase + (sighting.message.empty() ? "" : " (" + sighting.message + ")");
}

}  // namespace

Meaning meaning_of(std::string_view phase) {
  const auto found =
      std::find_if(meanings.begin(), meanings.end(), [&](const auto& entry) { return entry.first == phase; });
  return found == meanings.end() ? Meaning::unknown : found->second;
}

void PhaseHistory::follow(Meaning meaning, SteadyTime now) {
  if (!since_ || meaning != meaning_) since_ = now;
  meaning_ = meaning;
  if (meaning == Meaning::pending) state_ = JobPhase::pending;
  if (meaning == Meaning::running || meaning == Meaning::degraded) {
    if (state_ == JobPhase::pending && starts_++ == 0) running_since_ = now;
    state_ = JobPhase::running;
  }
  // Of one that stops or is unknown, what was true before is the best that can be said.
}

std::optional<JobFinish> PhaseHistory::overdue(const Sighting& sighting, SteadyTime now) const {
  const auto check = [&](seconds limit, const char* name, JobEnd end) -> std::optional<JobFinish> {
    if (now - *since_ < limit) return std::nullopt;
    return JobFinish{
        end,
        "Run:ai's workload was " + described(sighting) + " for " + std::to_string(limit.count()) + " s (" + name + ").",
        true};
  };
  switch (meaning_) {
    case Meaning::pending:
      return check(limits_.pending, "pending_timeout", JobEnd::failed);
    case Meaning::degraded:
      return check(limits_.degraded, "degraded_timeout", JobEnd::failed);
    case Meaning::stopping:
    case Meaning::stopped:
      return check(limits_.stopping, "stopping_timeout", JobEnd::cancelled);
    case Meaning::unknown:
      return check(limits_.unknown, "unknown_timeout", JobEnd::lost);
    default:
      return std::nullopt;
  }
}

std::optional<JobFinish> PhaseHistory::observe(const Sighting& sighting, SteadyTime now) {
  phase_ = sighting.phase;
  follow(meaning_of(sighting.phase), now);
  switch (meaning_) {
    case Meaning::succeeded:
      return JobFinish{};
    case Meaning::failed:
      return JobFinish{JobEnd::failed, "Run:ai's workload is " + described(sighting) + ".", false};
    case Meaning::stopped:
      if (sighting.desired == "Stopped" || sighting.desired == "Deleted") {
        return JobFinish{
            JobEnd::cancelled,
            "Run:ai's workload was stopped by someone else, or by a rule: it is " + described(sighting) + ".", true};
      }
      return overdue(sighting, now);
    default:
      return overdue(sighting, now);
  }
}

}  // namespace runai
