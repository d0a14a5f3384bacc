// The documents of docs/documents.md that go from the core to workloads and schedulers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/model.hpp"
#include "core/pipeline/expansion.hpp"
#include "core/pipeline/job.hpp"
#include "core/support/json.hpp"

namespace cloudai::pipeline {

// What a document about one stage is made of beside the stage.
struct RunContext {
  const config::System* system = nullptr;
  const Json* facts = nullptr;              // cloudai.facts/1 of the opened scheduler
  std::filesystem::path results_directory;  // absolute
  std::vector<std::string> nodes;           // allocated: those of the run, in a job document those of the job
  Json provisioned = Json::object();        // item id → path
};

Json test_document(const config::Test& test, const config::System& system, const Json& facts);
Json run_document(const Run& run, const Stage& stage, const RunContext& context);
Json stage_document(const Run& run, const Stage& stage, const RunContext& context, const Json& plan, const Json& result,
                    bool ended_by_dependency);

// `plan` with the user's environment (global, then the test's) put before the names the plan owns, in every step. A
// name set more than once keeps its last value, in its last place. Names to be handed on from the environment of
// cloudai are "pass_environment"; one is either there or set, as the last word on it says.
Json with_environment(Json plan, const config::System& system, const config::Test& test);

// Whether the test runs under a profiler.
bool is_profiled(const config::Test& test);

// `plan` with the main command, that of the step "main", run by the test's profiler, if it has one.
Json with_profiler(Json plan, const config::Test& test);

// How many nodes the job has: those it got, else as many as it asks for.
int count_nodes(const Job& job, const RunContext& context);

// `plans` of each run in the order of its stages, environments merged.
Json job_document(const Job& job, const RunContext& context, const std::string& tag, const std::string& scenario_name,
                  const std::vector<std::vector<Json>>& plans);

// A tag for a job: 13 of [a-z0-9], the same for the same results directory, id and attempt, different for any other.
// The id is that of the run, or of a job of several "all".
std::string job_tag(const std::filesystem::path& results_directory, const std::string& id, int attempt);

}  // namespace cloudai::pipeline
