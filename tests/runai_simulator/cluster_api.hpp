// The calls a cluster answers itself: its status and the logs of workloads.
#pragma once

#include "tests/runai_simulator/api.hpp"

namespace runai_simulator {

Answer cluster_status();
// …/cluster-api/api/v1/{project}/workloads/{type}/{framework}/{name}/logs and …/logs/download.
Answer cluster_call(Api& api, const HttpRequest& request);

}  // namespace runai_simulator
