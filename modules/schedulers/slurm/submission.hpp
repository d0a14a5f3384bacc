// sbatch: handing a job over, exactly once.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "slurm_commands.hpp"
#include "system_options.hpp"

namespace slurm {

using SteadyTime = std::chrono::steady_clock::time_point;
using SteadyNow = std::function<SteadyTime()>;

struct JobNumber {
  std::string id;
  std::string cluster;  // empty unless sbatch names one
};

// The number in what sbatch wrote to stdout, with --parsable or without, whatever a site's wrapper wrote around it.
std::optional<JobNumber> parse_sbatch_output(std::string_view output);

// The limit on how many jobs may be submitted that sbatch names, "QOSMaxSubmitJobPerUserLimit"; empty if it names none.
// Limits of a job's size or time come with the same sentence and are none.
std::string named_submit_limit(std::string_view errors);

struct SubmissionReply {
  std::optional<JobNumber> job;
  std::string wait;  // without a job: why to try again later
};

// Remembers what is not settled yet: a submission whose outcome is not known, and a limit that is reached.
class Submissions {
 public:
  // Looks for the job with a tag: its id, or empty. Throws Error(unavailable).
  using Find = std::function<std::string(const std::string& tag)>;

  Submissions(const SlurmCommands& commands, const SystemOptions& options, SteadyNow now);

  // Submits the script, once for each tag: an sbatch that did not answer may have submitted it, so the job is looked
  // for before there is another attempt. `live_jobs` are those of ours that have not ended. Throws Error for a job that
  // Slurm does not take.
  SubmissionReply submit(const std::string& tag, const std::string& script, std::size_t live_jobs, const Find& find);

 private:
  struct Unsettled {
    int submissions = 0;
    int looks = 0;  // since the last submission
    bool may_exist = false;
    std::string said;  // by the last sbatch
    SteadyTime since;
    SteadyTime next_try;
  };

  static std::string found_after_failure(const std::string& tag, const Find& find);
  SubmissionReply run_sbatch(const std::string& tag, const std::string& script, std::size_t live_jobs,
                             const Find& find);
  SubmissionReply look(const std::string& tag, Unsettled& unsettled, const Find& find);
  SubmissionReply limit_reached(const std::string& limit, const std::string& said, std::size_t live_jobs);

  const SlurmCommands& commands_;
  const SystemOptions& options_;
  SteadyNow now_;
  std::map<std::string, Unsettled> unsettled_;  // by tag
  std::string limit_;                           // empty: none is reached
  std::size_t live_at_limit_ = 0;
  SteadyTime limit_since_;
  SteadyTime limit_tried_;
};

}  // namespace slurm
