// squeue: the jobs the controller knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "job_states.hpp"
#include "slurm_commands.hpp"

namespace slurm {

struct QueueRow {
  std::string id;
  JobState state;
  std::string nodes;  // a host list
  std::string start;  // as squeue writes it, in UTC
  std::string end;
  std::string reason;  // why it waits, or why it ended
};

// Whole lines of squeue in our own format; anything else, such as a header, is skipped.
std::vector<QueueRow> parse_queue(std::string_view output);

// Those of the jobs that the controller knows; it forgets a job some minutes after its end. One command. Throws
// Error(unavailable) if there is no answer.
std::vector<QueueRow> query_queue(const SlurmCommands& commands, const std::vector<std::string>& ids);

// The id of this user's job whose name ends with `tag`, the newest if there are several; empty if there is none. Throws
// Error(unavailable).
std::string find_in_queue(const SlurmCommands& commands, const std::string& tag);

// Lines "<id>|<name>": the highest id whose name ends with `tag`.
std::string newest_with_tag(std::string_view output, const std::string& tag);

}  // namespace slurm
