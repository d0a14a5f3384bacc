// The workload BashCmd: a shell command whose exit status decides.
#include "cloudai/default_evaluation.hpp"
#include "cloudai/module.hpp"

namespace {

class BashCmd : public cloudai::Workload {
 public:
  cloudai::Plan plan(const cloudai::RunRequest& run) const override {
    if (!run.test.extra_cmd_args.empty()) {
      throw cloudai::Error(cloudai::Status::invalid_config, "BashCmd takes no extra_cmd_args.",
                           "Write the whole command into 'cmd'.", "/test/extra_cmd_args");
    }
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
