// Write a workload: derive from Workload and export the class (cloudai/module.hpp).
#pragma once

#include <string>

#include "cloudai/documents/outcome.hpp"
#include "cloudai/documents/plan.hpp"
#include "cloudai/documents/workload.hpp"
#include "cloudai/error.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// One kind of benchmark. Every function is pure: its answer depends on the request and on the files the request
// names, nothing else. An object lives for one call, and calls may come from several threads at once.
class Workload {
 public:
  virtual ~Workload() = default;

  // What must be on the machine before the test can run.
  virtual Requirements requirements(const TestRequest&) const { return {}; }

  // What to execute, free of any scheduler. Error(invalid_config) refuses the test with a message for its author.
  virtual Plan plan(const RunRequest& run) const = 0;

  // Verdict, metrics and tables of a stage that ended. Missing, empty, cut or garbled output is an outcome, never an
  // error. Start from default_evaluation() (cloudai/default_evaluation.hpp).
  virtual Outcome evaluate(const StageRequest& stage) const = 0;
};

// For a workload whose command takes no more arguments; `hint` tells what to do instead.
inline void refuse_extra_cmd_args(const RunRequest& run, const std::string& hint) {
  if (run.test.extra_cmd_args.empty()) return;
  throw Error(Status::invalid_config, run.provider + " takes no extra_cmd_args.", hint, "/test/extra_cmd_args");
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
