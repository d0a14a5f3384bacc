#include "tests/runai_simulator/phase_engine.hpp"

#include <algorithm>
#include <set>

#include "tests/runai_simulator/placement.hpp"

namespace runai_simulator {
namespace {

// The name of no phase: the end of a plan in which the workload is gone.
const std::string gone;

bool needs_gpus(const std::string& phase) {
  static const std::set<std::string> phases{"Initializing", "Running", "Updating", "Degraded"};
  return phases.count(phase) != 0;
}

bool frees_gpus(const std::string& phase) {
  static const std::set<std::string> phases{"Creating", "Pending", "Resuming", "Stopped", "Completed", "Failed", gone};
  return phases.count(phase) != 0;
}

// Short, for tests; in a tenant that executes, the command tells how long.
std::vector<Step> usual_steps(bool execute) {
  Step running{"Running", {}, "", nullptr};
  if (!execute) running.duration = 200;
  return {{"Creating", 20, "", nullptr},
          {"Pending", 20, "", nullptr},
          {"Initializing", 20, "", nullptr},
          running,
          {"Completed", {}, "", nullptr}};
}

}  // namespace

void PhaseEngine::begin(Workload& workload, Milliseconds now) {
  for (const auto& script : tenant_.scripts) {
    if (matches_glob(script.name, workload.name)) workload.script = script;
  }
  if (workload.script.steps.empty()) workload.script.steps = usual_steps(runner_ != nullptr && settings_.execute);
  make_pods(workload, settings_, random_);
  follow(workload, workload.script.steps, now);
}

void PhaseEngine::advance_to(Milliseconds now) {
  while (true) {
    Workload* next = nullptr;
    for (auto& workload : tenant_.workloads) {
      const bool ripe = workload.due && *workload.due <= now;
      if (ripe && (next == nullptr || *workload.due < *next->due)) next = &workload;
    }
    if (next == nullptr) return;
    const auto at = *next->due;
    next->due.reset();
    ++next->step;
    if (next->step < next->plan.size()) enter(*next, at);
  }
}

void PhaseEngine::follow(Workload& workload, std::vector<Step> plan, Milliseconds at) {
  workload.plan = std::move(plan);
  workload.step = 0;
  workload.due.reset();
  workload.waiting = false;
  enter(workload, at);
}

void PhaseEngine::enter(Workload& workload, Milliseconds at) {
  const Step step = workload.plan[workload.step];
  if (step.phase == gone) {
    vanish(workload, at);
    return;
  }
  if (needs_gpus(step.phase) && workload.node_pool.empty() && !place_pods(workload, tenant_)) {
    wait_for_gpus(workload, at);
    return;
  }
  workload.waiting = false;
  if (step.duration) workload.due = at + *step.duration;
  change_phase(workload, step.phase, step.message, at);
  record(workload, step, at);
  if (step.phase == "Running") run(workload, at);
  if (frees_gpus(step.phase)) {
    end_command(workload);
    release(workload);
    retry_waiting(at);
  }
  if (workload.finished()) workload.completed_at = at;
}

void PhaseEngine::change_phase(Workload& workload, const std::string& phase, const std::string& message,
                               Milliseconds at) {
  const bool same =
      !workload.history.empty() && workload.phase() == phase && workload.history.back().message == message;
  if (!same) workload.history.push_back({phase, message, at});
}

void PhaseEngine::release(Workload& workload) {
  if (!workload.node_pool.empty()) release_pods(workload, tenant_);
}

void PhaseEngine::wait_for_gpus(Workload& workload, Milliseconds at) {
  const bool first = !workload.waiting;
  workload.waiting = true;
  const auto message = why_not_placed(workload, tenant_);
  change_phase(workload, "Pending", message, at);
  if (first && !workload.pods.empty()) {
    add_event(workload, at, workload.pods.front(), "Warning", "FailedScheduling", message);
  }
}

void PhaseEngine::retry_waiting(Milliseconds at) {
  for (auto& workload : tenant_.workloads) {
    if (workload.waiting) enter(workload, at);
  }
}

void PhaseEngine::run(Workload& workload, Milliseconds at) {
  if (!workload.running_since) workload.running_since = at;
  if (runner_ == nullptr || !settings_.execute || workload.executing) return;
  workload.executing = true;
  runner_->start(workload);
}

void PhaseEngine::end_command(Workload& workload) {
  if (workload.executing) runner_->stop(workload.id);
  workload.executing = false;
}

void PhaseEngine::command_ended(const std::string& workload_id, int exit_status, Milliseconds now) {
  auto* workload = find_workload(tenant_, workload_id);
  if (workload == nullptr || !workload->executing) return;
  workload->executing = false;
  const bool waits_for_it = workload->phase() == "Running" && !workload->due;
  if (!waits_for_it) return;
  workload->script.exit_code = exit_status;
  if (exit_status != 0) {
    follow(*workload, {{"Failed", {}, "The container ended with exit code " + std::to_string(exit_status), nullptr}},
           now);
  } else {
    workload->due = now;
    advance_to(now);
  }
}

void PhaseEngine::suspend(Workload& workload, Milliseconds now) {
  workload.desired = "Stopped";
  follow(workload, {{"Stopping", settings_.lag_ms, "", nullptr}, {"Stopped", {}, "", nullptr}}, now);
}

void PhaseEngine::resume(Workload& workload, Milliseconds now) {
  workload.desired = "Running";
  auto plan = workload.script.steps;
  if (!plan.empty() && plan.front().phase == "Creating") plan.erase(plan.begin());
  plan.insert(plan.begin(), Step{"Resuming", settings_.lag_ms, "", nullptr});
  follow(workload, plan, now);
}

void PhaseEngine::remove(Workload& workload, Milliseconds now) {
  if (workload.delete_requested_at) return;
  workload.desired = "Deleted";
  workload.delete_requested_at = now;
  end_command(workload);
  follow(workload, {{"Deleting", settings_.lag_ms, "", nullptr}, {gone, {}, "", nullptr}}, now);
}

void PhaseEngine::vanish(Workload& workload, Milliseconds now) {
  workload.due.reset();
  workload.waiting = false;
  workload.plan.clear();
  workload.deleted_at = now;
  end_command(workload);
  release(workload);
  retry_waiting(now);
}

void PhaseEngine::set_phase(Workload& workload, const std::string& phase, const std::string& message,
                            Milliseconds now) {
  follow(workload, {{phase, {}, message, nullptr}}, now);
}

void PhaseEngine::record(Workload& workload, const Step& step, Milliseconds at) {
  const auto image = workload.spec.value("image", Json()).is_string() ? workload.spec["image"].get<std::string>() : "";
  for (const auto& pod : workload.pods) {
    if (step.phase == "Initializing") {
      add_event(workload, at, pod, "Normal", "Scheduled", "Successfully assigned the pod to " + pod.node);
      add_event(workload, at, pod, "Normal", "Pulling", "Pulling image \"" + image + "\"");
    } else if (step.phase == "Running" && !workload.running_since) {
      add_event(workload, at, pod, "Normal", "Pulled", "Successfully pulled image \"" + image + "\"");
      add_event(workload, at, pod, "Normal", "Created", "Created container");
      add_event(workload, at, pod, "Normal", "Started", "Started container");
    }
  }
  if (workload.pods.empty()) return;
  const auto& first = workload.pods.front();
  if (step.phase == "Running" && !workload.running_since) {
    for (int i = 1; i <= workload.script.extra_events; ++i) {
      add_event(workload, at, first, "Normal", "Probed", "Probe " + std::to_string(i));
    }
  }
  if (step.phase == "Failed") {
    add_event(workload, at, first, "Warning", "Failed",
              "Container ended with exit code " + std::to_string(workload.script.exit_code));
  }
  if (step.event.is_object()) {
    add_event(workload, at, first, step.event.value("type", "Normal"), step.event.value("reason", ""),
              step.event.value("message", ""));
  }
}

void PhaseEngine::add_event(Workload& workload, Milliseconds at, const Pod& pod, const std::string& type,
                            const std::string& reason, const std::string& message) {
  workload.events.push_back({random_uuid(random_), at, type, reason, message, pod.name});
}

}  // namespace runai_simulator
