// Creating workloads: what the tenant refuses, and what it makes of the rest.
#pragma once

#include "tests/runai_simulator/http.hpp"
#include "tests/runai_simulator/phase_engine.hpp"

namespace runai_simulator {

// The answer to POST /api/v1/workloads/trainings or …/distributed: 202 after the workload was begun.
Answer create_workload(const HttpRequest& request, const std::string& type, Tenant& tenant, const Settings& settings,
                       PhaseEngine& engine, Random& random, Milliseconds now);

}  // namespace runai_simulator
