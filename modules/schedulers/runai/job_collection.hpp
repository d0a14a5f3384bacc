// The final word on a workload: what it left behind in Run:ai, brought here.
#pragma once

#include <string>

#include "cloudai/documents/scheduler.hpp"
#include "runai_api.hpp"
#include "watched_workload.hpp"
#include "workload_logs.hpp"

namespace runai {

// Writes events.txt, completes stdout.txt, and ends what of the workload still holds nodes. Asks for nothing any more
// once the host wants to stop.
cloudai::JobResult collect_workload(const std::string& id, WatchedWorkload& workload, RunaiApi& api,
                                    WorkloadLogs& logs);

}  // namespace runai
