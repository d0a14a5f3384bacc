// The workload NcclTest: the collective benchmarks of nccl-tests, and programs that behave like them.
#include "cloudai/module.hpp"
#include "modules/workloads/nccl_test/command.hpp"
#include "modules/workloads/nccl_test/verdict.hpp"

namespace {

class NcclTest : public cloudai::Workload {
 public:
  cloudai::Requirements requirements(const cloudai::TestRequest& request) const override {
    cloudai::Requirements requirements;
    const auto image = request.test.cmd_args.find<std::string>("docker_image_url");
    if (image && request.system.containers != cloudai::Containers::none) {
      cloudai::Requirement item;
      item.id = cloudai::nccl_test::image_item;
      item.kind = "docker_image";
      item.url = *image;
      requirements.items.push_back(item);
    }
    return requirements;
  }

  cloudai::Plan plan(const cloudai::RunRequest& run) const override { return cloudai::nccl_test::plan_of(run); }

  cloudai::Outcome evaluate(const cloudai::StageRequest& stage) const override {
    return cloudai::nccl_test::evaluated(stage);
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::workload<NcclTest>("NcclTest"));
