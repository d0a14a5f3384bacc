// A workload of the tenant and what is to become of it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/runai_simulator/clock.hpp"

namespace runai_simulator {

using Json = nlohmann::json;

// One phase of a workload's life.
struct Step {
  std::string phase;
  std::optional<Milliseconds> duration;  // none: until something else happens, such as the end of its command
  std::string message;
  Json event;  // {type, reason, message} that comes with it, or null
};

// What happens to workloads of a name.
struct Script {
  std::string name = "*";  // a glob
  std::vector<Step> steps;
  std::optional<std::string> log;  // comes line by line while it runs
  int exit_code = 1;               // of the container, if it fails
  bool keep_pods = true;           // after the end, and so its log
  int extra_events = 0;            // when it begins to run
};

struct Event {
  std::string id;
  Milliseconds at = 0;
  std::string type;  // Normal, Warning
  std::string reason;
  std::string message;
  std::string pod;
};

struct Pod {
  std::string id;
  std::string name;
  std::string node;  // empty: not yet placed
  int gpus = 0;
};

struct PhaseChange {
  std::string phase;
  std::string message;
  Milliseconds at = 0;
};

struct Workload {
  std::string id;
  std::string name;
  std::string requested_name;
  std::string type;  // Training, Distributed
  std::string project_id;
  std::string created_by;
  Json spec = Json::object();
  Json master_spec = Json::object();  // of the launcher; empty for trainings
  bool from_client = false;           // not from the seed
  Milliseconds created_at = 0;

  Script script;
  std::vector<Step> plan;
  std::size_t step = 0;
  std::optional<Milliseconds> due;  // the end of the current step
  bool waiting = false;             // for GPUs

  std::string desired = "Running";
  std::vector<PhaseChange> history;  // the last is the current phase
  std::string node_pool;             // empty: it holds no GPUs
  std::vector<Pod> pods;
  std::vector<Event> events;
  bool executing = false;
  std::optional<Milliseconds> running_since;  // the first time
  std::optional<Milliseconds> completed_at;
  std::optional<Milliseconds> delete_requested_at;
  std::optional<Milliseconds> deleted_at;

  const std::string& phase() const { return history.back().phase; }
  bool finished() const { return phase() == "Completed" || phase() == "Failed"; }
};

Script script_from(const Json& document);

}  // namespace runai_simulator
