// A cluster with Slurm. A job is one batch script, its stages run in one allocation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cloudai/scheduler.hpp"
#include "cluster_facts.hpp"
#include "cluster_nodes.hpp"
#include "job_watch.hpp"
#include "node_groups.hpp"
#include "slurm_commands.hpp"
#include "submission.hpp"
#include "system_options.hpp"

namespace slurm {

class SlurmScheduler : public cloudai::Scheduler {
 public:
  explicit SlurmScheduler(const cloudai::OpenRequest& request)
      : SlurmScheduler(request, [] { return std::chrono::steady_clock::now(); }) {}
  SlurmScheduler(const cloudai::OpenRequest& request, SteadyNow now);

  cloudai::Facts facts() const override;
  cloudai::Provisioned provision(const cloudai::ProvisionRequest& request) override;
  cloudai::Allocation allocate(const cloudai::AllocateRequest& request) override;
  cloudai::Rendering render(const cloudai::Job& job) const override;
  cloudai::Submitted submit(const cloudai::SubmitRequest& request) override;
  cloudai::States poll(const std::vector<std::string>& ids) override;
  std::vector<cloudai::NotCancelled> cancel(const std::vector<std::string>& ids) override;
  std::vector<cloudai::NotCancelled> end_main(const std::vector<std::string>& ids) override;
  cloudai::JobResult collect(const std::string& id) override;
  std::optional<std::string> find(const cloudai::FindRequest& request) override;

 private:
  void ask_cluster();
  void check_partition(const std::vector<PartitionLimits>& partitions);
  ClusterView view_of_nodes();

  SystemOptions options_;
  bool is_offline_;
  SlurmCommands commands_;
  SteadyNow now_;
  ClusterConfig config_;
  std::optional<PartitionLimits> partition_;  // of the jobs; absent where it is not known
  std::vector<std::string> notes_;
  std::optional<ClusterView> nodes_;  // as they were a moment ago
  SteadyTime nodes_asked_;
  std::vector<std::string> unknown_node_states_;  // those that were said
  Submissions submissions_;
  std::optional<JobWatch> watch_;
};

}  // namespace slurm
