// sacct: the jobs the accounting database knows, with their steps and with the attempts of restarted jobs.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job_states.hpp"
#include "slurm_commands.hpp"

namespace slurm {

// A line of sacct: a job, or one of its steps.
struct AccountingRow {
  std::string job;   // its number
  std::string step;  // "batch", "extern", "0"; empty: the job itself
  std::string name;
  JobState state;
  ExitCode exit_code;
  ExitCode derived_exit_code;
  std::string start;  // as sacct writes it, in UTC; "Unknown" or "None" where there is none
  std::string end;
  std::optional<long long> elapsed;  // seconds
  std::string nodes;                 // a host list
  std::string reason;
  std::string submit_line;
};

// A job with the steps of its last attempt.
struct AccountingRecord {
  AccountingRow job;
  std::vector<AccountingRow> steps;
  int attempts = 1;
};

// `columns` are sacct's names of the fields, in the order of the output. A line that begins with no job number goes on
// with the last field of the line before it. An id in its raw form is preferred where both are there.
std::vector<AccountingRow> parse_accounting(std::string_view output, const std::vector<std::string>& columns,
                                            char delimiter);

// The last attempt of the job with this number; nothing if there is no row of it.
std::optional<AccountingRecord> last_attempt(const std::vector<AccountingRow>& rows, const std::string& job);

struct AccountingAnswer {
  std::vector<AccountingRow> rows;
  bool is_off = false;  // the cluster keeps no accounts
  std::string failure;  // not empty: there was no answer
};

// One command for all the jobs, none of which was submitted before `since`.
AccountingAnswer query_accounting(const SlurmCommands& commands, const std::vector<std::string>& ids,
                                  std::chrono::system_clock::time_point since);

struct AccountingFind {
  std::string id;  // empty: there is none
  std::string failure;
};

// The job of this user whose name ends with `tag` and which was submitted after `since`.
AccountingFind find_in_accounting(const SlurmCommands& commands, const std::string& tag,
                                  std::chrono::system_clock::time_point since);

// Seconds as sacct writes a duration: "3600", "1-01:00:00", "05:06.789". Nothing for anything else.
std::optional<long long> parse_elapsed(std::string_view text);

}  // namespace slurm
