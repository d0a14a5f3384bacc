// Watches the workloads of a run with one request a poll, and ends those that must end.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cloudai/documents/scheduler.hpp"
#include "runai_api.hpp"
#include "watched_workload.hpp"
#include "workload_logs.hpp"

namespace runai {

class WorkloadWatch {
 public:
  WorkloadWatch(RunaiApi& api, WorkloadLogs& logs, const SystemOptions& options, SteadyNow now)
      : api_(api), logs_(logs), options_(options), now_(std::move(now)) {}

  void add(const std::string& id, Submission submission, const std::string& directory);
  WatchedWorkload* find(const std::string& id);
  void forget(const std::string& id) { workloads_.erase(id); }

  // A tenant that does not answer changes nothing, until that has lasted too long.
  cloudai::States poll(const std::vector<std::string>& ids);

  // Deletes them all at once; works, a bounded time, after the host asked to stop, too.
  std::vector<cloudai::NotCancelled> cancel(const std::vector<std::string>& ids);

 private:
  void look_at_all(const std::vector<std::string>& ids);
  void look_at(const std::string& id, WatchedWorkload& workload, const Workload* listed);
  void missing(const std::string& id, WatchedWorkload& workload);
  void observe(const std::string& id, WatchedWorkload& workload, const Workload& seen);
  void follow_log(WatchedWorkload& workload);
  void finish(const std::string& id, WatchedWorkload& workload, JobFinish finish);
  void not_answered(const std::vector<std::string>& ids, const std::string& why);
  bool is_over(const WatchedWorkload& workload) const;
  cloudai::JobState state_of(const std::string& id);

  RunaiApi& api_;
  WorkloadLogs& logs_;
  const SystemOptions& options_;
  SteadyNow now_;
  std::map<std::string, WatchedWorkload> workloads_;  // by id
  std::optional<SteadyTime> unanswered_since_;
  std::set<std::string> unknown_phases_;  // those that were said
};

}  // namespace runai
