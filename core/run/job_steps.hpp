// The blocking steps in the life of a run's job, each a function: prepare, submit, evaluate. They call modules, so they
// run on a strand of their own, never on the event loop.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/config/model.hpp"
#include "core/module/proxies.hpp"
#include "core/pipeline/expansion.hpp"
#include "core/run/journal.hpp"
#include "core/run/judge.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

// What the steps work with. Outlives every run.
struct Surroundings {
  const config::Configuration& configuration;
  std::filesystem::path results_directory;
  module::Loader& loader;
  module::Scheduler& scheduler;
};

// A job whose files are written, ready to be submitted.
struct PreparedJob {
  std::string tag;
  std::vector<std::string> nodes;
  std::vector<Json> plans;  // by stage, environment merged
  Json submission;
  std::string main_command;  // for the log: without secrets
};

// The scheduler has no nodes for the run, or takes no job, at the moment.
struct Wait {
  std::string reason;
};

// allocate → plan → render → write the files. `taken` are the nodes of the runs in flight. The same code and bytes in
// run and dry-run.
Result<std::variant<PreparedJob, Wait>> prepare(const Surroundings& surroundings, const pipeline::Run& run,
                                                const std::vector<std::string>& taken);

struct SubmittedJob {
  std::string id;
  std::vector<std::filesystem::path> watch;
};

// Submits with a journal record on the disk before and after. `is_repeated`: the scheduler asked to wait the last time,
// and the journal says already that the job is being submitted.
Result<std::variant<SubmittedJob, Wait>> submit(const Surroundings& surroundings, const pipeline::Run& run,
                                                const PreparedJob& job, bool is_repeated, Journal& journal);

// Lets the workloads judge the stages of the job that ended with `job_result` (the scheduler's collect), and writes
// evaluation.json and outcome.json.
Result<Evidence> evaluate(const Surroundings& surroundings, const pipeline::Run& run, const PreparedJob& job,
                          Json job_result, Interference interference);

// Checks that everything the tests need is on the machine, and installs what is not. The first failure is the error.
Result<void> check_installation(const Surroundings& surroundings, bool dry_run);

}  // namespace cloudai::run
