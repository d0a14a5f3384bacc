#include "main_end.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "cloudai/error.hpp"
#include "cloudai/stage_records.hpp"
#include "queue_query.hpp"
#include "text_fields.hpp"

namespace slurm {
namespace {

using cloudai::Error;
using cloudai::Status;

constexpr double scancel_timeout = 30;

std::filesystem::path request_path(const std::string& directory) {
  return std::filesystem::path(directory) / cloudai::status_directory / cloudai::end_main_request;
}

bool write_request(const std::string& id, const std::string& directory) {
  std::ofstream file(request_path(directory), std::ios::binary | std::ios::trunc);
  file << id << "\n";
  file.close();
  return static_cast<bool>(file);
}

// Those of the jobs whose progress is one of these.
std::vector<std::string> ids_in(const std::vector<QueueRow>& rows, const std::set<std::string>& asked,
                                std::initializer_list<Progress> progress) {
  std::vector<std::string> ids;
  for (const QueueRow& row : rows) {
    const bool fits = std::find(progress.begin(), progress.end(), row.state.progress) != progress.end();
    if (fits && asked.count(row.id) != 0) ids.push_back(row.id);
  }
  return ids;
}

// What scancel said if it failed; empty otherwise.
std::string scancel(const std::vector<std::string>& options, const std::vector<std::string>& ids,
                    const SlurmCommands& commands) {
  if (ids.empty()) return {};
  std::vector<std::string> argv{"scancel"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.insert(argv.end(), ids.begin(), ids.end());
  const auto result = commands.act(std::move(argv), scancel_timeout);
  if (succeeded(result)) return {};
  const std::string said = failure_text("scancel", result);
  if (commands.is_transient(result)) throw Error(Status::unavailable, said);
  return said;
}

}  // namespace

std::vector<cloudai::NotCancelled> end_main_stages(const std::map<std::string, std::string>& directories,
                                                   const SlurmCommands& commands) {
  std::vector<cloudai::NotCancelled> not_ended;
  std::set<std::string> asked;
  for (const auto& [id, directory] : directories) {
    // Before the queue is looked at: a job that waits now and starts in a moment finds it.
    if (write_request(id, directory)) {
      asked.insert(id);
    } else {
      not_ended.push_back({id, "The file '" + request_path(directory).string() + "' cannot be written."});
    }
  }
  if (asked.empty()) return not_ended;
  const std::vector<std::string> all(asked.begin(), asked.end());
  const auto rows = query_queue(commands, all);
  // Whatever starts between the two commands is spared, and reads the request.
  scancel({"--state=PENDING"}, ids_in(rows, asked, {Progress::pending}), commands);
  const std::vector<std::string> running = ids_in(rows, asked, {Progress::running});
  const std::string said = scancel({"--batch", "--signal=URG"}, running, commands);
  if (said.empty()) return not_ended;
  // It fails for jobs that have just ended, too.
  const std::set<std::string> told(running.begin(), running.end());
  for (const std::string& id : ids_in(query_queue(commands, running), told, {Progress::running})) {
    not_ended.push_back({id, "The main stage of job " + id + " was not told to end: " + said});
  }
  return not_ended;
}

bool main_had_to_end(const std::string& id, const std::string& directory) {
  const auto request = cloudai::records::read_file(request_path(directory));
  return request && trim(*request) == id;
}

}  // namespace slurm
