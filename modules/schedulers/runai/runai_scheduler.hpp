// A tenant of Run:ai. A job is one workload.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloudai/scheduler.hpp"
#include "system_options.hpp"

namespace runai {

class RunaiScheduler : public cloudai::Scheduler {
 public:
  explicit RunaiScheduler(const cloudai::OpenRequest& request);
  ~RunaiScheduler() override;

  cloudai::Facts facts() const override;
  cloudai::Provisioned provision(const cloudai::ProvisionRequest& request) override;
  cloudai::Allocation allocate(const cloudai::AllocateRequest& request) override;
  cloudai::Rendering render(const cloudai::Job& job) const override;
  cloudai::Submitted submit(const cloudai::SubmitRequest& request) override;
  cloudai::States poll(const std::vector<std::string>& ids) override;
  std::vector<cloudai::NotCancelled> cancel(const std::vector<std::string>& ids) override;
  cloudai::JobResult collect(const std::string& id) override;
  std::optional<std::string> find(const cloudai::FindRequest& request) override;

 private:
  struct Session;  // what talks to the tenant; none in a dry-run
  Session& session() const;

  SystemOptions options_;
  std::vector<std::string> notes_;
  std::unique_ptr<Session> session_;
};

}  // namespace runai
