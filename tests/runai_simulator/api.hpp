// The calls of the API and of the cluster's own, for requests that no fault keeps from them.
#pragma once

#include <functional>

#include "tests/runai_simulator/http.hpp"
#include "tests/runai_simulator/phase_engine.hpp"

namespace runai_simulator {

// What the calls work on.
struct Api {
  Tenant& tenant;
  const Settings& settings;
  PhaseEngine& engine;
  Random& random;
  std::string authority;  // of the cluster: localhost:<port>
  std::function<std::string(const Workload& workload, const std::string& query)> log;
};

Answer answer_call(Api& api, const HttpRequest& request, Milliseconds now);

}  // namespace runai_simulator
