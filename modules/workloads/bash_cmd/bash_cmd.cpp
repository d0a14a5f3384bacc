// The workload BashCmd: a shell command whose exit status decides.
#include "cloudai/default_evaluation.hpp"
#include "cloudai/module.hpp"

namespace {

class BashCmd : public cloudai::Workload {
 public:
  cloudai::Plan plan(const cloudai::RunRequest& run) const override {
    cloudai::refuse_extra_cmd_args(run, "Write the whole command into 'cmd'.");
    cloudai::Step step;
    step.command.shell = run.test.cmd_args.get<std::string>("cmd");
    step.placement.nodes = cloudai::PlacedOn::first;
    cloudai::Plan plan;
    plan.steps.push_back(step);
    return plan;
  }

  cloudai::Outcome evaluate(const cloudai::StageRequest& stage) const override {
    return cloudai::default_evaluation(stage);
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::workload<BashCmd>("BashCmd"));
