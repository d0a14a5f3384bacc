// The blocking steps in the life of a job, each a function: prepare, submit. They call modules, so they run on a
// worker, never on the event loop.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/config/model.hpp"
#include "core/module/proxies.hpp"
#include "core/pipeline/documents.hpp"
#include "core/run/journal.hpp"
#include "core/support/result.hpp"

namespace cloudai::run {

// Tests, by name, whose workload crashed when it was asked what they need.
using CrashedTests = std::map<std::string, Error>;

// What the steps work with. Outlives every run.
struct Surroundings {
  const config::Configuration& configuration;
  std::filesystem::path results_directory;
  module::Loader& loader;
  module::Scheduler& scheduler;
  CrashedTests crashed_tests = {};  // none of their runs starts
};

// A job whose files are written, ready to be submitted.
struct PreparedJob {
  pipeline::Job job;
  std::string tag;
  std::vector<std::string> nodes;
  std::vector<std::vector<Json>> plans;  // by run and stage, environment merged
  Json submission;
  std::string command;  // of the main test, or of several what submits them; for the log: without secrets
};

// The scheduler has no nodes for the job, or takes none, at the moment.
struct Wait {
  std::string reason;
};

// allocate → plan → render → write the files. `taken` are the nodes of the jobs in flight. The same code and bytes in
// run and dry-run.
Result<std::variant<PreparedJob, Wait>> prepare(const Surroundings& surroundings, const pipeline::Job& job,
                                                const std::vector<std::string>& taken);

// What documents about a job, or about a run in it, say of its surroundings.
pipeline::RunContext context_of(const Surroundings& surroundings, const PreparedJob& job);
pipeline::RunContext context_of(const Surroundings& surroundings, const PreparedJob& job, const pipeline::JobRun& part);

struct SubmittedJob {
  std::string id;
  std::vector<std::filesystem::path> watch;
};

// "test Tests.1", or of those that share it: "all 5 runs".
std::string name_of(const pipeline::Job& job);

// What a journal record about a job is about: {"run": id}, or {"runs": [id, …]} of those that share it.
Json journal_subject(const pipeline::Job& job);

// Submits with a journal record on the disk before and after. `is_repeated`: the scheduler asked to wait the last time,
// and the journal says already that the job is being submitted.
Result<std::variant<SubmittedJob, Wait>> submit(const Surroundings& surroundings, const PreparedJob& job,
                                                bool is_repeated, Journal& journal);

// Checks that everything the tests need is on the machine, and installs what is not. The first failure is the error,
// but for a workload that crashes: then the others go on without the tests it was asked about.
Result<CrashedTests> check_installation(const Surroundings& surroundings, bool dry_run);

}  // namespace cloudai::run
