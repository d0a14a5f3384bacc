// The verdicts of an earlier run once more, from its results directory alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/module/proxies.hpp"
#include "core/support/result.hpp"

namespace cloudai::report {

struct ChangedVerdict {
  std::string run;
  std::string before;
  std::string now;
};

struct Reevaluation {
  std::size_t judged = 0;
  std::vector<ChangedVerdict> changed;
  int exit_status = 0;  // what `run` would have returned with these verdicts
};

// Asks the workloads again what they make of every run that was judged, and writes summary.json and the outcome.json
// files that changed. What the run itself wrote stays beside them, as summary.as-run.json and outcome.as-run.json. A
// run that was never judged (it was skipped, or could not be submitted) keeps its verdict, and so does whatever
// depended on another: nothing is executed. If something is missing or damaged, does not fit the rest or leads out of
// the directory, if a workload's module is not there or a file cannot be written, that is the error, and everything
// stands as it stood.
Result<Reevaluation> reevaluate(const std::filesystem::path& results_directory, module::Loader& loader);

}  // namespace cloudai::report
