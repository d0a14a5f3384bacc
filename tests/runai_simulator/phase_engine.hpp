// What becomes of workloads as time passes: phases by their scripts, GPUs of node pools, pods and events.
#pragma once

#include <string>

#include "tests/runai_simulator/settings.hpp"
#include "tests/runai_simulator/tenant.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {

// Where the commands of workloads run, if they do.
class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  virtual void start(const Workload& workload) = 0;
  virtual void stop(const std::string& workload_id) = 0;
};

class PhaseEngine {
 public:
  // Without a runner, commands are pretended.
  PhaseEngine(Tenant& tenant, const Settings& settings, Random& random, CommandRunner* runner)
      : tenant_(tenant), settings_(settings), random_(random), runner_(runner) {}

  // The workload is the tenant's, complete but for what the engine gives it.
  void begin(Workload& workload, Milliseconds now);
  // Everything that is due until then, in the order of time.
  void advance_to(Milliseconds now);
  void command_ended(const std::string& workload_id, int exit_status, Milliseconds now);

  void suspend(Workload& workload, Milliseconds now);
  void resume(Workload& workload, Milliseconds now);
  void remove(Workload& workload, Milliseconds now);  // as its owner asks for
  void vanish(Workload& workload, Milliseconds now);  // at once, unasked
  void set_phase(Workload& workload, const std::string& phase, const std::string& message, Milliseconds now);

 private:
  void follow(Workload& workload, std::vector<Step> plan, Milliseconds at);
  void enter(Workload& workload, Milliseconds at);
  void change_phase(Workload& workload, const std::string& phase, const std::string& message, Milliseconds at);
  void release(Workload& workload);
  void wait_for_gpus(Workload& workload, Milliseconds at);
  void retry_waiting(Milliseconds at);
  void run(Workload& workload, Milliseconds at);
  void end_command(Workload& workload);
  void record(Workload& workload, const Step& step, Milliseconds at);
  void add_event(Workload& workload, Milliseconds at, const Pod& pod, const std::string& type,
                 const std::string& reason, const std::string& message);

  Tenant& tenant_;
  const Settings& settings_;
  Random& random_;
  CommandRunner* runner_;
};

// GPUs and pods a workload asks for.
int gpus_of_pod(const Json& spec);
int workers_of(const Workload& workload);

}  // namespace runai_simulator
