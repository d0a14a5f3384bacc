#include <fstream>
#include <sstream>

#include "cloudai/default_evaluation.hpp"
#include "cloudai/module.hpp"

namespace {

class DiskWrite : public cloudai::Workload {
 public:
  cloudai::Plan plan(const cloudai::RunRequest& run) const override {
    const int mebibytes = run.test.cmd_args.get<int>("mebibytes");
    cloudai::Step step;
    step.command.argv = {"dd",
                         "if=/dev/zero",
                         "of=" + run.stage.directory + "/written.bin",
                         "bs=1M",
                         "count=" + std::to_string(mebibytes),
                         "conv=fsync"};
    step.environment = {{"LC_ALL", "C"}};
    step.placement.nodes = cloudai::PlacedOn::first;
    cloudai::Plan plan;
    plan.steps.push_back(step);
    return plan;
  }

  cloudai::Outcome evaluate(const cloudai::StageRequest& stage) const override {
    cloudai::Outcome outcome = cloudai::default_evaluation(stage);
    if (outcome.verdict != cloudai::Verdict::passed || stage.ended_by_dependency) return outcome;

    // dd says "1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.00123 s, 850 MB/s".
    std::ifstream output(stage.stage.directory + "/stderr.txt");
    double bytes = 0;
    double seconds = 0;
    for (std::string line; std::getline(output, line);) {
      const std::size_t copied = line.find(" copied, ");
      if (copied == std::string::npos) continue;
      std::istringstream(line) >> bytes;
      std::istringstream(line.substr(copied + 9)) >> seconds;
    }
    if (bytes <= 0 || seconds <= 0) {
      outcome.verdict = cloudai::Verdict::failed;
      outcome.reason = cloudai::Reason{
          cloudai::reason_code::no_measurement, "dd did not say how much it wrote", {}, {{"stderr.txt", {}}}};
      return outcome;
    }
    outcome.metrics.push_back({"bandwidth", bytes / seconds / 1e9, "GB/s", cloudai::Better::higher, true, {}});
    return outcome;
  }
};

}  // namespace

CLOUDAI_EXPORT_MODULE(cloudai::workload<DiskWrite>("DiskWrite"));
