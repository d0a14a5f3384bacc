#include "submission.hpp"

#include <regex>

#include "text_fields.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using cloudai::Status;
using std::chrono::seconds;

constexpr double sbatch_timeout = 120;
constexpr int most_submissions = 3;
constexpr int looks_before_another = 3;
// How long the outcome of a submission may stay unknown because no question is answered.
constexpr seconds outcome_patience{600};
// A limit may also pass because of others; so often it is tried although none of our jobs has ended.
constexpr seconds limit_retry{60};

std::string quoted_output(const cloudai::ProcessResult& result) {
  return "stdout: '" + std::string(trim(result.stdout_text)) + "', stderr: '" + std::string(trim(result.stderr_text)) +
         "'";
}

}  // namespace

std::optional<JobNumber> parse_sbatch_output(std::string_view output) {
  static const std::regex parsable(R"(\s*(\d+)(?:;(\S+))?\s*)");
  static const std::regex sentence(R"(submitted (?:batch job|with job id) (\d+)(?: on cluster (\S+))?)",
                                   std::regex::icase);
  std::optional<JobNumber> number;
  for (const std::string_view line : split_lines(output)) {
    const std::string text(line);
    std::smatch match;
    // A line of the number alone is what was asked for; a sentence counts where there is none.
    if (std::regex_match(text, match, parsable)) {
      number = JobNumber{match[1], match[2]};
    } else if (!number && std::regex_search(text, match, sentence)) {
      number = JobNumber{match[1], match[2]};
    }
  }
  return number;
}

std::string named_submit_limit(std::string_view errors) {
  static const std::regex limit(R"(\b(?:Assoc|QOS)(?:Max|Grp)Submit\w*)");
  const std::string text(errors);
  std::smatch match;
  return std::regex_search(text, match, limit) ? match[0].str() : std::string();
}

Submissions::Submissions(const SlurmCommands& commands, const SystemOptions& options, SteadyNow now)
    : commands_(commands), options_(options), now_(std::move(now)) {}

SubmissionReply Submissions::submit(const std::string& tag, const std::string& script, std::size_t live_jobs,
                                    const Find& find) {
  const auto found = unsettled_.find(tag);
  if (found != unsettled_.end()) {
    Unsettled& unsettled = found->second;
    if (now_() < unsettled.next_try) return {std::nullopt, unsettled.said};
    if (unsettled.may_exist) {
      SubmissionReply reply = look(tag, unsettled, find);
      if (reply.job || !reply.wait.empty()) return reply;
    }
  }
  const bool limit_may_have_passed = live_jobs < live_at_limit_ || now_() - limit_tried_ >= limit_retry;
  if (!limit_.empty() && !limit_may_have_passed) return {std::nullopt, "Slurm's limit " + limit_ + " is reached."};
  return run_sbatch(tag, script, live_jobs, find);
}

// Empty, too, where the queue cannot be asked: the failure of sbatch is what is told then.
std::string Submissions::found_after_failure(const std::string& tag, const Find& find) {
  try {
    return find(tag);
  } catch (const Error&) {
    return {};
  }
}

SubmissionReply Submissions::run_sbatch(const std::string& tag, const std::string& script, std::size_t live_jobs,
                                        const Find& find) {
  cloudai::ProcessResult result;
  try {
    result = commands_.act({"sbatch", "--parsable", script}, sbatch_timeout);
  } catch (const Error& error) {
    if (error.status() != Status::cancelled) throw;
    // Ended in the middle: the job may be there, and must be found to be cancelled.
    if (const std::string id = find(tag); !id.empty()) return {JobNumber{id, {}}, {}};
    throw;
  }
  if (succeeded(result)) {
    auto job = parse_sbatch_output(result.stdout_text);
    if (!job) {
      // It may be in the queue all the same; it must not run there unwatched.
      if (const std::string id = find(tag); !id.empty()) {
        job = JobNumber{id, {}};
      } else {
        throw Error(Status::failed, "sbatch returned 0 without a job id (" + quoted_output(result) +
                                        "), and no job of this name is in the queue.");
      }
    }
    unsettled_.erase(tag);
    limit_.clear();
    return {job, {}};
  }
  const std::string said = failure_text("sbatch", result);
  if (const std::string limit = named_submit_limit(result.stderr_text); !limit.empty()) {
    unsettled_.erase(tag);
    return limit_reached(limit, said, live_jobs);
  }
  if (!commands_.is_transient(result)) {
    unsettled_.erase(tag);
    // sbatch may fail after it submitted; the job must not run unwatched.
    if (const std::string id = found_after_failure(tag, find); !id.empty()) return {JobNumber{id, {}}, {}};
    throw Error(Status::failed, "The job was not submitted: " + said);
  }
  Unsettled& unsettled = unsettled_[tag];
  if (unsettled.submissions++ == 0) unsettled.since = now_();
  unsettled.may_exist = true;
  unsettled.looks = 0;
  unsettled.said = said;
  cloudai::host().log_warning(said + " Whether the job was submitted is found out by its name.");
  return look(tag, unsettled, find);
}

// Neither a job nor a reason to wait: it is certain enough that there is no job.
SubmissionReply Submissions::look(const std::string& tag, Unsettled& unsettled, const Find& find) {
  // Each pause is longer than the one before: what keeps the controller busy takes its time.
  const int pause = std::max(options_.status_retry_pause_seconds, 1) * (unsettled.looks + unsettled.submissions);
  unsettled.next_try = now_() + seconds(pause);
  std::string id;
  try {
    id = find(tag);
  } catch (const Error& error) {
    if (error.status() != Status::unavailable) throw;
    if (now_() - unsettled.since < outcome_patience) return {std::nullopt, unsettled.said};
    throw Error(Status::failed,
                "It is not known whether the job was submitted: " + unsettled.said + " Since then: " + error.message(),
                "Look for a job whose name ends with '" + tag + "' and cancel it.");
  }
  if (!id.empty()) {
    unsettled_.erase(tag);
    limit_.clear();
    return {JobNumber{id, {}}, {}};
  }
  if (++unsettled.looks < looks_before_another) return {std::nullopt, unsettled.said};
  if (unsettled.submissions < most_submissions) {
    unsettled.may_exist = false;
    return {};
  }
  throw Error(Status::failed, "The job was not submitted in " + std::to_string(unsettled.submissions) +
                                  " attempts; the last time " + unsettled.said);
}

SubmissionReply Submissions::limit_reached(const std::string& limit, const std::string& said, std::size_t live_jobs) {
  const auto now = now_();
  if (limit_.empty()) limit_since_ = now;
  if (live_jobs == 0) {
    throw Error(Status::failed, "The job was not submitted: " + said,
                "None of this scenario's jobs is in the queue; wait for other jobs of yours to end.");
  }
  if (now - limit_since_ >= seconds(options_.max_pending_time)) {
    throw Error(Status::failed,
                "The job could not be submitted for " + std::to_string(options_.max_pending_time) + " s: " + said,
                "Raise max_pending_time in the system file, or run fewer tests at a time with --max-parallel.");
  }
  if (limit_.empty()) {
    cloudai::host().log_info("Slurm's limit " + limit + " is reached with " + std::to_string(live_jobs) +
                             " jobs; the others are submitted as these end.");
  }
  limit_ = limit;
  live_at_limit_ = live_jobs;
  limit_tried_ = now;
  return {std::nullopt, "Slurm's limit " + limit + " is reached."};
}

}  // namespace slurm
