// A scheduler that cannot keep the stages of a run in one job, made to look as though it could: each stage is a job of
// its own, and the next one is submitted when the one before it has ended and its gate allows it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/module/proxies.hpp"
#include "core/module/transport.hpp"
#include "core/run/stage_jobs.hpp"

namespace cloudai::run {

// How long the scheduler may know nothing of a stage's job before that counts as ended.
inline constexpr std::chrono::seconds stage_patience{60};

// Stands between the core and the scheduler's own transport. Offers what a scheduler with the capability `end_main`
// does; a job of one stage goes through as it is. The id of a job of several stages is its tag. Calls come one at a
// time, as on any scheduler.
class StageSequence final : public module::Transport {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  // Takes a record of what happens and returns when it is on the disk.
  using Record = std::function<Result<void>(std::string_view event, const Json& fields)>;

  // `name` is the scheduler's, for messages.
  StageSequence(std::shared_ptr<module::Transport> scheduler, std::string name,
                Clock clock = std::chrono::steady_clock::now);

  // From now on `record` is told "stage_submitting" {run, stage, tag} before each stage's submission and
  // "stage_submitted" {run, stage, job} after it.
  void tell(Record record) { record_ = std::move(record); }

  Result<Json> call(std::string_view function, const Json& request) override;

 private:
  struct Submission {
    std::string wait;  // not empty: the scheduler wants to be asked again
    Json watch = Json::array();
  };
  using Ids = std::vector<std::string>;

  Result<Json> render(const Json& job);
  Result<Json> submit(const Json& request);
  Result<Json> poll(const Json& request);
  Result<Json> cancel(const Json& request);
  Result<Json> collect(const Json& request);
  Result<Json> find(const Json& request);

  StageJobs* jobs_of(const std::string& id);
  Result<Submission> submit_current(StageJobs& jobs);
  Result<void> begin_submission(const StageJobs& jobs, StageJob& stage);
  static void keep(const StageJobs& jobs);
  Json heed(StageJobs& jobs, const Json* state);
  void advance(StageJobs& jobs, const Json* state);
  bool has_ended(StageJobs& jobs, const Json* state);
  bool collect_current(StageJobs& jobs, StageJob& stage);
  bool is_out_of_patience(StageJobs& jobs);
  Result<bool> look_for(const StageJobs& jobs, StageJob& stage);
  // They add to `not_cancelled` what may go on though it should not.
  void settle(StageJobs& jobs, Json& not_cancelled);
  void stop(StageJobs& jobs, Json& not_cancelled);      // nothing of it starts from now on
  void end_main(StageJobs& jobs, Json& not_cancelled);  // its main stage is to end, or never to start
  Result<void> record(std::string_view event, const StageJobs& jobs, const StageJob& stage, const char* key,
                      const std::string& value);

  std::shared_ptr<module::Transport> transport_;
  module::Scheduler scheduler_;
  Clock clock_;
  Record record_;
  std::map<std::string, StageJobs> jobs_;  // by tag
};

}  // namespace cloudai::run
