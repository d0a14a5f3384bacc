// The machine cloudai runs on, as a system with one node. A job is one bash script in a session of its own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/processes.hpp"
#include "cloudai/scheduler.hpp"
#include "cloudai/stage_records.hpp"

namespace standalone {

class StandaloneScheduler : public cloudai::Scheduler {
 public:
  explicit StandaloneScheduler(const cloudai::OpenRequest& request);

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
  struct SubmittedJob {
    std::string directory;
    std::string tag;  // marks its processes
    std::vector<cloudai::ListedStage> stages;
    bool is_cancelled = false;
  };

  // The job's processes, in its session or not.
  cloudai::ProcessFamily family_of(const std::string& id) const;
  // Ends the main stage of a job; the sentence says why it could not.
  std::optional<std::string> end_main_of(const std::string& id, const SubmittedJob& job) const;
  // How the job's shell ended; waits for a shell that has nothing left to do but to end.
  cloudai::ProcessState shell_end(const std::string& id, const std::string& directory) const;
  // Ends what the job left behind, and says so.
  void end_leftovers(const std::string& id, std::vector<std::string>& warnings) const;

  std::string host_name_;
  std::optional<int> tasks_per_node_;
  std::optional<int> gpus_per_node_;
  cloudai::Processes processes_;
  std::map<std::string, SubmittedJob> jobs_;  // by id, "<pid>:<start time>" of the shell
};

}  // namespace standalone
