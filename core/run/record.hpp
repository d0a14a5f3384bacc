// What is known of each run: what the summary, the result table and the reports are written from.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pipeline/expansion.hpp"
#include "core/support/json.hpp"
#include "core/support/result.hpp"
#include "core/support/time.hpp"

namespace cloudai::run {

// The states of a run; those from `passed` on are final. A stage has a final one, too.
enum class Status {
  waiting,
  submitting,
  pending,
  running,
  collecting,
  passed,
  failed,        // it ran and is not good
  error,         // it could not be run or judged
  inconclusive,  // it ran and cannot decide
  skipped,       // it was not started
  cancelled,     // it was started and then stopped on purpose
};

std::string_view to_string(Status status);
bool is_final(Status status);

// Why a status is not `passed`. `code` is one of the published reason codes (docs/documents.md).
struct Reason {
  std::string code;
  std::string text;
  std::string hint;
  Json evidence = Json::array();  // [{path, line}], paths relative to the results directory
};

// The code for what ended in this error: "module_crashed" if a module's process did, else `otherwise`.
std::string code_of(const Error& error, std::string otherwise);

struct StageRecord {
  pipeline::StageKind kind = pipeline::StageKind::main;
  std::string name;
  std::string directory;  // relative to the results directory
  Status status = Status::waiting;
  Reason reason;  // empty code when passed
  bool gate_closed = false;
  Json result;  // the scheduler's stage result, or null
  std::optional<std::chrono::seconds> time_limit;
};

struct RunRecord {
  const pipeline::Run* run = nullptr;
  Status status = Status::waiting;
  Reason reason;
  std::string job;          // id given by the scheduler
  std::string ended_by;     // the case whose end ended the main test (end_post_comp), or empty
  bool partner_ran = true;  // whether that case ran at all
  Json nodes = Json::array();
  std::optional<Clock::time_point> started;
  std::optional<Clock::time_point> ended;
  std::vector<StageRecord> stages;
  std::vector<std::string> warnings;  // the scheduler's, of the ended job
  bool has_outcome = false;
  Json headline = Json::array();  // headline metrics, each with its stage
};

// The run, and so each of its stages, is not started.
void skip_run(RunRecord& record, const Reason& reason);

}  // namespace cloudai::run
