#include "queue_query.hpp"

#include <unistd.h>

#include "cloudai/error.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using cloudai::Status;

// More ids than fit well on a command line: all jobs of the user are asked for instead.
constexpr std::size_t most_ids = 5000;

// The reason stands last: it may hold anything.
constexpr const char* queue_format = "%A|%T|%N|%S|%e|%r";
constexpr std::size_t queue_fields = 6;

[[noreturn]] void refuse(const cloudai::ProcessResult& result) {
  throw Error(Status::unavailable, "The state of the jobs is not known: " + failure_text("squeue", result));
}

}  // namespace

std::vector<QueueRow> parse_queue(std::string_view output) {
  std::vector<QueueRow> rows;
  for (const std::string_view line : split_lines(output)) {
    auto fields = split_fields(trim(line), '|', queue_fields);
    if (fields.size() < queue_fields || fields[0].empty() || leading_digits(fields[0]) != fields[0]) continue;
    rows.push_back({fields[0], parse_job_state(fields[1]), fields[2], fields[3], fields[4], fields[5]});
  }
  return rows;
}

std::vector<QueueRow> query_queue(const SlurmCommands& commands, const std::vector<std::string>& ids) {
  std::vector<std::string> argv{"squeue", "--noheader", "--states=all", "--format", queue_format};
  argv.push_back(ids.size() > most_ids ? "--user=" + std::to_string(::geteuid()) : "--jobs=" + join(ids, ","));
  const auto result = commands.ask(std::move(argv));
  // What squeue says if it is asked for one job and does not know it.
  if (!succeeded(result) && contains(result.stderr_text, "Invalid job id specified")) return {};
  if (!succeeded(result)) refuse(result);
  return parse_queue(result.stdout_text);
}

std::string newest_with_tag(std::string_view output, const std::string& tag) {
  std::string newest;
  for (const std::string_view line : split_lines(output)) {
    const auto fields = split_fields(line, '|', 2);
    if (fields.size() < 2 || fields[0].empty() || leading_digits(fields[0]) != fields[0]) continue;
    const std::string_view name = trim(fields[1]);
    if (name.size() < tag.size() || name.substr(name.size() - tag.size()) != tag) continue;
    const bool is_newer = fields[0].size() != newest.size() ? fields[0].size() > newest.size() : fields[0] > newest;
    if (is_newer) newest = fields[0];
  }
  return newest;
}

std::string find_in_queue(const SlurmCommands& commands, const std::string& tag) {
  const auto result = commands.ask(
      {"squeue", "--noheader", "--states=all", "--format", "%A|%j", "--user=" + std::to_string(::geteuid())});
  if (!succeeded(result)) refuse(result);
  return newest_with_tag(result.stdout_text, tag);
}

}  // namespace slurm
