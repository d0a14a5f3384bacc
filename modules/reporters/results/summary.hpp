// summary.json as reporters read it: the facts about the scenario as a whole, and its runs one at a time, since there
// may be ten thousand of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/documents/outcome.hpp"

namespace cloudai::results {

struct ModuleUsed {
  std::string id;
  std::string version;
  std::string path;
  std::string sha256;
};

struct FileRead {
  std::string path;
  std::string sha256;
};

// What the summary says of the scenario. A text that is not there is empty.
struct Header {
  std::string cloudai_version;
  std::vector<std::string> arguments;
  std::string user;
  std::string host;
  std::string scenario;
  std::string scenario_file;
  std::string system;
  std::string scheduler;
  std::string system_file;
  std::vector<FileRead> files;
  std::vector<ModuleUsed> modules;
  std::string started;
  std::string ended;
  std::optional<double> seconds;
  std::string status;
};

struct StageSummary {
  std::string kind;  // prologue, main or epilogue
  std::string name;
  std::string directory;
  std::string status;
  std::optional<Reason> reason;
  std::string started;
  std::string ended;
  std::optional<double> seconds;
  std::optional<double> time_limit;
  std::optional<std::int64_t> exit_status;
  std::optional<std::int64_t> signal;
  std::string standard_output;
  std::string standard_error;
};

struct HeadlineMetric {
  Metric metric;
  std::string stage;
};

// Whether `headline` is a measurement of the stage: `stage` of a headline metric is "kind/name".
bool is_of_stage(const HeadlineMetric& headline, const StageSummary& stage);

// Whether it is one of the main stage: what the run is about. A prologue's and an epilogue's say only that the nodes
// work.
bool is_of_main(const HeadlineMetric& headline);

struct Attempt {
  std::string directory;
  std::string status;
  std::string job;
  std::optional<double> seconds;
};

struct RunSummary {
  std::string id;
  std::string test_case;
  std::int64_t iteration = 0;
  std::int64_t step = 0;
  std::string test;
  std::string workload;
  std::string description;
  std::vector<std::string> dependencies;  // "start_post_comp Tests.0"
  std::string directory;
  std::string status;
  std::optional<Reason> reason;
  std::string job;
  std::optional<std::int64_t> nodes_requested;
  std::vector<std::string> nodes;                                        // those it ran on
  std::map<std::string, std::map<std::string, std::string>> node_facts;  // by the node's name, where there are any
  std::string started;
  std::string ended;
  std::optional<double> seconds;
  std::optional<double> hook_share;
  std::string outcome;  // path of its outcome.json
  std::vector<HeadlineMetric> headline;
  std::vector<Attempt> attempts;
  std::vector<StageSummary> stages;
};

// Reads summary.json of a results directory from its first to its last byte and calls `visit` for every run, in the
// file's order; `index` counts from 0. Throws Error(failed) where the file is missing or broken; some runs may have
// been visited by then. Returns the header.
Header read_summary(const std::filesystem::path& results_directory,
                    const std::function<void(const RunSummary& run, std::size_t index)>& visit);

}  // namespace cloudai::results
