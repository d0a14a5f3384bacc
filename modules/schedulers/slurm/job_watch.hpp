// The jobs of this system and where they stand: what the controller and the accounting database say of them, put
// together.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "accounting_query.hpp"
#include "cloudai/scheduler.hpp"
#include "cloudai/stage_records.hpp"
#include "queue_query.hpp"
#include "submission.hpp"
#include "system_options.hpp"

namespace slurm {

struct WatchedJob {
  std::string tag;
  std::string directory;
  std::vector<cloudai::ListedStage> stages;  // empty: not known, the script's own record says it
  std::chrono::system_clock::time_point submitted;
  std::string name;          // as it was submitted; empty: not known
  std::string srun_command;  // of the main stage; empty: not known
  std::string test_command;  // likewise, without srun

  cloudai::JobPhase phase = cloudai::JobPhase::pending;
  std::optional<QueueRow> queue;               // the last that the controller said
  std::optional<AccountingRecord> accounting;  // once it tells of the job's end
  bool is_cancelled = false;                   // by us
  std::string given_up;                        // why we ended it
  std::vector<std::string> warnings;

  std::optional<SteadyTime> left_since;  // when the controller first said that it ended, or did not know it any more
  std::optional<SteadyTime> cleaning_since;  // when it was first seen completing
  std::optional<SteadyTime> hopeless_since;  // when it was first seen waiting for what will not come
};

class JobWatch {
 public:
  // `has_accounting`: false where the cluster keeps no accounts.
  JobWatch(const SlurmCommands& commands, const SystemOptions& options, bool has_accounting, SteadyNow now);

  void add(const std::string& id, WatchedJob job);
  const WatchedJob* find(const std::string& id) const;
  // The core asks no more for the job.
  void close(const std::string& id);
  std::size_t live_jobs() const;
  bool has_accounting() const { return has_accounting_; }

  // At most one squeue for all jobs and one sacct for those that left the queue. Throws Error(unavailable) if the
  // controller does not answer.
  cloudai::States poll(const std::vector<std::string>& ids);

  // One scancel for all, confirmed by squeue, and again if need be.
  std::vector<cloudai::NotCancelled> cancel(const std::vector<std::string>& ids);

 private:
  using Jobs = std::map<std::string, WatchedJob>;

  void heed_queue(const std::string& id, WatchedJob& job, const QueueRow* row);
  void heed_pending(const std::string& id, WatchedJob& job, const QueueRow& row);
  bool awaits_accounting(const WatchedJob& job) const;
  void ask_accounting(const std::vector<std::string>& ids);
  void heed_accounting(const std::string& id, WatchedJob& job, const std::vector<AccountingRow>& rows);
  void endure_outage(WatchedJob& job);
  void do_without_accounting(WatchedJob& job);
  void give_up_hopeless(const std::vector<std::string>& ids);
  std::optional<double> poll_after(const std::vector<std::string>& ids);
  std::vector<std::string> still_live(const std::vector<std::string>& ids, std::string& trouble) const;

  const SlurmCommands& commands_;
  const SystemOptions& options_;
  bool has_accounting_;
  SteadyNow now_;
  Jobs jobs_;
  std::optional<SteadyTime> accounting_fails_since_;
  std::set<std::string> unknown_states_;  // those that were said
  int settling_polls_ = 0;                // in a row that a job was about to end
};

}  // namespace slurm
