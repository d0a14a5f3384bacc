// How the simulated tenant differs from the one next door.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace runai_simulator {

using Json = nlohmann::json;

struct Settings {
  std::string release = "2.24";
  std::int64_t token_ttl_seconds = 3600;
  bool strict = false;                        // an unknown field of a created workload is refused
  int wrong_secret_status = 400;              // of /api/v1/token; what a real tenant answers is not documented
  int duplicate_status = 409;                 // when the name is taken; not documented either
  bool omit_actual_phase = false;             // trainings and distributed workloads tell no actualPhase
  std::int64_t read_lag_ms = 0;               // so long is a new workload not found
  std::int64_t lag_ms = 50;                   // of Stopping, Resuming and Deleting
  bool null_events = false;                   // lists of events have nulls in them
  bool execute = false;                       // commands are run on this machine
  bool independent_pods = false;              // distributed workloads run as pods that know nothing of each other
  std::string mpi_log_path = "training/mpi";  // {type}/{framework} of the log of distributed workloads
  std::size_t log_chunk = 200;                // messages of a log have up to so many bytes
  bool log_binary = false;                    // in binary messages, split anywhere, also inside a character
  int log_ping_every = 0;                     // after so many messages comes a ping; 0: never
};

// Throws std::invalid_argument with a sentence if there is no such setting or the value does not fit.
void apply_settings(Settings& settings, const Json& changes);

// Whether the tenant's release is `release` ("2.23") or newer.
bool at_least(const Settings& settings, const std::string& release);

}  // namespace runai_simulator
