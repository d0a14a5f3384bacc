// The workload Sleep: the smallest there is.
#include "cloudai/default_evaluation.hpp"
#include "cloudai/module.hpp"

namespace {

class Sleep : public cloudai::Workload {
 public:
  cloudai::Plan plan(const cloudai::RunRequest& run) const override {
    cloudai::refuse_extra_cmd_args(run, "Its one option is 'seconds' in cmd_args.");
    const cloudai::Options& options = run.test.cmd_args;
    cloudai::Step step;
    step.command.argv = {"sleep", options.get<cloudai::Json>("seconds").dump()};
    if (run.system.containers != cloudai::Containers::none) {
      step.image = options.find<std::string>("docker_image_url").value_or("");
      if (!step.image.empty()) step.mounts = run.test.extra_container_mounts;
    }
    cloudai::Plan plan;
    plan.steps.push_back(step);
    return plan;
  }

  cloudai::Outcome evaluate(const cloudai::StageRequest& stage) const override {
    return cloudai::default_evaluation(stage);
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::workload<Sleep>("Sleep"));
