// What came of an ended job, judged from what Slurm says and from what its script recorded.
#pragma once

#include <string>
#include <vector>

#include "accounting_query.hpp"
#include "cloudai/stage_records.hpp"
#include "job_states.hpp"

namespace slurm {

struct EndedJob {
  JobState state;        // Slurm's; empty name: it does not know the job
  ExitCode exit_code;    // of the batch script
  std::string reason;    // Slurm's
  std::string end_time;  // Slurm's; no time where it is not known
  std::vector<AccountingRow> steps;
  std::vector<cloudai::StageResult> stages;  // as the script recorded them
  std::vector<bool> is_recorded;             // by stage: the script recorded how it ended, or that it was skipped
  std::string gate_reason;                   // why the first gate is closed
  std::string memory_note;                   // what the output says of memory, where there are no steps
  std::string missing_log;                   // where it should be, if the job wrote none
  bool has_started = false;                  // the script recorded its start
  bool is_finished = false;                  // the script recorded its own end
  bool is_cancelled = false;                 // by us
  bool main_had_to_end = false;              // by us, too
  std::string given_up;
};

struct Verdict {
  cloudai::JobEnd state = cloudai::JobEnd::lost;
  std::string reason;
  std::vector<std::string> warnings;
};

Verdict judge(const EndedJob& job);

// Where Slurm ended a job with run directories, takes back what its script recorded from then on: srun returns 0 when a
// node fails, and the script goes on until it is killed itself. To be called before the runs are judged.
void forget_after_end(EndedJob& job);

// How each run of a job with run directories ended, `whole` being the verdict on the job: the runs that had ended when
// the job did keep their own, and what a step did is its own run's. Empty for any other job.
std::vector<cloudai::RunEnd> judge_runs(const EndedJob& job, const Verdict& whole);

// The number of the stage that a step of this name belongs to, counted from 1; 0 if it belongs to none.
std::size_t stage_of(const std::string& step_name);

}  // namespace slurm
