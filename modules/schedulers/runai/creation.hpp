// Making a workload, exactly one for each job.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "payload.hpp"
#include "runai_api.hpp"

namespace runai {

// Either the workload or the reason to try again later.
struct Created {
  std::string id;
  std::string name;
  std::string wait;
};

// How long it is looked for, and how often, where it is not known whether it was made.
struct LookTimes {
  std::chrono::milliseconds total{30000};
  std::chrono::milliseconds first_pause{1000};
  std::chrono::milliseconds longest_pause{5000};
};

class Creation {
 public:
  Creation(RunaiApi& api, const PhaseLimits& limits, SteadyNow now, LookTimes times = {})
      : api_(api), limits_(limits), now_(std::move(now)), times_(times) {}

  // Makes the workload of the job with this tag. One that may have been made is looked for by its name before anything
  // else is tried, and taken where it is found. Throws Error for a workload that Run:ai does not take.
  Created create(const std::string& tag, const Submission& submission, const std::string& payload);

 private:
  struct Attempt {
    std::string tag;
    WorkloadKind kind = WorkloadKind::training;
    std::string name;
    std::string payload;
    bool may_exist = false;  // a request was sent whose outcome is not known
    bool is_repeated = false;
    bool is_renamed = false;
    std::string said{};  // by the last request
  };

  Created attempt(Attempt& attempt);
  Created not_answered(const Attempt& attempt);
  std::string look(const Attempt& attempt);
  std::string look_once(const Attempt& attempt, const Patience& patience);
  [[noreturn]] void refuse(const ApiReply& reply) const;

  RunaiApi& api_;
  const PhaseLimits& limits_;
  SteadyNow now_;
  LookTimes times_;
  std::map<std::string, SteadyTime> unanswered_since_;  // by tag
};

}  // namespace runai
